import type { ScalarAlgebra } from "../../numeric/Algebra.ts"
import type { Operator } from "../../expr/Operator.ts"
import * as Term from "../../expr/Term.ts"
import { largest } from "../../evidence/columns.ts"
import { add, high, low, move } from "../../wasm/Parts.ts"
import type { Target } from "../../wasm/Target.ts"
import {
  type Expr,
  extractF64,
  f32x4,
  f64x2,
  get,
  i32,
  i32x4,
  load,
  type Local,
  local,
  op,
} from "../../wasm/Expr.ts"
import { type Defined, procedure, repeat, set, type Statement, store, when } from "../../wasm/Func.ts"
import { FAULTS, FIRST, SQUARE } from "./Kernel.ts"

/** What a loop over float32 does in one round, in bytes: columns are padded to a multiple of it. */
export const round = 64

/** Where memory has four vectors that keep the first 0, 1, 2, 3 of four float32. */
export const masks = 0

/**
 * The number of held columns that the first pass over a root takes along, at most, and every further pass: with more,
 * the running sums no longer fit into the registers of x86.
 */
export const along = 2
export const further = 3

type Address = Expr<"i32">

const pair = (address: Address, offset = 0): Expr<"v128"> => load("v128.load", address, offset)

/**
 * dst[i] = f(a[i], b[i]) over float32, for `bytes` bytes rounded up to a round. `dst` may be `a` or `b`. An operator of
 * one argument does not read `b`.
 */
export const operator = ({ name, term }: Operator, lane: ScalarAlgebra<Expr<"v128">>): Defined<undefined> => {
  const [dst, a, b, bytes] = [
    local("i32", "dst"),
    local("i32", "a"),
    local("i32", "b"),
    local("i32", "bytes"),
  ]
  const end = local("i32", "end")
  const compute = Term.interpret(lane)(term)
  // In a loop of few operations addresses are what costs.
  const steps = Term.size(Term.expand(term)) <= 6 ? round / 16 : 1
  const body = Array.from({ length: steps }, (_, step) => {
    const value = compute((argument) => load("v128.load", get(argument === "x" ? a : b), 16 * step))
    return store("v128.store", get(dst), value, 16 * step)
  })
  const moved = [dst, a, b].map((pointer) => move(pointer, 16 * steps))
  return procedure(
    name,
    [dst, a, b, bytes],
    [
      set(end, add(get(dst), op("i32.and", add(get(bytes), i32(round - 1)), i32(-round)))),
      repeat([...body, ...moved], op("i32.lt_u", get(dst), get(end))),
    ],
  )
}

/**
 * A loop over the float32 of a column, four at a time; the last ones, if they are fewer, come with zeros.
 *
 * @param t the column's address, `bytes` its length in bytes, above 0; both are changed
 * @param body what to do with four, for a number of pointers that move by 8 bytes a value
 */
const overRows = (
  t: Local<"i32">,
  bytes: Local<"i32">,
  wide: ReadonlyArray<Local<"i32">>,
  body: (four: Expr<"v128">) => ReadonlyArray<Statement>,
): ReadonlyArray<Statement> => {
  const end = local("i32", "end")
  const four = load("v128.load", get(t))
  const rest = op("i32.and", get(bytes), i32(15))
  return [
    set(end, add(get(t), op("i32.and", get(bytes), i32(-16)))),
    when(op("i32.lt_u", get(t), get(end)), [
      repeat(
        [...body(four), move(t, 16), ...wide.map((pointer) => move(pointer, 32))],
        op("i32.lt_u", get(t), get(end)),
      ),
    ]),
    when(rest, body(op("v128.and", four, load("v128.load", op("i32.shl", rest, i32(2)), masks)))),
  ]
}

/** Two running sums of two float64 each: the first for the lower half of four values, the second for the upper. */
interface Sum {
  readonly low: Local<"v128">
  readonly high: Local<"v128">
}

const sum = (name: string): Sum => ({
  low: local("v128", `${name} low`),
  high: local("v128", `${name} high`),
})

const cleared = ({ low, high }: Sum): ReadonlyArray<Statement> => [set(low, f64x2(0)), set(high, f64x2(0))]

/** Adds a running sum to the float64 at an address. */
const written = ({ low, high }: Sum, address: Address, place: number): Statement => {
  const both = op("f64x2.add", get(low), get(high))
  const total = op("f64.add", extractF64(both, 0), extractF64(both, 1))
  return store("f64.store", address, op("f64.add", load("f64.load", address, 8 * place), total), 8 * place)
}

/**
 * a b + c of float64 that are float32 in truth. The product is exact then, so that the sum is the same fused or not:
 * results do not depend on the machine.
 */
const madd = (target: Target, a: Expr<"v128">, b: Expr<"v128">, c: Expr<"v128">): Expr<"v128"> =>
  target.fma ? op("f64x2.relaxed_madd", a, b, c) : op("f64x2.add", op("f64x2.mul", a, b), c)

const products = (
  target: Target,
  { low: l, high: h }: Sum,
  four: Expr<"v128">,
  u: Local<"i32">,
): ReadonlyArray<Statement> => [
  set(l, madd(target, low(four), pair(get(u)), get(l))),
  set(h, madd(target, high(four), pair(get(u), 16), get(h))),
]

const pointers = (count: number): ReadonlyArray<Local<"i32">> =>
  Array.from({ length: count }, (_, j) => local("i32", `u${j}`))

/** Sets pointers to columns of float64 that lie `apart` bytes from each other. */
const spread = (
  us: ReadonlyArray<Local<"i32">>,
  first: Local<"i32">,
  apart: Local<"i32">,
): ReadonlyArray<Statement> =>
  us.map((u, j) => set(u, j === 0 ? get(first) : add(get(us[j - 1]!), get(apart))))

/**
 * Adds to a row of moments at `row` what some rows contribute: t't, faults and t'u_j for `count` held columns, of which
 * the first is at `held` and each `apart` bytes after the one before. u are float64, t is float32.
 */
export const moments = (target: Target, count: number): Defined<undefined> => {
  const [row, t, held, apart, bytes] = [
    local("i32", "row"),
    local("i32", "t"),
    local("i32", "held"),
    local("i32", "apart"),
    local("i32", "bytes"),
  ]
  const us = pointers(count)
  const square = sum("t't")
  const inner = us.map((_, j) => sum(`t'u${j}`))
  const sums = [square, ...inner]
  const fine = local("v128", "fine")
  // The greatest float32 below 1e15 is what 1e15 rounds to.
  const limit = f32x4(largest)
  const body = (four: Expr<"v128">): ReadonlyArray<Statement> => [
    set(fine, op("v128.and", get(fine), op("f32x4.le", op("f32x4.abs", four), limit))),
    set(square.low, madd(target, low(four), low(four), get(square.low))),
    set(square.high, madd(target, high(four), high(four), get(square.high))),
    ...us.flatMap((u, j) => products(target, inner[j]!, four, u)),
  ]
  const faulty = op("f64.convert_i32_s", op("i32.eqz", op("i32x4.all_true", get(fine))))
  return procedure(
    `moments with ${count}`,
    [row, t, held, apart, bytes],
    [
      ...sums.flatMap(cleared),
      set(fine, i32x4(-1)),
      ...spread(us, held, apart),
      ...overRows(t, bytes, us, body),
      written(square, get(row), SQUARE),
      store("f64.store", get(row), op("f64.add", load("f64.load", get(row), 8 * FAULTS), faulty), 8 * FAULTS),
      ...inner.map((one, j) => written(one, get(row), FIRST + j)),
    ],
  )
}

/** Adds to `count` float64 from `row` on the contributions of some rows to t'u_j; parameters as for `moments`. */
export const inner = (target: Target, count: number): Defined<undefined> => {
  const [row, t, held, apart, bytes] = [
    local("i32", "row"),
    local("i32", "t"),
    local("i32", "held"),
    local("i32", "apart"),
    local("i32", "bytes"),
  ]
  const us = pointers(count)
  const sums = us.map((_, j) => sum(`t'u${j}`))
  return procedure(
    `inner products with ${count}`,
    [row, t, held, apart, bytes],
    [
      ...sums.flatMap(cleared),
      ...spread(us, held, apart),
      ...overRows(t, bytes, us, (four) => us.flatMap((u, j) => products(target, sums[j]!, four, u))),
      ...sums.map((one, j) => written(one, get(row), j)),
    ],
  )
}

/** Writes a column of float32 as float64, zeros behind the last row. */
export const widen = (): Defined<undefined> => {
  const [dst, t, bytes] = [local("i32", "dst"), local("i32", "t"), local("i32", "bytes")]
  return procedure(
    "widen",
    [dst, t, bytes],
    overRows(t, bytes, [dst], (four) => [
      store("v128.store", get(dst), low(four)),
      store("v128.store", get(dst), high(four), 16),
    ]),
  )
}
