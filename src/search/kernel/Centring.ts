import { add, move } from "../../wasm/Parts.ts"
import { type Expr, extractF64, f64, get, i32, load, local, op } from "../../wasm/Expr.ts"
import { type Defined, procedure, repeat, set, store, when } from "../../wasm/Func.ts"
import { sum, cleared, overRows, pair, current, round, type Sum } from "./Loops.ts"

/** The most rows of which `mean` takes the mean, a few: that is within some standard deviations of the mean of all. */
const sample = 16
/**
 * The mean is subtracted where the variance of these rows is below this share of its square, and 0 otherwise. A column over many decades
 * would lose the digits of its small values, which count as much as the others under weights in proportion to the response.
 */
const narrow = 2 ** -8

/** See `Code.kinds`: `before` is 0 in the first block. */
export const mean = (): Defined<undefined> => {
  const [dst, t, bytes, before] = [
    local("i32", "dst"),
    local("i32", "t"),
    local("i32", "bytes"),
    local("i32", "before"),
  ]
  const [total, squares] = [sum("total"), sum("squares")]
  const [length, here] = [local("i32", "length"), local("i32", "here")]
  const wholeOf = ({ low, high }: Sum): Expr<"f64"> => {
    const both = op("f64x2.add", get(low), get(high))
    return op("f64.add", extractF64(both, 0), extractF64(both, 1))
  }
  const whole = wholeOf(total)
  const square = op("f64.mul", whole, whole)
  const rows = op("f64.convert_i32_s", op("i32.shr_u", get(length), i32(3)))
  return procedure(
    "mean",
    [dst, t, bytes, before],
    [
      set(here, get(dst)),
      when(op("i32.eqz", get(before)), [
        when(op("i32.gt_u", get(bytes), i32(8 * sample)), [set(bytes, i32(8 * sample))]),
        set(length, get(bytes)),
        ...cleared(total),
        ...cleared(squares),
        ...overRows(t, bytes, [], ({ low, high }) => [
          set(total.low, op("f64x2.add", get(total.low), low)),
          set(total.high, op("f64x2.add", get(total.high), high)),
          set(squares.low, op("f64x2.add", get(squares.low), op("f64x2.mul", low, low))),
          set(squares.high, op("f64x2.add", get(squares.high), op("f64x2.mul", high, high))),
        ]),
        store("f64.store", get(here), f64(0)),
        when(
          op(
            "f64.lt",
            op("f64.sub", op("f64.mul", wholeOf(squares), rows), square),
            op("f64.mul", square, f64(narrow)),
          ),
          [store("f64.store", get(here), op("f64.div", whole, rows))],
        ),
      ]),
      store("f64.store", i32(current), load("f64.load", get(here))),
    ],
  )
}

/** See `Code.kinds`; for `bytes` bytes rounded up to a round. `dst` may be `a` or `b`. */
export const centre = (): Defined<undefined> => {
  const [dst, a, b, bytes] = [
    local("i32", "dst"),
    local("i32", "a"),
    local("i32", "b"),
    local("i32", "bytes"),
  ]
  const [end, shift] = [local("i32", "end"), local("v128", "shift")]
  const steps = Array.from({ length: round / 16 }, (_, step) => {
    const centred = op("f64x2.sub", pair(get(a), 16 * step), get(shift))
    return store("v128.store", get(dst), op("f64x2.mul", centred, pair(get(b), 16 * step)), 16 * step)
  })
  return procedure(
    "centre",
    [dst, a, b, bytes],
    [
      set(shift, load("v128.load64_splat", i32(current))),
      set(end, add(get(dst), op("i32.and", add(get(bytes), i32(round - 1)), i32(-round)))),
      repeat(
        [...steps, ...[dst, a, b].map((pointer) => move(pointer, round))],
        op("i32.lt_u", get(dst), get(end)),
      ),
    ],
  )
}

/** Copies a column, zeros behind the last row. */
export const copy = (): Defined<undefined> => {
  const [dst, t, bytes] = [local("i32", "dst"), local("i32", "t"), local("i32", "bytes")]
  return procedure(
    "copy",
    [dst, t, bytes],
    overRows(t, bytes, [dst], ({ low, high }) => [
      store("v128.store", get(dst), low),
      store("v128.store", get(dst), high, 16),
    ]),
  )
}
