import * as Dimension from "../expr/Dimension.ts"
import * as Term from "../expr/Term.ts"
import { interpretWith } from "../expr/term/Interpret.ts"
import { LikelihoodError } from "./likelihood/LikelihoodError.ts"

/**
 * A kind of noise: how far the response lies from the law, row by row, up to one unknown scale sigma,
 *
 *     r_i = (y_i - mu_i) / s(mu_i)   or   r_i = log (y_i / mu_i),   r_i = sigma times standard noise,
 *
 * with mu_i the value of the law on the row. It is independent of the link: the link says how mu is computed from the terms.
 */
export interface Kind {
  readonly name: string
  /** s(mu), a term over `mu`; positive where mu is not 0; no unit is needed, for sigma has it (`sigmaPower`) */
  readonly deviation: Term.Term<"mu">
  /** Whether residuals are differences of values, or of their logarithms; then y and the law have one sign on every row. */
  readonly residual: "difference" | "logarithm"
  /** the degrees of freedom of Student's t noise; undefined for normal noise */
  readonly degrees: number | undefined
}

/** The names of the kinds that ship, and of wrong rows. */
export type Name = "additive" | "proportional" | "log" | "heavy" | "contaminated"

/**
 * A kind of noise from its standard deviation as a function of the law's value.
 *
 * *When to use*: for noise that none of `shipped` has, such as the square root of a count.
 *
 * @param definition its `deviation` is s(mu) up to a factor; 1 by default
 * @throws LikelihoodError when the degrees of freedom are not above 0
 *
 * @example
 * const counting = Noise.make("counting", { deviation: (mu) => Term.sqrt(Term.abs(mu)) })
 */
export const make = (
  name: string,
  definition: {
    readonly deviation?: ((mu: Term.Term<"mu">) => Term.Term<"mu">) | undefined
    readonly residual?: Kind["residual"] | undefined
    readonly degrees?: number | undefined
  } = {},
): Kind => {
  const { deviation = () => Term.constant(1), residual = "difference", degrees } = definition
  if (degrees !== undefined && !(degrees > 0))
    throw new LikelihoodError({
      message: `the noise "${name}" has ${degrees} degrees of freedom; give a number above 0`,
    })
  return { name, deviation: Term.simplify(deviation(Term.variable("mu"))), residual, degrees }
}

/** y = mu + sigma eps. *When to use*: for an instrument whose error is the same over its whole range. */
export const additive = make("additive")
/**
 * y = mu (1 + sigma eps): a constant relative error; y may have either sign. *When to use*: for an error in per cent of the value;
 * `logarithmic` where single rows are off by a factor.
 */
export const proportional = make("proportional", { deviation: Term.abs })
/**
 * log y = log mu + sigma eps: factors, for positive (or negative) y. *When to use*: for amounts over several orders of magnitude, whose
 * errors are factors.
 */
export const logarithmic = make("log", { residual: "logarithm" })
/**
 * y = mu + sigma t_4: Student's t noise, additive. *When to use*: where rows are far off now and then; `wrongRows` where such rows have
 * nothing to do with the law.
 */
export const heavy = make("heavy", { degrees: 4 })

/**
 * y = mu + sigma e eps with a known standard error e of each row: additive noise by another name. *When to use*: with a column `error`,
 * so that tables name the noise by it.
 */
export const knownErrors = make("known errors")

/** A kind with its prior probability. */
export interface Weighted {
  readonly kind: Kind
  /** in (0, 1] */
  readonly probability: number
}

/**
 * The prior of wrong rows: rows whose response has nothing to do with the law (a wrong unit, a missing decimal point, -9999 for
 * a missing value). With probability 1 - `probability` no row is wrong. Otherwise each row is wrong with a probability that is
 * Beta(`share`) distributed, and at least one is. The response of a wrong row has a Cauchy distribution around the median of y,
 * with the median absolute deviation of y as its scale.
 */
export interface WrongRows {
  readonly probability: number
  readonly share: readonly [number, number]
}

/** The noise of a model: a latent kind, wrong rows, and columns of the data with known errors and weights. */
export interface Noise {
  readonly kinds: ReadonlyArray<Weighted>
  /** undefined where no row can be wrong */
  readonly wrongRows: WrongRows | undefined
  /**
   * A column with the standard error of each row, above 0, in units of y, by which the deviation of the kind is multiplied. The
   * errors are known up to a common factor, whose logarithm is N(0, log(2)^2) distributed.
   */
  readonly error: string | undefined
  /** A column with the weight of each row, 0 or more: the variance of its noise is in inverse proportion to it. The unit does not matter. */
  readonly weights: string | undefined
}

/** The default prior of wrong rows: none in nine tables of ten, and 5 % of the rows otherwise. */
export const wrongRows: WrongRows = { probability: 0.1, share: [1, 19] }

/** The kinds that ship, with their prior probabilities: additive noise first. */
export const shipped: ReadonlyArray<Weighted> = [
  { kind: additive, probability: 0.6 },
  { kind: proportional, probability: 0.15 },
  { kind: logarithmic, probability: 0.15 },
  { kind: heavy, probability: 0.1 },
]

/**
 * The noise of a model. By default the kind is latent, with the prior `shipped`, and rows may be wrong: the evidence decides.
 *
 * *When to use*: `latent()` for data of which little is known; one kind where it is known; `error` where every row has its own
 * standard error; `weights` where rows are means of several observations.
 *
 * @param settings.kinds kinds with their prior probabilities, normalised to 1; with `error` the default is additive noise alone,
 *   and else `shipped`
 * @param settings.wrongRows the prior of wrong rows; undefined for none
 * @throws LikelihoodError when there is no kind, a kind is named twice, or a probability is out of range
 *
 * @example
 * Likelihood.selectedLinear(forest, { included, noise: Noise.latent({ error: "dy" }) })
 */
export const latent = (
  settings: {
    readonly kinds?: ReadonlyArray<Weighted> | undefined
    readonly wrongRows?: WrongRows | undefined
    readonly error?: string | undefined
    readonly weights?: string | undefined
  } = {},
): Noise => {
  const { error, weights } = settings
  const wrong = "wrongRows" in settings ? settings.wrongRows : wrongRows
  const kinds = settings.kinds ?? (error === undefined ? shipped : [{ kind: knownErrors, probability: 1 }])
  if (kinds.length === 0)
    throw new LikelihoodError({ message: "the noise has no kind; give Noise.additive where it is simple" })
  const names = kinds.map(({ kind }) => kind.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new LikelihoodError({ message: `the noise "${twice}" is given twice; remove one` })
  const bad = kinds.find(({ probability }) => !(probability > 0 && Number.isFinite(probability)))
  if (bad !== undefined)
    throw new LikelihoodError({
      message: `the noise "${bad.kind.name}" has the prior probability ${bad.probability}; give a number above 0`,
    })
  if (wrong !== undefined && !(wrong.probability > 0 && wrong.probability < 1))
    throw new LikelihoodError({
      message: `the probability of wrong rows must lie between 0 and 1, but is ${wrong.probability}`,
    })
  if (wrong !== undefined && !wrong.share.every((value) => value > 0 && Number.isFinite(value)))
    throw new LikelihoodError({
      message: `the share of wrong rows has Beta parameters above 0, not ${wrong.share.join(" and ")}`,
    })
  const total = kinds.reduce((sum, { probability }) => sum + probability, 0)
  return {
    kinds: kinds.map(({ kind, probability }) => ({ kind, probability: probability / total })),
    wrongRows: wrong,
    error,
    weights,
  }
}

const byName: Readonly<Record<Exclude<Name, "contaminated">, Kind>> = {
  additive,
  proportional,
  log: logarithmic,
  heavy,
}

/** All names that `named` knows. */
export const names: ReadonlyArray<Name> = ["additive", "proportional", "log", "heavy", "contaminated"]

/**
 * The noise that names stand for: one kind, or several of equal prior probability. Rows may be wrong only if `contaminated` is among
 * the names; alone it means additive noise.
 *
 * *When to use*: where the kind of noise is known, or some kinds are ruled out; `latent()` otherwise.
 */
export const named = (
  chosen: Name | ReadonlyArray<Name>,
  columns: Pick<Partial<Noise>, "error" | "weights"> = {},
): Noise => {
  const list = typeof chosen === "string" ? [chosen] : chosen
  const kinds = [...new Set(list)].flatMap((name) => (name === "contaminated" ? [] : [byName[name]]))
  return latent({
    ...columns,
    kinds: (kinds.length > 0 ? kinds : [columns.error === undefined ? additive : knownErrors]).map(
      (kind) => ({ kind, probability: 1 }),
    ),
    wrongRows: list.includes("contaminated") ? wrongRows : undefined,
  })
}

/** Whether the noise is additive, of one unknown scale, without wrong rows: the evidence has a closed form. */
export const isPlain = ({ kinds, wrongRows: wrong, error, weights }: Noise): boolean =>
  kinds.length === 1 && isSimple(kinds[0]!.kind) && wrong === undefined && !error && !weights

/** Whether errors are of one size on all rows, whatever the law: a root mean square compares laws then. */
export const isEven = ({ deviation, residual }: Kind): boolean =>
  deviation._tag === "Constant" && residual === "difference"

/** Whether a kind is normal noise of one scale. */
export const isSimple = (kind: Kind): boolean => isEven(kind) && kind.degrees === undefined

/** A unit of y. */
const unit = { powers: { y: 1 }, logFactor: 0 }

/**
 * The power of the unit of y that sigma has: 1 where it is a standard deviation of y, 0 for relative errors, 1/2 where the deviation is the root of
 * the law. It is 1 - d for differences and -d for logarithms, with d the degree of homogeneity of the deviation, s(c mu) = c^d s(mu) for c > 0;
 * known errors have the unit of y as well.
 *
 * @param noise with the column of known errors, if there is one
 * @returns undefined for a deviation that is not homogeneous, such as 1 + |mu|: another unit of y makes it another kind of noise
 */
export const sigmaPower = (
  { deviation, residual }: Kind,
  { error }: Pick<Noise, "error">,
): number | undefined => {
  const own = interpretWith(Dimension.algebra)(deviation)(() => Dimension.quantity(unit))
  if (own?._tag !== "Quantity") return undefined
  return (residual === "difference" ? 1 : 0) - (own.unit.powers["y"] ?? 0) - (error === undefined ? 0 : 1)
}
