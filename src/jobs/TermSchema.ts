import * as Schema from "effect/Schema"
import type { Term } from "../expr/Term.ts"
import { binaryOperations, unaryOperations } from "../expr/term/operations.ts"

/** A term over variables of some names as plain data, such as the formula of an operator. */
export const over = <V extends string>(variable: Schema.Codec<V>): Schema.Codec<Term<V>> => {
  const part = Schema.suspend((): Schema.Codec<Term<V>> => term)
  const term: Schema.Codec<Term<V>> = Schema.Union([
    Schema.Struct({ _tag: Schema.Literal("Constant"), value: Schema.Finite }),
    Schema.Struct({ _tag: Schema.Literal("Variable"), name: variable }),
    Schema.Struct({
      _tag: Schema.Literal("Unary"),
      operation: Schema.Literals(unaryOperations),
      argument: part,
    }),
    Schema.Struct({
      _tag: Schema.Literal("Binary"),
      operation: Schema.Literals(binaryOperations),
      left: part,
      right: part,
    }),
    Schema.Struct({
      _tag: Schema.Literal("Application"),
      name: Schema.String,
      meaning: Schema.suspend(() => OfArguments),
      operands: Schema.Array(part),
    }),
  ])
  return term
}

/** A term over the arguments of an operator. */
export const OfArguments: Schema.Codec<Term<"x" | "y">> = over(Schema.Literals(["x", "y"]))
