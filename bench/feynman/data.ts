import { scalarFunction } from "../../src/expr/evaluate.ts"
import type { Dataset } from "../../src/data/Data.ts"
import * as Rng from "../../src/random/Rng.ts"
import { type Benchmark, type Equation, truth } from "./equations.ts"

/** What a solver sees, and what it is measured on. */
export interface Sample {
  /** 1800 rows, y with noise */
  readonly train: Dataset
  /** 200 rows, y without noise */
  readonly test: Dataset
  /** the standard deviation of the noise, in units of y */
  readonly sigma: number
}

/** Rows of a sample, and the number of rows for training. */
export const rows = { all: 2000, train: 1800 } as const

/**
 * The sample of an equation. The features and the standard normals that the noise scales depend on the equation and
 * the seed only, so that the noise levels of one seed share them. Rows are independent: the first 1800 are a random
 * choice. A relative noise level is times the root mean square of the noise-free target on the training rows.
 *
 * Throws when the law is not finite somewhere on its ranges.
 */
export const sample = (
  { name: set, noise: kind }: Pick<Benchmark, "name" | "noise">,
  equation: Equation,
  noise: number,
  seed: number,
): Sample => {
  const key = Rng.fold(Rng.fold(Rng.key(seed), set), equation.name)
  const [featureKey, noiseKey] = Rng.split(key, 2)
  const features = equation.variables.map(({ name }) => name)
  const columns = equation.variables.map(({ name, low, high }) =>
    Rng.uniform(Rng.fold(featureKey, name), new Float64Array(rows.all)).map((u) => low + (high - low) * u),
  )
  const law = scalarFunction(truth(equation), features)
  const y = Float64Array.from({ length: rows.all }, (_, i) => law(columns.map((column) => column[i]!)))
  if (!y.every(Number.isFinite)) throw new Error(`${equation.name} is not finite on its ranges`)
  const part = (from: number, to: number): Dataset => ({
    features,
    columns: columns.map((column) => column.slice(from, to)),
    target: "target",
    y: y.slice(from, to),
    rows: to - from,
  })
  const clean = part(0, rows.train)
  const rootMeanSquare = Math.sqrt(clean.y.reduce((sum, v) => sum + v * v, 0) / clean.rows)
  const sigma = noise * (kind === "relative" ? rootMeanSquare : 1)
  const errors = Rng.normal(noiseKey, new Float64Array(rows.train))
  return {
    train: { ...clean, y: clean.y.map((v, i) => v + sigma * errors[i]!) },
    test: part(rows.train, rows.all),
    sigma,
  }
}

/** 1 - residual / total sum of squares. Not a number where a prediction is not. */
export const rSquared = (y: Float64Array, predicted: Float64Array): number => {
  const mean = y.reduce((sum, v) => sum + v, 0) / y.length
  const residual = y.reduce((sum, v, i) => sum + (v - predicted[i]!) ** 2, 0)
  return 1 - residual / y.reduce((sum, v) => sum + (v - mean) ** 2, 0)
}
