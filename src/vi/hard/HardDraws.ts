import * as Effect from "effect/Effect"
import type { Dataset } from "../../data/Data.ts"
import { CompileError } from "../../errors/Errors.ts"
import * as Columns from "../../evidence/columns.ts"
import * as Likelihood from "../../evidence/Likelihood.ts"
import * as Joint from "../../prob/Joint.ts"
import { selection } from "../../prob/Observation.ts"
import * as Plan from "../../prob/Plan.ts"
import * as SiteDraws from "../../prob/SiteDraws.ts"
import * as Tree from "../../prob/Tree.ts"
import * as Rng from "../../random/Rng.ts"
import * as HardPrior from "./HardPrior.ts"
import * as Reached from "./Reached.ts"

/** Hard draws of a family, with the two parts of their importance weights: log w = evidence - divergence. */
export interface Draws extends Reached.Reached {
  /** log p(y | T) of each draw, in nats */
  readonly evidence: Float64Array
  /** log q(T) - log p(T) of each draw, in nats: of the elements that the trees read, weights integrated out */
  readonly divergence: Float64Array
}

/** A plan whose trees are drawn hard, bound to data. */
export interface HardDraws {
  /**
   * @param parameters flat, as the plan lays them out
   * @param count the number of draws H
   */
  readonly draw: (key: Rng.Key, parameters: Float64Array, count: number) => Draws
  /** Adds the gradient of sum_h weights_h log q(T_h) to `gradient`, flat. */
  readonly score: (
    parameters: Float64Array,
    draws: Draws,
    weights: Float64Array,
    gradient: Float64Array,
  ) => void
}

/** The number of ensembles whose evidence is kept. */
const remembered = 2 ** 16

/**
 * The log evidence of an ensemble that is not finite on a row, or that a restriction excludes, for each row. It stands
 * for an evidence of 0, which has no finite logarithm: a bound of log p(y) is too high by less than the smallest number.
 */
const none = -1e3

/** The trees of a set, in the order in which they were drawn: one that is drawn twice counts once. */
const distinct = (trees: ReadonlyArray<Tree.Tree>): ReadonlyArray<Tree.Tree> => [
  ...new Map(trees.map((tree) => [Tree.key(tree), tree])).values(),
]

/** A joint with a log density that has derivatives, and the key of its parameters. */
interface Scored {
  readonly key: string
  readonly logDensity: NonNullable<Joint.Joint["logDensity"]>
  readonly score: NonNullable<Joint.Joint["score"]>
}

/**
 * Hard draws of the trees of a plan.
 *
 * Fails with a `CompileError` when a distribution of the trees has no `score` or `logDensity`, when the likelihood chooses among
 * trees, as of `HardPrior.make`, and when the data lack a feature.
 */
export const make = (plan: Plan.Plan, data: Dataset): Effect.Effect<HardDraws, CompileError> =>
  Effect.gen(function* () {
    const likelihood = yield* Likelihood.of(plan.likelihood)
    const { forest } = likelihood
    if (selection(likelihood).length > 0)
      return yield* new CompileError({
        message: `the likelihood of "${plan.observed}" chooses among the drawn trees, which hard draws of K trees do not; use Search.fit, or observe Likelihood.conjugateLinear`,
      })
    const names = [...Object.values(forest.sites), ...(forest.values ?? []).map(({ site }) => site)]
    const joints: Array<Scored> = []
    for (const joint of new Set(names.map((name) => Plan.jointOf(plan, name)))) {
      const { score, logDensity } = joint
      if (score === undefined || logDensity === undefined)
        return yield* new CompileError({
          message: `${Joint.describe(joint)} lacks \`score\` or \`logDensity\`, which gradients of hard draws need; give the site another factor`,
        })
      joints.push({ score, logDensity, key: Joint.keyOf(joint) })
    }
    const logPrior = yield* HardPrior.make(plan)
    const assessor = yield* likelihood.assessor(yield* Columns.make(forest.grammar, data), data)
    const reached = Reached.of(forest)
    const known = new Map<string, number>()
    const evidenceOf = (drawn: ReadonlyArray<Tree.Tree>): number => {
      const trees = likelihood.ensembles === "lists" ? drawn : distinct(drawn)
      const key = trees.map(Tree.key).join(" ")
      const before = known.get(key)
      if (before !== undefined) return before
      if (known.size >= remembered) known.clear()
      const found = assessor.assess(0, trees)?.logEvidence ?? -Infinity
      const log = Number.isFinite(found) ? found : none * data.rows
      known.set(key, log)
      return log
    }
    return {
      draw: (key, parameters, count) => {
        const keyed = names.map((name) => [name, Rng.fold(key, name)] as const)
        const drawn = SiteDraws.of(plan, parameters, keyed, count)
        const found = reached(drawn)
        const prior = logPrior(found)
        const evidence = Float64Array.from(found.trees, (trees, h) =>
          prior[h] === -Infinity ? none * data.rows : evidenceOf(trees),
        )
        const divergence = prior.map((log) => (log === -Infinity ? 0 : -log))
        for (const joint of joints)
          joint
            .logDensity(Plan.parametersOf(plan, joint.key, parameters), found.values)
            .forEach((log, h) => (divergence[h]! += prior[h] === -Infinity ? 0 : log))
        return { ...found, evidence, divergence }
      },
      score: (parameters, { values }, weights, gradient) => {
        for (const joint of joints) {
          const own = joint.score(Plan.parametersOf(plan, joint.key, parameters), values, weights)
          Plan.parametersOf(plan, joint.key, gradient).forEach((slot, index) => {
            for (let i = 0; i < slot.length; i++) slot[i]! += own[index]![i]!
          })
        }
      },
    }
  })
