import * as Plan from "../prob/Plan.ts"
import type { Values } from "../prob/Joint.ts"
import * as SiteDraws from "../prob/SiteDraws.ts"
import * as Nd from "../numeric/Nd.ts"
import type { Forest } from "../prob/Tree.ts"
import * as Rng from "../random/Rng.ts"

/** A variational posterior: a plan, and the values of its parameters. */
export interface Posterior {
  readonly plan: Plan.Plan
  /** flat, in the layout of the plan */
  readonly parameters: Float64Array
  /** the number of steps without an update, because a value or gradient was not finite */
  readonly skipped: number
}

/**
 * Exact draws of one site, draws outermost, then the site's own axes. *When to use*: for single sites; of sites that depend
 * on each other (`Family.autoregressive`, `Family.mixture`) `sampleSites` gives draws that belong together.
 *
 * @returns length `count` times the number of elements of the site (times the event size for vector supports)
 */
export const sampleSite = (posterior: Posterior, name: string, key: Rng.Key, count: number): Float64Array =>
  sampleSites(posterior, [[name, key]], count).get(name)!

/**
 * Exact draws of sites, by their names. Sites that depend on each other are drawn together, with the key of the first of
 * them, and all of them are in the result.
 *
 * @param sites their names, each with a key
 */
export const sampleSites = (
  { plan, parameters }: Posterior,
  sites: ReadonlyArray<readonly [name: string, key: Rng.Key]>,
  count: number,
): Values => SiteDraws.of(plan, parameters, sites, count)

/** Drawn skeletons of all trees of a forest: each array has length H K N, draws outermost (Algorithm "SampleHard"). */
export interface Draws {
  readonly count: number
  readonly split: Float64Array
  readonly operator: Float64Array
  readonly terminal: Float64Array
  /** the values at all nodes of each fitted constant whose values are latent, by its terminal */
  readonly values?: ReadonlyArray<{ readonly terminal: number; readonly at: Float64Array }>
}

/** The means of a site with numeric values under its factor, one for each element. */
export const meanOf = (posterior: Posterior, name: string): Float64Array => {
  const { plan, parameters } = posterior
  const { factor } = Plan.site(plan, name)
  const own = Plan.parametersOf(plan, name, parameters)
  const slots = factor.parameters.map(({ shape }, index) => Nd.of(shape, own[index]!))
  return factor.moments(Nd.algebra, slots).mean.data
}

/**
 * Draws `count` hard ensembles from the posterior. Expansion indicators at the maximum depth are drawn too; pruning ignores
 * them. The values of fitted constants are means of their factors, from which the ranking fits them and integrates them out;
 * they are drawn with the trees where they depend on them.
 */
export const draws = (posterior: Posterior, forest: Forest, key: Rng.Key, count: number): Draws => {
  const [split, operator, terminal] = Rng.split(key, 3)
  const { sites } = forest
  const drawn = sampleSites(
    posterior,
    [
      [sites.split, split],
      [sites.operator, operator],
      [sites.terminal, terminal],
    ],
    count,
  )
  const values = forest.values?.map(({ terminal, site }) => {
    const own = drawn.get(site)
    if (own !== undefined) return { terminal, at: own }
    const means = meanOf(posterior, site)
    return {
      terminal,
      at: Float64Array.from({ length: count * means.length }, (_, i) => means[i % means.length]!),
    }
  })
  return {
    ...(values && { values }),
    count,
    split: drawn.get(sites.split)!,
    operator: drawn.get(sites.operator)!,
    terminal: drawn.get(sites.terminal)!,
  }
}

/**
 * Draws `count` hard ensembles in total, in equal parts from each posterior (the first ones have one more if `count` is not
 * a multiple). Draws from a single posterior are those of `Posterior.draws`.
 *
 * *When to use*: to rank the posteriors of restarts together by `Rank.fromDraws`.
 *
 * @param posteriors of one model, as `Restarts.run` gives them
 */
export const drawsTogether = (
  posteriors: ReadonlyArray<Posterior>,
  forest: Forest,
  key: Rng.Key,
  count: number,
): Draws => {
  const parts = posteriors.map((posterior, restart) => {
    const share = Math.ceil((count - restart) / posteriors.length)
    return draws(posterior, forest, restart === 0 ? key : Rng.fold(key, restart), Math.max(0, share))
  })
  const together = (of: (part: Draws) => Float64Array): Float64Array => {
    const all = new Float64Array(parts.reduce((length, part) => length + of(part).length, 0))
    let offset = 0
    for (const part of parts) {
      all.set(of(part), offset)
      offset += of(part).length
    }
    return all
  }
  const values = parts[0]?.values?.map(({ terminal }, index) => ({
    terminal,
    at: together((part) => part.values![index]!.at),
  }))
  return {
    count: parts.reduce((sum, part) => sum + part.count, 0),
    split: together(({ split }) => split),
    operator: together(({ operator }) => operator),
    terminal: together(({ terminal }) => terminal),
    ...(values && { values }),
  }
}
