import * as Result from "effect/Result"
import { scalarFunction } from "../src/expr/evaluate.ts"
import { parse } from "../src/expr/text/parse.ts"
import type { ShippedName } from "../src/expr/Operator.ts"
import type * as Term from "../src/expr/Term.ts"
import type { Dataset } from "../src/data/Data.ts"
import * as Rng from "../src/random/Rng.ts"

/** What a solver is given: the features that the paper reduces the variables to, or the variables themselves. */
export type Features = "reduced" | "raw"

/**
 * One of the seven problems of the paper: its variables, what they are reduced to, its law, and the operators that the
 * paper gives each method. The paper states neither the dimension-reduced features of the Feynman problems nor the ranges
 * of any variable: the features are inferred from the expressions that it prints, the ranges are the database's own.
 */
export interface Problem {
  readonly name: string
  readonly title: string
  /** in the order in which a row is drawn, each uniform on [low, high] */
  readonly variables: ReadonlyArray<{ readonly name: string; readonly low: number; readonly high: number }>
  /** a formula in the variables for each reduced feature x0, x1, ... */
  readonly definitions: ReadonlyArray<string>
  readonly features: ReadonlyArray<string>
  readonly operators: ReadonlyArray<ShippedName>
  /** the law in the reduced features */
  readonly formula: string
  /** the law in the variables */
  readonly rawFormula: string
}

const between = (low: number, high: number, names: ReadonlyArray<string>): Problem["variables"] =>
  names.map((name) => ({ name, low, high }))

const problem = (given: Omit<Problem, "features">): Problem => ({
  ...given,
  features: given.definitions.map((_, j) => `x${j}`),
})

export const problems: ReadonlyArray<Problem> = [
  problem({
    name: "sim1",
    title: "x0^2 - x1 + x2^2 / 2",
    variables: [...between(0, 1, ["x0"]), ...between(2, 3, ["x1"]), ...between(4, 5, ["x2"])],
    definitions: ["x0", "x1", "x2"],
    operators: ["add", "sub", "mul", "div", "square"],
    formula: "x0^2 - x1 + 0.5*x2^2",
    rawFormula: "x0^2 - x1 + 0.5*x2^2",
  }),
  problem({
    name: "sim2",
    title: "6 sin(x0) cos(x1)",
    variables: [...between(0, 1, ["x0"]), ...between(2, 3, ["x1"])],
    definitions: ["x0", "x1"],
    operators: ["mul", "sin", "cos"],
    formula: "6*sin(x0)*cos(x1)",
    rawFormula: "6*sin(x0)*cos(x1)",
  }),
  problem({
    name: "CL",
    title: "Coulomb's law",
    variables: between(1, 5, ["q1", "q2", "epsilon", "r"]),
    definitions: ["q1^2/(epsilon*r^2)", "q2/q1"],
    operators: ["mul", "div", "square"],
    formula: "x0*x1/(4*pi)",
    rawFormula: "q1*q2/(4*pi*epsilon*r^2)",
  }),
  problem({
    name: "CPE",
    title: "change in gravitational potential energy",
    variables: between(1, 5, ["m1", "m2", "r1", "r2", "G"]),
    definitions: ["G*m1^2/r1", "m2/m1", "r2/r1"],
    operators: ["add", "sub", "mul", "div"],
    formula: "x0*x1*(1/x2 - 1)",
    rawFormula: "G*m1*m2*(1/r2 - 1/r1)",
  }),
  problem({
    name: "FCE",
    title: "Lorentz force",
    variables: between(1, 5, ["q", "Ef", "B", "v", "theta"]),
    definitions: ["q*Ef", "B*v/Ef", "theta"],
    operators: ["add", "mul", "div", "sin"],
    formula: "x0*(1 + x1*sin(x2))",
    rawFormula: "q*(Ef + B*v*sin(theta))",
  }),
  problem({
    name: "FTC",
    title: "Fourier's law of thermal conduction",
    variables: between(1, 5, ["kappa", "T1", "T2", "A", "d"]),
    definitions: ["sqrt(A)*T1*kappa", "d/sqrt(A)", "T2/T1"],
    operators: ["add", "sub", "mul", "div", "sqrt"],
    formula: "x0*(x2 - 1)/x1",
    rawFormula: "kappa*(T2 - T1)*A/d",
  }),
  problem({
    name: "ADA",
    title: "angular distribution of scattering",
    variables: between(1, 5, ["beta", "alpha", "theta"]),
    definitions: ["beta", "alpha", "theta"],
    operators: ["add", "mul", "cos"],
    formula: "x0*(1 + x1*cos(x2))",
    rawFormula: "beta*(1 + alpha*cos(theta))",
  }),
]

/** The problem of a name. Throws with the names that exist. */
export const problemOf = (name: string): Problem => {
  const found = problems.find((one) => one.name === name)
  if (found === undefined)
    throw new Error(`there is no problem ${name}; there are ${problems.map((one) => one.name).join(", ")}`)
  return found
}

/** Whether reduction changes anything: the variables of the others are their features. */
export const isReduced = ({ definitions, variables }: Problem): boolean =>
  definitions.length !== variables.length ||
  definitions.some((definition, j) => definition !== variables[j]?.name)

/** A formula as a term, `pi` a number. */
export const termOf = (formula: string): Term.Term => Result.getOrThrow(parse(formula))

/** A data set of a problem, and its noiseless truth row by row. */
export interface Made {
  readonly data: Dataset
  readonly truth: Float64Array
}

/**
 * The data set of a problem and a seed. The noise levels of one seed share the features and the standard normals that
 * the noise scales; both kinds of features share the variables.
 *
 * @param noise its standard deviation, in units of y
 */
export const make = (
  problem: Problem,
  noise: number,
  seed: number,
  rows = 2000,
  kind: Features = "reduced",
): Made => {
  const { name, variables, definitions, features, formula } = problem
  const key = Rng.fold(Rng.fold(Rng.key(seed), "paper"), name)
  const [featureKey, noiseKey] = Rng.split(key, 2)
  const source = Rng.generator(featureKey)
  const errors = Rng.generator(noiseKey)
  const names = variables.map((variable) => variable.name)
  const raw = Array.from({ length: rows }, () =>
    variables.map(({ low, high }) => low + (high - low) * source.next()),
  )
  const reduce = definitions.map((definition) => scalarFunction(termOf(definition), names))
  const law = scalarFunction(termOf(formula), features)
  const reduced = raw.map((row) => reduce.map((feature) => feature(row)))
  const truth = Float64Array.from(reduced, law)
  const given = kind === "raw" ? { names, table: raw } : { names: features, table: reduced }
  return {
    truth,
    data: {
      features: given.names,
      columns: given.names.map((_, j) => Float64Array.from(given.table, (row) => row[j]!)),
      target: "y",
      y: truth.map((f) => f + noise * errors.normal()),
      rows,
    },
  }
}
