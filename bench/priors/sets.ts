import * as Rng from "../../src/random/Rng.ts"
import { scalarFunction } from "../../src/expr/evaluate.ts"
import * as Term from "../../src/expr/Term.ts"
import { type Law, laws, termOf } from "./corpus.ts"

/** A small data set of a law of the corpus: the numbers of the law, ranges of its columns, rows, and relative noise. */
export interface SmallSet {
  readonly law: string
  /** c0, c1, ... */
  readonly numbers: ReadonlyArray<number>
  /** uniform on [low, high], by column */
  readonly ranges: Readonly<Record<string, readonly [number, number]>>
  readonly rows: number
  /** the standard deviation of the noise over that of y */
  readonly noise: number
  /** whether a term of the law has a fitted number inside, under every link */
  readonly inner: boolean
}

const set = (
  law: string,
  rows: number,
  noise: number,
  numbers: ReadonlyArray<number>,
  ranges: SmallSet["ranges"],
  inner = false,
): SmallSet => ({ law, rows, noise, numbers, ranges, inner })

/** Forty sets; those of even index were looked at while defaults were chosen, the others at the end. */
export const sets: ReadonlyArray<SmallSet> = [
  set("Curie-Weiss law", 12, 0.02, [120, 210], { T: [300, 600] }),
  set("Arrhenius law", 8, 0.02, [5e6, 4800], { T: [280, 360] }),
  set("Hall-Petch law", 10, 0.03, [70, 25], { d: [0.01, 1] }),
  set("Van Deemter equation", 15, 0.02, [1.2, 4.1, 0.55], { u: [0.5, 8] }),
  set("Thin lens", 20, 0.01, [], { f: [5, 12], u: [20, 60] }),
  set("Lensmaker's equation", 30, 0.02, [], { n: [1.4, 1.8], r1: [10, 30], r2: [40, 80] }),
  set("Two parallel resistors", 15, 0.01, [], { r1: [10, 100], r2: [10, 100] }),
  set("Cantilever with end load", 25, 0.03, [], { F: [1, 5], L: [1, 3], E: [2, 6], I: [0.5, 2] }),
  set("Hagen-Poiseuille flow", 30, 0.03, [], { p: [1, 5], r: [0.5, 2], mu: [0.5, 2], L: [1, 4] }),
  set("Uncompetitive inhibition", 24, 0.02, [9.5, 1.7, 3.1], { S: [0.2, 10], I: [0, 8] }),
  set("Yield against density", 8, 0.03, [0.21, 0.043], { D: [1, 60] }),
  set("Orbit equation", 40, 0.01, [], { a: [1, 5], e: [0.1, 0.7], theta: [0.1, 3] }),
  set("Tsiolkovsky rocket equation", 20, 0.02, [], { v: [2, 4.5], m0: [5, 20], m1: [1, 4] }),
  set("Ricker recruitment", 25, 0.03, [3.4, 0.27], { S: [0.5, 14] }),
  set("Wood's lactation curve", 20, 0.02, [14.3, 0.24, 0.041], { t: [1, 44] }),
  set("Philip infiltration", 12, 0.02, [1.9, 0.32], { t: [0.1, 12] }),
  set("Mosteller body surface", 30, 0.03, [], { H: [140, 200], W: [40, 110] }),
  set("Maier-Kelley heat capacity", 14, 0.01, [47, 0.018, 9.1e5], { T: [300, 1200] }),
  set("Cobb-Douglas production", 30, 0.04, [1.01, 0.75, 0.25], { L: [1, 10], K: [1, 12] }),
  set("Impedance of a series circuit", 50, 0.02, [], { R: [1, 5], w: [0.5, 4], L: [0.5, 3], C: [0.1, 1] }),
  set("Karplus equation", 18, 0.02, [7.76, -1.1, 1.4], { phi: [0, 3.1] }),
  set("Carnot efficiency", 15, 0.02, [], { T1: [270, 320], T2: [400, 900] }),
  set("Fick cardiac output", 20, 0.03, [], { V: [200, 300], a: [180, 210], b: [120, 160] }),
  set("Vis-viva equation", 25, 0.02, [39.5], { r: [0.5, 3], a: [1.6, 6] }),
  set("Beer-Lambert law", 20, 0.02, [0.37], { I: [1, 5], c: [0.2, 3], l: [0.5, 2] }),
  set("Competitive inhibition", 24, 0.02, [12.2, 0.8, 1.9], { S: [0.2, 10], I: [0, 6] }),
  set("Nernst equation", 20, 0.02, [340, 0.086], { T: [280, 340], Q: [0.05, 20] }),
  set("Maxwell speed distribution", 16, 0.02, [5.3, 0.9], { v: [0.1, 3] }),
  set("Emax with baseline", 14, 0.03, [2.1, 14.6, 3.7], { C: [0.1, 40] }, true),
  set("Newton's law of cooling", 20, 0.02, [0.083], { T0: [15, 25], T1: [70, 95], t: [1, 50] }, true),
  set("Gompertz growth", 20, 0.02, [22.5, 2.1, 0.37], { t: [0, 16] }, true),
  set("Hill equation", 15, 0.02, [8.4, 2.7, 3.3], { x: [0.3, 12] }, true),
  set("Varshni's band gap", 12, 0.01, [1.52, 5.4e-4, 204], { T: [10, 600] }, true),
  set("Gaussian peak with background", 40, 0.03, [1.1, 8.2, 5.3, 2.6], { x: [0, 12] }, true),
  set("Morse potential", 20, 0.02, [4.6, 1.9, 0.74], { r: [0.45, 3] }, true),
  set("Sutherland viscosity", 10, 0.01, [1.46e-6, 111], { T: [200, 900] }, true),
  set("Weibull germination", 12, 0.02, [92, 5.6, 2.2], { t: [0.5, 14] }, true),
  set("Four-parameter logistic assay", 14, 0.02, [0.9, 3.4, 2.2, 1.6], { x: [0.1, 20] }, true),
  set("Curie-Weiss law with background", 14, 0.01, [0.8, 130, 62], { T: [80, 300] }, true),
  set("Chapman-Richards growth", 18, 0.02, [31, 0.06, 1.7], { t: [2, 70] }, true),
]

/** The law of a set. */
export const lawOf = ({ law }: SmallSet): Law => {
  const found = laws.find(({ name }) => name === law)
  if (found === undefined) throw new Error(`the corpus has no law "${law}"`)
  return found
}

/** The rows of a set: Latin columns within the ranges, and normal noise. The key of a set is its place in the list. */
export const sample = (
  { ranges, rows, noise, numbers, ...rest }: SmallSet,
  place: number,
): { readonly X: Readonly<Record<string, ReadonlyArray<number>>>; readonly y: ReadonlyArray<number> } => {
  const key = Rng.fold(Rng.key(18), place)
  const X = Object.fromEntries(
    Object.entries(ranges).map(([name, [low, high]]) => {
      // One value in each of as many equal parts of the range, in random order.
      const within = Rng.uniform(Rng.fold(key, name), new Float64Array(rows))
      const order = Rng.uniform(Rng.fold(key, `${name} order`), new Float64Array(rows))
      const places = Array.from(order, (_, i) => i).sort((a, b) => order[a]! - order[b]!)
      return [name, places.map((at, i) => low + ((high - low) * (at + within[i]!)) / rows)]
    }),
  )
  const names = Object.keys(ranges)
  const term = Term.substitute(termOf(lawOf({ ranges, rows, noise, numbers, ...rest }).formula), (name) => {
    const at = /^c(\d+)$/.exec(name)
    const number = at === null || names.includes(name) ? undefined : numbers[Number(at[1])]
    return number === undefined ? Term.variable(name) : Term.constant(number)
  })
  const law = scalarFunction(term, names)
  const truth = Array.from({ length: rows }, (_, i) => law(names.map((name) => X[name]![i]!)))
  const mean = truth.reduce((sum, y) => sum + y, 0) / rows
  const deviation = Math.sqrt(truth.reduce((sum, y) => sum + (y - mean) ** 2, 0) / (rows - 1))
  const errors = Rng.normal(Rng.fold(key, "noise"), new Float64Array(rows))
  return { X, y: truth.map((y, i) => y + noise * deviation * errors[i]!) }
}
