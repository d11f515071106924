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

/** The shipped densities, with a law eta = intercept + slope a b and other parameters that data are drawn at. */
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

/** K trees that may be left out; all in, and with a relaxation, without `inclusion`. */
export const modelOf = (density: Likelihood.Density, trees: number, inclusion: boolean) =>
  Model.gen(function* () {
    const operators = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(4, 1))
    const features = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1))
    const prior = Tree.prior({
      grammar,
      depth: inclusion ? 3 : 1,
      split: Prior.depthDecay(0.95, 2),
      operators,
      features,
    })
    const [forest, included] = yield* Model.plate(
      "trees",
      trees,
      Effect.all([prior, Model.sample("included", Dist.bernoulli(0.5))]),
    )
    const options = inclusion ? { included } : {}
    yield* Model.observe("y", Likelihood.linear(forest, density, options))
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
