import * as Effect from "effect/Effect"
import type { Dataset } from "../../src/data/Data.ts"
import * as Likelihood from "../../src/evidence/Likelihood.ts"
import * as Operator from "../../src/expr/Operator.ts"
import * as Dist from "../../src/prob/Dist.ts"
import * as Grammar from "../../src/prob/Grammar.ts"
import * as Model from "../../src/prob/Model.ts"
import * as Prior from "../../src/prob/Prior.ts"
import * as Tree from "../../src/prob/Tree.ts"
import * as Rng from "../../src/random/Rng.ts"
import { zeroInflated } from "./zeroInflated.ts"

/** The shipped densities and a user's own, with a law eta = intercept + slope a b and other parameters that data are drawn at. */
export const shipped: ReadonlyArray<{
  readonly density: Likelihood.Density
  readonly intercept: number
  readonly slope: number
  readonly at: Readonly<Record<string, number>>
}> = [
  { density: Likelihood.normal(), intercept: 1, slope: 2, at: { sigma: 0.3 } },
  { density: Likelihood.normalError("error"), intercept: 1, slope: 2, at: {} },
  { density: Likelihood.studentT(), intercept: 1, slope: 2, at: { sigma: 0.3 } },
  { density: Likelihood.logNormal(), intercept: 1, slope: 2, at: { sigma: 0.1 } },
  { density: Likelihood.proportional(), intercept: 1, slope: 2, at: { sigma: 0.1 } },
  { density: Likelihood.bernoulli, intercept: -6, slope: 5, at: {} },
  { density: Likelihood.poisson, intercept: 0.5, slope: 1, at: {} },
  { density: Likelihood.negativeBinomial(), intercept: 0.5, slope: 1, at: { size: 5 } },
  { density: zeroInflated, intercept: 0.5, slope: 1, at: { never: 0.2 } },
  {
    density: Likelihood.weighted(Likelihood.studentT(), "weight"),
    intercept: 1,
    slope: 2,
    at: { sigma: 0.3 },
  },
]

export const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.add, Operator.mul, Operator.sin, Operator.square],
})

const weights = Effect.all({
  operators: Model.sample("operatorWeights", Dist.dirichlet.symmetric(4, 1)),
  features: Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1)),
})
const split = Prior.depthDecay(0.95, 2)

/** Two trees that may be left out: for the search. */
export const searched = (density: Likelihood.Density) =>
  Model.gen(function* () {
    const prior = Tree.prior({ grammar, depth: 3, split, ...(yield* weights) })
    const [forest, included] = yield* Model.plate(
      "trees",
      2,
      Effect.all([prior, Model.sample("included", Dist.bernoulli(0.5))]),
    )
    yield* Model.observe("y", Likelihood.linear(forest, density, { included }))
  })

/** The likelihood of a density over a forest. */
export const linear =
  (density: Likelihood.Density) =>
  (forest: Tree.Forest): Likelihood.Likelihood =>
    Likelihood.linear(forest, density)

/** Trees that are all in, relaxed: for the descent. */
export const relaxed = (likelihood: (forest: Tree.Forest) => Likelihood.Likelihood, trees: number) =>
  Model.gen(function* () {
    const prior = Tree.prior({ grammar, depth: 1, split, ...(yield* weights) })
    const forest = yield* Model.plate("trees", trees, prior)
    yield* Model.observe("y", likelihood(forest))
  })

/** Rows of a, b in (0.5, 2), an error bar and a weight of 1 or 2, and y drawn from a density of `shipped`. */
export const dataOf = (
  { density, intercept, slope, at }: (typeof shipped)[number],
  rows: number,
): Dataset => {
  const source = Rng.generator(Rng.key(5))
  const column = (of: () => number): Float64Array => Float64Array.from({ length: rows }, of)
  const a = column(() => 0.5 + 1.5 * source.next())
  const b = column(() => 0.5 + 1.5 * source.next())
  const error = column(() => 0.1 + 0.4 * source.next())
  const weight = column(() => 1 + source.integer(2))
  const y = a.map((value, i) => {
    const eta = intercept + slope * value * b[i]!
    return Likelihood.draw(density, { eta, error: error[i]!, ...at }, Rng.fold(Rng.key(9), i), 1)[0]!
  })
  return { features: ["a", "b", "error", "weight"], columns: [a, b, error, weight], target: "y", y, rows }
}
