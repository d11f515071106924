import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import { infix } from "../expr/text/infix.ts"
import type { Scored } from "../models/Formula.ts"
import * as Student from "../numeric/Student.ts"
import * as Real from "../numeric/Real.ts"
import * as Term from "../expr/Term.ts"
import * as KnownText from "./KnownText.ts"
import * as NoiseText from "./NoiseText.ts"
import * as Table from "./Table.ts"

/** A model that a formula is compared with. */
export interface Other {
  /** the model as a part of a sentence: `the mean alone` */
  readonly name: string
  readonly lmpse: number
}

/** Odds from their logarithm, as people read them: 20 to 1, 1 to 1e9. */
export const odds = (log: number): string => {
  const tens = Math.abs(log) / Math.LN10
  const size = tens < 6 ? Table.significant(Real.exp(Math.abs(log)), 3) : `1e${Math.round(tens)}`
  return log >= 0 ? `${size} to 1` : `1 to ${size}`
}

/** The share of probability of the intervals of numbers. */
const level = 0.95

/** The numbers of a law with intervals of 95 %, a line each. */
export const numbers = (law: FittedLaw.FittedLaw): ReadonlyArray<string> => {
  const errors = FittedLaw.errors(law)
  const t = Student.quantile((1 + level) / 2, law.freedom)
  return law.names.map((name, j) => {
    const [value, error] = [law.values[j]!, errors[j]!]
    const digits = Math.min(15, Math.max(3, 2 + Math.ceil(Real.log10(Math.abs(value) / error)))) || 6
    const [low, high] = [value - t * error, value + t * error].map((end) => Table.significant(end, digits))
    return `${name} = ${Table.significant(value, digits)} +- ${Table.significant(error, 2)} (95 %: ${low} to ${high})`
  })
}

/** A scored formula for people, a line each. */
export const lines = (
  { formula, law, model, link, terms, added, farthest, runs, future }: Scored,
  target: string,
  others: ReadonlyArray<Other>,
): ReadonlyArray<string> => {
  const values = Term.valued(law.formula, law.names, law.values)
  const short = (value: number): string => Table.significant(value, 4)
  const left = link === "identity" ? target : `${link} ${target}`
  const [crooked] = runs
  return [
    `${target} = ${formula}`,
    ...(law.names.length === 0 ? [] : [`${target} = ${infix(values, { precision: 6 })}`]),
    "",
    ...numbers(law),
    ...(law.names.length === 0 ? [] : [""]),
    `scored as: ${left} is ${terms.length === 0 ? "a number" : `a sum of ${terms.join(", ")}`}`,
    ...KnownText.lines(model.known),
    ...(added.length === 0 ? [] : [`added to the model: ${added.join(", ")}`]),
    `log posterior ${model.lmpse.toFixed(2)} (log evidence ${model.logEvidence.toFixed(2)}, log prior ${model.logPrior.toFixed(2)})`,
    ...others.map(
      ({ name, lmpse }) =>
        `odds against ${name}: ${odds(model.lmpse - lmpse)} (log posterior ${lmpse.toFixed(2)})`,
    ),
    `RMSE ${short(model.rmseTrain)}, leave-one-out ${short(model.rmseLoo)}`,
    ...(future === undefined
      ? []
      : [
          `leave-future-out RMSE ${short(future.rmse)}, log density ${future.logDensity.toFixed(2)} a row: ${future.rows} later rows from those before, ${(100 * future.inside).toFixed(0)} % of them in bands of 90 %`,
        ]),
    ...(model.noise === undefined ? [] : NoiseText.lines(model.noise, target)),
    "",
    ...farthest.map(
      ({ row, value, law: mean, sigmas }) =>
        `row ${row} has ${short(value)}, where the formula says ${short(mean)} (${Table.significant(sigmas, 2)} sigma)`,
    ),
    ...(crooked !== undefined && crooked.probability < 0.01
      ? [
          `along ${crooked.column} the residuals have ${crooked.runs} runs of one sign where ${crooked.expected.toFixed(0)} are expected (probability ${Table.significant(crooked.probability, 2)}): the formula bends otherwise than the data`,
        ]
      : []),
  ]
}

export const document = ({ law, model, ...rest }: Scored, target: string, others: ReadonlyArray<Other>) => {
  const { lmpse, logEvidence, logPrior, complexity, rmseTrain, rmseLoo, noise } = model
  const errors = FittedLaw.errors(law)
  const t = Student.quantile((1 + level) / 2, law.freedom)
  return {
    target,
    formula: rest.formula,
    numbers: law.names.map((name, j) => {
      const [value, error] = [law.values[j]!, errors[j]!]
      return { name, value, error, low: value - t * error, high: value + t * error }
    }),
    covariance: law.names.map((_, j) =>
      Array.from(law.covariance.subarray(j * law.names.length, (j + 1) * law.names.length)),
    ),
    lmpse,
    logEvidence,
    logPrior,
    complexity,
    logOdds: others.map((other) => ({ against: other.name, value: lmpse - other.lmpse })),
    rmseTrain,
    rmseLoo,
    noise: noise?.kind ?? null,
    sigma: law.sigma,
    link: rest.link,
    terms: rest.terms,
    added: rest.added,
    farthest: rest.farthest,
    runs: rest.runs,
    future: rest.future ?? null,
  }
}
