import { compileColumn } from "../src/expr/evaluate.ts"
import * as Term from "../src/expr/Term.ts"
import { type Features, make, type Problem } from "./problems.ts"

/** Whether a law is in a model, and whether anything else is. */
export interface Recovery {
  /**
   * The noiseless truth on new rows lies in the span of an intercept and the model's terms, to 1e-6 of its standard
   * deviation: coefficients are free, a spurious further term is allowed, as in the paper's printed expressions.
   */
  readonly found: boolean
  /** ... and nothing else: no term could be left out without losing the law, but those that add nothing to the span. */
  readonly alone: boolean
}

const rows = 300
const close = 1e-6
/** A vector that is not in the span on a few rows is not in it on all, which rules out most ensembles. `far` is more than subsets differ by. */
const screen = { rows: 24, far: 1e-4 }
/** A direction shorter than this share of its column is none. */
const dependent = 1e-10

// Loops: thousands of ensembles are looked at.
const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/** The part of a vector outside the span of orthonormal directions. Two passes are enough (Kahan and Parlett). */
const project = (vector: Float64Array, basis: ReadonlyArray<Float64Array>): Float64Array => {
  const rest = Float64Array.from(vector)
  for (let pass = 0; pass < 2; pass++)
    for (const direction of basis) {
      const along = dot(direction, rest)
      for (let i = 0; i < rest.length; i++) rest[i]! -= along * direction[i]!
    }
  return rest
}

/** Orthonormal directions that span an intercept and columns; modified Gram-Schmidt in float64. */
const basisOf = (columns: ReadonlyArray<Float64Array>, n: number): ReadonlyArray<Float64Array> => {
  const basis: Array<Float64Array> = []
  for (const column of [new Float64Array(n).fill(1), ...columns]) {
    const rest = project(column, basis)
    const length = Math.sqrt(dot(rest, rest))
    if (length > dependent * Math.sqrt(dot(column, column))) basis.push(rest.map((x) => x / length))
  }
  return basis
}

/** The root mean square of what projection leaves of the truth, relative to its standard deviation. */
export const distanceFromSpan = (truth: Float64Array, columns: ReadonlyArray<Float64Array>): number => {
  const n = truth.length
  const mean = truth.reduce((sum, x) => sum + x, 0) / n
  const variance = truth.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n
  const rest = project(truth, basisOf(columns, n))
  return Math.sqrt(dot(rest, rest) / n / variance)
}

/** Judges models of one problem. */
export interface Judge {
  /**
   * @param terms over the features; what the model is linear in
   * @param link g, where the model is linear for g(y)
   */
  readonly recovery: (terms: ReadonlyArray<Term.Term>, link?: Term.Term<"y">) => Recovery
}

/** A judge that remembers the columns of terms. */
export const judge = (problem: Problem, kind: Features = "reduced"): Judge => {
  const { data, truth } = make(problem, 0, 1_000_003, rows, kind)
  const known = new Map<string, Float64Array>()
  const columnOf = (term: Term.Term): Float64Array => {
    const key = Term.key(term)
    const before = known.get(key)
    if (before !== undefined) return before
    const out = new Float64Array(rows)
    compileColumn(term, data.features)(data.columns, out)
    known.set(key, out)
    return out
  }
  const responseOf = (link: Term.Term<"y"> | undefined): Float64Array => {
    if (link === undefined || link._tag === "Variable") return truth
    const out = new Float64Array(rows)
    compileColumn(link, ["y"])([truth], out)
    return out
  }
  const lacking: Recovery = { found: false, alone: false }
  return {
    recovery: (terms, link) => {
      const response = responseOf(link)
      const columns = terms.map(columnOf)
      if (![response, ...columns].every((column) => column.every(Number.isFinite))) return lacking
      const few = (column: Float64Array): Float64Array => column.subarray(0, screen.rows)
      if (distanceFromSpan(few(response), columns.map(few)) >= screen.far) return lacking
      if (distanceFromSpan(response, columns) >= close) return lacking
      const needed = columns.reduceRight<ReadonlyArray<Float64Array>>((kept, column) => {
        const without = kept.filter((one) => one !== column)
        return distanceFromSpan(response, without) < close ? without : kept
      }, columns)
      return {
        found: true,
        alone: basisOf(needed, rows).length === basisOf(columns, rows).length,
      }
    },
  }
}
