import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Nd from "../../../../src/numeric/Nd.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Likelihood from "../../../../src/evidence/Likelihood.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import { type Factor, relaxedBy } from "../../../../src/prob/Factor.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Model from "../../../../src/prob/Model.ts"
import * as Plan from "../../../../src/prob/Plan.ts"
import * as Prior from "../../../../src/prob/Prior.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import * as Family from "../../../../src/vi/Family.ts"
import type { Engine } from "../../../../src/vi/engines/Engine.ts"
import * as Scalar from "../../../../src/vi/engines/oracle/engine.ts"
import * as Simd from "../../../../src/vi/engines/simd/engine.ts"
import * as Tfjs from "../../../../src/vi/engines/tfjs/engine.ts"
import { normalQuantile } from "../../../../src/numeric/Elementary.ts"
import { point } from "../../../../src/testing/arbitraryModel.ts"
import { laws } from "../../../../src/testing/distributionLaws.ts"
import { activate, softTrees } from "../../../support/ensembles.ts"
import { availableBackends } from "../../../support/backends.ts"
import { divergence, normalExpectation, shared, siteOf, softmax } from "../../../support/factors.ts"
import { evaluatorOf } from "../../../support/onEngines.ts"

// Priors that no factor knows: distributions of a user's own at every support, bounded ones, and latent scales.

const { factors } = Family

/** p(x) = exp(-(z + exp(-z))) / scale with z = (x - location) / scale. */
const gumbel = Dist.make({
  name: "Gumbel",
  support: "real",
  parameters: { location: Dist.finite, scale: Dist.positive },
  logDensity: (A, x, p) => {
    const z = A.binary.div(A.binary.sub(x, p.location), p.scale)
    const tail = A.unary.exp(A.unary.neg(z))
    return A.unary.neg(A.binary.add(A.binary.add(z, tail), A.unary.log(p.scale)))
  },
  draw: ({ location, scale }, random) => location - scale * Math.log(-Math.log(random.next())),
  mean: ({ location, scale }) => location + scale * 0.5772156649015329,
  variance: ({ scale }) => (Math.PI * scale) ** 2 / 6,
})

/** p(x) = shape x^(shape - 1) exp(-x^shape), x > 0. */
const weibull = Dist.make({
  name: "Weibull",
  support: "positive",
  parameters: { shape: Dist.positive },
  logDensity: (A, x, { shape }) => {
    const { add, mul, pow, sub } = A.binary
    const exponent = mul(sub(shape, A.literal(1)), A.unary.log(x))
    return sub(add(A.unary.log(shape), exponent), pow(x, shape))
  },
  draw: ({ shape }, random) => (-Math.log(random.next())) ** (1 / shape),
  // Of a shape of 2: sqrt(pi) / 2 and 1 - pi / 4.
  mean: () => Math.sqrt(Math.PI) / 2,
  variance: () => 1 - Math.PI / 4,
})

/** p(x) = 2 x on (0, 1). */
const ramp = Dist.make({
  name: "Ramp",
  support: "unit",
  parameters: {},
  logDensity: (A, x) => A.binary.add(A.unary.log(x), A.literal(Math.LN2)),
  draw: (_, random) => Math.sqrt(random.next()),
  mean: () => 2 / 3,
  variance: () => 1 / 18,
})

/** P(X = 1) = 1 / (1 + odds): x log 1 + (1 - x) log odds - log(1 + odds). */
const odds = Dist.make({
  name: "Odds",
  support: "binary",
  parameters: { odds: Dist.positive },
  logDensity: (A, x, p) => {
    const { add, mul, sub } = A.binary
    return sub(mul(sub(A.literal(1), x), A.unary.log(p.odds)), A.unary.log(add(A.literal(1), p.odds)))
  },
  draw: (p, random) => (random.next() < 1 / (1 + p.odds) ? 1 : 0),
  mean: (p) => 1 / (1 + p.odds),
  variance: (p) => p.odds / (1 + p.odds) ** 2,
})

/** Probabilities in proportion to exp(scores). */
const softmaxed = Dist.make({
  name: "Softmax",
  support: "categorical",
  parameters: { scores: (_: string, __: string, values: ReadonlyArray<number>) => values },
  logDensity: (A, x, { scores }) => A.sumLast(A.binary.mul(x, A.logSoftmaxLast(scores))),
  draw: ({ scores }, random) => {
    // The largest of scores and Gumbel noise.
    const noisy = scores.map((score) => score - Math.log(-Math.log(random.next())))
    return noisy.indexOf(Math.max(...noisy))
  },
  mean: ({ scores }) => softmax(scores),
  variance: ({ scores }) => softmax(scores).map((w) => w * (1 - w)),
})

/** Dir(2, ..., 2) with no other name in common: log p = log Gamma(2 m) + sum_k log w_k. */
const rounded = Dist.make({
  name: "Rounded",
  support: "simplex",
  parameters: { twice: Dist.positive },
  axis: () => 3,
  logDensity: (A, x) => A.binary.add(A.sumLast(A.unary.log(x)), A.literal(Math.log(120))),
  crossEntropy: (A, q) =>
    q.log === undefined ? undefined : A.unary.neg(A.binary.add(A.sumLast(q.log), A.literal(Math.log(120)))),
  draw: (_, random) => {
    const gammas = [0, 1, 2].map(() => random.gamma(2))
    return gammas.map((g) => g / (gammas[0]! + gammas[1]! + gammas[2]!))
  },
  mean: () => [1 / 3, 1 / 3, 1 / 3],
  variance: () => [1, 1, 1].map(() => 2 / 63),
})

const own: ReadonlyArray<Dist.Dist> = [
  gumbel({ location: 1, scale: 2 }),
  weibull({ shape: 2 }),
  ramp({}),
  odds({ odds: 3 }),
  softmaxed({ scores: [0.3, -1, 0.5] }),
  rounded({ twice: 2 }),
]

it.each(own.map((dist) => ({ title: dist.name, dist })))(
  "$title keeps the laws of distributions",
  ({ dist }) => {
    expect(laws(dist, { seed: 2 }).filter(({ holds }) => !holds)).toEqual([])
  },
)

const S = 40_001
/** Draws of a factor of one number at the quantiles of its noise, and so nearly the mean over all draws. */
const quantiles = (factor: Factor, parameters: ReadonlyArray<ReadonlyArray<number>>) => {
  const noise = Float64Array.from({ length: S }, (_, i) => normalQuantile((i + 0.5) / S))
  const draw = factor.draw!(
    Nd.algebra,
    parameters.map((values) => Nd.vector(values)),
    [Nd.of([S, 1], noise)],
    relaxedBy<Nd.Nd>(softTrees(undefined), []),
    Nd.scalar(1),
  )
  return { samples: S, of: () => draw }
}

describe("a divergence without a closed form is estimated from draws", () => {
  const sigmoid = (z: number) => 1 / (1 + Math.exp(-z))
  const normal = (z: number) => -0.5 * z * z - 0.5 * Math.log(2 * Math.PI)
  it.each([
    ["a normal factor", Dist.laplace(0.5, 2), (z: number) => z, () => 0],
    ["a normal factor", Dist.studentT(3, 0.5, 2), (z: number) => z, () => 0],
    ["a normal factor", gumbel({ location: 1, scale: 2 }), (z: number) => z, () => 0],
    ["a log-normal factor", weibull({ shape: 2 }), Math.exp, (z: number) => z],
    ["a bounded factor", ramp({}), sigmoid, (z: number) => Math.log(sigmoid(z) * sigmoid(-z))],
    [
      "a bounded factor",
      Dist.uniform(0, 1, "unit"),
      sigmoid,
      (z: number) => Math.log(sigmoid(z) * sigmoid(-z)),
    ],
  ] as const)("of %s from %o", (_, dist, to, logSlope) => {
    // The union of the cases is none of a single support, which `siteOf` asks for.
    const makers: Readonly<Record<string, Family.FactorMaker<never>>> = Family.table() as never
    const factor: Factor = makers[dist.support]!.make(siteOf(dist.support, shared(dist), [1]) as never)
    const [loc, sd] = [0.3, 0.6]
    const parameters = [[loc], [Math.log(sd)]]
    const found = divergence(factor, parameters, undefined, quantiles(factor, parameters))
    const expected = normalExpectation((z) => {
      const y = loc + sd * z
      return normal(z) - Math.log(sd) - logSlope(y) - dist.logDensity([to(y)])
    })
    expect(Math.abs(found - expected)).toBeLessThan(2e-3)
  })

  it("and of a discrete factor it is exact: every distribution there is a vector of probabilities", () => {
    const coin = factors.bernoulli().make(siteOf("binary", shared(odds({ odds: 3 }))))
    const same = factors.bernoulli().make(siteOf("binary", shared(Dist.bernoulli(0.25))))
    expect(divergence(coin, [[0.7]])).toBeCloseTo(divergence(same, [[0.7]]), 14)
    const scores = [0.3, -1, 0.5]
    const die = factors.categorical().make(siteOf("categorical", shared(softmaxed({ scores })), [], 3))
    const twin = factors
      .categorical()
      .make(siteOf("categorical", shared(Dist.categorical(softmax(scores))), [], 3))
    expect(divergence(die, [[0.7, 0, -1]])).toBeCloseTo(divergence(twin, [[0.7, 0, -1]]), 14)
    const weights = factors.dirichlet().make(siteOf("simplex", shared(rounded({ twice: 2 })), [], 3))
    const dirichlet = factors.dirichlet().make(siteOf("simplex", shared(Dist.dirichlet([2, 2, 2])), [], 3))
    expect(divergence(weights, [[0.7, 0, -1]])).toBeCloseTo(divergence(dirichlet, [[0.7, 0, -1]]), 12)
  })
})

describe("factors refuse priors that they cannot stand for, and say what to do", () => {
  it("a normal factor a bounded prior", () => {
    expect(() => factors.normal().make(siteOf("real", shared(Dist.uniform(0, 2))))).toThrow(
      'the prior Uniform of the site "site" is 0 outside of [0, 2], but the factor Normal(loc, log scale) is not; use Family.factors.bounded()',
    )
  })
  it("a bounded factor a prior without bounds", () => {
    expect(() => factors.bounded("real").make(siteOf("real", shared(Dist.normal(0, 2))))).toThrow(
      "needs priors that are 0 outside of one bounded interval",
    )
  })
  it("a Beta factor a prior that would need draws", () => {
    expect(() => factors.beta().make(siteOf("unit", shared(ramp({}))))).toThrow(
      "use Family.factors.bounded()",
    )
  })
})

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin] })
const model = Model.gen(function* () {
  const scale = yield* Model.sample("scale", weibull({ shape: 2 }))
  const width = yield* Model.sample("width", Dist.uniform(0.5, 3, "positive"))
  const rate = yield* Model.sample("rate", ramp({}))
  yield* Model.sample("flag", Dist.bernoulli(rate))
  yield* Model.plate("group", 2, Model.sample("laplace", Dist.laplace(0, scale)))
  yield* Model.plate("more", 2, Model.sample("normal", Dist.normal(0, width)))
  yield* Model.sample("gumbel", gumbel({ location: 0, scale }))
  yield* Model.sampleEach("each", [Dist.normal(1, 2), Dist.laplace(0, 1), Dist.normal(-1, 0.5)])
  yield* Model.sample("share", Dist.uniform(-1, 1))
  yield* Model.sample("odds", odds({ odds: 3 }))
  yield* Model.sample("softmax", softmaxed({ scores: [0, 1, 2] }))
  yield* Model.sample("rounded", rounded({ twice: 2 }))
  const operators = yield* Model.sample("operatorWeights", Dist.dirichlet([1, 2]))
  const features = yield* Model.sample("featureWeights", Dist.dirichlet([1, 2]))
  const tree = Tree.prior({ grammar, depth: 1, split: Prior.depthDecay(0.8, 1), operators, features })
  const forest = yield* Model.plate("trees", 1, tree)
  yield* Model.observe("y", Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 1, a0: 1, b0: 1 }))
})
const plan = Effect.runSync(Plan.trace(model).pipe(Effect.provide(Family.meanField(model))))

const evaluate = evaluatorOf(plan, 3)

describe("a model with such priors at sites of every support", () => {
  it("has the same objective and gradient on every engine, by central differences of the scalar one", async () => {
    const at = point(plan, 3, 5, 0.3)
    const scalar = evaluate(Scalar.engine, at.parameters, at.noise)
    expect(Number.isFinite(scalar.objective)).toBe(true)
    const check = (engine: Engine, tolerance: number): void => {
      const found = evaluate(engine, at.parameters, at.noise)
      expect(Math.abs(found.divergence - scalar.divergence)).toBeLessThan(
        tolerance * (1 + Math.abs(scalar.divergence)),
      )
      found.gradient.forEach((slope, i) =>
        expect(Math.abs(slope - scalar.gradient[i]!)).toBeLessThan(
          tolerance * (1 + Math.abs(scalar.gradient[i]!)),
        ),
      )
    }
    check(Simd.engine, 2e-4)
    for (const backend of availableBackends()) {
      await activate(backend)
      check(Tfjs.engine, 2e-3)
    }
  })
})
