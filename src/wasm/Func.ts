import type { Defined, Expr, Func, Host, Local, Statement } from "./Syntax.ts"
import type { Store, stores, ValueType } from "./Opcode.ts"

export type { Defined, Func, Host, Statement } from "./Syntax.ts"

/** A function without a result. */
export const procedure = (
  name: string,
  params: ReadonlyArray<Local>,
  body: ReadonlyArray<Statement>,
): Defined<undefined> => ({ _tag: "Defined", name, params, result: undefined, body, value: undefined })

/** A function without effects. */
export const pure = <T extends ValueType>(
  name: string,
  params: ReadonlyArray<Local>,
  value: Expr<T>,
): Defined<T> => ({ _tag: "Defined", name, params, result: value.type, body: [], value })

export const host = <T extends ValueType | undefined>(
  name: string,
  params: ReadonlyArray<Local>,
  result: T,
): Host<T> => ({ _tag: "Host", name, params, result })

export const set = <T extends ValueType>(local: Local<T>, value: Expr<T>): Statement => ({
  _tag: "Set",
  local,
  value,
})

export const store = <const S extends Store>(
  operation: S,
  address: Expr<"i32">,
  value: Expr<(typeof stores)[S][0]>,
  offset = 0,
): Statement => ({ _tag: "Store", operation, address, offset, value })

export const call = (func: Func, ...args: ReadonlyArray<Expr>): Statement => ({ _tag: "Call", func, args })

/** Runs the body at least once, and again as long as `again` is not 0. Expressions that do not change are computed before. */
export const repeat = (body: ReadonlyArray<Statement>, again: Expr<"i32">): Statement => ({
  _tag: "Repeat",
  body,
  again,
})

export const when = (
  condition: Expr<"i32">,
  body: ReadonlyArray<Statement>,
  otherwise: ReadonlyArray<Statement> = [],
): Statement => ({ _tag: "If", condition, body, otherwise })

export const choose = (index: Expr<"i32">, cases: ReadonlyArray<ReadonlyArray<Statement>>): Statement => ({
  _tag: "Switch",
  index,
  cases,
})
