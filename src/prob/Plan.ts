import * as Effect from "effect/Effect"
import type { NoiseSlot, ParameterSlot } from "./Factor.ts"
import * as Joint from "./Joint.ts"
import type * as Observation from "./Observation.ts"
import * as Model from "./Model.ts"
import { product } from "../numeric/Nd.ts"
import * as Rng from "../random/Rng.ts"
import { CompileError } from "../errors/Errors.ts"
import { type Declared, latentOf, make } from "./Declared.ts"
import * as Divergences from "./Divergences.ts"
import * as Graph from "./Graph.ts"

export type { Declared } from "./Declared.ts"

/** A parameter slot with its place in the flat parameter vector. */
export interface PlacedParameter extends ParameterSlot {
  /** the site, or the key of the joint of several sites (`Joint.keyOf`) */
  readonly site: string
  readonly offset: number
  readonly length: number
}

/** A noise slot with its place in the flat noise vector of one sample. */
export interface PlacedNoise extends NoiseSlot {
  readonly site: string
  readonly offset: number
  readonly length: number
}

/**
 * A model compiled with a family, independent of any engine: its sites with their factors, the parameter and noise
 * slots laid out in flat vectors, and the graph from the slots to the terms of the objective.
 */
export interface Plan<L extends Observation.Observation = Observation.Observation> extends Declared<L> {
  readonly sites: ReadonlyArray<Model.GuidedSite>
  /** the distributions of hard draws: the factors of single sites in their order, then those of several sites */
  readonly joints: ReadonlyArray<Joint.Joint>
  readonly parameters: ReadonlyArray<PlacedParameter>
  /** length of the flat parameter vector */
  readonly parameterCount: number
  readonly noise: ReadonlyArray<PlacedNoise>
  /** length of the flat noise vector of one sample */
  readonly noiseCount: number
  /** the number of further noise arrays of each discrete draw: see `widened` */
  readonly further: number
  readonly graph: Graph.Graph<L>
}

/** Lays out slots one after the other. */
const place = <A extends { readonly shape: ReadonlyArray<number> }>(
  slots: ReadonlyArray<A>,
): ReadonlyArray<A & { readonly offset: number; readonly length: number }> => {
  let offset = 0
  return slots.map((slot) => {
    const length = product(slot.shape)
    const placed = { ...slot, offset, length }
    offset += length
    return placed
  })
}

/**
 * Runs the model program once with symbolic values and lays out the slots of its family. Provide a family for the
 * model's requirements.
 *
 * *When to use*: to inspect a compiled model, or to run an engine yourself; `Infer.fit` calls it. `declared` needs no
 * family.
 *
 * Fails with a `CompileError` as of `declared`, and when the guide leaves a site without a factor.
 */
export const trace = <A, R>(model: Model.Model<A, R>): Effect.Effect<Plan, CompileError, R> =>
  Effect.gen(function* () {
    const recorder = recorderOf()
    yield* Effect.provideService(model, Model.Trace, recorder)
    const found = yield* make(recorder)
    const joints = [...recorder.guides].flatMap(
      (guide) => guide.joints?.(found.sites, found.likelihood) ?? [],
    )
    const sites: Array<Model.GuidedSite> = []
    for (const [index, site] of found.sites.entries()) {
      const joint = joints.find((one) => one.sites.includes(site.name))
      const factor = joint === undefined ? recorder.factors[index] : Joint.part(joint, site)
      if (factor === undefined)
        return yield* fail(`the guide has no factor for the site "${site.name}"; provide a family`)
      sites.push({ ...site, factor })
    }
    return guided(found, sites, joints)
  })

/** No factors: for inferences that integrate or enumerate the sites themselves. */
const unguided: Model.Guide["Service"] = { factor: () => undefined }

/**
 * Runs the model program once with symbolic values, without a family.
 *
 * *When to use*: for an inference that integrates or enumerates the sites, as the search does.
 *
 * Fails with a `CompileError` when the model observes nothing or more than once, uses a site name twice, when a prior
 * depends on a site outside of its reach, when the weights of a tree prior do not fit its grammar, or when the values
 * of fitted constants are no sites although the likelihood takes relaxed trees, or are sites although it does not.
 */
export const declared = <A, R>(model: Model.Model<A, R>): Effect.Effect<Declared, CompileError> =>
  Effect.gen(function* () {
    const recorder = recorderOf()
    // The service `Guide`, provided here, stands for all sites of the type (`Model.sample`).
    const program = model as Model.Model<A, Model.Guide>
    yield* program.pipe(
      Effect.provideService(Model.Guide, unguided),
      Effect.provideService(Model.Trace, recorder),
    )
    return yield* make(recorder)
  })

const recorderOf = (): Model.Recorder => ({
  sites: [],
  factors: [],
  guides: new Set(),
  observed: [],
})

const fail = (message: string): Effect.Effect<never, CompileError> =>
  Effect.fail(new CompileError({ message }))

/**
 * The plan as engines need it: with a likelihood that takes relaxed trees, and factors that draw them. Fails with a
 * `CompileError` for other plans.
 */
export const relaxable = (plan: Plan): Effect.Effect<Plan<Observation.Relaxable>, CompileError> => {
  const { likelihood, observed, sites } = plan
  if (likelihood.relaxed === undefined)
    return fail(
      `the likelihood of "${observed}" takes hard trees only: inclusion indicators, links of the response, known forms and kinds of noise have no relaxation; leave them out, or use Search.fit or Inclusive.fit`,
    )
  const hierarchical = likelihood.forest.grammar.terminals.find(
    ({ fitted }) => fitted?.scale !== undefined && fitted.scale.latent === undefined,
  )
  if (hierarchical !== undefined)
    return fail(
      `the values of the constant "${hierarchical.name}" share a latent scale by a function that computes with its number, which relaxed trees cannot have; let \`given\` take the scale as it is, such as (s) => Dist.normal(0, s), or search with Likelihood.selectedLinear (Search.fit)`,
    )
  const integrated = likelihood.forest.grammar.terminals.find(({ fitted }) => fitted !== undefined)
  if (integrated !== undefined && likelihood.values === "integrated")
    return fail(
      `the constant "${integrated.name}" is fitted, but the likelihood of "${observed}" integrates its values out, which takes hard trees; use Search.fit or Inclusive.fit, or observe Likelihood.conjugateLinear over Tree.prior({ ..., values: true })`,
    )
  const reached = latentOf(likelihood)
  const blocked = sites.find(({ name, factor }) => reached.includes(name) && factor.draw === undefined)
  if (blocked !== undefined)
    return fail(
      `the factor ${blocked.factor.name} of the site "${blocked.name}" has no reparameterised draw, which the likelihood of "${observed}" needs; fit with ScoreFunction.fit or Inclusive.fit, or give the site another factor`,
    )
  try {
    Divergences.check(plan.graph)
  } catch (error) {
    return error instanceof CompileError ? Effect.fail(error) : Effect.die(error)
  }
  // The likelihood of the graph is that of the plan.
  return Effect.succeed(plan as Plan<Observation.Relaxable>)
}

/** Lays out the slots of the factors and of the joints. */
const guided = (
  found: Declared,
  sites: ReadonlyArray<Model.GuidedSite>,
  several: ReadonlyArray<Joint.Joint>,
): Plan => {
  const alone = sites.filter(({ name }) => several.every((joint) => !joint.sites.includes(name)))
  const joints = [...alone.map(({ name, factor }) => Joint.single(name, factor)), ...several]
  const parameters = place(
    joints.flatMap((joint) => joint.parameters.map((slot) => ({ ...slot, site: Joint.keyOf(joint) }))),
  )
  const noise = place(
    sites.flatMap((site) => site.factor.noise.map((slot) => ({ ...slot, site: site.name }))),
  )
  return {
    ...found,
    sites,
    joints,
    parameters,
    parameterCount: parameters.reduce((sum, { length }) => sum + length, 0),
    noise,
    noiseCount: noise.reduce((sum, { length }) => sum + length, 0),
    further: 0,
    graph: Graph.make(sites, { name: found.observed, likelihood: found.likelihood }),
  }
}

/** The site of a name. @throws Error if the plan has no such site. */
export const site = (plan: Plan, name: string): Model.GuidedSite => {
  const found = plan.sites.find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`the plan has no site "${name}"`)
  return found
}

/**
 * A plan with further noise for each discrete draw, as a relaxation needs it (`RelaxationForm.further`). The slots of further
 * noise come after all others, so that the noise of these stays.
 *
 * Fails with a `CompileError` when the draw of a discrete site has not one slot of noise: logistic noise for binary sites,
 * Gumbel noise for categorical ones.
 */
export const widened = (plan: Plan, further: number): Effect.Effect<Plan, CompileError> => {
  if (further === plan.further) return Effect.succeed(plan)
  const { sites, observed: name, likelihood } = plan
  const discrete = sites.filter(
    ({ support, factor }) => (support === "binary" || support === "categorical") && factor.draw !== undefined,
  )
  const unfit = discrete.find((one) => Graph.relaxedSlot(one) === undefined)
  if (unfit !== undefined)
    return fail(
      `the factor ${unfit.factor.name} of the site "${unfit.name}" does not draw by one slot of logistic noise (binary) or Gumbel noise (categorical), of which the relaxation takes further copies; give the site another factor, or fit with Relaxation.concrete`,
    )
  const more = discrete.flatMap((one) =>
    Array.from({ length: further }, () => ({ ...Graph.relaxedSlot(one)!, site: one.name })),
  )
  const own = sites.flatMap((one) => one.factor.noise.map((slot) => ({ ...slot, site: one.name })))
  const noise = place([...own, ...more])
  return Effect.succeed({
    ...plan,
    noise,
    noiseCount: noise.reduce((sum, { length }) => sum + length, 0),
    further,
    graph: Graph.make(sites, { name, likelihood }, further),
  })
}

/** The joint of a site. @throws Error if the plan has no such site. */
export const jointOf = (plan: Plan, name: string): Joint.Joint => {
  const found = plan.joints.find(({ sites }) => sites.includes(name))
  if (found === undefined) throw new Error(`the plan has no site "${name}"`)
  return found
}

/** The slices of a flat parameter vector of a site, or of the key of a joint, in the order of its slots. */
export const parametersOf = (plan: Plan, name: string, flat: Float64Array): ReadonlyArray<Float64Array> =>
  plan.parameters
    .filter((slot) => slot.site === name)
    .map((slot) => flat.subarray(slot.offset, slot.offset + slot.length))

const fillers: Readonly<Record<NoiseSlot["kind"], (key: Rng.Key, out: Float32Array) => Float32Array>> = {
  uniform: Rng.uniform,
  normal: Rng.normal,
  logistic: Rng.logistic,
  gumbel: Rng.gumbel,
}

/**
 * Fills the noise of one step. Each slot has its own key, so that a site declared later does not change the noise of
 * the others.
 *
 * @param noise of S samples, to be filled: [S, ...] of each slot, in the layout of the plan
 */
export const noiseDrawer = (
  { noise: slots }: Pick<Plan, "noise">,
  samples: number,
  noise: Float32Array,
): ((key: Rng.Key) => void) => {
  const filled = slots.map(({ kind, offset, length }) => ({
    fill: fillers[kind],
    out: noise.subarray(samples * offset, samples * (offset + length)),
  }))
  return (key) => filled.forEach(({ fill, out }, index) => fill(Rng.fold(key, index), out))
}
