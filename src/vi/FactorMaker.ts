import type { Factor, FactorSite } from "../prob/Factor.ts"
import type { LatentSupport } from "../prob/Model.ts"
import { bernoulli, type LogitSettings } from "./factor/Bernoulli.ts"
import { beta } from "./factor/Beta.ts"
import { bounded, type Interval, isBounded } from "./factor/Bounded.ts"
import { categorical } from "./factor/Categorical.ts"
import { dirichlet } from "./factor/Dirichlet.ts"
import { isClosed } from "./factor/divergence.ts"
import { fullRank } from "./factor/FullRank.ts"
import type { Start } from "./factor/Initial.ts"
import { logNormal } from "./factor/LogNormal.ts"
import { normal } from "./factor/Normal.ts"
import { parentConditional } from "./factor/ParentConditional.ts"

/** The support of a site, and its factor. */
export interface Maker<S extends LatentSupport> {
  readonly support: S
  readonly make: (site: FactorSite<S>) => Factor<S>
}

/** The maker of factors for sites of one support, of any shape and prior. */
export interface FactorMaker<S extends LatentSupport> extends Maker<S> {
  readonly draws?: undefined
}

/** A maker of factors for sites of trees that have no relaxed draw, for `makeHard` and `treeConditional`. */
export interface HardMaker<S extends LatentSupport> extends Maker<S> {
  readonly draws: "hard"
}

/** A factor maker whose support is known only at run time. */
export type AnyMaker = { readonly make: (site: never) => Factor }

/** The paper's settings: logits clamped to [-10, 10], initial logits scattered by 0.01. */
export const paperLogits: LogitSettings = { logitsClip: 10, initialScale: 0.01 }

/**
 * The factor makers that ship, for `make`, `Settings.factors` and `Settings.roles`. *When to use*: those of `table`
 * need no choice; `parentConditional` where operators depend on their parents; `fullRank` where the numbers of a site
 * depend on each other; `normal` and `logNormal` in place of `real` and `positive` where no prior is bounded.
 */
export const factors = {
  /** One logit for each element. Starts at the prior. */
  bernoulli: (settings: LogitSettings = paperLogits): FactorMaker<"binary"> => ({
    support: "binary",
    make: bernoulli(settings),
  }),
  /** m logits for each element. Starts near the uniform distribution. */
  categorical: (settings: LogitSettings = paperLogits): FactorMaker<"categorical"> => ({
    support: "categorical",
    make: categorical(settings),
  }),
  /** The category of each node given that of its parent, for the operators of trees. It has no relaxed draw. */
  parentConditional: (settings: LogitSettings = paperLogits): HardMaker<"categorical"> => ({
    support: "categorical",
    draws: "hard",
    make: parentConditional(settings),
  }),
  /** m log concentrations for each element. Starts at the prior. It has no relaxed draw. */
  dirichlet: (): FactorMaker<"simplex"> => ({ support: "simplex", make: dirichlet }),
  /** Starts at the prior, or at `start`. */
  normal: (start?: Start): FactorMaker<"real"> => ({ support: "real", make: (site) => normal(site, start) }),
  /** One multivariate normal distribution of all elements of a site, over plates and nodes. Starts as `normal`. */
  fullRank: (start?: Start): FactorMaker<"real"> => ({
    support: "real",
    make: (site) => fullRank(site, start),
  }),
  /** Starts at location 0 and scale 1 of the logarithm, or at `start`. */
  logNormal: (start?: Start): FactorMaker<"positive"> => ({
    support: "positive",
    make: (site) => logNormal(site, start),
  }),
  /** Beta(a, b) by log a and log b. Starts at the prior. It has no relaxed draw. */
  beta: (): FactorMaker<"unit"> => ({ support: "unit", make: beta }),
  /** For a prior that is 0 outside of an interval, and for any prior on (0, 1). Starts at the prior, or at `start`. */
  bounded: <S extends Interval>(support: S, start?: Start): FactorMaker<S> => ({
    support,
    make: (site) => bounded(site, start),
  }),
  /** `bounded` for a bounded prior, else `normal`. */
  real: (start?: Start): FactorMaker<"real"> => ({
    support: "real",
    make: (site) => (isBounded(site) ? bounded(site, start) : normal(site, start)),
  }),
  /** `bounded` for a bounded prior, else `logNormal`. */
  positive: (start?: Start): FactorMaker<"positive"> => ({
    support: "positive",
    make: (site) => (isBounded(site) ? bounded(site, start) : logNormal(site, start)),
  }),
  /** `beta` where its divergence from the prior has a closed form, else `bounded`. */
  unit: (): FactorMaker<"unit"> => ({
    support: "unit",
    make: (site) => (isBounded(site) || !isClosed(site) ? bounded(site) : beta(site)),
  }),
}

export type Table = { readonly [S in LatentSupport]: FactorMaker<S> }

/**
 * The table of the mean-field family (Eq. mean-field-variational-family): independent factors, one for each element of a
 * site.
 *
 * | support     | factor                                                                        |
 * | ----------- | ----------------------------------------------------------------------------- |
 * | binary      | Bernoulli, by its logit                                                       |
 * | categorical | Categorical, by its logits                                                    |
 * | simplex     | Dirichlet                                                                     |
 * | real        | Normal; logit-normal on the interval of a bounded prior                       |
 * | positive    | LogNormal; logit-normal on the interval of a bounded prior                    |
 * | unit        | Beta; logit-normal where the prior is bounded or has no closed divergence     |
 *
 * A table of your own is this one with other entries: `{ ...Family.table(), unit: mine }`.
 */
export const table = (settings: LogitSettings = paperLogits): Table => ({
  binary: factors.bernoulli(settings),
  categorical: factors.categorical(settings),
  simplex: factors.dirichlet(),
  real: factors.real(),
  positive: factors.positive(),
  unit: factors.unit(),
})
