// What float32 may do to a soft tree: float64 arithmetic that carries, beside each value, a bound on how far a float32
// evaluation may be off. So a test of a float32 engine needs no tolerance plucked from the air: ill-conditioned random
// operators (a tangent near its pole, exp of exp) get wide bounds, ordinary ones bounds of a few units in the last place.
import type { ScalarAlgebra } from "../../src/numeric/Algebra.ts"
import * as Grammar from "../../src/prob/Grammar.ts"
import { interpret } from "../../src/expr/Term.ts"
import { protect } from "../../src/vi/engines/Protection.ts"

/**
 * A value with a bound on the error of its float32 counterpart; `Infinity` where nothing can be said (it may be NaN),
 * which no operation makes finite again. A bound of NaN says that the float32 value is NaN too.
 */
export interface Rounded {
  readonly value: number
  readonly error: number
}

/** Half a unit in the last place of a float32, relative: one correctly rounded operation. */
const half = 2 ** -24
/** The worst of the backends' kernels, measured on 4,001 points over [-1e6, 1e6]: 2.6 units (asin), here 4. */
const kernel = 8 * half
/** The wasm backend computes sin and cos with this absolute error. */
const trigonometric = 4e-7
/** Results below the normal numbers of float32 may become 0. */
const tiny = 2 ** -125
const largest = 3.4e38

const nan: Rounded = { value: Number.NaN, error: Number.NaN }
const unknown: Rounded = { value: Number.NaN, error: Infinity }

const rounded = (value: number, error: number, relative: number): Rounded => {
  if (Number.isNaN(error)) return nan
  const total = error + Math.abs(value) * relative + tiny
  return { value, error: Math.abs(value) + total < largest ? total : Infinity }
}

const orUnknown = (error: number): number => (Number.isNaN(error) ? Infinity : error)

/** A number that an engine holds as float32. */
export const stored = (value: number): Rounded => rounded(value, 0, half)

/** The largest change of f over the interval of its argument, where f is monotone on both sides of the value. */
const endpoints = (f: (x: number) => number, { value, error }: Rounded): number => {
  if (!Number.isFinite(error)) return error
  const [low, centre, high] = [f(value - error), f(value), f(value + error)]
  if ([low, centre, high].every(Number.isNaN)) return Number.NaN
  const change = Math.max(Math.abs(high - centre), Math.abs(low - centre))
  return error === 0 ? 0 : Number.isNaN(change) ? Infinity : change
}

const monotone =
  (f: (x: number) => number, relative: number) =>
  (x: Rounded): Rounded =>
    rounded(f(x.value), endpoints(f, x), relative)

const wave =
  (f: (x: number) => number) =>
  (x: Rounded): Rounded =>
    // Beyond 1e6 the backends reduce the argument differently.
    rounded(
      f(x.value),
      Math.abs(x.value) + x.error < 1e6 ? Math.min(x.error, 2) + trigonometric : Infinity,
      kernel,
    )

const tan = (x: Rounded): Rounded => {
  if (Number.isNaN(x.error)) return nan
  const branch = (at: number): number => Math.floor(at / Math.PI + 0.5)
  const safe = Math.abs(x.value) + x.error < 1e6 && branch(x.value - x.error) === branch(x.value + x.error)
  return rounded(Math.tan(x.value), safe ? endpoints(Math.tan, x) : Infinity, kernel)
}

const pow = (x: Rounded, y: Rounded): Rounded => {
  // pow(1, NaN) is 1 in C and NaN in JavaScript.
  if (Number.isNaN(x.error + y.error)) return unknown
  const value = x.value ** y.value
  // A negative base has values at integer exponents only; a base around 0 has a pole or a kink there.
  const known = x.value - x.error > 0 || (y.error === 0 && x.value + x.error < 0) || x.error + y.error === 0
  if (!known) return { value, error: Infinity }
  let error = 0
  for (const a of [x.value - x.error, x.value + x.error])
    for (const b of [y.value - y.error, y.value + y.error]) error = Math.max(error, Math.abs(a ** b - value))
  return rounded(value, orUnknown(error), kernel)
}

/** The wasm backend ignores a NaN on the right. */
const extreme =
  (f: (x: number, y: number) => number) =>
  (x: Rounded, y: Rounded): Rounded =>
    Number.isNaN(x.error + y.error) ? unknown : rounded(f(x.value, y.value), Math.max(x.error, y.error), 0)

/** The bounds as a scalar algebra: operators run over it as over any other. */
export const algebra: ScalarAlgebra<Rounded> = {
  // Whole numbers up to 2^24 are exact in float32, so that they stay exact exponents.
  literal: (value) =>
    Number.isInteger(value) && Math.abs(value) < 2 ** 24 ? { value, error: 0 } : stored(value),
  unary: {
    neg: ({ value, error }) => ({ value: -value, error }),
    square: monotone((x) => x * x, half),
    sqrt: monotone(Math.sqrt, kernel),
    abs: monotone(Math.abs, 0),
    // The backends' sign of NaN is 0.
    sign: (x) => (Number.isNaN(x.error) ? unknown : monotone(Math.sign, 0)(x)),
    exp: monotone(Math.exp, kernel),
    log: monotone(Math.log, kernel),
    sin: wave(Math.sin),
    cos: wave(Math.cos),
    tan,
    tanh: monotone(Math.tanh, kernel),
    asin: monotone(Math.asin, kernel),
    acos: monotone(Math.acos, kernel),
    atan: monotone(Math.atan, kernel),
    guard: monotone((x) => (x >= 0 ? Math.max(x, 1e-6) : Math.min(x, -1e-6)), half),
  },
  binary: {
    add: (x, y) => rounded(x.value + y.value, x.error + y.error, half),
    sub: (x, y) => rounded(x.value - y.value, x.error + y.error, half),
    mul: (x, y) =>
      rounded(
        x.value * y.value,
        times(x.value, y.error) + times(y.value, x.error) + times(x.error, y.error),
        half,
      ),
    div: (x, y) => {
      if (Number.isNaN(x.error + y.error)) return nan
      const gap = Math.abs(y.value) - y.error
      const error = (x.error + Math.abs(x.value / y.value) * y.error) / gap
      return rounded(x.value / y.value, gap > 0 ? orUnknown(error) : Infinity, half)
    },
    pow,
    min: extreme(Math.min),
    max: extreme(Math.max),
  },
}

/** |a| b, unknown where one is: the float32 value behind an infinite bound may be infinite, and 0 times that is NaN. */
const times = (a: number, b: number): number =>
  Number.isFinite(a) && Number.isFinite(b) ? Math.abs(a) * b : Number.isNaN(b) ? b : Infinity

/** The relaxed draws of one tree, row-major: split [N], operator [N, O], terminal [N, p]. */
export interface SoftTree {
  readonly split: ReadonlyArray<Rounded>
  readonly operator: ReadonlyArray<Rounded>
  readonly terminal: ReadonlyArray<Rounded>
}

/**
 * The value of a soft tree on one row with its bound: Algorithm "SoftEvalAtNode" of the paper as it is printed, plus
 * the rule for forbidden operators (their share goes to the leaf) and the clip of inner nodes.
 */
export const softEvalAtNode = (
  grammar: Grammar.Grammar,
  depth: number,
  tree: SoftTree,
  row: ReadonlyArray<number>,
  valueClip: number | undefined,
  unit: number,
): Rounded => {
  const { add, sub, mul } = algebra.binary
  const x = row.map(stored)
  const zero = algebra.literal(0)
  const applied = grammar.operators.map(({ term }) => interpret(algebra)(protect(term, unit)))
  const known = new Map<string, Rounded>()
  const visit = (zeta: number, d: number, context: Grammar.Context): Rounded => {
    const key = `${zeta} ${context}`
    const value = known.get(key) ?? compute(zeta, d, context)
    known.set(key, value)
    return value
  }
  const compute = (zeta: number, d: number, context: Grammar.Context): Rounded => {
    const terminal = x.map((xm, m) => mul(tree.terminal[zeta * x.length + m]!, xm)).reduce(add)
    if (d === depth) return terminal
    const may = Grammar.allowed(grammar, context)
    const split = tree.split[zeta]!
    let nonterminal = zero
    let expansion = zero
    grammar.operators.forEach((_, index) => {
      if (may[index] !== true) return
      const below = Grammar.below(grammar, context, index)
      const weight = tree.operator[zeta * grammar.operators.length + index]!
      const value = applied[index]!((name) => visit(2 * zeta + (name === "x" ? 1 : 2), d + 1, below))
      nonterminal = add(nonterminal, mul(mul(split, weight), value))
      expansion = add(expansion, mul(split, weight))
    })
    const leaf = sub(algebra.literal(1), may.every(Boolean) ? split : expansion)
    const value = add(mul(leaf, terminal), nonterminal)
    if (valueClip === undefined) return value
    const inside = algebra.unary.tanh(mul(value, stored(1 / valueClip)))
    return mul(inside, stored(valueClip))
  }
  return visit(0, 0, Grammar.rootContext)
}

/** 1 / (1 + exp(-x)). */
export const sigmoid: (x: Rounded) => Rounded = monotone((x) => 1 / (1 + Math.exp(-x)), kernel)

/** exp(x_k) / sum_j exp(x_j): arguments that move by d at most change each weight by a factor within exp(2 d). */
export const softmax = (x: ReadonlyArray<Rounded>): ReadonlyArray<Rounded> => {
  const top = Math.max(...x.map(({ value }) => value))
  const weights = x.map(({ value }) => Math.exp(value - top))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const moved = Math.expm1(2 * Math.max(...x.map(({ error }) => error)))
  // The difference to the largest argument is rounded, too, relative to the arguments.
  const difference = 4 * half * Math.max(...x.map(({ value }) => Math.abs(value)))
  return weights.map((weight) => {
    const value = weight / total
    return rounded(value, value * (moved + difference), (x.length + 2) * kernel)
  })
}
