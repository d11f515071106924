import type { Dataset } from "../data/Data.ts"
import * as Noise from "../evidence/Noise.ts"
import * as Term from "../expr/Term.ts"
import type { Model } from "../rank/Model.ts"
import { replace } from "../rank/Model.ts"
import { type Ranking, withModels } from "../rank/Ranking.ts"
import { pow } from "../numeric/Power.ts"
import * as Real from "../numeric/Real.ts"

/** Powers of ten that columns are divided by. */
interface Magnitude {
  /** of each feature, in the order of the data's; 0 for a column that stays as it is */
  readonly features: ReadonlyArray<number>
  readonly target: number
}

/**
 * The units that a fit computes in. Columns of very large or small values are divided by a power of ten, so that squares and products stay
 * within float64; laws, errors and evidences are given back in the units of the data.
 */
export interface Units {
  /** data in these units, the same object where no column is divided */
  readonly divided: (data: Dataset) => Dataset
  /**
   * A model in the units of the data. Coefficients stay those of the divided columns, on the scale of the link, and there are neither
   * standard errors of numbers nor bands of predictions where a column is divided.
   */
  readonly restored: (model: Model) => Model
  readonly ranking: (ranking: Ranking) => Ranking
}

/** Columns with all values below 10^-100, or one above 10^100, are divided. */
const limit = 100

/** The power of ten in the middle of the magnitudes of a column beside 0; 0 where none is large and some are not small. */
const powerOf = (column: Float64Array): number => {
  // By places: a million values take a millisecond, and ten by an iterator that is not compiled yet.
  let most = 0
  for (let i = 0; i < column.length; i++) {
    const size = Math.abs(column[i]!)
    if (size > most) most = size
  }
  if (most === 0 || Math.abs(Real.log10(most)) <= limit) return 0
  const least = column.reduce(
    (least, value) => (value === 0 ? least : Math.min(least, Math.abs(value))),
    most,
  )
  return Math.round((Real.log10(least) + Real.log10(most)) / 2)
}

/** Values times 10^power; in two steps where the power alone is not within float64. */
const times = (value: number, power: number): number => {
  const half = Math.trunc(power / 2)
  return power === 0 ? value : value * pow(10, half) * pow(10, power - half)
}

/** Data in units of the magnitudes. */
const dividedBy = (data: Dataset, { features, target }: Magnitude): Dataset => ({
  ...data,
  columns: data.columns.map((column, j) => {
    const power = features[j]!
    return power === 0 ? column : column.map((value) => times(value, -power))
  }),
  y: data.y.map((value) => times(value, -target)),
})

/** A term over divided columns as one over the data's own. */
const restoredTerm = (term: Term.Term, names: ReadonlyArray<string>, { features }: Magnitude): Term.Term =>
  Term.substitute(term, (name) => {
    const power = features[names.indexOf(name)] ?? 0
    return power === 0 ? Term.variable(name) : Term.div(Term.variable(name), pow(10, power))
  })

/** Whether another unit of y leaves each kind of noise as it is, and known errors with the prior of their factor. */
const hasUnit = ({ kinds, error }: Pick<Noise.Noise, "kinds" | "error">): boolean =>
  kinds.every(({ kind }) => {
    const power = Noise.sigmaPower(kind, { error })
    return power !== undefined && (error === undefined || power === 0)
  })

/** A model of divided data in the units of the data. */
const restoredModel = (
  model: Model,
  { features: names, rows }: Dataset,
  magnitude: Magnitude,
  error: string | undefined,
): Model => {
  const { target } = magnitude
  const own = (value: number): number => times(value, target)
  const jacobian = -rows * target * Math.LN10
  const { noise, expression } = model
  const power = (noise && Noise.sigmaPower(noise.form, { error })) ?? 1
  const ofSigma = (value: number): number => times(value, power * target)
  const law = restoredTerm(expression, names, magnitude)
  return replace(model, {
    expression: Term.arrange(target === 0 ? law : Term.mul(pow(10, target), law)),
    // Squares of its derivatives would be beyond float64.
    law: () => undefined,
    terms: model.terms.map((term) => restoredTerm(term, names, magnitude)),
    numbers: [],
    logEvidence: model.logEvidence + jacobian,
    linkEvidence: model.linkEvidence + jacobian,
    lmpse: model.lmpse + jacobian,
    bic: model.bic - 2 * jacobian,
    sigma2: ofSigma(ofSigma(model.sigma2)),
    rmseTrain: own(model.rmseTrain),
    rmseTest: model.rmseTest === undefined ? undefined : own(model.rmseTest),
    rmseLoo: own(model.rmseLoo),
    residuals: () => model.residuals().map(own),
    exact: undefined,
    noise: noise && {
      ...noise,
      sigma: ofSigma(noise.sigma),
      wrongRows: noise.wrongRows.map((row) => ({ ...row, value: own(row.value), law: own(row.law) })),
    },
  })
}

/**
 * The units for training data.
 *
 * @param noise the noise of the model, whose columns have units: those of the target for errors, none for weights. Under a kind that another unit
 *   of y would change, the target stays as it is
 */
export const of = (train: Dataset, noise: Noise.Noise | undefined): Units => {
  const { features, columns, y } = train
  const target = noise === undefined || hasUnit(noise) ? powerOf(y) : 0
  const powers = features.map((name, j) =>
    name === noise?.error ? target : name === noise?.weights ? 0 : powerOf(columns[j]!),
  )
  const magnitude = { target, features: powers }
  if (target === 0 && powers.every((power) => power === 0)) return asIs
  const restored = (model: Model): Model => restoredModel(model, train, magnitude, noise?.error)
  return {
    divided: (data) => dividedBy(data, magnitude),
    restored,
    ranking: (ranking) => ({
      ...withModels(ranking, ranking.models.map(restored)),
      scale: times(ranking.scale, target),
    }),
  }
}

export const asIs: Units = {
  divided: (data) => data,
  restored: (model) => model,
  ranking: (ranking) => ranking,
}
