import * as Result from "effect/Result"
import * as Term from "../expr/Term.ts"
import { parse } from "../expr/text/parse.ts"
import { memo } from "../internal/memo.ts"
import type { KnownFormula } from "../prob/KnownForms.ts"

/** A way to write a known form as a term; undefined where its formula cannot be read. */
export const termOf = memo(({ formula }: KnownFormula): Term.Term | undefined => {
  const read = parse(formula)
  return Result.isSuccess(read) ? Term.meaning(read.success) : undefined
})
