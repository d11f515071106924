import type { Archived } from "../infer/Archive.ts"
import * as Plan from "../prob/Plan.ts"
import * as Skeleton from "../prob/Skeleton.ts"
import * as Rng from "../random/Rng.ts"
import * as Move from "../search/Move.ts"
import type { Workbench } from "../search/Workbench.ts"
import * as Elbo from "../vi/Elbo.ts"
import type { Projection } from "./Projection.ts"

/** What the draws remember from step to step: where the family stands, and how much work they were. */
export interface Memory {
  /** parameters of q, flat, and those that it starts from */
  readonly parameters: Float64Array
  readonly initial: Float64Array
  /** of what is drawn next */
  readonly key: Rng.Key
  /** moves of q so far, and those before the last restart */
  readonly round: number
  readonly past: number
  /** the score of the best ensemble since the last restart */
  readonly leader: number | undefined
  /** steps since it came, the ensembles scored before them, those scored by draws, and what the draws cost */
  readonly work: number
  readonly begun: number
  readonly scored: number
  readonly spent: number
  /** trees tried beside it */
  readonly tried: Set<number>
}

/** Draws of ensembles from q at a time, and from q as it was at first, so that nothing is ever out of reach. */
const draws = { current: 144, initial: 48 }
/** The share of the work that goes into draws from q, unless it is set. */
export const usual = 0.1
/** What a tree that is drawn costs, beside its scores, in scores: as measured, draws and moves taken together. */
const price = 12
/**
 * Draws begin after this number of steps without a better ensemble. While a search gets better by itself they lead it
 * astray: q learns from what fits best so far, which is long and no law.
 */
const stalled = 40
/** How far q moves at a time. */
const rate = 0.3
/** Ensembles that q is moved to, at most. */
const most = 64
/** So many ensembles count in the first move, and so many in the last, as far as weights count (`temper`). */
const breadth = { first: 40, least: 4 }

/**
 * The temperature t >= 1 at which weights exp(score / t) count for no less than `breadth` ensembles, 1 / sum w^2 with
 * sum w = 1, and the weights. Scores of ensembles differ by hundreds of nats while laws are still missing: at t = 1 one
 * of them, and not a good one, would have all the weight, and q would repeat what the search has at hand. What is good
 * in many ensembles is what draws from q should have.
 */
export const temper = (
  scores: ReadonlyArray<number>,
  breadth: number,
): { readonly temperature: number; readonly weights: ReadonlyArray<number> } => {
  const top = Math.max(...scores)
  const at = (temperature: number): ReadonlyArray<number> => {
    const raw = scores.map((score) => Math.exp((score - top) / temperature))
    const total = raw.reduce((sum, weight) => sum + weight, 0)
    return raw.map((weight) => weight / total)
  }
  const wide = (weights: ReadonlyArray<number>): boolean =>
    1 / weights.reduce((sum, weight) => sum + weight * weight, 0) >= Math.min(breadth, 0.9 * scores.length)
  const plain = at(1)
  if (wide(plain)) return { temperature: 1, weights: plain }
  let [low, high] = [0, 1]
  while (!wide(at(Math.exp(high))) && high < 64) high *= 2
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2
    if (wide(at(Math.exp(middle)))) high = middle
    else low = middle
  }
  return { temperature: Math.exp(high), weights: at(Math.exp(high)) }
}

/** Moves parameters towards the best of some ensembles, weighted so that no less than `breadth` of them count. */
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
 * The move by which a family takes part in a search (collapsed coordinate VI): trees drawn from q are tried everywhere, and q moves
 * towards the ensembles that are kept, by the M-projection of the inclusive divergence.
 *
 * @param share the share of the work that goes into draws from q, in [0, 1); with 0 q moves at the end only
 */
export const make = (plan: Plan.Plan, projection: Projection, share: number): Move.AnyMove => {
  const { forest } = plan.likelihood
  const { depth, trees: K } = forest
  const nodes = Skeleton.size(depth)

  /** Nodes of trees drawn from q, each once. */
  const sample = (
    { space: { dag } }: Workbench,
    parameters: Float64Array,
    count: number,
    source: Rng.Key,
  ): ReadonlyArray<number> => {
    const draw = (site: string): Float64Array =>
      Plan.site(plan, site).factor.sample(
        Rng.fold(source, site),
        Plan.parametersOf(plan, site, parameters),
        count,
      )
    const skeletons = {
      split: draw(forest.sites.split),
      operator: draw(forest.sites.operator),
      terminal: draw(forest.sites.terminal),
    }
    return Array.from({ length: count * K }, (_, i) => dag.prune(depth, skeletons, i * nodes))
  }

  const exchange = (bench: Workbench, memory: Memory): Memory => {
    if (share === 0) return memory
    const { scoring, space, links } = bench
    const leader = bench.best("since")?.score
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
      .kept("since")
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
    // q begins anew with the search: what it has learned would lead the search to where it was.
    restart: (memory) => ({ ...memory, past: memory.round, tried: new Set() }),
  })
}
