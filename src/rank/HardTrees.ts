import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as PriorDraws from "../evidence/priorDraws.ts"
import * as TreePrior from "../evidence/treePrior.ts"
import type { Algorithm, Info } from "../infer/Algorithm.ts"
import type { Archived } from "../infer/Archive.ts"
import type { Declared } from "../prob/Plan.ts"
import * as Rng from "../random/Rng.ts"
import * as Ensembles from "./Ensemble.ts"
import * as Scorer from "./Scorer.ts"
import type { Searched } from "./Searched.ts"

/** What a step over hard trees works with. */
export interface Bench {
  /** An ensemble from the prior of the trees. */
  readonly draw: (key: Rng.Key) => Ensembles.Ensemble
  /** The exact evidence and prior of an ensemble, as of a `Scorer`; the ensemble is kept if it is among the best. */
  readonly score: (ensemble: Ensembles.Ensemble) => Scorer.Scored | undefined
}

/** An inference over hard trees: where it begins, and how it goes on. */
export interface Definition<S, I> {
  /** its own state, plain data */
  readonly init: (key: Rng.Key) => S
  /**
   * Its next state, and what its report says beside `Info`.
   *
   * @param key another one at each step
   */
  readonly step: (state: S, key: Rng.Key, bench: Bench) => readonly [S, I]
}

/** The state of an inference, and the ensembles that it has scored. */
export interface State<S> {
  readonly own: S
  readonly key: Rng.Key
  readonly step: number
  readonly scored: number
  /** the best score so far */
  readonly best: number
  /** the best ensembles by their keys */
  readonly kept: Map<string, Archived>
}

/** The best ensembles that are kept; twice as many between two times of tidying. */
const most = 1000

/**
 * An algorithm from a step over hard trees: random keys, exact scores, the archive of the best ensembles and the report
 * are seen to.
 *
 * *When to use*: for a sampler or a search of your own over hard trees; implement `Algorithm` itself where ensembles are
 * not scored one by one.
 *
 * Fails with a `CompileError` as `Scorer.make` and `PriorDraws.sample`.
 */
export const algorithm = <S, I extends object>(
  plan: Declared,
  train: Dataset,
  { init, step }: Definition<S, I>,
): Effect.Effect<Algorithm<State<S>, Info & I, Searched>, CompileError> =>
  Effect.gen(function* () {
    const { forest, ensembles } = plan.likelihood
    const prior = yield* TreePrior.of(forest, plan.sites)
    const scorer = yield* Scorer.make(plan, { train })
    const canonical = ensembles === "sets" ? Ensembles.ofSet : Ensembles.make
    const drawn = (key: Rng.Key) =>
      Effect.map(PriorDraws.sample(prior, forest.trees, key, 1), ([trees]) =>
        canonical(forest.grammar, trees!),
      )
    // A prior that cannot be drawn from is refused before the first step.
    yield* drawn(Rng.key(0))
    return {
      init: (key) => ({ own: init(key), key, step: 0, scored: 0, best: -Infinity, kept: new Map() }),
      step: (state) => {
        let { scored, best } = state
        // A step owns its state.
        const { kept } = state
        const score: Bench["score"] = (ensemble) => {
          const found = scorer.score(ensemble)
          scored++
          if (found === undefined || !Number.isFinite(found.lmpse)) return found
          best = Math.max(best, found.lmpse)
          const { key, link, trees } = ensemble
          if (!kept.has(key)) kept.set(key, { link, trees, score: found.lmpse, found: scored })
          return found
        }
        const draw: Bench["draw"] = (key) => Effect.runSync(drawn(key))
        const [own, info] = step(state.own, Rng.fold(state.key, state.step), { draw, score })
        if (kept.size > 2 * most) for (const [key] of ranked(kept).slice(most)) kept.delete(key)
        return [
          { own, key: state.key, step: state.step + 1, scored, best, kept },
          { objective: best, converged: false, scored, ...info },
        ]
      },
      posterior: ({ scored, kept }) => ({
        plan,
        archive: { scored, ensembles: ranked(kept).map(([, one]) => one) },
      }),
    }
  })

const ranked = (kept: ReadonlyMap<string, Archived>): ReadonlyArray<readonly [string, Archived]> =>
  [...kept].sort(([, a], [, b]) => b.score - a.score)
