import type { Algebra } from "../../numeric/Algebra.ts"
import type { Generator } from "../../random/Rng.ts"
import type { Moments } from "../Moments.ts"
import type { Support } from "../Support.ts"
import type { Sym } from "../Sym.ts"

/** A known parameter: a number, or a vector of them. */
export type Known = number | ReadonlyArray<number>

/** A parameter as it stands in a declaration: known, or the value of another site. */
export type Parameter = Known | Sym

/** A log density on the real line or a part of it, with its first and second derivative. */
export interface Derivatives {
  readonly log: number
  readonly slope: number
  readonly curvature: number
}

/** A mean and a variance. */
export interface MeanVariance {
  readonly mean: number
  readonly variance: number
}

/**
 * A distribution on the support `S` with known parameters: a record of what it can do, in float64. A draw is `size`
 * numbers, as the table in `Support.ts` says. Whatever has this type may stand as the prior of a site; `Dist.make` makes
 * one from a density and a sampler.
 */
export interface Dist<S extends Support = Support> {
  readonly _tag: "Dist"
  /** What it is called in messages and in a printed plan. */
  readonly name: string
  readonly support: S
  /** Its parameters by name: what is printed, and what `lifted` takes. */
  readonly parameters: Readonly<Record<string, Known>>
  /** Numbers per draw: m for a simplex, d + 1 for coefficients, else 1. */
  readonly size: number
  /** Length of the event axis in an algebra: the number of categories or weights; 1 for scalar supports. */
  readonly axis: number
  /** log p(x) in nats, `-Infinity` outside of the support; `x` has `size` elements. */
  readonly logDensity: (x: ReadonlyArray<number>) => number
  /** Writes one draw to `out[offset], ..., out[offset + size - 1]`. */
  readonly draw: (source: Generator, out: Float64Array, offset: number) => void
  /** E[X], elementwise; of the one-hot vector for categorical supports. `Infinity` or `NaN` where it does not exist. */
  readonly mean: () => ReadonlyArray<number>
  /** Var[X], elementwise; as `mean`. */
  readonly variance: () => ReadonlyArray<number>
  /** -E[log p(X)] in nats, where it is known. */
  readonly entropy?: (() => number) | undefined
  /** KL[this || p] in nats and in closed form; `undefined` for a p of another family. */
  readonly kl?: ((p: Dist) => number | undefined) | undefined
  /** log p and its derivatives inside of a one-dimensional continuous support; worked out from `lifted` if left out. */
  readonly derivatives?: ((x: number) => Derivatives) | undefined
  /** E[log X] and Var[log X] on a positive support, where they are known: where a log-normal factor starts. */
  readonly logMoments?: (() => MeanVariance) | undefined
  /** The ends of the interval where the density is positive, where that is a bounded part of the support. */
  readonly bounds?: readonly [low: number, high: number] | undefined
  /** The same over any algebra; priors of latent sites need it. */
  readonly lifted?: Lifted | undefined
}

/** Parameters by name as values of an algebra. */
export type LiftedParameters<T> = Readonly<Record<string, T>>

/**
 * The symbolic forms of a family of distributions, which all of its members share: the same object is the same family.
 * Each is written once against `Algebra<T>`, and run on numbers, on tensors and on the tape.
 */
export interface Lifted {
  /**
   * log p(x) in nats. `x` is `[...]` for scalar supports, 0 to 1 for binary ones; `[..., m]` for the simplex and,
   * one-hot or a probability vector, for categorical ones, in which it is linear. The result is `[...]`. No support
   * check: x must lie inside.
   */
  readonly logDensity: <T>(A: Algebra<T>) => (x: T, p: LiftedParameters<T>) => T
  /**
   * -E_q[log p(X)] from the moments of q and those of the parameters, elementwise; `undefined` where the moments given do
   * not suffice. Divergences are then estimated from draws.
   */
  readonly crossEntropy?: (<T>(A: Algebra<T>) => (q: Moments<T>, p: Expected<T>) => T | undefined) | undefined
  /** KL[q || p] of two members of the family, elementwise. */
  readonly kl?: (<T>(A: Algebra<T>) => (q: LiftedParameters<T>, p: LiftedParameters<T>) => T) | undefined
}

/** What a cross entropy may ask of the parameters of a prior. */
export interface Expected<T, P = Readonly<Record<string, Known>>> {
  /** The moments of a parameter: those of the site that it is, or those of a known number. */
  readonly moments: (parameter: keyof P & string) => Moments<T>
  /**
   * A constant that follows from the parameters, worked out in float64, `[...]` or `[..., m]`; `undefined` where a
   * parameter is another site's value.
   */
  readonly constant: (f: (parameters: P) => Known) => T | undefined
}

/**
 * A prior whose parameters are the values of other sites: what `Dist.categorical(weights)` is when `weights` came from
 * `Model.sample`. It becomes a distribution when those values are known (`Dist.instantiate`).
 */
export interface Conditional<S extends Support = Support> {
  readonly _tag: "Conditional"
  readonly name: string
  readonly support: S
  /** Its parameters by name, at least one of which is the value of another site. */
  readonly parameters: Readonly<Record<string, Parameter>>
  /** As of `Dist`. */
  readonly axis: number
  /** The distribution with numbers for all parameters. Throws a `DistError` where they are not allowed. */
  readonly at: (parameters: Readonly<Record<string, Known>>) => Dist<S>
  readonly lifted: Lifted
}

/** What may stand as the prior of a site: a distribution, or one that depends on other sites. */
export type Prior<S extends Support = Support> = Dist<S> | Conditional<S>
