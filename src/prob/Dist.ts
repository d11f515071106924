import * as Rng from "../random/Rng.ts"
import * as Bernoulli from "./dist/Bernoulli.ts"
import * as Beta from "./dist/Beta.ts"
import * as Categorical from "./dist/Categorical.ts"
import type {
  AnyConditional,
  Conditional,
  ConditionalBernoulli,
  ConditionalCategorical,
  ConditionalNormal,
} from "./dist/Conditional.ts"
import * as Dirichlet from "./dist/Dirichlet.ts"
import { DistError, finite, positive, reject } from "./dist/DistError.ts"
import * as Gamma from "./dist/Gamma.ts"
import * as HalfNormal from "./dist/HalfNormal.ts"
import * as InverseGamma from "./dist/InverseGamma.ts"
import * as LogNormal from "./dist/LogNormal.ts"
import * as Normal from "./dist/Normal.ts"
import * as NormalInverseGamma from "./dist/NormalInverseGamma.ts"
import type { AnyDist, Dist, Prior } from "./dist/Lifted.ts"
import type { Operations } from "./dist/Operations.ts"
import type { Support, VectorSupport } from "./Support.ts"
import { isSym, type Sym } from "./Sym.ts"

export { DistError }
export type { AnyConditional, AnyDist, Conditional, Dist, Prior }
export { sitesOf } from "./dist/Conditional.ts"
export { logDensityIn, type Parameter } from "./dist/Lifted.ts"

/** A draw as numbers; see the table in `Support.ts`. */
export type Draw<S extends Support> = S extends VectorSupport ? ReadonlyArray<number> : number

// ---------------------------------------------------------------------------------------------------------------
// Constructors. Each throws a `DistError` at once when a parameter is not allowed.
// ---------------------------------------------------------------------------------------------------------------

/** Ber(p) on {0, 1}, 0 < p < 1. Paper Eq. bernoulli-pmf. */
export function bernoulli(probability: number): Bernoulli.Bernoulli
export function bernoulli(probability: Sym<"unit">): ConditionalBernoulli
export function bernoulli(probability: number | Sym<"unit">): Bernoulli.Bernoulli | ConditionalBernoulli
export function bernoulli(probability: number | Sym<"unit">): Bernoulli.Bernoulli | ConditionalBernoulli {
  return isSym(probability)
    ? { _tag: "Conditional", family: "Bernoulli", support: "binary", probability }
    : Bernoulli.make(probability)
}

/** Cat(w) on {0, ..., m - 1}: weights >= 0 that sum to 1 within 1e-6 (and are then normalised). Paper Eq. categorical-pmf. */
export function categorical(weights: ReadonlyArray<number>): Categorical.Categorical
export function categorical(weights: Sym<"simplex">): ConditionalCategorical
export function categorical(
  weights: ReadonlyArray<number> | Sym<"simplex">,
): Categorical.Categorical | ConditionalCategorical
export function categorical(
  weights: ReadonlyArray<number> | Sym<"simplex">,
): Categorical.Categorical | ConditionalCategorical {
  return isSym(weights)
    ? { _tag: "Conditional", family: "Categorical", support: "categorical", weights }
    : Categorical.make(weights)
}

/** N(mean, sd^2), sd > 0. */
export function normal(mean: number, sd: number): Normal.Normal
export function normal(mean: Sym<"real">, sd: number | Sym<"positive">): ConditionalNormal
export function normal(mean: number | Sym<"real">, sd: Sym<"positive">): ConditionalNormal
export function normal(
  mean: number | Sym<"real">,
  sd: number | Sym<"positive">,
): Normal.Normal | ConditionalNormal {
  if (typeof mean === "number" && typeof sd === "number") return Normal.make(mean, sd)
  if (typeof mean === "number") finite("Normal", "mean", mean)
  if (typeof sd === "number") positive("Normal", "sd", sd)
  return { _tag: "Conditional", family: "Normal", support: "real", mean, sd }
}

/**
 * Dir(eta) on the simplex, eta of m >= 1 positive concentrations; `Dist.dirichlet.symmetric(m, eta)` repeats one.
 * Paper Eq. dirichlet-pdf.
 */
export const dirichlet: {
  (concentration: ReadonlyArray<number>): Dirichlet.Dirichlet
  readonly symmetric: (size: number, concentration: number) => Dirichlet.Dirichlet
} = Object.assign((concentration: ReadonlyArray<number>) => Dirichlet.make(concentration), {
  symmetric: Dirichlet.symmetric,
})

/** exp(N(location, scale^2)), scale > 0. */
export const logNormal = LogNormal.make
/** Gamma(shape, rate), both > 0; the mean is shape / rate. */
export const gamma = Gamma.make
/** IG(shape, scale), both > 0. Paper Eq. ig-pdf. */
export const inverseGamma = InverseGamma.make
/** |N(0, sd^2)|, sd > 0. */
export const halfNormal = HalfNormal.make
/** Beta(a, b), both > 0. */
export const beta = Beta.make
/** NIG(mean, covariance, shape, scale) of coefficients and noise variance. Paper Eq. nig-def. */
export const normalInverseGamma = NormalInverseGamma.make

/** Values of sites by their full names: a draw each, as `Draw` says. */
export type SiteValues = Readonly<Record<string, number | ReadonlyArray<number>>>

/**
 * The distribution that a conditional prior becomes when the sites on which it depends have these values. Throws a
 * `DistError` when one is missing or is no allowed parameter.
 */
export function instantiate<S extends Support>(prior: Conditional<S>, values: SiteValues): Dist<S>
export function instantiate(prior: AnyConditional, values: SiteValues): AnyDist {
  const valueOf = (site: string) =>
    values[site] ?? reject(prior.family, "the value of site", site, `among those given`)
  const number = (parameter: number | Sym): number => {
    const value = typeof parameter === "number" ? parameter : valueOf(parameter.site)
    return typeof value === "number" ? value : reject(prior.family, "a parameter", value, "a number")
  }
  switch (prior.family) {
    case "Bernoulli":
      return Bernoulli.make(number(prior.probability))
    case "Categorical": {
      const weights = valueOf(prior.weights.site)
      return Categorical.make(typeof weights === "number" ? [weights] : weights)
    }
    case "Normal":
      return Normal.make(number(prior.mean), number(prior.sd))
  }
}

// ---------------------------------------------------------------------------------------------------------------
// What a distribution can do
// ---------------------------------------------------------------------------------------------------------------

const operations = (dist: AnyDist): Operations => {
  switch (dist._tag) {
    case "Bernoulli":
      return Bernoulli.operations(dist)
    case "Categorical":
      return Categorical.operations(dist)
    case "Dirichlet":
      return Dirichlet.operations(dist)
    case "Normal":
      return Normal.operations(dist)
    case "LogNormal":
      return LogNormal.operations(dist)
    case "Gamma":
      return Gamma.operations(dist)
    case "InverseGamma":
      return InverseGamma.operations(dist)
    case "HalfNormal":
      return HalfNormal.operations(dist)
    case "Beta":
      return Beta.operations(dist)
    case "NormalInverseGamma":
      return NormalInverseGamma.operations(dist)
  }
}

/** Numbers per draw: m for a simplex, d + 1 for coefficients, else 1. */
export const eventSize = (dist: AnyDist): number => operations(dist).size

/**
 * log p(x) in nats, `-Infinity` outside of the support. Throws a `DistError` when `x` has not `eventSize` elements.
 * Simplex densities are with respect to dw_1 ... dw_(m-1).
 */
export const logDensity = <S extends Support>(dist: Dist<S>, x: Draw<S>): number => {
  const value: number | ReadonlyArray<number> = x
  const elements = typeof value === "number" ? [value] : value
  const { logDensity: density, size } = operations(dist)
  return elements.length === size ? density(elements) : reject(dist._tag, "a draw", x, `${size} numbers long`)
}

/** -E[log p(X)] in nats (differential for continuous supports, so it may be negative). */
export const entropy = (dist: AnyDist): number => operations(dist).entropy()

/** E[X], `eventSize` elements (m for Categorical: of the one-hot vector). `Infinity` or `NaN` where it does not exist. */
export const mean = (dist: AnyDist): ReadonlyArray<number> => operations(dist).mean()

/** Var[X], elementwise; as `mean`. */
export const variance = (dist: AnyDist): ReadonlyArray<number> => operations(dist).variance()

/** `count` draws, row-major `[count, eventSize]`. The first draws of a key do not depend on `count`. */
export const sample = (dist: AnyDist, key: Rng.Key, count: number): Float64Array => {
  const { draw, size } = operations(dist)
  const source = Rng.generator(key)
  const out = new Float64Array(count * size)
  for (let i = 0; i < count; i++) draw(source, out, i * size)
  return out
}

/**
 * KL[q || p] = E_q[log q(X) - log p(X)] in nats, in closed form, for two distributions of one family.
 * Throws a `DistError` when families or dimensions differ.
 */
export const kl = <D extends AnyDist>(q: D, p: Extract<AnyDist, { readonly _tag: D["_tag"] }>): number => {
  const own: AnyDist = q
  const other: AnyDist = p
  if (eventLength(own) !== eventLength(other)) {
    return reject(own._tag, "the dimension of p", eventLength(other), `that of q, ${eventLength(own)}`)
  }
  if (own._tag === "Bernoulli" && other._tag === "Bernoulli") return Bernoulli.divergence(own, other)
  if (own._tag === "Categorical" && other._tag === "Categorical") return Categorical.divergence(own, other)
  if (own._tag === "Dirichlet" && other._tag === "Dirichlet") return Dirichlet.divergence(own, other)
  if (own._tag === "Normal" && other._tag === "Normal") return Normal.divergence(own, other)
  if (own._tag === "LogNormal" && other._tag === "LogNormal") return LogNormal.divergence(own, other)
  if (own._tag === "Gamma" && other._tag === "Gamma") return Gamma.divergence(own, other)
  if (own._tag === "InverseGamma" && other._tag === "InverseGamma") return InverseGamma.divergence(own, other)
  if (own._tag === "HalfNormal" && other._tag === "HalfNormal") return HalfNormal.divergence(own, other)
  if (own._tag === "Beta" && other._tag === "Beta") return Beta.divergence(own, other)
  if (own._tag === "NormalInverseGamma" && other._tag === "NormalInverseGamma") {
    return NormalInverseGamma.divergence(own, other)
  }
  return reject(own._tag, "the other distribution", other._tag, "of the same family")
}

const eventLength = (dist: AnyDist): number => operations(dist).mean().length
