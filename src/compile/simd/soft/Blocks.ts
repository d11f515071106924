import { type Expr, get, i32, load, type Local, local, op, shuffle } from "../wasm/Expr.ts"
import { type Defined, procedure, repeat, set, type Statement, store, when } from "../wasm/Func.ts"
import type { Places } from "./Levels.ts"
import { add, high, low, move, narrow } from "./Parts.ts"

/** The place of the sum t_j't_k among the moments of a sample, j <= k. */
export const gramIndex = (trees: number, j: number, k: number): number => trees + (k * (k + 1)) / 2 + j

/** 1't, T't and t'y of a block of K columns, added to what is at `out`. Products of float32 are exact in float64. */
export const moments = (K: number, places: Places, count: number): Defined<undefined> => {
  const slots = local("i32", "slots")
  const y = local("i32", "y")
  const length = local("i32", "length")
  const out = local("i32", "out")
  const end = local("i32", "end")
  const sums = Array.from({ length: count }, (_, i) => local("v128", `sum ${i}`))
  const columns = Array.from({ length: K }, (_, k) => load("v128.load", get(slots), k * places.slot))
  const halves = [
    { t: columns.map(low), y: load("v128.load", get(y)) },
    { t: columns.map(high), y: load("v128.load", get(y), 16) },
  ]
  const plus = (a: Expr<"v128">, b: Expr<"v128">): Expr<"v128"> => op("f64x2.add", a, b)
  const times = (a: Expr<"v128">, b: Expr<"v128">): Expr<"v128"> => op("f64x2.mul", a, b)
  const body: Array<Statement> = halves.flatMap(({ t, y }) => {
    const terms: Array<Expr<"v128">> = []
    for (let k = 0; k < K; k++) {
      terms[k] = t[k]!
      for (let j = 0; j <= k; j++) terms[gramIndex(K, j, k)] = times(t[j]!, t[k]!)
      terms[count - K + k] = times(t[k]!, y)
    }
    return terms.map((term, i) => set(sums[i]!, plus(get(sums[i]!), term)))
  })
  return procedure(
    "moments of block",
    [slots, y, length, out],
    [
      set(end, add(get(slots), get(length))),
      ...sums.map((sum, i) => set(sum, load("v128.load", get(out), 16 * i))),
      repeat([...body, move(slots, 16), move(y, 32)], op("i32.lt_u", get(slots), get(end))),
      ...sums.map((sum, i) => store("v128.store", get(out), get(sum), 16 * i)),
    ],
  )
}

/** Four float64 residuals y - T m as two pairs. */
const residual = (
  K: number,
  column: (k: number) => Expr<"v128">,
  y: Local<"i32">,
  mean: (k: number) => Expr<"v128">,
): readonly [Expr<"v128">, Expr<"v128">] => {
  const half = (part: (x: Expr<"v128">) => Expr<"v128">, offset: number): Expr<"v128"> => {
    let r = op("f64x2.sub", load("v128.load", get(y), offset), mean(0))
    for (let k = 0; k < K; k++) r = op("f64x2.sub", r, op("f64x2.mul", mean(k + 1), part(column(k))))
    return r
  }
  return [half(low, 0), half(high, 16)]
}

/** |y - T m|^2 of a block, added to what is at `out`; in the last block without the lanes behind the last row. */
export const residuals = (K: number, places: Places): Defined<undefined> => {
  const slots = local("i32", "slots")
  const y = local("i32", "y")
  const length = local("i32", "length")
  const coefficients = local("i32", "coefficients")
  const out = local("i32", "out")
  const last = local("i32", "last")
  const mask = local("i32", "mask")
  const end = local("i32", "end")
  const sum = local("v128", "sum")
  const keepLow = local("v128", "keep low")
  const keepHigh = local("v128", "keep high")
  const means = Array.from({ length: K + 1 }, (_, k) => local("v128", `mean ${k}`))
  const [a, b] = residual(
    K,
    (k) => load("v128.load", get(slots), k * places.slot),
    y,
    (k) => get(means[k]!),
  )
  const square = (r: Expr<"v128">, keep: Local<"v128">): Expr<"v128"> => {
    const kept = op("v128.and", r, get(keep))
    return op("f64x2.mul", kept, kept)
  }
  const lanes = load("v128.load", get(mask))
  return procedure(
    "residuals of block",
    [slots, y, length, coefficients, out, last, mask],
    [
      set(end, add(get(slots), get(length))),
      ...means.map((m, k) => set(m, load("v128.load64_splat", get(coefficients), 8 * k))),
      set(sum, load("v128.load", get(out))),
      set(keepLow, f32x4Bits(-1)),
      set(keepHigh, f32x4Bits(-1)),
      repeat(
        [
          when(op("i32.and", get(last), op("i32.eq", add(get(slots), 16), get(end))), [
            set(keepLow, shuffle(lanes, lanes, [0, 0, 1, 1])),
            set(keepHigh, shuffle(lanes, lanes, [2, 2, 3, 3])),
          ]),
          set(sum, op("f64x2.add", get(sum), op("f64x2.add", square(a, keepLow), square(b, keepHigh)))),
          move(slots, 16),
          move(y, 32),
        ],
        op("i32.lt_u", get(slots), get(end)),
      ),
      store("v128.store", get(out), get(sum)),
    ],
  )
}

const f32x4Bits = (bits: number): Expr<"v128"> => op("i32x4.splat", i32(bits))

/** d log p / dt_k = (a_n / b_n) mu_k (y - T mu) - T A^-1 e_k of a block, in float64, rounded into the adjoint slots. */
export const slopes = (
  K: number,
  places: Places,
  scratch: { readonly tape: number; readonly tapeOfTree: number; readonly adjoints: number },
  rootOffset: number,
): Defined<undefined> => {
  const space = local("i32", "scratch")
  const y = local("i32", "y")
  const length = local("i32", "length")
  const coefficients = local("i32", "coefficients")
  const end = local("i32", "end")
  const numbers = Array.from({ length: K + 1 + K * (K + 2) }, (_, i) => local("v128", `coefficient ${i}`))
  const column = (k: number): Expr<"v128"> =>
    load("v128.load", get(space), scratch.tape + k * scratch.tapeOfTree + rootOffset)
  const [a, b] = residual(K, column, y, (k) => get(numbers[k]!))
  const slope = (k: number, r: Expr<"v128">, part: (x: Expr<"v128">) => Expr<"v128">): Expr<"v128"> => {
    const first = K + 1 + k * (K + 2)
    let sum = op("f64x2.sub", op("f64x2.mul", get(numbers[first]!), r), get(numbers[first + 1]!))
    for (let j = 0; j < K; j++)
      sum = op("f64x2.sub", sum, op("f64x2.mul", get(numbers[first + 2 + j]!), part(column(j))))
    return sum
  }
  return procedure(
    "slopes of block",
    [space, y, length, coefficients],
    [
      set(end, add(get(space), get(length))),
      ...numbers.map((number, i) => set(number, load("v128.load64_splat", get(coefficients), 8 * i))),
      repeat(
        [
          ...Array.from({ length: K }, (_, k) =>
            store(
              "v128.store",
              get(space),
              narrow(slope(k, a, low), slope(k, b, high)),
              scratch.adjoints + k * places.slot,
            ),
          ),
          move(space, 16),
          move(y, 32),
        ],
        op("i32.lt_u", get(space), get(end)),
      ),
    ],
  )
}

/** (from, to, length): copies a block of a column. */
export const copy = (): Defined<undefined> => {
  const from = local("i32", "from")
  const to = local("i32", "to")
  const length = local("i32", "length")
  const end = local("i32", "end")
  return procedure(
    "copy",
    [from, to, length],
    [
      set(end, add(get(from), get(length))),
      repeat(
        [store("v128.store", get(to), load("v128.load", get(from))), move(from, 16), move(to, 16)],
        op("i32.lt_u", get(from), get(end)),
      ),
    ],
  )
}
