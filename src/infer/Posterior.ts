import * as Plan from "../prob/Plan.ts"
import * as Nd from "../numeric/Nd.ts"
import type { Forest } from "../prob/Tree.ts"
import * as Rng from "../random/Rng.ts"
import type { Archive } from "./Archive.ts"
import type { StopReason } from "./Stop.ts"

/** A fitted variational posterior: the plan, where the parameters ended, and how the fit went. */
export interface Posterior {
  readonly plan: Plan.Plan
  /** flat, in the layout of the plan */
  readonly parameters: Float64Array
  readonly seed: number
  readonly stopReason: StopReason
  readonly steps: number
  /** steps that were not finite and changed nothing */
  readonly skipped: number
  /** the ELBO estimate of every finite step */
  readonly elbo: ReadonlyArray<number>
  readonly seconds: number
  /** the ensembles that a fit with `Objective.inclusive` has scored */
  readonly archive?: Archive | undefined
}

/**
 * Exact draws of one site from its factor, draws outermost, then the site's own axes.
 *
 * @returns length `count` times the number of elements of the site (times the event size for vector supports)
 */
export const sampleSite = (posterior: Posterior, name: string, key: Rng.Key, count: number): Float64Array => {
  const { factor } = Plan.site(posterior.plan, name)
  return factor.sample(key, Plan.parametersOf(posterior.plan, name, posterior.parameters), count)
}

/** Drawn skeletons of all trees of a forest: each array has length H K N, draws outermost (Algorithm "SampleHard"). */
export interface Draws {
  readonly count: number
  readonly split: Float64Array
  readonly operator: Float64Array
  readonly terminal: Float64Array
  /** for each learned constant whose values are latent, its values at all nodes */
  readonly values?: ReadonlyArray<{ readonly terminal: number; readonly at: Float64Array }>
}

/** The mean of a site of numbers under its factor, one for each element. */
export const meanOf = (posterior: Posterior, name: string): Float64Array => {
  const { plan, parameters } = posterior
  const { factor } = Plan.site(plan, name)
  const own = Plan.parametersOf(plan, name, parameters)
  const slots = factor.parameters.map(({ shape }, index) => Nd.of(shape, own[index]!))
  return factor.moments(Nd.algebra, slots).mean.data
}

/**
 * Draws `count` hard ensembles from the posterior. Indicators at the maximum depth are left to pruning. Values of learned
 * constants are no draws but means: a ranking integrates them out from there.
 */
export const draws = (posterior: Posterior, forest: Forest, key: Rng.Key, count: number): Draws => {
  const [split, operator, terminal] = Rng.split(key, 3)
  const values = forest.values?.map(({ terminal, site }) => {
    const means = meanOf(posterior, site)
    return {
      terminal,
      at: Float64Array.from({ length: count * means.length }, (_, i) => means[i % means.length]!),
    }
  })
  return {
    ...(values && { values }),
    count,
    split: sampleSite(posterior, forest.sites.split, split, count),
    operator: sampleSite(posterior, forest.sites.operator, operator, count),
    terminal: sampleSite(posterior, forest.sites.terminal, terminal, count),
  }
}
