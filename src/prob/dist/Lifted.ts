import type { Algebra } from "../../numeric/Algebra.ts"
import type { Support } from "../Support.ts"
import type { Sym } from "../Sym.ts"
import * as Bernoulli from "./Bernoulli.ts"
import * as Beta from "./Beta.ts"
import * as Categorical from "./Categorical.ts"
import type { Conditional } from "./Conditional.ts"
import * as Dirichlet from "./Dirichlet.ts"
import * as Gamma from "./Gamma.ts"
import * as HalfNormal from "./HalfNormal.ts"
import * as InverseGamma from "./InverseGamma.ts"
import * as LogNormal from "./LogNormal.ts"
import * as Normal from "./Normal.ts"
import type * as NormalInverseGamma from "./NormalInverseGamma.ts"

/** Every distribution, discriminated by `_tag`. Immutable data: densities, divergences and samplers are functions of it. */
export type AnyDist =
  | Bernoulli.Bernoulli
  | Categorical.Categorical
  | Dirichlet.Dirichlet
  | Normal.Normal
  | LogNormal.LogNormal
  | Gamma.Gamma
  | InverseGamma.InverseGamma
  | HalfNormal.HalfNormal
  | Beta.Beta
  | NormalInverseGamma.NormalInverseGamma

/** A distribution on the support `S`. An intersection, so that `S` is inferred from an argument's `support`. */
export type Dist<S extends Support = Support> = AnyDist & { readonly support: S }

/** What may stand as the prior of a site: a distribution, or one that depends on other sites. */
export type Prior<S extends Support = Support> = Dist<S> | Conditional<S>

/** A parameter as it stands in a declaration: a number, a vector, or the value of another site. */
export type Parameter = number | ReadonlyArray<number> | Sym

/**
 * log p(x) of a prior in any algebra: the compiler's way to a density. `lift` turns the declared parameters into
 * values of the algebra (a number into a scalar, an array into `[m]`, a `Sym` into the value of that site).
 *
 * `x` is `[...]` for scalar supports, 0 to 1 for binary ones; `[..., m]` for the simplex and, one-hot or relaxed, for
 * categorical ones. The result is `[...]`, in nats. No support check: x must lie inside. Coefficients are left out,
 * because they are two values: see `NormalInverseGamma.logDensity`.
 */
export const logDensityIn =
  <T>(A: Algebra<T>, lift: (parameter: Parameter) => T) =>
  (prior: Prior<Exclude<Support, "coefficients">>, x: T): T => {
    switch (prior._tag) {
      case "Conditional":
        return conditional(A, lift, prior, x)
      case "Bernoulli":
        return Bernoulli.logDensity(A)(x, { probability: lift(prior.probability) })
      case "Categorical":
        return Categorical.logDensity(A)(x, { weights: lift(prior.weights) })
      case "Dirichlet":
        return Dirichlet.logDensity(A)(x, { concentration: lift(prior.concentration) })
      case "Normal":
        return Normal.logDensity(A)(x, { mean: lift(prior.mean), sd: lift(prior.sd) })
      case "LogNormal":
        return LogNormal.logDensity(A)(x, { location: lift(prior.location), scale: lift(prior.scale) })
      case "Gamma":
        return Gamma.logDensity(A)(x, { shape: lift(prior.shape), rate: lift(prior.rate) })
      case "InverseGamma":
        return InverseGamma.logDensity(A)(x, { shape: lift(prior.shape), scale: lift(prior.scale) })
      case "HalfNormal":
        return HalfNormal.logDensity(A)(x, { sd: lift(prior.sd) })
      case "Beta":
        return Beta.logDensity(A)(x, { a: lift(prior.a), b: lift(prior.b) })
    }
  }

const conditional = <T>(
  A: Algebra<T>,
  lift: (parameter: Parameter) => T,
  prior: Conditional<Exclude<Support, "coefficients">>,
  x: T,
): T => {
  switch (prior.family) {
    case "Bernoulli":
      return Bernoulli.logDensity(A)(x, { probability: lift(prior.probability) })
    case "Categorical":
      return Categorical.logDensity(A)(x, { weights: lift(prior.weights) })
    case "Normal":
      return Normal.logDensity(A)(x, { mean: lift(prior.mean), sd: lift(prior.sd) })
  }
}
