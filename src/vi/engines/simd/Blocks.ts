import type { Target } from "../../../wasm/Target.ts"
import { type Expr, f64x2, get, i32, load, type Local, local, op, shuffle } from "../../../wasm/Expr.ts"
import { type Defined, procedure, repeat, set, type Statement, store, when } from "../../../wasm/Func.ts"
import * as A from "../../../wasm/math/arithmetic.ts"
import { add, high, low, move, narrow } from "../../../wasm/Parts.ts"

/** The place of the sum t_j't_k among the moments of a sample, j <= k. */
export const gramIndex = (trees: number, j: number, k: number): number => trees + (k * (k + 1)) / 2 + j

/** Where the columns of a block are: `stride` bytes from each other, the first `offset` behind an address. */
export interface Columns {
  readonly stride: number
  readonly offset: number
}

/** a b + c of float64. Products of two float32 are exact in float64, so that fusing changes nothing. */
const fused = ({ fma }: Target) => ({
  madd: (a: Expr<"v128">, b: Expr<"v128">, c: Expr<"v128">): Expr<"v128"> =>
    fma ? op("f64x2.relaxed_madd", a, b, c) : op("f64x2.add", op("f64x2.mul", a, b), c),
  nmadd: (a: Expr<"v128">, b: Expr<"v128">, c: Expr<"v128">): Expr<"v128"> =>
    fma ? op("f64x2.relaxed_nmadd", a, b, c) : op("f64x2.sub", c, op("f64x2.mul", a, b)),
})

/**
 * (columns, y, length, out): 1't, T't and t'y of a block of K columns, added to the numbers at `out`: sums of sums lose
 * less than one long sum.
 */
export const moments = (K: number, target: Target, { stride, offset }: Columns): Defined<undefined> => {
  const base = local("i32", "columns")
  const y = local("i32", "y")
  const length = local("i32", "length")
  const out = local("i32", "out")
  const end = local("i32", "end")
  const count = 2 * K + (K * (K + 1)) / 2
  const { madd } = fused(target)
  const sums = Array.from({ length: count }, (_, i) => local("v128", `sum ${i}`))
  const columns = Array.from({ length: K }, (_, k) => load("v128.load", get(base), offset + k * stride))
  const halves = [
    { t: columns.map(low), y: load("v128.load", get(y)) },
    { t: columns.map(high), y: load("v128.load", get(y), 16) },
  ]
  const body: ReadonlyArray<Statement> = halves.flatMap(({ t, y }) => {
    const more: Array<Expr<"v128">> = []
    const sum = (i: number): Expr<"v128"> => get(sums[i]!)
    for (let k = 0; k < K; k++) {
      more[k] = op("f64x2.add", sum(k), t[k]!)
      for (let j = 0; j <= k; j++) more[gramIndex(K, j, k)] = madd(t[j]!, t[k]!, sum(gramIndex(K, j, k)))
      more[count - K + k] = madd(t[k]!, y, sum(count - K + k))
    }
    return more.map((value, i) => set(sums[i]!, value))
  })
  return procedure(
    "moments of block",
    [base, y, length, out],
    [
      set(end, add(get(base), get(length))),
      ...sums.map((sum) => set(sum, f64x2(0))),
      repeat([...body, move(base, 16), move(y, 32)], op("i32.lt_u", get(base), get(end))),
      ...sums.map((sum, i) =>
        store("v128.store", get(out), op("f64x2.add", load("v128.load", get(out), 16 * i), get(sum)), 16 * i),
      ),
    ],
  )
}

/**
 * (columns, y, length, coefficients, out, last, mask): |y - T m|^2 of a block, added to the number at `out`. In the
 * last block the lanes behind the last row do not count.
 */
export const residuals = (K: number, target: Target, { stride, offset }: Columns): Defined<undefined> => {
  const base = local("i32", "columns")
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
  const { madd, nmadd } = fused(target)
  const means = Array.from({ length: K + 1 }, (_, k) => local("v128", `mean ${k}`))
  const residual = (part: (x: Expr<"v128">) => Expr<"v128">, at: number): Expr<"v128"> => {
    let r = op("f64x2.sub", load("v128.load", get(y), at), get(means[0]!))
    for (let k = 0; k < K; k++)
      r = nmadd(get(means[k + 1]!), part(load("v128.load", get(base), offset + k * stride)), r)
    return r
  }
  const square = (r: Expr<"v128">, keep: Local<"v128">): Statement => {
    const kept = op("v128.and", r, get(keep))
    return set(sum, madd(kept, kept, get(sum)))
  }
  const lanes = load("v128.load", get(mask))
  return procedure(
    "residuals of block",
    [base, y, length, coefficients, out, last, mask],
    [
      set(end, add(get(base), get(length))),
      ...means.map((m, k) => set(m, load("v128.load64_splat", get(coefficients), 8 * k))),
      set(sum, load("v128.load", get(out))),
      set(keepLow, allBits),
      set(keepHigh, allBits),
      repeat(
        [
          when(op("i32.and", get(last), op("i32.eq", add(get(base), 16), get(end))), [
            set(keepLow, shuffle(lanes, lanes, [0, 0, 1, 1])),
            set(keepHigh, shuffle(lanes, lanes, [2, 2, 3, 3])),
          ]),
          square(residual(low, 0), keepLow),
          square(residual(high, 16), keepHigh),
          move(base, 16),
          move(y, 32),
        ],
        op("i32.lt_u", get(base), get(end)),
      ),
      store("v128.store", get(out), get(sum)),
    ],
  )
}

const allBits = op("i32x4.splat", i32(-1))

/**
 * (columns, slots, y, length, coefficients): d log p / dt_k of a block into the slots, (a_n / b_n) mu_k (y - T mu) - T
 * A^-1 e_k from the numbers that `Collapse` writes. Residuals, which cancel, are float64; the error of the rest is that
 * of rounding the columns.
 */
export const slopes = (
  K: number,
  target: Target,
  { stride, offset }: Columns,
  slot: number,
): Defined<undefined> => {
  const base = local("i32", "columns")
  const slots = local("i32", "slots")
  const y = local("i32", "y")
  const length = local("i32", "length")
  const coefficients = local("i32", "coefficients")
  const end = local("i32", "end")
  const wide = fused(target)
  const single = { madd: A.madd(target), nmadd: A.nmadd(target) }
  const means = Array.from({ length: K + 1 }, (_, k) => local("v128", `mean ${k}`))
  const numbers = Array.from({ length: K * (K + 2) }, (_, i) => local("v128", `coefficient ${i}`))
  const columns = Array.from({ length: K }, (_, k) => load("v128.load", get(base), offset + k * stride))
  const residual = (part: (x: Expr<"v128">) => Expr<"v128">, at: number): Expr<"v128"> =>
    columns.reduce<Expr<"v128">>(
      (rest, t, k) => wide.nmadd(get(means[k + 1]!), part(t), rest),
      op("f64x2.sub", load("v128.load", get(y), at), get(means[0]!)),
    )
  const rest = local("v128", "residual")
  const slope = (k: number): Expr<"v128"> => {
    const [ofResidual, constant, ...ofColumns] = numbers.slice(k * (K + 2), (k + 1) * (K + 2))
    return columns.reduce<Expr<"v128">>(
      (sum, t, j) => single.nmadd(get(ofColumns[j]!), t, sum),
      single.madd(get(ofResidual!), get(rest), get(constant!)),
    )
  }
  const number = (i: number): Expr<"v128"> =>
    op("f32x4.splat", op("f32.demote_f64", load("f64.load", get(coefficients), 8 * i)))
  return procedure(
    "slopes of block",
    [base, slots, y, length, coefficients],
    [
      set(end, add(get(base), get(length))),
      ...means.map((mean, k) => set(mean, load("v128.load64_splat", get(coefficients), 8 * k))),
      ...numbers.map((local, i) => set(local, number(K + 1 + i))),
      repeat(
        [
          set(rest, narrow(residual(low, 0), residual(high, 16))),
          ...Array.from({ length: K }, (_, k) => store("v128.store", get(slots), slope(k), k * slot)),
          move(base, 16),
          move(slots, 16),
          move(y, 32),
        ],
        op("i32.lt_u", get(base), get(end)),
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
