import * as Term from "../../expr/Term.ts"
import type { Dist } from "../../prob/Dist.ts"
import type { Generator } from "../../random/Rng.ts"
import { LikelihoodError } from "./LikelihoodError.ts"

/** The set of possible values of y: all numbers, numbers above 0, numbers in (0, 1), {0, 1}, or {0, 1, 2, ...}. */
export type Support = "real" | "positive" | "unit" | "binary" | "counts"

/** The support of a nuisance parameter. Its free coordinate is the parameter itself, its logarithm, or its log odds. */
export type NuisanceSupport = "real" | "positive" | "unit"

/** A parameter of a density that is not the linear predictor. */
export interface Nuisance {
  readonly name: string
  readonly support: NuisanceSupport
  /**
   * The prior. If undefined, the prior is flat in the free coordinate: 1 / sigma for a positive sigma. A flat prior has no
   * scale to set. It is improper, but the same for all models, so that their evidences are comparable.
   */
  readonly prior: Dist<NuisanceSupport> | undefined
}

/**
 * log p(y | eta, nuisance) of one row as a scalar term, which defines a likelihood completely. Derivatives, the working
 * response, the evidence, the evidence node of relaxed trees and predictive draws follow from it (docs/adr/0015).
 */
export interface Density {
  readonly name: string
  readonly support: Support
  /** log density in nats, normalised over y, over the variables `y`, `eta`, the nuisance parameters and `columns` */
  readonly logDensity: Term.Term
  readonly nuisance: ReadonlyArray<Nuisance>
  /** Columns of the data that the density reads row by row, such as an error bar or a weight. */
  readonly columns: ReadonlyArray<string>
  /** E[y | eta, nuisance], a term over the same variables but y. */
  readonly mean: Term.Term
  /**
   * The nuisance parameter that scales the noise: for a small scale, log p depends on y and eta through (y - eta) / scale.
   * The search maximises over the scale for every ensemble. Undefined for densities whose noise follows from eta.
   */
  readonly scale: string | undefined
  /** A draw of y. If undefined, draws invert the distribution function of the density on a grid. */
  readonly sample: ((at: Values, source: Generator) => number) | undefined
}

/** Values of `eta`, the nuisance parameters and the columns, by name. */
export type Values = Readonly<Record<string, number>>

/** A prior for each nuisance parameter, or `"positive"`, `"unit"`, `"real"` for a flat one. */
export type Priors = Readonly<Record<string, Dist<NuisanceSupport> | NuisanceSupport>>

/** The variables of a density by name, as terms. */
export type Variables<N extends string> = { readonly [K in N | "y" | "eta"]: Term.Term<string> } & {
  /** a column of the data, by its name there */
  readonly column: (name: string) => Term.Term<string>
}

/**
 * A density from its logarithm as a term.
 *
 * *When to use*: for noise that no density of `Likelihood` describes, such as zero-inflated counts. Pass the result to
 * `Likelihood.linear`.
 *
 * @param definition.support where y lies; data elsewhere are refused with the row
 * @param definition.nuisance priors of the other parameters: a `Dist`, or a support for a flat prior
 * @param definition.logDensity log p(y | eta, nuisance) in nats, with every factor that depends on y or a parameter
 * @param definition.mean E[y | eta, nuisance]; eta itself if left out
 * @param definition.scale the nuisance parameter that scales the noise, where there is one
 * @throws LikelihoodError when the density does not depend on a nuisance parameter, a name is used twice, or a prior has
 *   another support
 *
 * @example
 * const poisson = Likelihood.make("Poisson", {
 *   support: "counts",
 *   logDensity: ({ y, eta }) => Term.sub(Term.sub(Term.mul(y, eta), Term.exp(eta)), Likelihood.lgamma(Term.add(y, 1))),
 *   mean: ({ eta }) => Term.exp(eta),
 * })
 */
export const make = <
  // Without nuisance parameters there are no names: the empty type is meant.
  // oxlint-disable-next-line typescript/no-generated-empty-object-type
  const P extends Priors = Record<never, never>,
>(
  name: string,
  definition: {
    readonly support: Support
    readonly nuisance?: P | undefined
    readonly logDensity: (variables: Variables<keyof P & string>) => Term.Term
    readonly mean?: ((variables: Variables<keyof P & string>) => Term.Term) | undefined
    readonly scale?: (keyof P & string) | undefined
    readonly sample?: Density["sample"]
  },
): Density => {
  const { support, scale, sample } = definition
  const nuisance = Object.entries(definition.nuisance ?? {}).map(([parameter, prior]) =>
    nuisanceOf(name, parameter, prior),
  )
  const own = ["y", "eta", ...nuisance.map((parameter) => parameter.name)]
  const columns = new Set<string>()
  const column = (title: string): Term.Term => {
    if (own.includes(title))
      throw new LikelihoodError({
        message: `the likelihood "${name}" has a parameter "${title}" and cannot read a column of that name; rename the parameter`,
      })
    columns.add(title)
    return Term.variable(title)
  }
  // The record has the names of the type: `y`, `eta`, the keys of the priors.
  const variables = {
    ...Object.fromEntries(own.map((title) => [title, Term.variable(title)])),
    column,
  } as unknown as Variables<keyof P & string>
  const logDensity = Term.simplify(definition.logDensity(variables))
  const mean = Term.simplify((definition.mean ?? (({ eta }) => eta))(variables))
  const used = Term.variables(logDensity)
  const idle = own.find((title) => !used.includes(title))
  if (idle !== undefined)
    throw new LikelihoodError({
      message: `the density of the likelihood "${name}" does not depend on ${idle}; write log p(y | eta, nuisance) with every parameter in it`,
    })
  const strange = [...used, ...Term.variables(mean)].find(
    (title) => !own.includes(title) && !columns.has(title),
  )
  if (strange !== undefined)
    throw new LikelihoodError({
      message: `the density of the likelihood "${name}" reads "${strange}", which is no parameter; read columns of the data by \`column("${strange}")\``,
    })
  if (Term.variables(mean).includes("y"))
    throw new LikelihoodError({
      message: `the mean of the likelihood "${name}" depends on y; write E[y | eta, nuisance]`,
    })
  return { name, support, logDensity, nuisance, columns: [...columns], mean, scale, sample }
}

const nuisanceOf = (
  likelihood: string,
  name: string,
  prior: Dist<NuisanceSupport> | NuisanceSupport,
): Nuisance => {
  if (name === "y" || name === "eta" || name === "column")
    throw new LikelihoodError({
      message: `the likelihood "${likelihood}" cannot have a nuisance parameter called "${name}"; rename it`,
    })
  return typeof prior === "string"
    ? { name, support: prior, prior: undefined }
    : { name, support: prior.support, prior }
}

/**
 * A density whose log p is multiplied by a weight for each row. Whole-number weights give the likelihood of repeated rows.
 * Draws are single observations.
 *
 * *When to use*: for rows that stand for several observations, or for a fraction of one. For known standard errors use
 * `normalError`.
 *
 * @param column the name of a column of the data with weights >= 0
 */
export const weighted = (density: Density, column: string): Density => ({
  ...density,
  name: `${density.name}, rows weighted by ${column}`,
  logDensity: Term.mul(Term.variable(column), density.logDensity),
  columns: [...new Set([...density.columns, column])],
  // A draw is one observation of the row, for any weight.
  sample: density.sample ?? undefined,
})

/** The requirement that a support puts on a value of y, for messages. */
export const describe = (support: Support): string =>
  ({
    real: "a number",
    positive: "above 0",
    unit: "above 0 and below 1",
    binary: "0 or 1",
    counts: "a whole number, 0 or more",
  })[support]

export const holds = (support: Support, value: number): boolean => {
  switch (support) {
    case "real":
      return Number.isFinite(value)
    case "positive":
      return value > 0 && Number.isFinite(value)
    case "unit":
      return value > 0 && value < 1
    case "binary":
      return value === 0 || value === 1
    case "counts":
      return Number.isInteger(value) && value >= 0
  }
}
