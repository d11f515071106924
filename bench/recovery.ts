import * as Result from "effect/Result"
import { compileColumn } from "../src/compile/scalar/term.ts"
import { parse } from "../src/compile/text/parse.ts"
import { make, type Problem } from "./problems.ts"

/** The columns of the terms of a model on a data set; undefined when a term does not parse. */
const columnsOf = (
  terms: ReadonlyArray<string>,
  features: ReadonlyArray<string>,
  data: ReadonlyArray<Float64Array>,
): ReadonlyArray<Float64Array> | undefined => {
  const columns: Array<Float64Array> = []
  for (const text of terms) {
    const term = parse(text)
    if (Result.isFailure(term)) return undefined
    const out = new Float64Array(data[0]!.length)
    compileColumn(term.success, features)(data, out)
    columns.push(out)
  }
  return columns
}

/**
 * How far the truth is from the span of an intercept and the terms: the root mean square of what is left after
 * projection, relative to the standard deviation of the truth. By modified Gram-Schmidt in float64; a direction
 * shorter than 1e-10 of its column is none.
 */
export const distanceFromSpan = (truth: Float64Array, columns: ReadonlyArray<Float64Array>): number => {
  const n = truth.length
  const basis: Array<Float64Array> = []
  const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0)
  const project = (vector: Float64Array): Float64Array => {
    let rest = vector
    // Twice is enough (Kahan and Parlett).
    for (let pass = 0; pass < 2; pass++)
      for (const direction of basis) {
        const along = dot(direction, rest)
        rest = rest.map((x, i) => x - along * direction[i]!)
      }
    return rest
  }
  for (const column of [new Float64Array(n).fill(1), ...columns]) {
    const rest = project(column)
    const length = Math.sqrt(dot(rest, rest))
    if (length > 1e-10 * Math.sqrt(dot(column, column))) basis.push(rest.map((x) => x / length))
  }
  const mean = truth.reduce((sum, x) => sum + x, 0) / n
  const variance = truth.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n
  const rest = project(truth)
  return Math.sqrt(dot(rest, rest) / n / variance)
}

/**
 * Whether a model has the exact form of the law: the noiseless truth on 500 new rows lies in the span of an intercept
 * and the model's terms, to 1e-6 of its standard deviation. Coefficients are free; a spurious further term is allowed.
 */
export const exactForm = (problem: Problem, terms: ReadonlyArray<string>): boolean => {
  const { data, truth } = make(problem, 0, 1_000_003, 500)
  const columns = columnsOf(terms, data.features, data.columns)
  return columns !== undefined && distanceFromSpan(truth, columns) < 1e-6
}
