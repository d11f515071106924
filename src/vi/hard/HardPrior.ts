import * as Effect from "effect/Effect"
import { CompileError } from "../../errors/Errors.ts"
import * as TreePrior from "../../evidence/treePrior.ts"
import type { Dist } from "../../prob/dist/Distribution.ts"
import * as Plan from "../../prob/Plan.ts"
import * as Prior from "../../prob/Prior.ts"
import * as Skeleton from "../../prob/Skeleton.ts"
import type { Tree } from "../../prob/Tree.ts"
import * as LawRestrictions from "../../prob/tree/LawRestrictions.ts"
import * as Restriction from "../../prob/tree/Restriction.ts"
import { knownPriors } from "../factor/divergence.ts"
import type { Reached } from "./Reached.ts"
import * as Real from "../../numeric/Real.ts"

/**
 * The log prior of hard draws, with the weights of operators and terminals integrated out: that of the indicators,
 * operators, terminals and values that the trees read, and log r of the restrictions. Its sum over all draws is 1 without
 * restrictions, as of the skeletons that are drawn, and not that of the LMPSE (`TreePrior.logPrior`).
 *
 * Fails with a `CompileError` as of `TreePrior.of`, when the model has a site that no tree reads, and when the prior of
 * a fitted value depends on another site.
 *
 * @returns for each draw, in nats; minus infinity for draws that a restriction excludes
 */
export const make = (plan: Plan.Plan): Effect.Effect<(reached: Reached) => Float64Array, CompileError> =>
  Effect.gen(function* () {
    const { forest } = plan.likelihood
    const { sites, values = [], weights } = forest
    const prior = yield* TreePrior.of(forest, plan.sites)
    const valueSites = values.map(({ site }) => site)
    const read = [...Object.values(sites), ...valueSites, weights.operators.site, weights.terminals.site]
    const idle = plan.sites.find(({ name }) => !read.includes(name))
    if (idle !== undefined)
      return yield* new CompileError({
        message: `the site "${idle.name}" is no part of the trees, which hard draws need; leave it out, or fit with Infer.fit`,
      })
    const densities = new Map<string, ReadonlyArray<Dist>>()
    for (const name of valueSites) {
      const dists = knownPriors(Plan.site(plan, name))
      if (dists.length === 0)
        return yield* new CompileError({
          message: `the prior of the site "${name}" depends on another site, which hard draws do not have; give it fixed parameters, or fit with Infer.fit`,
        })
      densities.set(name, dists)
    }
    const nodes = Skeleton.size(forest.depth)
    const splits = Array.from({ length: nodes }, (_, node) =>
      Prior.splitProbability(forest.split, Skeleton.depthOf(node)),
    )
    const { folds, log: restricted, states } = Restriction.compile(forest.grammar, forest.restrictions ?? [])
    const together = LawRestrictions.ofTrees(LawRestrictions.make(forest.grammar, folds))
    const ofRestrictions = (trees: ReadonlyArray<Tree>): number =>
      forest.restrictions === undefined
        ? 0
        : trees.reduce((sum, tree) => sum + restricted(tree), together?.(0, trees.map(states)) ?? 0)

    return ({ trees, values: drawn }) => {
      const length = forest.trees * nodes
      const of = (name: string, h: number): Float64Array =>
        drawn.get(name)!.subarray(h * length, (h + 1) * length)
      const counts = (name: string, h: number, size: number): Float64Array => {
        const found = new Float64Array(size)
        for (const value of of(name, h)) if (!Number.isNaN(value)) found[value]! += 1
        return found
      }
      return Float64Array.from(trees, (ensemble, h) => {
        let log = ofRestrictions(ensemble)
        of(sites.split, h).forEach((value, i) => {
          if (!Number.isNaN(value)) log += Real.log(value === 1 ? splits[i % nodes]! : 1 - splits[i % nodes]!)
        })
        for (const [name, dists] of densities)
          of(name, h).forEach((value, i) => {
            if (!Number.isNaN(value)) log += dists[i % dists.length]!.logDensity([value])
          })
        const { operators, terminals } = prior
        return (
          log +
          TreePrior.logRisingBeta(operators, counts(sites.operator, h, operators.length)) +
          TreePrior.logRisingBeta(terminals, counts(sites.terminal, h, terminals.length))
        )
      })
    }
  })
