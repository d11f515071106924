import type { ScalarAlgebra } from "../../numeric/Algebra.ts"
import type { Operator } from "../../expr/Operator.ts"
import * as Term from "../../expr/Term.ts"
import { largest } from "../../evidence/columns.ts"
import { add, move } from "../../wasm/Parts.ts"
import {
  type Expr,
  extractF64,
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

/** What a loop of an operator does in one round, in bytes: columns are padded to a multiple of it. */
export const round = 64

/** Where memory has four pairs of vectors that keep the first 0, 1, 2, 3 of four float64, in `maskBytes` bytes. */
export const masks = 0
export const maskBytes = 128
/** Where memory has the number that `centre` subtracts. */
export const current = maskBytes
/** The bytes in front of all others. */
export const reserved = current + 64

/**
 * The number of held columns that the first pass over a root takes along, at most, and every further pass: with more,
 * the running sums no longer fit into the registers of x86.
 */
export const along = 2
export const further = 3

type Address = Expr<"i32">

export const pair = (address: Address, offset = 0): Expr<"v128"> => load("v128.load", address, offset)

/**
 * dst[i] = f(a[i], b[i]) over float64, for `bytes` bytes rounded up to a round. `dst` may be `a` or `b`. An operator of
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

/** Four float64: the first two, and the last two. */
interface Four {
  readonly low: Expr<"v128">
  readonly high: Expr<"v128">
}

const four = (address: Address): Four => ({ low: pair(address), high: pair(address, 16) })

/**
 * A loop over a column, four values at a time; the last ones, if they are fewer, come with zeros.
 *
 * @param t the column's address, `bytes` its length in bytes, above 0; both are changed
 * @param body what to do with four, for a number of pointers that move with the column
 */
export const overRows = (
  t: Local<"i32">,
  bytes: Local<"i32">,
  others: ReadonlyArray<Local<"i32">>,
  body: (values: Four) => ReadonlyArray<Statement>,
): ReadonlyArray<Statement> => {
  const end = local("i32", "end")
  const rest = op("i32.and", get(bytes), i32(31))
  const values = four(get(t))
  const mask = op("i32.shl", rest, i32(2))
  const kept: Four = {
    low: op("v128.and", values.low, pair(mask, masks)),
    high: op("v128.and", values.high, pair(mask, masks + 16)),
  }
  return [
    set(end, add(get(t), op("i32.and", get(bytes), i32(-32)))),
    when(op("i32.lt_u", get(t), get(end)), [
      repeat(
        [...body(values), move(t, 32), ...others.map((pointer) => move(pointer, 32))],
        op("i32.lt_u", get(t), get(end)),
      ),
    ]),
    when(rest, body(kept)),
  ]
}

/** Two running sums of two float64 each: the first for the lower half of four values, the second for the upper. */
export interface Sum {
  readonly low: Local<"v128">
  readonly high: Local<"v128">
}

export const sum = (name: string): Sum => ({
  low: local("v128", `${name} low`),
  high: local("v128", `${name} high`),
})

export const cleared = ({ low, high }: Sum): ReadonlyArray<Statement> => [
  set(low, f64x2(0)),
  set(high, f64x2(0)),
]

/** Adds a running sum to the float64 at an address. */
const written = ({ low, high }: Sum, address: Address, place: number): Statement => {
  const both = op("f64x2.add", get(low), get(high))
  const total = op("f64.add", extractF64(both, 0), extractF64(both, 1))
  return store("f64.store", address, op("f64.add", load("f64.load", address, 8 * place), total), 8 * place)
}

/** Adds products to a running sum. Nothing is fused: the bits do not depend on the processor. */
const products = ({ low: l, high: h }: Sum, a: Four, b: Four): ReadonlyArray<Statement> => [
  set(l, op("f64x2.add", op("f64x2.mul", a.low, b.low), get(l))),
  set(h, op("f64x2.add", op("f64x2.mul", a.high, b.high), get(h))),
]

const pointers = (count: number): ReadonlyArray<Local<"i32">> =>
  Array.from({ length: count }, (_, j) => local("i32", `u${j}`))

/** Sets pointers to columns that lie `apart` bytes from each other. */
const spread = (
  us: ReadonlyArray<Local<"i32">>,
  first: Local<"i32">,
  apart: Local<"i32">,
): ReadonlyArray<Statement> =>
  us.map((u, j) => set(u, j === 0 ? get(first) : add(get(us[j - 1]!), get(apart))))

/**
 * Adds to a row of moments at `row` what some rows contribute: t't, faults and t'u_j for `count` held columns, of which
 * the first is at `held` and each `apart` bytes after the one before.
 */
export const moments = (count: number): Defined<undefined> => {
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
  const limit = f64x2(largest)
  const within = (values: Expr<"v128">): Expr<"v128"> => op("f64x2.lt", op("f64x2.abs", values), limit)
  const body = (values: Four): ReadonlyArray<Statement> => [
    set(fine, op("v128.and", get(fine), op("v128.and", within(values.low), within(values.high)))),
    ...products(square, values, values),
    ...us.flatMap((u, j) => products(inner[j]!, values, four(get(u)))),
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
export const inner = (count: number): Defined<undefined> => {
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
      ...overRows(t, bytes, us, (values) => us.flatMap((u, j) => products(sums[j]!, values, four(get(u))))),
      ...sums.map((one, j) => written(one, get(row), j)),
    ],
  )
}
