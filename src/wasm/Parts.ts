import { type Expr, extractF64, f64, get, i32, load, type Local, op, shuffle } from "./Expr.ts"
import { set, type Statement, store } from "./Func.ts"

/** The sum of an address and an offset. */
export const add = (a: Expr<"i32">, b: number | Expr<"i32">): Expr<"i32"> =>
  typeof b === "number" && b === 0 ? a : op("i32.add", a, typeof b === "number" ? i32(b) : b)

export const move = (variable: Local<"i32">, by: number | Expr<"i32">): Statement =>
  set(variable, add(get(variable), by))

/** The first two of four float32 as float64. */
export const low = (x: Expr<"v128">): Expr<"v128"> => op("f64x2.promote_low_f32x4", x)
/** The last two of four float32 as float64. */
export const high = (x: Expr<"v128">): Expr<"v128"> =>
  op("f64x2.promote_low_f32x4", shuffle(x, x, [2, 3, 2, 3]))
/** Two pairs of float64 as four float32. */
export const narrow = (a: Expr<"v128">, b: Expr<"v128">): Expr<"v128"> =>
  shuffle(op("f32x4.demote_f64x2_zero", a), op("f32x4.demote_f64x2_zero", b), [0, 1, 4, 5])

/** Adds four float32, times a factor, to a float64 in memory. */
export const accumulate = (
  address: Expr<"i32">,
  offset: number,
  x: Expr<"v128">,
  factor: number = 1,
): Statement => {
  const pair = op("f64x2.add", low(x), high(x))
  const whole = op("f64.add", extractF64(pair, 0), extractF64(pair, 1))
  const sum = factor === 1 ? whole : op("f64.mul", whole, f64(factor))
  return store("f64.store", address, op("f64.add", load("f64.load", address, offset), sum), offset)
}

/** Adds four float32 to two float64 in memory; only the sum of these two is used. */
export const accumulatePair = (address: Expr<"i32">, offset: number, x: Expr<"v128">): Statement => {
  const pair = op("f64x2.add", low(x), high(x))
  return store("v128.store", address, op("f64x2.add", load("v128.load", address, offset), pair), offset)
}

/** The factors of an expression that is a product. */
export const factorsOf = (x: Expr<"v128">): readonly [Expr<"v128">, Expr<"v128">] | undefined =>
  x._tag === "Apply" && x.operation === "f32x4.mul"
    ? // An operation of this name takes two vectors.
      (x.args as unknown as readonly [Expr<"v128">, Expr<"v128">])
    : undefined
