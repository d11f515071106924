import * as Layer from "effect/Layer"
import type { Factor, FactorSite } from "../prob/Factor.ts"
import {
  Guide,
  type LatentSupport,
  type Model,
  type NameOf,
  type SitesOf,
  type SupportAt,
} from "../prob/Model.ts"
import { CompileError } from "../errors/Errors.ts"
import { bernoulli, type LogitSettings } from "./factor/Bernoulli.ts"
import { beta } from "./factor/Beta.ts"
import { bounded, type Interval, isBounded } from "./factor/Bounded.ts"
import { categorical } from "./factor/Categorical.ts"
import { dirichlet } from "./factor/Dirichlet.ts"
import { isClosed } from "./factor/divergence.ts"
import type { Start } from "./factor/Initial.ts"
import { logNormal } from "./factor/LogNormal.ts"
import { normal } from "./factor/Normal.ts"
import { parentConditional } from "./factor/ParentConditional.ts"

export type { Start } from "./factor/Initial.ts"

/**
 * Initial values of fitted constants in the families below: near 1, or near the prior's centre where 1 is far from it,
 * with a small random offset for each node of each tree. A value of 0 would have no gradient where trees are odd
 * functions of the value, as sin(c x) is. Draws from a wide prior would make noise of every tree with the constant.
 */
export const valueStart: Start = { sd: 0.1, scatter: 0.3 }

declare const DrawsType: unique symbol

/**
 * The requirement of relaxed draws in the type of a fit by gradients of relaxed trees (`Infer.fit`): families of factors
 * without them, such as `treeConditional`, do not provide it. Nothing stands behind it at run time.
 */
export interface RelaxedDraws {
  readonly [DrawsType]: "relaxed"
}

interface Maker<S extends LatentSupport> {
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
type AnyMaker = { readonly make: (site: never) => Factor }

/** A factor maker of the right support for each site of the model. */
export type Factors<R> = {
  readonly [N in NameOf<R>]: FactorMaker<Extract<SupportAt<R, N>, LatentSupport>>
}

/** As `Factors`, of makers with or without relaxed draws. */
export type HardFactors<R> = {
  readonly [N in NameOf<R>]:
    FactorMaker<Extract<SupportAt<R, N>, LatentSupport>> | HardMaker<Extract<SupportAt<R, N>, LatentSupport>>
}

/** The paper's settings: logits clamped to [-10, 10], initial logits scattered by 0.01. */
export const paperLogits: LogitSettings = { logitsClip: 10, initialScale: 0.01 }

/**
 * The factor makers that ship, for `make`, `Settings.factors` and `Settings.roles`. *When to use*: those of `table`
 * need no choice; `parentConditional` where operators depend on their parents; `normal` and `logNormal` in place of
 * `real` and `positive` where no prior is bounded.
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

/** Settings of the families that choose factors by support and role. */
export interface Settings extends Partial<LogitSettings> {
  /** initial values of fitted constants; `valueStart` if left out */
  readonly values?: Start | undefined
  /** factors in place of those of `table`, by support */
  readonly factors?: Partial<Table> | undefined
  /** factors for the sites of a role, by role and support: `{ operator: { categorical: Family.factors.categorical() } }` */
  readonly roles?: Readonly<Record<string, Partial<Table>>> | undefined
}

/**
 * The mean-field family of any model: independent factors, one for each element of each site (Eq.
 * mean-field-variational-family). Factors are those of `table`; `settings.factors` replaces entries by support,
 * `settings.roles` by role and support.
 *
 * *When to use*: the default, and the paper's family. `treeConditional` where operators of a tree depend on each other;
 * `make` for one factor at each site.
 *
 * The values of fitted constants are the sites with the role `"constant"`, given by `Tree.prior`. They start at
 * `settings.values`.
 *
 * @param model the model; only its type is used, for the sites that the layer provides
 *
 * @example
 * Family.meanField(model, { factors: { unit: Family.factors.bounded("unit") } })
 */
export const meanField = <A, R>(
  model: Model<A, R>,
  settings: Settings = {},
): Layer.Layer<SitesOf<Model<A, R>> | RelaxedDraws> => {
  void model
  return provide<R, RelaxedDraws>(chooser(settings))
}

/** The makers of a table, of any draws. */
type AnyTable = { readonly [S in LatentSupport]?: FactorMaker<S> | HardMaker<S> }

/** The factor of each site by its role, else by its support. */
const chooser = (
  settings: Settings,
  more: Readonly<Record<string, AnyTable>> = {},
): ((site: FactorSite) => AnyMaker | undefined) => {
  const { factors: own = {}, roles = {}, values = valueStart } = settings
  const bySupport = { ...table({ ...paperLogits, ...settings }), ...own }
  const constants = { real: factors.real(values), positive: factors.positive(values), ...own }
  const byRole: Readonly<Record<string, AnyTable>> = { constant: constants, ...more, ...roles }
  return ({ role, support }) => {
    // Coefficients are integrated out: see `LatentSupport`.
    const latent = support as LatentSupport
    return (role === undefined ? undefined : byRole[role]?.[latent]) ?? bySupport[latent]
  }
}

/**
 * A family of trees whose operators depend on each other: the operator of a node is drawn given that of its parent
 * (`factors.parentConditional`), from one table for each tree. All other sites are as in `meanField`.
 *
 * *When to use*: with `ScoreFunction.fit` or `Inclusive.fit`, for posteriors in which operators come in chains, such as exp
 * above neg. It has no relaxed draws, so that `Infer.fit` with it does not compile.
 *
 * The operators of trees are the categorical sites of the role `"operator"`, which `Tree.prior` gives them. A categorical
 * site of your own that has the nodes of a skeleton as innermost axis may take the role as well:
 * `Model.sample(name, prior, { role: "operator" })`.
 */
export const treeConditional = <A, R>(
  model: Model<A, R>,
  settings: Settings = {},
): Layer.Layer<SitesOf<Model<A, R>>> => {
  void model
  const categorical = factors.parentConditional({ ...paperLogits, ...settings })
  return provide<R>(chooser(settings, { operator: { categorical } }))
}

/**
 * A family with one factor for each site. A missing site, or a factor of another support, or one without relaxed draws, does
 * not compile.
 *
 * *When to use*: when single sites need their own factors. For all sites of a support or role, the settings of
 * `meanField` are shorter.
 *
 * @example
 * Family.make(model)({
 *   operatorWeights: Family.factors.dirichlet(),
 *   "trees.split": Family.factors.bernoulli(),
 *   ...
 * })
 */
export const make =
  <A, R>(model: Model<A, R>) =>
  (family: Factors<R>): Layer.Layer<SitesOf<Model<A, R>> | RelaxedDraws> => {
    void model
    return provide<R, RelaxedDraws>(byName(family))
  }

/**
 * As `make`, with any factor for the sites of trees. *When to use*: for factors without relaxed draws, with
 * `ScoreFunction.fit` or `Inclusive.fit`; `Infer.fit` with the family does not compile.
 */
export const makeHard =
  <A, R>(model: Model<A, R>) =>
  (family: HardFactors<R>): Layer.Layer<SitesOf<Model<A, R>>> => {
    void model
    return provide<R>(byName(family))
  }

const byName = <R>(family: HardFactors<R>): ((site: FactorSite) => AnyMaker | undefined) => {
  // `HardFactors<R>` is a record over the model's site names; looked up here by the names that tracing finds.
  const makers = family as Readonly<Record<string, AnyMaker | undefined>>
  return (site) => makers[site.name]
}

/**
 * The layer of all sites of a model. At run time it provides `Guide`; its type provides the sites, and `D`: relaxed draws, or
 * nothing.
 */
const provide = <R, D extends RelaxedDraws = never>(
  maker: (site: FactorSite) => AnyMaker | undefined,
): Layer.Layer<SitesOf<Model<unknown, R>> | D> =>
  Layer.succeed(Guide, {
    factor: <S extends LatentSupport>(site: FactorSite<S>): Factor<S> => {
      const found = maker(site)
      if (found === undefined)
        throw new CompileError({ message: `the family has no factor for the site "${site.name}"` })
      // `Factors` and the table in `meanField` check the makers against the supports of the sites.
      return (found.make as Maker<S>["make"])(site)
    },
    // `Guide` is the run-time service behind every `Site`; see `Model.sample`.
  }) as unknown as Layer.Layer<SitesOf<Model<unknown, R>> | D>
