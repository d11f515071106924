// The density of a fitted number against quadrature, for each objective. Tolerances are data, as in `exactness.test.ts`.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Columns from "../../../src/evidence/columns.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Term from "../../../src/expr/Term.ts"
import type { Posterior } from "../../../src/infer/Posterior.ts"
import { normalised } from "../../../src/numeric/logSum.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import * as ScoreFunction from "../../../src/vi/ScoreFunction.ts"
import { hard, relaxed } from "../../support/exactness.ts"
import { data, planOf } from "../../support/tinyModel.ts"

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
