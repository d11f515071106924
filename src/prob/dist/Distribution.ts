import type { Algebra } from "../../numeric/Algebra.ts"
import type { Generator } from "../../random/Rng.ts"
import type { Moments } from "../Moments.ts"
import type { Support } from "../Support.ts"
import type { Sym } from "../Sym.ts"

/** A known parameter: a number or a vector. */
export type Known = number | ReadonlyArray<number>

/** A parameter of a declaration: known, or the value of another site. */
export type Parameter = Known | Sym

/** A log density on the real line or a part of it, with its first and second derivative. */
export interface Derivatives {
  readonly log: number
  readonly slope: number
  readonly curvature: number
}

export interface MeanVariance {
  readonly mean: number
  readonly variance: number
}

/**
 * A distribution on the support `S` with known parameters, as a record of functions in float64. A draw is `size`
 * numbers; see the table in `Support.ts`. Any value of this type may be the prior of a site; `Dist.make` makes one from
 * a density and a sampler.
 */
export interface Dist<S extends Support = Support> {
  readonly _tag: "Dist"
  /** The name in messages and in a printed plan. */
  readonly name: string
  readonly support: S
  /** Its parameters by name, as printed and as passed to `lifted`. */
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
  /** Var[X], elementwise, of the form of `mean`. */
  readonly variance: () => ReadonlyArray<number>
  /** -E[log p(X)] in nats, where it is known. */
  readonly entropy?: (() => number) | undefined
  /** KL[this || p] in nats and in closed form; `undefined` for a p of another family. */
  readonly kl?: ((p: Dist) => number | undefined) | undefined
  /** log p and its derivatives inside of a one-dimensional continuous support; derived from `lifted` if left out. */
  readonly derivatives?: ((x: number) => Derivatives) | undefined
  /** E[log X] and Var[log X] on a positive support, where they are known. A log-normal factor starts at them. */
  readonly logMoments?: (() => MeanVariance) | undefined
  /** The ends of the interval where the density is positive, where that is a bounded part of the support. */
  readonly bounds?: readonly [low: number, high: number] | undefined
  /** The symbolic forms; priors of latent sites need them. */
  readonly lifted?: Lifted | undefined
}

/** Parameters by name as values of an algebra. */
export type LiftedParameters<T> = Readonly<Record<string, T>>

/**
 * The symbolic forms of a family of distributions, shared by all of its members: members of one family have the same
 * object. Each form is written once against `Algebra<T>`, and run on numbers, on tensors and on the tape.
 */
export interface Lifted {
  /**
   * log p(x) in nats. `x` is `[...]` for scalar supports, 0 to 1 for binary ones; `[..., m]` for the simplex and,
   * one-hot or a probability vector, for categorical ones, in which it is linear. The result is `[...]`. No support
   * check: x must lie inside.
   */
  readonly logDensity: <T>(A: Algebra<T>) => (x: T, p: LiftedParameters<T>) => T
  /**
   * -E_q[log p(X)] from the moments of q and those of the parameters, elementwise; `undefined` where the given moments
   * do not suffice. Divergences are then estimated from draws.
   */
  readonly crossEntropy?: (<T>(A: Algebra<T>) => (q: Moments<T>, p: Expected<T>) => T | undefined) | undefined
  /** KL[q || p] of two members of the family, elementwise. */
  readonly kl?: (<T>(A: Algebra<T>) => (q: LiftedParameters<T>, p: LiftedParameters<T>) => T) | undefined
}

/** The values that a cross entropy may use of a prior's parameters. */
export interface Expected<T, P = Readonly<Record<string, Known>>> {
  /** The moments of a parameter: those of its site, or of a known number. */
  readonly moments: (parameter: keyof P & string) => Moments<T>
  /**
   * A constant that follows from the parameters, computed in float64, `[...]` or `[..., m]`; `undefined` where a
   * parameter is another site's value.
   */
  readonly constant: (f: (parameters: P) => Known) => T | undefined
}

/**
 * A prior whose parameters are the values of other sites, such as `Dist.categorical(weights)` with `weights` from
 * `Model.sample`. With these values it becomes a distribution (`Dist.instantiate`).
 */
export interface Conditional<S extends Support = Support> {
  readonly _tag: "Conditional"
  readonly name: string
  readonly support: S
  /** Its parameters by name, at least one of which is the value of another site. */
  readonly parameters: Readonly<Record<string, Parameter>>
  /** Length of the event axis, as in `Dist`. */
  readonly axis: number
  /** The distribution with known values of all parameters. Throws a `DistError` where they are not allowed. */
  readonly at: (parameters: Readonly<Record<string, Known>>) => Dist<S>
  readonly lifted: Lifted
}

/** The prior of a site: a distribution, or one that depends on other sites. */
export type Prior<S extends Support = Support> = Dist<S> | Conditional<S>
