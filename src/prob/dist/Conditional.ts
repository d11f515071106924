import type { Support } from "../Support.ts"
import type { Sym } from "../Sym.ts"

/**
 * A prior whose parameters are the values of other sites: what `Dist.categorical(weights)` is when `weights` came
 * from `Model.sample`. It becomes a distribution when those values are known (`Dist.instantiate`).
 */
export type Conditional<S extends Support = Support> = AnyConditional & { readonly support: S }

export type AnyConditional = ConditionalBernoulli | ConditionalCategorical | ConditionalNormal

/** e | p ~ Ber(p), p another site. */
export interface ConditionalBernoulli {
  readonly _tag: "Conditional"
  readonly family: "Bernoulli"
  readonly support: "binary"
  readonly probability: Sym<"unit">
}

/** o | w ~ Cat(w), w another site. Paper Eq. cat-assignments. */
export interface ConditionalCategorical {
  readonly _tag: "Conditional"
  readonly family: "Categorical"
  readonly support: "categorical"
  readonly weights: Sym<"simplex">
}

/** x | m, s ~ N(m, s^2), where m, s or both are other sites. */
export interface ConditionalNormal {
  readonly _tag: "Conditional"
  readonly family: "Normal"
  readonly support: "real"
  readonly mean: number | Sym<"real">
  readonly sd: number | Sym<"positive">
}

/** The sites on which the prior depends, each once. */
export const sitesOf = (prior: AnyConditional): ReadonlyArray<Sym> => {
  switch (prior.family) {
    case "Bernoulli":
      return [prior.probability]
    case "Categorical":
      return [prior.weights]
    case "Normal":
      return [prior.mean, prior.sd].filter((parameter) => typeof parameter !== "number")
  }
}
