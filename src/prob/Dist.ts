import * as Rng from "../random/Rng.ts"
import * as Bernoulli from "./dist/Bernoulli.ts"
import * as Beta from "./dist/Beta.ts"
import * as Categorical from "./dist/Categorical.ts"
import { DistError, finite, positive, reject, simplex, unit } from "./dist/DistError.ts"
import * as Dirichlet from "./dist/Dirichlet.ts"
import type { Prior, Conditional, Derivatives, Dist, Known, Parameter } from "./dist/Distribution.ts"
import * as Gamma from "./dist/Gamma.ts"
import * as HalfNormal from "./dist/HalfNormal.ts"
import * as InverseGamma from "./dist/InverseGamma.ts"
import * as Laplace from "./dist/Laplace.ts"
import * as LogNormal from "./dist/LogNormal.ts"
import * as Normal from "./dist/Normal.ts"
import * as NormalInverseGamma from "./dist/NormalInverseGamma.ts"
import * as StudentT from "./dist/StudentT.ts"
import * as Uniform from "./dist/Uniform.ts"
import { derivativesOf } from "./dist/derivatives.ts"
import type { Support, VectorSupport } from "./Support.ts"
import { isSym, type Sym } from "./Sym.ts"

export { DistError, finite, positive, simplex, unit }
export type { Prior, Conditional, Derivatives, Dist, Known, Parameter }
export type { Lifted } from "./dist/Distribution.ts"
export { type Constructor, type Definition, make } from "./dist/Definition.ts"

/** A draw as numbers; see the table in `Support.ts`. */
export type Draw<S extends Support> = S extends VectorSupport ? ReadonlyArray<number> : number

// ---------------------------------------------------------------------------------------------------------------
// The distributions that ship. Each constructor throws a `DistError` at once when a parameter is not allowed. `make`
// adds your own.
// ---------------------------------------------------------------------------------------------------------------

/**
 * A distribution where all parameters are known, a prior that depends on other sites where one is the value of a site,
 * and one of both where the types do not say.
 */
export type Made<S extends Support, P extends ReadonlyArray<unknown>> = P[number] extends Known
  ? Dist<S>
  : "site" extends { [K in keyof P]: [P[K]] extends [Sym] ? "site" : "open" }[number]
    ? Conditional<S>
    : Prior<S>

const made = <S extends Support, P extends ReadonlyArray<unknown>>(prior: Prior<S>): Made<S, P> =>
  // A constructor makes a distribution exactly where no parameter is the value of a site.
  prior as Made<S, P>

/**
 * Ber(p) on {0, 1}, 0 < p < 1. Paper Eq. bernoulli-pmf. *When to use*: for indicators; `categorical` for more than two
 * outcomes.
 */
export const bernoulli = <const P extends number | Sym<"unit">>(probability: P): Made<"binary", [P]> =>
  made(Bernoulli.of({ probability }))

/** Cat(w) on {0, ..., m - 1}: weights >= 0 that sum to 1 within 1e-6 (and are then normalised). Paper Eq. categorical-pmf. */
export const categorical = <const W extends ReadonlyArray<number> | Sym<"simplex">>(
  weights: W,
): Made<"categorical", [W]> => made(Categorical.of({ weights }))

/**
 * N(mean, sd^2), sd > 0. Either may be the value of another site: a hierarchical prior, whose scale is inferred from the
 * numbers.
 *
 * *When to use*: for a number whose size is known within a factor of two or so; `studentT` where single numbers may be
 * far larger than most, `laplace` where most are near 0.
 */
export const normal = <const M extends number | Sym<"real">, const D extends number | Sym<"positive">>(
  mean: M,
  sd: D,
): Made<"real", [M, D]> => made(Normal.of({ mean, sd }))

/**
 * Laplace(location, scale) on the real line, scale > 0: exp(-|x - location| / scale) / (2 scale). The standard deviation
 * is sqrt(2) scale. Either parameter may be the value of another site.
 *
 * *When to use*: where most numbers are near the location and few are far. Under an ELBO its divergence is estimated
 * from draws.
 */
export const laplace = <const L extends number | Sym<"real">, const D extends number | Sym<"positive">>(
  location: L,
  scale: D,
): Made<"real", [L, D]> => made(Laplace.of({ location, scale }))

/**
 * Student's t with `df` > 0 degrees of freedom, a location and a scale > 0, on the real line. Its mean exists above one
 * degree of freedom, its variance above two. Location and scale may be the values of other sites.
 *
 * *When to use*: where the size of a number is hardly known. With 1 to 7 degrees of freedom a number ten scales away
 * costs a few nats, and fifty under a normal prior. Under an ELBO its divergence is estimated from draws.
 */
export const studentT = <const L extends number | Sym<"real">, const D extends number | Sym<"positive">>(
  df: number,
  location: L,
  scale: D,
): Made<"real", [L, D]> => made(StudentT.of({ df, location, scale }))

/**
 * The uniform distribution on [low, high], low < high, both finite. The density is 0 outside.
 *
 * The support is the real line by default, `"positive"` for low >= 0, or `"unit"` for an interval inside of [0, 1]. The
 * factor of such a site has to be 0 outside as well: `Family.meanField` takes `Family.factors.bounded()`.
 *
 * *When to use*: where only hard limits are known. A wide `normal` or `logNormal` is better where the limits are a
 * guess.
 */
export const uniform: {
  (low: number, high: number): Dist<"real">
  <S extends Uniform.Interval>(low: number, high: number, support: S): Dist<S>
} = Uniform.uniform

/**
 * Dir(eta) on the simplex, eta of m >= 1 positive concentrations; `Dist.dirichlet.symmetric(m, eta)` repeats one. Paper
 * Eq. dirichlet-pdf. *When to use*: for weights of operators, terminals or links; `beta` for a single probability.
 */
export const dirichlet: {
  (concentration: ReadonlyArray<number>): Dist<"simplex">
  readonly symmetric: (size: number, concentration: number) => Dist<"simplex">
} = Object.assign((concentration: ReadonlyArray<number>) => Dirichlet.of({ concentration }), {
  symmetric: Dirichlet.symmetric,
})

/**
 * exp(N(location, scale^2)), scale > 0. *When to use*: for a positive number known up to a factor of e^scale; the
 * divergence of its mean-field factor has a closed form.
 */
export const logNormal = (location: number, scale: number): Dist<"positive"> =>
  LogNormal.of({ location, scale })
/**
 * Gamma(shape, rate), both > 0; the mean is shape / rate. *When to use*: for a positive number that may be near 0, such
 * as a rate or a precision.
 */
export const gamma = (shape: number, rate: number): Dist<"positive"> => Gamma.of({ shape, rate })
/** IG(shape, scale), both > 0. Paper Eq. ig-pdf. *When to use*: for a variance; it excludes values near 0. */
export const inverseGamma = (shape: number, scale: number): Dist<"positive"> =>
  InverseGamma.of({ shape, scale })
/**
 * |N(0, sd^2)|, sd > 0. *When to use*: for a scale of which only the order of magnitude is known; it allows values near
 * 0.
 */
export const halfNormal = (sd: number): Dist<"positive"> => HalfNormal.of({ sd })
/** Beta(a, b), both > 0. *When to use*: for a probability, such as that of inclusion. */
export const beta = (a: number, b: number): Dist<"unit"> => Beta.of({ a, b })
/**
 * NIG(mean, covariance, shape, scale) of coefficients and noise variance, the conjugate prior of a linear regression.
 * Paper Eq. nig-def.
 */
export const normalInverseGamma = NormalInverseGamma.of

// ---------------------------------------------------------------------------------------------------------------
// Priors that depend on other sites
// ---------------------------------------------------------------------------------------------------------------

/** The sites on which a conditional prior depends, each once, in the order of its parameters. */
export const sitesOf = (prior: Conditional): ReadonlyArray<Sym> => {
  const sites = Object.values(prior.parameters).filter((parameter) => isSym(parameter))
  return sites.filter(({ site }, index) => sites.findIndex((other) => other.site === site) === index)
}

/** Values of sites by their full names: one draw for each, of the type `Draw`. */
export type SiteValues = Readonly<Record<string, Known>>

/**
 * The distribution that a conditional prior becomes when the sites on which it depends have these values. Throws a
 * `DistError` when a value is missing or not allowed.
 */
export const instantiate = <S extends Support>(prior: Conditional<S>, values: SiteValues): Dist<S> =>
  prior.at(
    Object.fromEntries(
      Object.entries(prior.parameters).map(([name, parameter]) => {
        if (!isSym(parameter)) return [name, parameter]
        const { site, support } = parameter
        const value = values[site] ?? reject(prior.name, "the value of site", site, "among those given")
        const vector = support === "simplex"
        if (typeof value === "number") return [name, vector ? [value] : value]
        return vector ? [name, value] : reject(prior.name, "a parameter", value, "a number")
      }),
    ),
  )

// ---------------------------------------------------------------------------------------------------------------
// Functions of a distribution
// ---------------------------------------------------------------------------------------------------------------

/** Numbers per draw: m for a simplex, d + 1 for coefficients, else 1. */
export const eventSize = (dist: Dist): number => dist.size

/**
 * log p(x) in nats, `-Infinity` outside of the support. Throws a `DistError` when `x` has not `eventSize` elements.
 * Simplex densities are with respect to dw_1 ... dw_(m-1).
 */
export const logDensity = <S extends Support>(dist: Dist<S>, x: Draw<S>): number => {
  const value: Known = x
  const elements = typeof value === "number" ? [value] : value
  return elements.length === dist.size
    ? dist.logDensity(elements)
    : reject(dist.name, "a draw", x, `${dist.size} numbers long`)
}

/**
 * log p(x) and its first and second derivative, of a distribution of one continuous number; the derivatives are 0 outside
 * of the support. Exact: in closed form, or by automatic differentiation of the density.
 */
export const derivatives = (dist: Dist<"real" | "positive" | "unit">, x: number): Derivatives =>
  derivativesOf(dist, x)

/**
 * -E[log p(X)] in nats (differential for continuous supports, so it may be negative). Throws a `DistError` for a
 * distribution without an entropy.
 */
export const entropy = (dist: Dist): number =>
  dist.entropy?.() ?? reject(dist.name, "entropy", "nothing", "given by its definition")

/** E[X], `eventSize` elements (m for Categorical: of the one-hot vector). `Infinity` or `NaN` where it does not exist. */
export const mean = (dist: Dist): ReadonlyArray<number> => dist.mean()

/** Var[X], elementwise; `eventSize` elements. */
export const variance = (dist: Dist): ReadonlyArray<number> => dist.variance()

/** `count` draws, row-major `[count, eventSize]`. The first draws of a key do not depend on `count`. */
export const sample = ({ draw, size }: Dist, key: Rng.Key, count: number): Float64Array => {
  const source = Rng.generator(key)
  const out = new Float64Array(count * size)
  for (let i = 0; i < count; i++) draw(source, out, i * size)
  return out
}

/**
 * KL[q || p] = E_q[log q(X) - log p(X)] in nats, in closed form, for two distributions of one family.
 * Throws a `DistError` when families or dimensions differ, or when the family has no closed form.
 */
export const kl = <S extends Support>(q: Dist<S>, p: Dist<NoInfer<S>>): number =>
  q.kl === undefined
    ? reject(q.name, "the divergence", "nothing", "given by its definition")
    : (q.kl(p) ?? reject(q.name, "the other distribution", p.name, "of the same family"))
