import { type Expr, f64x2, get, i32, load, local, op } from "./Expr.ts"
import { type Defined, procedure, repeat, set, store } from "./Func.ts"

type Vector = Expr<"v128">

export const add = (a: Vector, b: Vector): Vector => op("f64x2.add", a, b)
export const sub = (a: Vector, b: Vector): Vector => op("f64x2.sub", a, b)
export const mul = (a: Vector, b: Vector): Vector => op("f64x2.mul", a, b)

/** c_0 + x (c_1 + x (c_2 + ...)), in that order and without fused operations: the bits are those of plain loops. */
export const horner = (x: Vector, coefficients: ReadonlyArray<number>): Vector =>
  coefficients
    .slice(0, -1)
    .reduceRight((sum, coefficient) => add(f64x2(coefficient), mul(x, sum)), f64x2(coefficients.at(-1)!))

/** (count): replaces the first `count` float64 of the memory, two at a time. */
export const inPlace = (name: string, value: (x: Vector) => Vector): Defined<undefined> => {
  const count = local("i32", "count")
  const at = local("i32", "at")
  const end = local("i32", "end")
  return procedure(
    name,
    [count],
    [
      set(at, i32(0)),
      set(end, op("i32.shl", get(count), i32(3))),
      repeat(
        [
          store("v128.store", get(at), value(load("v128.load", get(at)))),
          set(at, op("i32.add", get(at), i32(16))),
        ],
        op("i32.lt_u", get(at), get(end)),
      ),
    ],
  )
}
