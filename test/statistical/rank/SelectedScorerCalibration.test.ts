import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Enumerate from "../../../src/evidence/enumerate.ts"
import * as Columns from "../../../src/evidence/columns.ts"
import * as EnsemblePrior from "../../../src/evidence/ensemblePrior.ts"
import { logSumExp } from "../../../src/numeric/logSum.ts"
import { orthogonalise } from "../../../src/numeric/orthogonal.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Ensemble from "../../../src/rank/Ensemble.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"
import type { CompileError } from "../../../src/errors/Errors.ts"
import * as Calibration from "../../../src/testing/calibration.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { dataset, problem } from "../../support/selected.ts"

// Data drawn from the model itself: a set of trees from its prior, g from p(g), coefficients given g. Then the posterior
// probabilities of sets are probabilities: among sets that are given 30 % about 30 % are the one that made the data. (The
// priors of intercept and sigma are improper, but the posterior of sets does not depend on their values.)

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.square, Operator.sin] })
const target = problem(grammar, { trees: 2, depth: 1 })
const sets = [...Enumerate.sets([...Enumerate.trees(grammar, 1)], 2)].map((set) =>
  Ensemble.make(grammar, set),
)
const rows = 14
const a = 3

interface Simulated {
  /** the place of the set that made the data */
  readonly truth: number
  readonly scored: ReadonlyArray<Scorer.Scored>
}

const simulate = (random: Rng.Generator): Effect.Effect<Simulated, CompileError> =>
  Effect.gen(function* () {
    const [x0, x1] = [0, 1].map(() => Float64Array.from({ length: rows }, () => 2 * random.normal()))
    const features = (y: Float64Array) => dataset({ a: x0!, b: x1! }, y)
    const { logPrior } = yield* EnsemblePrior.of(target.likelihood, target.sites)
    const prior = sets.map(({ trees }) => logPrior(0, trees))
    const total = logSumExp(prior)
    let left = random.next()
    const truth = prior.findIndex((log) => (left -= Math.exp(log - total)) < 0)
    // By inversion of 1 - (1 + g / n)^(1 - a / 2).
    const g = rows * ((1 - random.next()) ** (-2 / (a - 2)) - 1)
    const [sigma, level] = [0.7, 3]
    const y = Float64Array.from({ length: rows }, () => level + sigma * random.normal())
    const columns = yield* Columns.make(grammar, features(y))
    // In an orthonormal basis of the centred columns beta is N(0, g sigma^2 I).
    const basis: Array<Float64Array> = [new Float64Array(rows).fill(1)]
    for (const tree of sets[truth]!.trees) {
      const { residual } = orthogonalise(basis, columns.column(tree).values)
      const size = (Math.sqrt(g) * sigma * random.normal()) / Math.hypot(...residual)
      residual.forEach((value, i) => (y[i]! += size * value))
      basis.push(residual)
    }
    const scorer = yield* Scorer.make(target, { train: features(y) })
    return { truth, scored: sets.map((set) => scorer.score(set)!) }
  })

const sizes = sets.map(({ trees }) => trees.length)

/** Numbers whose mean over posteriors has to be their mean over truths, from the posterior probabilities. */
const looks: Readonly<Record<string, (posterior: ReadonlyArray<number>) => ReadonlyArray<number>>> = {
  "the probability itself": (posterior) => posterior,
  "the number of trees": () => sizes,
  "no tree": () => sizes.map((size) => Number(size === 0)),
  "a certain tree": () => sets.map(({ trees }) => Number(trees.some((tree) => Tree.key(tree) === "o0(t0)"))),
}

/** Standard scores of truth less posterior mean, over all simulations, for each look. */
const standardScores = (
  simulations: ReadonlyArray<Simulated>,
  worth: (scored: Scorer.Scored, place: number) => number,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(looks).map(([name, look]) => {
      let [sum, variance] = [0, 0]
      for (const { truth, scored } of simulations) {
        const logs = scored.map(worth)
        const total = logSumExp(logs)
        const posterior = logs.map((log) => Math.exp(log - total))
        const values = look(posterior)
        const mean = values.reduce((all, value, m) => all + posterior[m]! * value, 0)
        sum += values[truth]! - mean
        variance += values.reduce((all, value, m) => all + posterior[m]! * (value - mean) ** 2, 0)
      }
      return [name, sum / Math.sqrt(variance)]
    }),
  )

describe("posterior probabilities of sets", () => {
  const random = Rng.generator(Rng.key(2026))
  const simulations = Array.from({ length: 1000 }, () => Effect.runSync(simulate(random)))

  it("are calibrated (fails once in 4,000 seeds)", () => {
    const scores = standardScores(simulations, ({ lmpse }) => lmpse)
    expect(Object.entries(scores).filter(([, score]) => !(Math.abs(score) < 4))).toEqual([])
  })

  it("have the truth at uniform places, and not if they are bolder (failure rate 1e-4)", () => {
    const chance = Rng.generator(Rng.fold(Rng.key(2026), "places"))
    const uniform = (power: number): number =>
      Calibration.places(
        simulations.map(({ truth, scored }) => {
          const logs = scored.map(({ lmpse }) => power * lmpse)
          const total = logSumExp(logs)
          return Calibration.place(
            logs.map((log) => Math.exp(log - total)),
            truth,
            chance.next(),
          )
        }),
      ).uniform.pValue
    expect(uniform(1)).toBeGreaterThan(1e-4)
    expect(uniform(3)).toBeLessThan(1e-4)
  })

  it("are not without the prior, or with evidences half a nat off for each tree", () => {
    const worst = (worth: Parameters<typeof standardScores>[1]) =>
      Math.max(...Object.values(standardScores(simulations, worth)).map(Math.abs))
    expect(worst(({ logEvidence }) => logEvidence)).toBeGreaterThan(5)
    expect(worst(({ lmpse }, place) => lmpse + 0.5 * sizes[place]!)).toBeGreaterThan(5)
    expect(worst(({ lmpse }, place) => lmpse - 0.5 * sizes[place]!)).toBeGreaterThan(5)
  })
})
