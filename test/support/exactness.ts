// The inferences of the matrix of exactness: objectives, optimisers and lengths; fitted and exact posteriors over ensembles, and
// their distance.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Dataset } from "../../src/data/Data.ts"
import * as Columns from "../../src/evidence/columns.ts"
import * as Enumerate from "../../src/evidence/enumerate.ts"
import * as Likelihood from "../../src/evidence/Likelihood.ts"
import * as TreePrior from "../../src/evidence/treePrior.ts"
import * as Fit from "../../src/infer/Fit.ts"
import type { Posterior } from "../../src/infer/Posterior.ts"
import * as Stop from "../../src/infer/Stop.ts"
import { normalised } from "../../src/numeric/logSum.ts"
import type { Grammar } from "../../src/prob/Grammar.ts"
import type * as Plan from "../../src/prob/Plan.ts"
import * as Prior from "../../src/prob/Prior.ts"
import * as Tree from "../../src/prob/Tree.ts"
import * as Rng from "../../src/random/Rng.ts"
import * as Backend from "../../src/vi/Backend.ts"
import * as HardDraws from "../../src/vi/hard/HardDraws.ts"
import * as Objective from "../../src/vi/Objective.ts"
import * as Optimizer from "../../src/vi/Optimizer.ts"
import * as Relaxation from "../../src/vi/Relaxation.ts"
import * as Schedule from "../../src/vi/Schedule.ts"

export const objectives = {
  elbo: (samples: number) => Objective.elbo({ samples }),
  importanceWeighted: (samples: number) => Objective.importanceWeighted({ samples }),
  renyi: (samples: number) => Objective.renyi({ samples, alpha: 0.5 }),
}
export type ObjectiveName = keyof typeof objectives

const adam = (learningRate: Schedule.Schedule) =>
  Optimizer.layer(Optimizer.chain(Optimizer.clipByNorm(5), Optimizer.adamW({ learningRate })))
export const relaxations = {
  concrete: (temperature: Schedule.Schedule) => Relaxation.concrete({ temperature }),
  straightThrough: (temperature: Schedule.Schedule) => Relaxation.straightThrough({ temperature }),
  gumbelRao: (temperature: Schedule.Schedule) => Relaxation.gumbelRao({ temperature, samples: 10 }),
}
/** A fit by relaxed draws. */
export const relaxed = (
  objective: ObjectiveName,
  steps: number,
  relaxation: keyof typeof relaxations = "concrete",
) =>
  Layer.mergeAll(
    Backend.layer("simd"),
    relaxations[relaxation](Schedule.linear(1, 0.3, steps)),
    objectives[objective](8),
    adam(Schedule.exponential(0.1, 0.01, steps)),
    Stop.layer({ steps }),
    Fit.seed(1),
  )
/** A fit by hard draws. */
export const hard = (objective: ObjectiveName, steps: number) =>
  Layer.mergeAll(
    objectives[objective](16),
    adam(Schedule.exponential(0.1, 0.005, steps)),
    Stop.layer({ steps }),
    Fit.seed(1),
  )

/** Total variation distance of two distributions over texts. */
export const distance = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number =>
  [...new Set([...one.keys(), ...other.keys()])].reduce(
    (sum, key) => sum + Math.abs((one.get(key) ?? 0) - (other.get(key) ?? 0)) / 2,
    0,
  )

/** An ensemble without the order of its trees and of the arguments of commutative operators. */
const keyOf = (grammar: Grammar, trees: ReadonlyArray<Tree.Tree>): string =>
  trees
    .map((tree) => Tree.key(Tree.canonical(grammar, tree)))
    .sort()
    .join(" ")

/**
 * The ensembles of a fitted family, by 40,000 hard draws: 0.003 of noise for each. The posterior of a bound over S draws is
 * that of one draw of S by its weight (Cremer, Morris and Duvenaud 2017); for S = 1 it is the family.
 *
 * @param power the order 1 - alpha of the objective, by which weights count
 */
export const drawn = (
  { plan, parameters }: Posterior,
  data: Dataset,
  S: number,
  power: number,
): ReadonlyMap<string, number> => {
  const count = 40_000
  const { trees, evidence, divergence } = Effect.runSync(HardDraws.make(plan, data)).draw(
    Rng.key(9),
    parameters,
    count,
  )
  const { grammar } = plan.likelihood.forest
  const found = new Map<string, number>()
  for (let from = 0; from < count; from += S) {
    const logs = Array.from({ length: S }, (_, s) => power * (evidence[from + s]! - divergence[from + s]!))
    normalised(logs).forEach((weight, s) => {
      const key = keyOf(grammar, trees[from + s]!)
      found.set(key, (found.get(key) ?? 0) + (weight * S) / count)
    })
  }
  return found
}

/** All lists of K trees. */
const listsOf = (all: ReadonlyArray<Tree.Tree>, K: number): ReadonlyArray<ReadonlyArray<Tree.Tree>> =>
  K === 0 ? [[]] : listsOf(all, K - 1).flatMap((trees) => all.map((tree) => [...trees, tree]))

/** The exact posterior over ensembles, of skeletons as they are drawn or of the LMPSE by which searches rank: by a list of all. */
export const truth = (
  plan: Plan.Plan,
  data: Dataset,
  of: "skeletons" | "lmpse",
): ReadonlyMap<string, number> =>
  Effect.runSync(
    Effect.gen(function* () {
      const { forest } = plan.likelihood
      const { grammar } = forest
      const prior = yield* TreePrior.of(forest, plan.sites)
      const likelihood = yield* Likelihood.of(plan.likelihood)
      const assessor = yield* likelihood.assessor(yield* Columns.make(grammar, data), data)
      const logPrior = TreePrior.logPrior(prior)
      const last = Math.log1p(-Prior.splitProbability(prior.split, prior.depth))
      const trees = [...Enumerate.trees(grammar, forest.depth)].filter(
        (tree) => of === "skeletons" || Tree.key(Tree.canonical(grammar, tree)) === Tree.key(tree),
      )
      const all = listsOf(trees, forest.trees)
      const evidence = new Map<string, number>()
      const evidenceOf = (list: ReadonlyArray<Tree.Tree>): number => {
        // Columns that are equal count once.
        const columns = [...new Map(list.map((tree) => [Tree.key(tree), tree])).values()]
        const key = columns.map(Tree.key).join(" ")
        const found = evidence.get(key) ?? assessor.assess(0, columns)?.logEvidence ?? -Infinity
        evidence.set(key, found)
        return Number.isFinite(found) ? found : -1e3 * data.rows
      }
      const shares = normalised(
        all.map((list) => {
          const log = evidenceOf(list) + logPrior(list)
          return of === "lmpse" ? log : log - TreePrior.deepest(prior, list) * last
        }),
      )
      const found = new Map<string, number>()
      all.forEach((list, i) => {
        const key = keyOf(grammar, list)
        found.set(key, (found.get(key) ?? 0) + shares[i]!)
      })
      return found
    }),
  )
