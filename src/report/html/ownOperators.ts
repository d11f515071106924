import * as Result from "effect/Result"
import type { Operator } from "../../expr/Operator.ts"
import { definitions } from "../../expr/text/definition.ts"
import type { Document } from "../DocumentSchema.ts"

/** The operators of the user's own that laws of a document have; none where a definition cannot be read: then its laws are shown as text. */
export const ownOperators = ({ operators = [] }: Document): ReadonlyArray<Operator> =>
  Result.getOrElse(definitions(operators), () => [])
