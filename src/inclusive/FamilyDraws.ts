import type { Archived } from "../infer/Archive.ts"
import type * as Plan from "../prob/Plan.ts"
import * as SiteDraws from "../prob/SiteDraws.ts"
import * as Skeleton from "../prob/Skeleton.ts"
import * as Rng from "../random/Rng.ts"
import * as Move from "../search/Move.ts"
import type { Workbench } from "../search/Workbench.ts"
import * as Elbo from "../vi/Elbo.ts"
import type { Projection } from "./Projection.ts"
import * as Real from "../numeric/Real.ts"

/** The state of the move: the parameters of the family, and the cost of its draws. */
export interface Memory {
  /** the parameters of q, flat, and their initial values */
  readonly parameters: Float64Array
  readonly initial: Float64Array
  /** the random key of the next draws */
  readonly key: Rng.Key
  /** the number of moves of q, and the number before the last restart */
  readonly round: number
  readonly past: number
  /** the score of the best ensemble of this restart */
  readonly leader: number | undefined
  /** steps since the best ensemble changed, the ensembles scored before that, those scored by draws since, and the draws' cost */
  readonly work: number
  readonly begun: number
  readonly scored: number
  readonly spent: number
  /** trees from draws that were scored since the best ensemble changed */
  readonly tried: Set<number>
}

/** The numbers of ensembles drawn at a time from q and from the initial q. The initial q keeps all trees possible. */
const draws = { current: 144, initial: 48 }
/** The default share of the search's work that goes into draws from q. */
export const usual = 0.1
/** The measured cost of a drawn tree beside its scores, in units of one score, the cost of q's moves included. */
const price = 12
/**
 * Draws begin after this number of steps without a better ensemble. While the search improves by itself, draws slow it
 * down: the best ensembles that q follows are then large approximations, not the law.
 */
const stalled = 40
/** The step of q towards the weighted ensembles, in [0, 1]. */
const rate = 0.3
/** The largest number of ensembles that q moves towards. */
const most = 64
/** The effective number of ensembles in the first move of q, and the smallest in later moves (`temper`). */
const breadth = { first: 40, least: 4 }

/**
 * The smallest temperature t >= 1 at which the normalised weights w of exp(score / t) have an effective number
 * 1 / sum w^2 of at least `breadth` ensembles, and these weights. Before the law is found, scores of ensembles differ by
 * hundreds of nats. At t = 1 one wrong ensemble would have all the weight, and draws from q would repeat it. At a higher
 * temperature draws have the subtrees that many good ensembles share.
 */
export const temper = (
  scores: ReadonlyArray<number>,
  breadth: number,
): { readonly temperature: number; readonly weights: ReadonlyArray<number> } => {
  const top = Math.max(...scores)
  const at = (temperature: number): ReadonlyArray<number> => {
    const raw = scores.map((score) => Real.exp((score - top) / temperature))
    const total = raw.reduce((sum, weight) => sum + weight, 0)
    return raw.map((weight) => weight / total)
  }
  const wide = (weights: ReadonlyArray<number>): boolean =>
    1 / weights.reduce((sum, weight) => sum + weight * weight, 0) >= Math.min(breadth, 0.9 * scores.length)
  const plain = at(1)
  if (wide(plain)) return { temperature: 1, weights: plain }
  let [low, high] = [0, 1]
  while (!wide(at(Real.exp(high))) && high < 64) high *= 2
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2
    if (wide(at(Real.exp(middle)))) high = middle
    else low = middle
  }
  return { temperature: Real.exp(high), weights: at(Real.exp(high)) }
}

/** Moves the parameters of q towards ensembles, with tempered weights of an effective number of at least `breadth`. */
export const moved = (
  projection: Projection,
  parameters: Float64Array,
  ensembles: ReadonlyArray<Pick<Archived, "link" | "trees" | "score">>,
  breadth: number,
  by: number,
): Float64Array => {
  const best = ensembles.slice(0, most)
  if (best.length === 0) return parameters
  const { weights } = temper(
    best.map(({ score }) => score),
    breadth,
  )
  const weighted = best.flatMap(({ link, trees }, i) =>
    weights[i]! > 1e-9 ? [{ link, trees, weight: weights[i]! }] : [],
  )
  return projection.move(parameters, weighted, by)
}

/**
 * The search move of a family q (collapsed coordinate VI). Trees drawn from q are tried in all kept ensembles, and q moves
 * towards these ensembles by the M-projection of the inclusive divergence.
 *
 * @param share the share of the search's work that goes into draws from q, in [0, 1); with 0 q moves at the end only
 */
export const make = (plan: Plan.Plan, projection: Projection, share: number): Move.AnyMove => {
  const { forest } = plan.likelihood
  const { depth, trees: K } = forest
  const nodes = Skeleton.size(depth)

  /** The nodes of trees drawn from q. */
  const sample = (
    { space: { dag } }: Workbench,
    parameters: Float64Array,
    count: number,
    source: Rng.Key,
  ): ReadonlyArray<number> => {
    const keyed = Object.values(forest.sites).map((site) => [site, Rng.fold(source, site)] as const)
    const drawn = SiteDraws.of(plan, parameters, keyed, count)
    const skeletons = {
      split: drawn.get(forest.sites.split)!,
      operator: drawn.get(forest.sites.operator)!,
      terminal: drawn.get(forest.sites.terminal)!,
    }
    return Array.from({ length: count * K }, (_, i) => dag.prune(depth, skeletons, i * nodes))
  }

  const exchange = (bench: Workbench, memory: Memory): Memory => {
    if (share === 0) return memory
    const { scoring, space, links } = bench
    const leader = bench.best()?.score
    const before =
      leader === memory.leader
        ? memory
        : {
            ...memory,
            leader,
            begun: scoring.scored(),
            work: 0,
            scored: 0,
            spent: 0,
            tried: new Set<number>(),
          }
    const work = before.work + 1
    const others = scoring.scored() - before.begun - before.scored
    if (work < stalled || before.spent * (1 - share) > share * others) return { ...before, work }
    const { initial, key, past, tried } = before
    const round = before.round + 1
    const wide = Math.max(breadth.least, breadth.first / (round - past))
    const kept = bench
      .kept()
      .slice(0, most)
      .map(({ response, trees, score }) => ({ link: links[response]!, trees: trees.map(space.tree), score }))
    const parameters = moved(projection, round === past + 1 ? initial : before.parameters, kept, wide, rate)
    const source = Rng.fold(key, round)
    const found = [
      ...sample(bench, parameters, draws.current, Rng.fold(source, "q")),
      ...sample(bench, initial, draws.initial, Rng.fold(source, "initial")),
    ]
    const fresh = [...new Set(found)].filter((id) => !tried.has(id))
    fresh.forEach((id) => tried.add(id))
    const start = scoring.scored()
    bench.everywhere(fresh)
    const own = scoring.scored() - start
    return {
      ...before,
      parameters,
      round,
      work,
      scored: before.scored + own,
      spent: before.spent + own + price * found.length,
    }
  }
  return Move.make<Memory>({
    name: "familyDraws",
    begin: (key) => {
      const [initialKey, drawKey] = Rng.split(key, 2)
      const initial = Elbo.initialParameters(plan, initialKey)
      return {
        parameters: initial,
        initial,
        key: drawKey,
        round: 0,
        past: 0,
        leader: undefined,
        work: 0,
        begun: 0,
        scored: 0,
        spent: 0,
        tried: new Set(),
      }
    },
    step: exchange,
    // q restarts with the search: its parameters would lead the new search to the previous optimum.
    restart: (memory) => ({ ...memory, past: memory.round, tried: new Set() }),
  })
}
