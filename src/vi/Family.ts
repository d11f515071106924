import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Factor, FactorSite } from "../prob/Factor.ts"
import * as Joint from "../prob/Joint.ts"
import {
  Guide,
  type LatentSupport,
  type Model,
  type NameOf,
  type SiteRecord,
  type SitesOf,
  type SupportAt,
} from "../prob/Model.ts"
import * as Observation from "../prob/Observation.ts"
import { CompileError } from "../errors/Errors.ts"
import * as Setting from "../errors/Setting.ts"
import type { LogitSettings } from "./factor/Bernoulli.ts"
import type { Start } from "./factor/Initial.ts"
import * as Autoregressive from "./joint/Autoregressive.ts"
import * as Mixture from "./joint/Mixture.ts"
import * as Product from "./joint/Product.ts"
import {
  type AnyMaker,
  type FactorMaker,
  factors,
  type HardMaker,
  type Maker,
  paperLogits,
  table,
  type Table,
} from "./FactorMaker.ts"

export type { Start } from "./factor/Initial.ts"
export { type FactorMaker, factors, type HardMaker, paperLogits, table, type Table } from "./FactorMaker.ts"

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

/** A factor maker of the right support for each site of the model. */
export type Factors<R> = {
  readonly [N in NameOf<R>]: FactorMaker<Extract<SupportAt<R, N>, LatentSupport>>
}

/** As `Factors`, of makers with or without relaxed draws. */
export type HardFactors<R> = {
  readonly [N in NameOf<R>]:
    FactorMaker<Extract<SupportAt<R, N>, LatentSupport>> | HardMaker<Extract<SupportAt<R, N>, LatentSupport>>
}

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
 * A family of trees whose choices depend on those before them in pre-order: whether a node expands, its operator and its
 * terminal are drawn given the operator of its parent and the symbol of its left sibling, from rows of its own for each
 * condition. Trees are independent of each other; all other sites are as in `meanField`, which the family contains.
 *
 * *When to use*: with `ScoreFunction.fit` or `Inclusive.fit`, where `treeConditional` cannot hold the posterior, such as a b
 * or sin(a) but not sin(b). It has every distribution over trees of depth 1. It has no relaxed draws, so that `Infer.fit`
 * with it does not compile. The factors of trees in `settings` are not used.
 *
 * @param settings.logitsClip logits are clamped to [-c, c]
 */
export const autoregressive = <A, R>(
  model: Model<A, R>,
  settings: Settings = {},
): Layer.Layer<SitesOf<Model<A, R>>> => {
  void model
  return provide<R>(chooser(settings), (_, { forest }) => [
    Autoregressive.autoregressive(forest, { ...paperLogits, ...settings }),
  ])
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

/** The joints of a guide that cover given sites: its own, and the factors of the other sites. */
const jointsOf = (
  guide: Guide["Service"],
  sites: ReadonlyArray<SiteRecord>,
  likelihood: Observation.Observation,
  covered: ReadonlyArray<string>,
): ReadonlyArray<Joint.Joint> => {
  const own = (guide.joints?.(sites, likelihood) ?? []).filter((joint) =>
    joint.sites.some((name) => covered.includes(name)),
  )
  const alone = sites.filter(
    ({ name }) => covered.includes(name) && own.every((joint) => !joint.sites.includes(name)),
  )
  return [
    ...own,
    ...alone.map((site) => {
      // Sites of models are latent (`Model.sample`).
      const factor = guide.factor(site as FactorSite<LatentSupport>)
      if (factor === undefined) throw missing(site)
      return Joint.single(site.name, factor)
    }),
  ]
}

/**
 * A mixture of families with learned weights, over all sites that hard draws of the trees have: the trees of an ensemble and
 * the values of their constants are drawn from one component together, so that the posterior may have modes that no
 * component has alone. Factors of other sites, such as the weights of operators, are those of the first component.
 *
 * *When to use*: with `ScoreFunction.fit` or `Inclusive.fit`, for posteriors of several modes. Components must start
 * differently: scatter their logits. It has no relaxed draws, so that `Infer.fit` with it does not compile.
 *
 * @param components families of the model, of any kind, at least one
 * @throws SettingError when there is no component
 *
 * @example
 * Family.mixture(model, [0, 1, 2].map(() => Family.meanField(model, { initialScale: 1 })))
 */
export const mixture = <A, R>(
  model: Model<A, R>,
  components: ReadonlyArray<Layer.Layer<SitesOf<Model<A, R>>>>,
): Layer.Layer<SitesOf<Model<A, R>>> => {
  void model
  Setting.whole("the number of components of a mixture", components.length, 1)
  const guides = Effect.forEach(components, (family) =>
    // `Guide` is the run-time service behind every `Site`; see `Model.sample`.
    Effect.provide(Guide, family as unknown as Layer.Layer<Guide>),
  )
  return sitesOf<R>(
    Layer.effect(
      Guide,
      Effect.map(guides, (all): Guide["Service"] => ({
        factor: all[0]!.factor,
        joints: (sites, likelihood) => {
          const { forest } = likelihood
          const covered = [
            ...Object.values(forest.sites),
            ...(forest.values ?? []).map(({ site }) => site),
            ...Observation.selection(likelihood),
          ]
          return [
            Mixture.mixture(all.map((guide) => Product.product(jointsOf(guide, sites, likelihood, covered)))),
          ]
        },
      })),
    ),
  )
}

const missing = ({ name }: SiteRecord): CompileError =>
  new CompileError({ message: `the family has no factor for the site "${name}"` })

/** A layer of all sites of a model. At run time it provides `Guide`; its type provides the sites, and `D`: relaxed draws, or nothing. */
const sitesOf = <R, D extends RelaxedDraws = never>(
  guide: Layer.Layer<Guide>,
): Layer.Layer<SitesOf<Model<unknown, R>> | D> =>
  // `Guide` is the run-time service behind every `Site`; see `Model.sample`.
  guide as unknown as Layer.Layer<SitesOf<Model<unknown, R>> | D>

/** The layer of a family that chooses factors site by site. */
const provide = <R, D extends RelaxedDraws = never>(
  maker: (site: FactorSite) => AnyMaker | undefined,
  joints: NonNullable<Guide["Service"]["joints"]> = () => [],
): Layer.Layer<SitesOf<Model<unknown, R>> | D> =>
  sitesOf<R, D>(
    Layer.succeed(Guide, {
      joints,
      factor: <S extends LatentSupport>(site: FactorSite<S>): Factor<S> => {
        const found = maker(site)
        if (found === undefined) throw missing(site)
        // `Factors` and the table in `meanField` check the makers against the supports of the sites.
        return (found.make as Maker<S>["make"])(site)
      },
    }),
  )
