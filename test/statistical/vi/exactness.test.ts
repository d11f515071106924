// The matrix of objective x family x likelihood: how far the posterior of each inference is from the exact one, which is
// enumerated, in total variation. Tolerances are data: the distance that was found, and a quarter of it or 0.02. Seeds are fixed.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Columns from "../../../src/evidence/columns.ts"
import * as Enumerate from "../../../src/evidence/enumerate.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as TreePrior from "../../../src/evidence/treePrior.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Inclusive from "../../../src/inclusive/Inclusive.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import type { Posterior } from "../../../src/infer/Posterior.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import { normalised } from "../../../src/numeric/logSum.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Search from "../../../src/search/Search.ts"
import * as Backend from "../../../src/vi/Backend.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as HardDraws from "../../../src/vi/hard/HardDraws.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import * as Objective from "../../../src/vi/Objective.ts"
import * as Optimizer from "../../../src/vi/Optimizer.ts"
import * as Relaxation from "../../../src/vi/Relaxation.ts"
import * as Schedule from "../../../src/vi/Schedule.ts"
import * as ScoreFunction from "../../../src/vi/ScoreFunction.ts"
import { conjugate, data, modelOf, planOf } from "../../support/tinyModel.ts"

const objectives = {
  elbo: (samples: number) => Objective.elbo({ samples }),
  importanceWeighted: (samples: number) => Objective.importanceWeighted({ samples }),
  renyi: (samples: number) => Objective.renyi({ samples, alpha: 0.5 }),
}
type ObjectiveName = keyof typeof objectives

const adam = (learningRate: Schedule.Schedule) =>
  Optimizer.layer(Optimizer.chain(Optimizer.clipByNorm(5), Optimizer.adamW({ learningRate })))
const relaxed = (
  objective: ObjectiveName,
  steps: number,
  relaxation: "concrete" | "straightThrough" = "concrete",
) =>
  Layer.mergeAll(
    Backend.layer("simd"),
    Relaxation[relaxation]({ temperature: Schedule.linear(1, 0.3, steps) }),
    objectives[objective](8),
    adam(Schedule.exponential(0.1, 0.01, steps)),
    Stop.layer({ steps }),
    Fit.seed(1),
  )
const hard = (objective: ObjectiveName, steps: number) =>
  Layer.mergeAll(
    objectives[objective](16),
    adam(Schedule.exponential(0.1, 0.005, steps)),
    Stop.layer({ steps }),
    Fit.seed(1),
  )

/** Total variation distance of two distributions over texts. */
const distance = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number =>
  [...new Set([...one.keys(), ...other.keys()])].reduce(
    (sum, key) => sum + Math.abs((one.get(key) ?? 0) - (other.get(key) ?? 0)) / 2,
    0,
  )

/**
 * The trees of a fitted family, by 40,000 hard draws: 0.003 of noise for each tree. The posterior of a bound over S draws is
 * that of one draw of S by its weight (Cremer, Morris and Duvenaud 2017); for S = 1 it is the family.
 */
const drawn = ({ plan, parameters }: Posterior, S: number, power: number): ReadonlyMap<string, number> => {
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
      const key = Tree.key(Tree.canonical(grammar, trees[from + s]![0]!))
      found.set(key, (found.get(key) ?? 0) + (weight * S) / count)
    })
  }
  return found
}

/** The exact posterior over trees, of skeletons as they are drawn or of the LMPSE by which searches rank: by a list of all. */
const truth = (plan: Plan.Plan, of: "skeletons" | "lmpse"): ReadonlyMap<string, number> =>
  Effect.runSync(
    Effect.gen(function* () {
      const { forest } = plan.likelihood
      const prior = yield* TreePrior.of(forest, plan.sites)
      const likelihood = yield* Likelihood.of(plan.likelihood)
      const assessor = yield* likelihood.assessor(yield* Columns.make(forest.grammar, data), data)
      const logPrior = TreePrior.logPrior(prior)
      const last = Math.log1p(-Prior.splitProbability(prior.split, prior.depth))
      const all = [...Enumerate.trees(forest.grammar, forest.depth)].filter(
        (tree) => of === "skeletons" || Tree.key(Tree.canonical(forest.grammar, tree)) === Tree.key(tree),
      )
      const shares = normalised(
        all.map((tree) => {
          const log = assessor.assess(0, [tree])!.logEvidence + logPrior([tree])
          return of === "lmpse" ? log : log - TreePrior.deepest(prior, [tree]) * last
        }),
      )
      const found = new Map<string, number>()
      all.forEach((tree, i) => {
        const key = Tree.key(Tree.canonical(forest.grammar, tree))
        found.set(key, (found.get(key) ?? 0) + shares[i]!)
      })
      return found
    }),
  )

const one = Grammar.make({ features: ["a"], operators: [Operator.mul, Operator.sin, Operator.exp] })
/** Models: of the posteriors over column a alone each family has a member, of those over both columns none. */
const models = {
  held: modelOf(conjugate, one),
  heldUnderStudentT: modelOf((forest) => Likelihood.linear(forest, Likelihood.studentT()), one),
  notHeld: modelOf(),
  notHeldUnderStudentT: modelOf((forest) => Likelihood.linear(forest, Likelihood.studentT())),
}
type Guide = ReturnType<typeof Family.treeConditional<void, Model.SitesOf<ReturnType<typeof modelOf>>>>
/** A family for fits of hard trees. */
const hardly = (guide: Guide): Guide => guide
type ModelName = keyof typeof models

/** One row of the matrix: the largest distance that is allowed for each model. */
interface Row {
  readonly by: "Infer" | "ScoreFunction" | "Inclusive" | "Search"
  readonly objective?: ObjectiveName
  readonly family?: "meanField" | "treeConditional"
  /** of fits by relaxed draws, `"concrete"` if left out */
  readonly relaxation?: "concrete" | "straightThrough"
  readonly tolerances: Readonly<Record<ModelName, number>>
}
const T = (held: number, heldUnderStudentT: number, notHeld: number, notHeldUnderStudentT: number) => ({
  held,
  heldUnderStudentT,
  notHeld,
  notHeldUnderStudentT,
})
const matrix: ReadonlyArray<Row> = [
  { by: "Infer", objective: "elbo", family: "meanField", tolerances: T(0.06, 0.02, 0.2, 0.29) },
  {
    by: "Infer",
    objective: "importanceWeighted",
    family: "meanField",
    tolerances: T(0.04, 0.03, 0.07, 0.18),
  },
  { by: "Infer", objective: "renyi", family: "meanField", tolerances: T(0.1, 0.05, 0.17, 0.18) },
  { by: "ScoreFunction", objective: "elbo", family: "meanField", tolerances: T(0.02, 0.02, 0.32, 0.35) },
  {
    by: "Infer",
    objective: "elbo",
    family: "meanField",
    relaxation: "straightThrough",
    tolerances: T(0.06, 0.03, 0.7, 0.66),
  },
  {
    by: "Infer",
    objective: "importanceWeighted",
    family: "meanField",
    relaxation: "straightThrough",
    tolerances: T(0.15, 0.07, 0.76, 0.7),
  },
  {
    by: "Infer",
    objective: "renyi",
    family: "meanField",
    relaxation: "straightThrough",
    tolerances: T(0.1, 0.06, 0.78, 0.71),
  },
  {
    by: "ScoreFunction",
    objective: "elbo",
    family: "treeConditional",
    tolerances: T(0.02, 0.02, 0.32, 0.35),
  },
  {
    by: "ScoreFunction",
    objective: "importanceWeighted",
    family: "meanField",
    tolerances: T(0.02, 0.02, 0.03, 0.03),
  },
  {
    by: "ScoreFunction",
    objective: "importanceWeighted",
    family: "treeConditional",
    tolerances: T(0.02, 0.02, 0.03, 0.03),
  },
  { by: "ScoreFunction", objective: "renyi", family: "meanField", tolerances: T(0.02, 0.02, 0.19, 0.18) },
  {
    by: "ScoreFunction",
    objective: "renyi",
    family: "treeConditional",
    tolerances: T(0.02, 0.02, 0.19, 0.18),
  },
  { by: "Inclusive", family: "meanField", tolerances: T(0.05, 0.02, 0.14, 0.27) },
  { by: "Inclusive", family: "treeConditional", tolerances: T(0.05, 0.02, 0.14, 0.27) },
  { by: "Search", tolerances: T(1e-9, 1e-9, 1e-9, 1e-9) },
]

const named = Object.keys(models) as ReadonlyArray<ModelName>
const cells = matrix.flatMap((row) =>
  named.map((model) => ({
    ...row,
    model,
    tolerance: row.tolerances[model],
    name: [row.by, row.objective, row.family, row.relaxation, model]
      .filter((part) => part !== undefined)
      .join(", "),
  })),
)
/** The orders 1 - alpha of the objectives, by which weights count. */
const powers = { elbo: 0, importanceWeighted: 1, renyi: 0.5 }

const steps = { Infer: 600, ScoreFunction: 800 }

describe("the distance of a posterior from the exact one", () => {
  it.live.each(cells)(
    "is small: $name",
    ({ by, objective = "elbo", family = "meanField", relaxation, model: name, tolerance }) =>
      Effect.gen(function* () {
        const model = models[name]
        const plan = planOf(model, Family.meanField(model))
        const guide = family === "meanField" ? hardly(Family.meanField(model)) : Family.treeConditional(model)
        const searching = Layer.merge(Stop.layer({ steps: 60 }), Fit.seed(1))
        const find = Effect.gen(function* () {
          switch (by) {
            case "Search": {
              const posterior = yield* Search.fit(model, data).pipe(Effect.provide(searching))
              const ranking = yield* Rank.fromPosterior({ train: data, draws: 0 })(posterior)
              const shares = normalised(ranking.models.map(({ lmpse }) => lmpse))
              const { grammar } = plan.likelihood.forest
              return new Map(
                ranking.models.map(({ ensemble: { trees } }, i) => [
                  Tree.key(Tree.canonical(grammar, trees[0]!)),
                  shares[i]!,
                ]),
              )
            }
            case "Inclusive":
              return drawn(
                yield* Inclusive.fit(model, data).pipe(Effect.provide(Layer.merge(guide, searching))),
                1,
                0,
              )
            case "ScoreFunction": {
              const fit = ScoreFunction.fit(model, data)
              const found = yield* fit.pipe(
                Effect.provide(Layer.merge(guide, hard(objective, steps.ScoreFunction))),
              )
              return drawn(found, 16, powers[objective])
            }
            case "Infer": {
              const inference = Layer.merge(
                Family.meanField(model),
                relaxed(objective, steps.Infer, relaxation),
              )
              return drawn(
                yield* Infer.fit(model, data).pipe(Effect.provide(inference)),
                8,
                powers[objective],
              )
            }
          }
        })
        const lmpse = by === "Search" || by === "Inclusive"
        const off = distance(yield* find, truth(plan, lmpse ? "lmpse" : "skeletons"))
        expect(off).toBeLessThan(tolerance)
      }),
    60_000,
  )
})

describe("the density of a fitted number", () => {
  // y = 2 sin(1.3 a) + noise of 0.2: one number c inside of wave(a, c) = sin(a c), a gamma prior.
  const wave = Operator.binary("wave", (x, y) => Term.sin(Term.mul(x, y)))
  const numbers = Grammar.make({
    features: ["a", "b"],
    operators: [wave],
    constants: { c: Constant.fitted(Dist.gamma(2, 1)) },
  })
  const generator = Rng.generator(Rng.key(3))
  const a = Float64Array.from({ length: 12 }, () => -1.5 + 3 * generator.next())
  const waves = {
    ...data,
    rows: 12,
    columns: [a, a.map(() => generator.normal())],
    y: a.map((x) => 2 * Math.sin(1.3 * x) + 0.2 * generator.normal()),
  }
  const model = Model.gen(function* () {
    const forest = yield* Model.plate(
      "trees",
      1,
      Tree.prior({
        grammar: numbers,
        depth: 1,
        split: Prior.splitTable([0.9, 0.1]),
        operators: yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(1, 1)),
        features: yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(3, 1)),
        values: true,
      }),
    )
    yield* Model.observe("y", Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 10, a0: 2, b0: 0.1 }))
  })
  const family = Family.meanField(model)
  const plan = planOf(model, family)
  const grid = Array.from({ length: 800 }, (_, i) => (i + 0.5) * 0.005)

  /** The exact posterior of c on the grid, given wave(a, c). */
  const density = Effect.runSync(
    Effect.gen(function* () {
      const likelihood = yield* Likelihood.of(plan.likelihood)
      const assessor = yield* likelihood.assessor(yield* Columns.make(numbers, waves), waves)
      const terminal = numbers.terminals.findIndex(({ name }) => name === "c")
      const prior = Dist.gamma(2, 1)
      return normalised(
        grid.map((c) => {
          const tree = Tree.branch(0, [Tree.leaf(0), Tree.leaf(terminal, c)])
          return assessor.assess(0, [tree])!.logEvidence + prior.logDensity([c])
        }),
      )
    }),
  )
  /** The distance of q(c) from the density at the nearer of the two leaves: wave(a, c) is wave(c, a). */
  const off = ({ plan: own, parameters }: Posterior): number => {
    const { factor } = Plan.site(own, "trees.value.c")
    const slots = Plan.parametersOf(own, "trees.value.c", parameters)
    const at = (node: number): number => {
      const values = Float64Array.from(grid.flatMap((c) => [0, 1, 2].map((n) => (n === node ? c : NaN))))
      const q = normalised([...factor.logDensity!(slots, values)])
      return q.reduce((sum, x, i) => sum + Math.abs(x - density[i]!) / 2, 0)
    }
    return Math.min(at(1), at(2))
  }

  // The factor of a bound over S draws is wider than the posterior: it proposes the draws, of which one is taken by weight.
  it.live.each([
    { by: "Infer", objective: "elbo", tolerance: 0.13 },
    { by: "Infer", objective: "importanceWeighted", tolerance: 0.6 },
    { by: "Infer", objective: "renyi", tolerance: 0.16 },
    { by: "ScoreFunction", objective: "elbo", tolerance: 0.12 },
    { by: "ScoreFunction", objective: "importanceWeighted", tolerance: 0.34 },
    { by: "ScoreFunction", objective: "renyi", tolerance: 0.12 },
  ] as const)("is that of quadrature: $by, $objective", ({ by, objective, tolerance }) =>
    Effect.gen(function* () {
      const found =
        by === "Infer"
          ? yield* Infer.fit(model, waves).pipe(Effect.provide([family, relaxed(objective, 1500)]))
          : yield* ScoreFunction.fit(model, waves).pipe(Effect.provide([family, hard(objective, 1500)]))
      expect(off(found)).toBeLessThan(tolerance)
    }),
  )
})
