import * as Effect from "effect/Effect"
import * as Plan from "../prob/Plan.ts"
import type { Tree } from "../prob/Tree.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Rng from "../random/Rng.ts"
import * as Skeleton from "../prob/Skeleton.ts"
import type { Scored } from "../search/HallOfFame.ts"
import * as Projection from "./Projection.ts"
import type { Search } from "../search/Search.ts"
import type { Space } from "../search/SearchSpace.ts"

/** Where a family stands, and the temperature of the weights that it was moved to last; 0 before the first move. */
export interface Standing {
  readonly parameters: Float64Array
  readonly temperature: number
}

/** The exchange between a search and a family: trees drawn from q for what the search has found. */
export interface Proposals {
  /**
   * If the search has done enough since the last time, moves q towards what it keeps and has it try draws from q.
   */
  readonly exchange: (parameters: Float64Array) => Standing
  /** Has q begin anew, with a search that does: what it has learned would lead the search to where it was. */
  readonly restart: () => void
  /** q at the end: nearest to what is kept, at its posterior probabilities. */
  readonly settle: (parameters: Float64Array) => Standing
}

/** Draws of ensembles from q at a time, and from q as it was at first, so that nothing is ever out of reach. */
const draws = { current: 144, initial: 48 }
/** Draws from q are so much of the work, unless said otherwise. */
const usual = 0.1
/** What a tree that is drawn costs, beside its scores, in scores: as measured, draws and moves taken together. */
const price = 12
/**
 * Draws begin after so many pieces of work without a better ensemble. While a search gets better by itself they lead it
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

/**
 * @param initial the parameters that the family starts from
 * @param linkOf the index of the link of a response
 * @param share how much of the work are draws from q; with 0 q moves only at the end
 *
 * Fails with a `CompileError` when a factor cannot be moved (`Projection.make`).
 */
export const make = (
  plan: Plan.Plan,
  space: Space,
  search: Search,
  initial: Float64Array,
  linkOf: (response: number) => number,
  key: Rng.Key,
  share = usual,
): Effect.Effect<Proposals, CompileError> =>
  Effect.gen(function* () {
    const projection = yield* Projection.make(plan)
    const { forest } = plan.likelihood
    const { depth, trees: K } = forest
    const nodes = Skeleton.size(depth)
    const trees = new Map<number, Tree>()
    const treeOf = (id: number): Tree => {
      const known = trees.get(id)
      if (known !== undefined) return known
      const made = space.tree(id)
      trees.set(id, made)
      return made
    }

    /** Nodes of trees drawn from q, each once. */
    const sample = (parameters: Float64Array, count: number, source: Rng.Key): ReadonlyArray<number> => {
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
      return Array.from({ length: count * K }, (_, i) => space.dag.prune(depth, skeletons, i * nodes))
    }

    const moved = (parameters: Float64Array, breadth: number, by: number, of?: "since"): Standing => {
      const kept = search.kept(of).slice(0, most)
      if (kept.length === 0) return { parameters, temperature: 0 }
      const { temperature, weights } = temper(
        kept.map(({ score }) => score),
        breadth,
      )
      const ensembles = kept.flatMap(({ response, trees: ids }: Scored, i) =>
        weights[i]! > 1e-9 ? [{ link: linkOf(response), trees: ids.map(treeOf), weight: weights[i]! }] : [],
      )
      return { parameters: projection.move(parameters, ensembles, by), temperature }
    }

    let round = 0
    /** rounds before the last restart */
    let past = 0
    let leader: number | undefined
    // Since the leader came: pieces of work, what was scored before them, what the draws scored, and what they cost.
    let work = 0
    let begun = 0
    let scored = 0
    let spent = 0
    /** trees tried beside the leader */
    const tried = new Set<number>()
    let temperature = 0

    const exchange: Proposals["exchange"] = (parameters) => {
      if (share === 0 || search.growing()) return { parameters, temperature }
      const best = search.leader("since")?.score
      if (best !== leader) {
        leader = best
        begun = search.scored()
        work = scored = spent = 0
        tried.clear()
      }
      const others = search.scored() - begun - scored
      if (++work < stalled || spent * (1 - share) > share * others) return { parameters, temperature }
      round++
      const anew = round === past + 1
      const wide = Math.max(breadth.least, breadth.first / (round - past))
      const standing = moved(anew ? initial : parameters, wide, rate, "since")
      temperature = standing.temperature
      const source = Rng.fold(key, round)
      const found = [
        ...sample(standing.parameters, draws.current, Rng.fold(source, "q")),
        ...sample(initial, draws.initial, Rng.fold(source, "initial")),
      ]
      const fresh = [...new Set(found)].filter((id) => !tried.has(id))
      fresh.forEach((id) => tried.add(id))
      const before = search.scored()
      search.propose(fresh)
      const own = search.scored() - before
      scored += own
      spent += own + price * found.length
      return standing
    }
    const restart = (): void => {
      past = round
      tried.clear()
    }
    return { exchange, restart, settle: (parameters) => moved(parameters, 1, 1) }
  })
