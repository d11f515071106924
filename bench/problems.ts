import type { ShippedName } from "../src/declare/Operator.ts"
import type { Dataset } from "../src/runtime/Data.ts"
import * as Rng from "../src/runtime/Rng.ts"

/**
 * One of the seven problems of the paper: how its features are drawn, its law, and the operators that the paper gives
 * each method. The paper states neither the dimension-reduced features of the Feynman problems nor their ranges:
 * they are inferred from the expressions that it prints, over the database's own ranges Unif(1, 5).
 */
export interface Problem {
  readonly name: string
  readonly title: string
  readonly features: ReadonlyArray<string>
  readonly operators: ReadonlyArray<ShippedName>
  /** one row of features */
  readonly draw: (uniform: (low: number, high: number) => number) => ReadonlyArray<number>
  readonly truth: (x: ReadonlyArray<number>) => number
  /** the terms whose span contains the truth, for the check of exact recovery */
  readonly formula: string
}

const at = (x: ReadonlyArray<number>, j: number): number => x[j]!

export const problems: ReadonlyArray<Problem> = [
  {
    name: "sim1",
    title: "x0^2 - x1 + x2^2 / 2",
    features: ["x0", "x1", "x2"],
    operators: ["add", "sub", "mul", "div", "square"],
    draw: (u) => [u(0, 1), u(2, 3), u(4, 5)],
    truth: (x) => at(x, 0) ** 2 - at(x, 1) + 0.5 * at(x, 2) ** 2,
    formula: "x0^2 - x1 + 0.5*x2^2",
  },
  {
    name: "sim2",
    title: "6 sin(x0) cos(x1)",
    features: ["x0", "x1"],
    operators: ["mul", "sin", "cos"],
    draw: (u) => [u(0, 1), u(2, 3)],
    truth: (x) => 6 * Math.sin(at(x, 0)) * Math.cos(at(x, 1)),
    formula: "6*sin(x0)*cos(x1)",
  },
  {
    name: "CL",
    title: "Coulomb's law",
    features: ["x0", "x1"],
    operators: ["mul", "div", "square"],
    draw: (u) => {
      const [q1, q2, epsilon, r] = [u(1, 5), u(1, 5), u(1, 5), u(1, 5)]
      return [q1 ** 2 / (epsilon * r ** 2), q2 / q1]
    },
    truth: (x) => (at(x, 0) * at(x, 1)) / (4 * Math.PI),
    formula: "x0*x1/(4*pi)",
  },
  {
    name: "CPE",
    title: "change in gravitational potential energy",
    features: ["x0", "x1", "x2"],
    operators: ["add", "sub", "mul", "div"],
    draw: (u) => {
      const [m1, m2, r1, r2, G] = [u(1, 5), u(1, 5), u(1, 5), u(1, 5), u(1, 5)]
      return [(G * m1 ** 2) / r1, m2 / m1, r2 / r1]
    },
    truth: (x) => at(x, 0) * at(x, 1) * (1 / at(x, 2) - 1),
    formula: "x0*x1*(1/x2 - 1)",
  },
  {
    name: "FCE",
    title: "Lorentz force",
    features: ["x0", "x1", "x2"],
    operators: ["add", "mul", "div", "sin"],
    draw: (u) => {
      const [q, Ef, B, v, theta] = [u(1, 5), u(1, 5), u(1, 5), u(1, 5), u(1, 5)]
      return [q * Ef, (B * v) / Ef, theta]
    },
    truth: (x) => at(x, 0) * (1 + at(x, 1) * Math.sin(at(x, 2))),
    formula: "x0*(1 + x1*sin(x2))",
  },
  {
    name: "FTC",
    title: "Fourier's law of thermal conduction",
    features: ["x0", "x1", "x2"],
    operators: ["add", "sub", "mul", "div", "sqrt"],
    draw: (u) => {
      const [kappa, T1, T2, A, d] = [u(1, 5), u(1, 5), u(1, 5), u(1, 5), u(1, 5)]
      return [Math.sqrt(A) * T1 * kappa, d / Math.sqrt(A), T2 / T1]
    },
    truth: (x) => (at(x, 0) * (at(x, 2) - 1)) / at(x, 1),
    formula: "x0*(x2 - 1)/x1",
  },
  {
    name: "ADA",
    title: "angular distribution of scattering",
    features: ["x0", "x1", "x2"],
    operators: ["add", "mul", "cos"],
    draw: (u) => [u(1, 5), u(1, 5), u(1, 5)],
    truth: (x) => at(x, 0) * (1 + at(x, 1) * Math.cos(at(x, 2))),
    formula: "x0*(1 + x1*cos(x2))",
  },
]

/** A data set of a problem, and its noiseless truth row by row. The noise levels of one seed share the features. */
export const make = (
  problem: Problem,
  noise: number,
  seed: number,
  rows = 2000,
): { readonly data: Dataset; readonly truth: Float64Array } => {
  const key = Rng.fold(Rng.fold(Rng.key(seed), 7919), problem.name.length * 131 + problem.name.charCodeAt(0))
  const [featureKey, noiseKey] = Rng.split(key, 2)
  const features = Rng.generator(featureKey)
  const errors = Rng.generator(noiseKey)
  const uniform = (low: number, high: number): number => low + (high - low) * features.next()
  const table = Array.from({ length: rows }, () => problem.draw(uniform))
  const truth = Float64Array.from(table, problem.truth)
  return {
    truth,
    data: {
      features: problem.features,
      columns: problem.features.map((_, j) => Float64Array.from(table, (row) => at(row, j))),
      target: "y",
      y: truth.map((f) => f + noise * errors.normal()),
      rows,
    },
  }
}
