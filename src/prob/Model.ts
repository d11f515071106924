import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Conditional, Dist } from "./Dist.ts"
import type { Factor, FactorSite, Role } from "./Factor.ts"
import type { Joint } from "./Joint.ts"
import type { Observation } from "./Observation.ts"
import type { Prior } from "./Prior.ts"
import * as Setting from "../errors/Setting.ts"
import type { Support } from "./Support.ts"
import type { Sym } from "./Sym.ts"

declare const SiteType: unique symbol

/**
 * The requirement of one latent site in the type of a model: a guide for a site of this name and support. At run time
 * one service, `Guide`, provides all sites.
 */
export interface Site<in out N extends string, in out S extends Support> {
  readonly [SiteType]: { readonly name: N; readonly support: S }
}

/**
 * The supports of latent sites. Coefficients are no latent site: a likelihood such as `Likelihood.conjugateLinear`
 * integrates them out.
 */
export type LatentSupport = Exclude<Support, "coefficients">

/** A model is a program whose requirements are its latent sites. */
export type Model<A, R> = Effect.Effect<A, never, R>

export type SitesOf<M> = M extends Effect.Effect<infer _A, infer _E, infer R> ? R : never

/** The names of the sites in a requirement. */
export type NameOf<R> = R extends Site<infer N, infer _S> ? N : never

export type SupportAt<R, N extends string> = R extends Site<N, infer S> ? S : never

/** The requirement of a site outside of the plate `P`. */
export type Plated<P extends string, R> = R extends Site<infer N, infer S> ? Site<`${P}.${N}`, S> : R

/** One latent site as tracing records it. */
export type SiteRecord<S extends Support = Support> = FactorSite<S>

/** A latent site with the factor that a family gave it. */
export interface GuidedSite<S extends Support = Support> extends SiteRecord<S> {
  readonly factor: Factor<S>
}

/** One observed site as tracing records it. */
export interface ObservedRecord {
  readonly name: string
  readonly likelihood: Observation
}

/**
 * The guide of a model: the one service behind all `Site` requirements (Bingham et al. 2019). A family gives every site
 * its variational factor; an inference that integrates or enumerates the sites gives none.
 */
export class Guide extends Context.Service<
  Guide,
  {
    readonly factor: <S extends LatentSupport>(site: FactorSite<S>) => Factor<S> | undefined
    /** distributions of several sites together, in place of the factors of these sites */
    readonly joints?: (sites: ReadonlyArray<SiteRecord>, likelihood: Observation) => ReadonlyArray<Joint>
  }
>()("vasst/prob/Guide") {}

/** The record of a tracing run. */
export interface Recorder {
  readonly sites: Array<SiteRecord>
  /** the factors of the sites, in order; undefined where the guide gives none */
  readonly factors: Array<Factor | undefined>
  /** the guides of the sites */
  readonly guides: Set<Guide["Service"]>
  readonly observed: Array<ObservedRecord>
}

/** The recorder of a tracing run. Outside of a compilation the record is not read. */
export const Trace = Context.Reference<Recorder>("vasst/prob/Trace", {
  defaultValue: () => ({ sites: [], factors: [], guides: new Set(), observed: [] }),
})

/** The plates around the current statement of the program, outermost first. */
export const Plates = Context.Reference<ReadonlyArray<Plate>>("vasst/prob/Plates", {
  defaultValue: () => [],
})

/** A plate: its size, and the prefix that it gives to the sites inside, if any; `shared` where a site inside has one value for all copies. */
export interface Plate {
  readonly name: string | undefined
  readonly size: number
  readonly shared?: boolean
}

/** Options of a site beside its name and prior. */
export interface SiteOptions {
  /** the role by which families choose its factor: see `Role` */
  readonly role?: Role | undefined
}

/** Records a latent site. Its name and support become a requirement of the model. */
const record = <const N extends string, S extends LatentSupport>(
  name: N,
  support: S,
  prior: Prior<S>,
  size: number,
  { role }: SiteOptions,
): Effect.Effect<Sym<S>, never, Site<N, S>> => {
  const recorded: Effect.Effect<Sym<S>, never, Guide> = Effect.gen(function* () {
    const guide = yield* Guide
    const plates = yield* Plates
    const trace = yield* Trace
    const own = prior._tag === "Each" ? [prior.dists.length] : []
    const site: FactorSite<S> = {
      name: [...plates.flatMap((plate) => (plate.name === undefined ? [] : [plate.name])), name].join("."),
      support,
      shape: [...plates.flatMap((plate) => (plate.shared === true ? [] : [plate.size])), ...own],
      size,
      ...(role !== undefined && { role }),
      prior,
    }
    trace.sites.push(site)
    trace.factors.push(guide.factor(site))
    trace.guides.add(guide)
    return { _tag: "Sym", site: site.name, support, shape: site.shape, size } satisfies Sym<S>
  })
  // Here alone the run-time service `Guide` is exchanged for the site's requirement.
  return recorded as unknown as Effect.Effect<Sym<S>, never, Site<N, S>>
}

/**
 * A latent site. Its name and support are part of the model's type: a family without a factor for it, or with one of
 * another support, does not compile.
 *
 * @param options.role the role by which families choose its factor
 * @returns the site's symbolic value, a parameter of other priors
 */
export const sample = <const N extends string, S extends LatentSupport>(
  name: N,
  prior: Dist<S> | Conditional<S>,
  options: SiteOptions = {},
): Effect.Effect<Sym<S>, never, Site<N, S>> =>
  record(name, prior.support, { _tag: "Shared", dist: prior }, prior.axis, options)

/**
 * A vector of independent latent variables, one for each prior, along the innermost axis of the site. *When to use*:
 * where elements have different priors; `plate` or `repeat` where they share one.
 *
 * @throws RangeError when there is no prior, or when the priors differ in support or in the number of weights
 */
export const sampleEach = <const N extends string, S extends LatentSupport>(
  name: N,
  priors: ReadonlyArray<Dist<S>>,
  options: SiteOptions = {},
): Effect.Effect<Sym<S>, never, Site<N, S>> => {
  const [first] = priors
  if (first === undefined) throw new RangeError(`sampleEach("${name}"): there is no prior`)
  // The type allows a union of supports, for which there is no factor.
  if (priors.some(({ support }) => support !== first.support))
    throw new RangeError(`sampleEach("${name}"): the priors differ in support`)
  const size = first.axis
  if (priors.some(({ axis }) => axis !== size))
    throw new RangeError(`sampleEach("${name}"): the priors differ in the number of weights`)
  return record(name, first.support, { _tag: "Each", dists: priors }, size, options)
}

/**
 * `size` independent copies of a part of a model. The sites inside get a leading axis and the plate's name as prefix,
 * both in the type and at run time: `split` inside `plate("trees", 3, ...)` is the site `trees.split`.
 */
export const plate = <const P extends string, A, E, R>(
  name: P,
  size: number,
  body: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, Plated<P, R>> =>
  // `record` adds the prefix to the names, as the type does.
  inside({ name, size }, body) as Effect.Effect<A, E, Plated<P, R>>

/** A plate without a prefix: the sites inside get a leading axis and keep their names. */
export const repeat = <A, E, R>(size: number, body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  inside({ name: undefined, size }, body)

/**
 * A part of a model whose sites have one value for all copies of the plates around: they keep the prefix and have no axes of them. *When to use*:
 * for a parameter that the copies share, declared beside them.
 */
export const shared = <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Plates, (plates) =>
    Effect.provideService(
      body,
      Plates,
      plates.map((plate) => ({ ...plate, shared: true })),
    ),
  )

const inside = <A, E, R>(plate: Plate, body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const named = plate.name === undefined ? "a repetition" : `the plate "${plate.name}"`
    Setting.whole(`the size of ${named}`, plate.size, 1)
    const outer = yield* Plates
    return yield* Effect.provideService(body, Plates, [...outer, plate])
  })

/** The observation: the data have this likelihood. A model has exactly one. */
export const observe = (name: string, likelihood: Observation): Effect.Effect<void> =>
  Effect.map(Trace, (trace) => {
    trace.observed.push({ name, likelihood })
  })

/** A model as a generator function: `yield*` its sites. */
export const gen: typeof Effect.gen = Effect.gen
