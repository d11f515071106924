import {
  type ArgumentsOf,
  type Load,
  loads,
  type Operation,
  resultOf,
  type ResultOf,
  type ValueType,
} from "./Opcode.ts"
import type { Expr, Func, Local } from "./Syntax.ts"

export type { Expr, Local } from "./Syntax.ts"

export const local = <const T extends ValueType>(type: T, name: string): Local<T> => ({ type, name })

/** The value of a variable at the time when the expression is evaluated. */
export const get = <T extends ValueType>(variable: Local<T>): Expr<T> => ({
  _tag: "Get",
  type: variable.type,
  local: variable,
})

type Arguments<A extends ReadonlyArray<ValueType>> = { readonly [I in keyof A]: Expr<A[I]> }

/** An operation by its name in the specification. */
export const op = <const O extends Operation>(
  operation: O,
  ...args: Arguments<ArgumentsOf<O>>
): Expr<ResultOf<O>> => ({
  _tag: "Apply",
  type: resultOf(operation),
  operation,
  args,
})

/** The value at an address, in bytes, plus a constant offset. The region must not overlap regions that the same code stores to. */
export const load = <const L extends Load>(
  operation: L,
  address: Expr<"i32">,
  offset = 0,
): Expr<(typeof loads)[L][0]> => ({ _tag: "Load", type: loads[operation][0], operation, address, offset })

export const i32 = (value: number): Expr<"i32"> => ({ _tag: "Const", type: "i32", bytes: int32(value) })

export const f64 = (value: number): Expr<"f64"> => ({
  _tag: "Const",
  type: "f64",
  bytes: [...new Uint8Array(Float64Array.of(value).buffer)],
})

const int32 = (value: number): ReadonlyArray<number> => [...new Uint8Array(Int32Array.of(value).buffer)]

const vector = (bytes: ArrayBufferLike): Expr<"v128"> => ({
  _tag: "Const",
  type: "v128",
  bytes: [...new Uint8Array(bytes)],
})

/** Four times the float32 nearest to a number. */
export const f32x4 = (value: number): Expr<"v128"> => vector(new Float32Array(4).fill(value).buffer)
/** Twice a float64. */
export const f64x2 = (value: number): Expr<"v128"> => vector(new Float64Array(2).fill(value).buffer)
/** Four times an int32. */
export const i32x4 = (value: number): Expr<"v128"> => vector(new Int32Array(4).fill(value).buffer)
/** Four int32. */
export const i32Lanes = (...lanes: readonly [number, number, number, number]): Expr<"v128"> =>
  vector(new Int32Array(lanes).buffer)
/** Twice an int64. */
export const i64x2 = (value: bigint): Expr<"v128"> => vector(new BigInt64Array(2).fill(value).buffer)

const extraction = <T extends ValueType>(type: T, code: number, lane: number, x: Expr<"v128">): Expr<T> => ({
  _tag: "Immediate",
  type,
  code: [0xfd, code, lane],
  args: [x],
})

export const extractF32 = (x: Expr<"v128">, lane: number): Expr<"f32"> => extraction("f32", 31, lane, x)
export const extractF64 = (x: Expr<"v128">, lane: number): Expr<"f64"> => extraction("f64", 33, lane, x)

/**
 * Any four of the eight 32-bit lanes of two vectors: 0 to 3 are those of `x`, 4 to 7 those of `y`.
 *
 * @example
 * shuffle(x, x, [2, 3, 2, 3]) // the upper half
 */
export const shuffle = (
  x: Expr<"v128">,
  y: Expr<"v128">,
  lanes: readonly [number, number, number, number],
): Expr<"v128"> => ({
  _tag: "Immediate",
  type: "v128",
  code: [0xfd, 13, ...lanes.flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3])],
  args: [x, y],
})

/** The result of a function that has no effects. */
export const result = <T extends ValueType>(func: Func<T>, ...args: ReadonlyArray<Expr>): Expr<T> => ({
  _tag: "Result",
  type: func.result,
  func,
  args,
})

/** `value`, or `instead` where `condition` is not 0: `instead` is evaluated only then, `value` always. */
export const unless = <T extends ValueType>(
  value: Expr<T>,
  condition: Expr<"i32">,
  instead: Expr<T>,
): Expr<T> => ({ _tag: "Unless", type: value.type, value, condition, instead })

/** The parts of an expression. */
export const children = (x: Expr): ReadonlyArray<Expr> => {
  switch (x._tag) {
    case "Const":
    case "Get":
      return []
    case "Load":
      return [x.address]
    case "Apply":
    case "Immediate":
    case "Result":
      return x.args
    case "Unless":
      return [x.value, x.condition, x.instead]
  }
}
