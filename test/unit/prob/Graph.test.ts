import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { beforeAll } from "vitest"
import type { Engine } from "../../../src/vi/engines/Engine.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Scalar from "../../../src/vi/engines/oracle/engine.ts"
import * as Tfjs from "../../../src/vi/engines/tfjs/engine.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import { digamma, logMultivariateBeta } from "../../../src/numeric/Special.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Family from "../../../src/vi/Family.ts"
import { arbitraryEnsemble, type Ensemble, point } from "../../../src/testing/arbitraryModel.ts"
import { availableBackends } from "../../support/backends.ts"
import { activate, elbo, planOf, softTrees, withCompiled } from "../../support/ensembles.ts"
import { sigmoid, softmax, sum } from "../../support/factors.ts"
import { runs } from "../../support/property.ts"

const controls = { temperature: 1, divergenceWeight: 1 }

/** Eq. KL-analytic-grand of the paper, term by term, from the flat parameters. */
const grand = (plan: Plan.Plan, ensemble: Ensemble, parameters: Float64Array): number => {
  const { concentration, split, trees, depth } = ensemble
  const of = (site: string) => Array.from(Plan.parametersOf(plan, site, parameters)[0]!)
  const etaOp = of("operatorWeights").map(Math.exp)
  const etaFt = of("featureWeights").map(Math.exp)
  const weights = (own: ReadonlyArray<number>, prior: ReadonlyArray<number>): number =>
    logMultivariateBeta(prior) -
    logMultivariateBeta(own) +
    sum(own.map((eta, k) => (eta - prior[k]!) * (digamma(eta) - digamma(sum(own)))))
  const indices = (logits: ReadonlyArray<number>, eta: ReadonlyArray<number>): number =>
    sum(softmax(logits).map((pi, k) => pi * (Math.log(pi) - digamma(eta[k]!) + digamma(sum(eta)))))
  const [l, aOp, aFt] = [of("trees.split"), of("trees.operator"), of("trees.terminal")]
  const nodes = 2 ** (depth + 1) - 1
  let total = weights(etaOp, concentration.operators) + weights(etaFt, concentration.terminals)
  for (let j = 0; j < trees; j++)
    for (let zeta = 0; zeta < nodes; zeta++) {
      const at = j * nodes + zeta
      const d = Math.floor(Math.log2(zeta + 1))
      const p =
        "alpha" in split
          ? split.alpha * (1 + d) ** -split.delta
          : (split.probabilities[d] ?? split.probabilities.at(-1)!)
      const q = sigmoid(l[at]!)
      total += q * Math.log(q / p) + (1 - q) * Math.log((1 - q) / (1 - p))
      total += indices(aOp.slice(at * etaOp.length, (at + 1) * etaOp.length), etaOp)
      total += indices(aFt.slice(at * etaFt.length, (at + 1) * etaFt.length), etaFt)
    }
  return total
}

describe("the divergence of the paper's model", () => {
  it("is Eq. KL-analytic-grand", () => {
    fc.assert(
      fc.property(arbitraryEnsemble({ rows: 1 }), fc.nat({ max: 999 }), (ensemble, seed) => {
        const plan = planOf(ensemble)
        const { parameters, noise } = point(plan, 1, seed, 1.5)
        const { divergence } = withCompiled(
          Scalar.engine,
          plan,
          ensemble,
          { samples: 1, valueClip: undefined },
          (compiled) => compiled.value(parameters, noise, controls),
        )
        const expected = grand(plan, ensemble, parameters)
        expect(Math.abs(divergence - expected)).toBeLessThanOrEqual(1e-10 * (100 + Math.abs(expected)))
      }),
      runs(40),
    )
  })
})

const grammar = Grammar.make({
  features: ["x0", "x1"],
  operators: [Operator.mul, Operator.sin, Operator.sub],
})
const data = {
  features: ["x0", "x1"],
  columns: [Float64Array.of(0.5, -1, 2), Float64Array.of(1.5, 0.25, -0.75)],
  target: "y",
  y: Float64Array.of(1, 0, -2),
  rows: 3,
}
const weights = Effect.all([
  Model.sample("operatorWeights", Dist.dirichlet.symmetric(3, 1)),
  Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1)),
])
const tree = (depth: number) =>
  Effect.map(weights, ([operators, features]) =>
    Tree.prior({ grammar, depth, split: Prior.depthDecay(0.9, 1), operators, features }),
  )
const hyper = { mu0: 0.5, sigma0: 3, a0: 2, b0: 1 }
const observed = (forest: Tree.Forest) => Model.observe("y", Likelihood.conjugateLinear(forest, hyper))

const traced = <A, R>(model: Model.Model<A, R>) =>
  Effect.runSync(Plan.trace(model).pipe(Effect.provide(Family.meanField(model))))

/** Of the parameters: with 1, E[1 / sd^2] of a log-normal already takes all digits of a float32. */
const scale = 0.3

/** One evaluation with gradient on an engine, with S = 2. */
const evaluate = (engine: Engine, plan: Plan.Plan) => {
  const { parameters, noise } = point(plan, 2, 5, scale)
  const gradient = new Float64Array(plan.parameterCount)
  const result = Effect.runSync(
    Effect.scoped(
      Effect.map(engine.compile(plan, data, softTrees(200), elbo(2)), (compiled) =>
        compiled.valueAndGradient(parameters, noise, controls, gradient),
      ),
    ),
  )
  return { result, gradient }
}

describe("priors that depend on sites of outer plates", () => {
  // Three groups of three: a parent aligned with the wrong axis would broadcast without complaint.
  const model = Model.gen(function* () {
    const mean = yield* Model.sample("mean", Dist.normal(0, 1))
    const sd = yield* Model.sample("sd", Dist.gamma(2, 1))
    yield* Model.plate(
      "groups",
      3,
      Model.gen(function* () {
        const p = yield* Model.sample("p", Dist.beta(2, 3))
        const level = yield* Model.sample("level", Dist.normal(mean, sd))
        yield* Model.repeat(
          3,
          Effect.all([Model.sample("e", Dist.bernoulli(p)), Model.sample("x", Dist.normal(level, sd))]),
        )
      }),
    )
    yield* observed(yield* Effect.flatten(tree(1)))
  })

  it("pair every element with its own group", () => {
    const plan = traced(model)
    const { parameters } = point(plan, 2, 5, scale)
    const of = (site: string) => Plan.parametersOf(plan, site, parameters).map((slot) => Array.from(slot))
    const [loc, logScale] = [of("mean")[0]![0]!, of("mean")[1]![0]!]
    const [sdLoc, sdScale] = [of("sd")[0]![0]!, Math.exp(of("sd")[1]![0]!)]
    const sd = { log: sdLoc, inverseSquare: Math.exp(-2 * sdLoc + 2 * sdScale ** 2) }
    // E[log q] - E[log p] of a normal x around a normal centre, with the standard deviation above.
    const normal = (x: number, logX: number, m: number, logM: number): number =>
      sd.log + 0.5 * ((x - m) ** 2 + Math.exp(2 * logX) + Math.exp(2 * logM)) * sd.inverseSquare - 0.5 - logX
    let expected = 0
    for (let g = 0; g < 3; g++) {
      const [a, b] = of("groups.p").map((slot) => Math.exp(slot[g]!))
      const [logP, log1mP] = [digamma(a!) - digamma(a! + b!), digamma(b!) - digamma(a! + b!)]
      const [level, logLevel] = of("groups.level").map((slot) => slot[g]!)
      expected += Dist.kl(Dist.beta(a!, b!), Dist.beta(2, 3)) + normal(level!, logLevel!, loc, logScale)
      for (let i = 0; i < 3; i++) {
        const q = sigmoid(of("groups.e")[0]![3 * g + i]!)
        expected += q * (Math.log(q) - logP) + (1 - q) * (Math.log(1 - q) - log1mP)
        const [x, logX] = of("groups.x").map((slot) => slot[3 * g + i]!)
        expected += normal(x!, logX!, level!, logLevel!)
      }
    }
    const found = evaluate(Scalar.engine, plan).result.divergence
    const rest = traced(Effect.flatMap(Effect.flatten(tree(1)), observed))
    const own = ["operatorWeights", "featureWeights", "split", "operator", "terminal"]
    const parts = new Float64Array(rest.parameterCount)
    for (const slot of rest.parameters)
      parts.set(Plan.parametersOf(plan, slot.site, parameters)[0]!, slot.offset)
    expect(rest.sites.map(({ name }) => name)).toEqual(own)
    const others = Effect.runSync(
      Effect.scoped(
        Effect.map(Scalar.engine.compile(rest, data, softTrees(200), elbo(2)), (compiled) =>
          compiled.value(parts, point(rest, 2, 5, 1).noise, controls),
        ),
      ),
    )
    // The log-normal factor of `sd` under its Gamma(2, 1) prior.
    const gamma =
      Math.exp(sdLoc + sdScale ** 2 / 2) -
      sdLoc -
      (sdLoc + Math.log(sdScale)) -
      0.5 -
      0.5 * Math.log(2 * Math.PI)
    const normalPrior = Dist.kl(Dist.normal(loc, Math.exp(logScale)), Dist.normal(0, 1))
    expect(found).toBeCloseTo(expected + gamma + normalPrior + others.divergence, 8)
  })

  it("run on tensors with the same gradient", async () => {
    const plan = traced(model)
    const scalar = evaluate(Scalar.engine, plan)
    for (const backend of availableBackends()) {
      await activate(backend)
      const { result, gradient } = evaluate(Tfjs.engine, plan)
      expect(Math.abs(result.objective - scalar.result.objective)).toBeLessThan(1e-4)
      gradient.forEach((slope, i) => {
        expect(Math.abs(slope - scalar.gradient[i]!)).toBeLessThan(1e-3 * (1 + Math.abs(slope)))
      })
    }
  })
})

describe("plates", () => {
  const model = (
    wrap: (body: Effect.Effect<Tree.Forest, never, Tree.Sites>) => Effect.Effect<Tree.Forest, never, never>,
  ) =>
    Model.gen(function* () {
      yield* observed(yield* wrap(yield* tree(2)))
    })
  // Plates change the names of the sites, and so the type; evaluation does not care.
  const untyped = <A, R>(effect: Effect.Effect<A, never, R>): Effect.Effect<A> => effect as Effect.Effect<A>
  const four = model((body) => untyped(Model.plate("trees", 4, body)))
  const twice = model((body) => untyped(Model.plate("a", 2, Model.plate("b", 2, body))))
  const one = model((body) => untyped(Model.plate("trees", 1, body)))
  const none = model((body) => untyped(body))

  beforeAll(() => activate("cpu"))
  it.each([
    ["two plates of two are four trees", twice, four],
    ["no plate is one tree", none, one],
  ])("%s, on both engines", (_, left, right) => {
    for (const engine of [Scalar.engine, Tfjs.engine]) {
      const found = evaluate(engine, traced(left))
      expect(found).toEqual(evaluate(engine, traced(right)))
      expect(Number.isFinite(found.result.objective)).toBe(true)
    }
  })
})

describe("a graph", () => {
  const plan = traced(Effect.flatMap(Effect.flatten(tree(2)), observed))
  it("lists every node after its inputs, and ends in the evidence and one divergence for each site", () => {
    const { nodes, evidence, divergences } = plan.graph
    nodes.forEach((node, index) => {
      expect(node.id).toBe(index)
      expect(node.inputs.every((input) => input < index)).toBe(true)
    })
    expect(nodes[evidence]!.operation._tag).toBe("Evidence")
    expect(divergences.map((id) => nodes[id]!.label)).toEqual(plan.sites.map(({ name }) => `KL(${name})`))
    const tags = nodes.map(({ operation }) => operation._tag)
    expect(tags.filter((tag) => tag === "Draw")).toHaveLength(3)
    expect(tags.filter((tag) => tag === "Parameter")).toHaveLength(plan.parameters.length)
    expect(tags.filter((tag) => tag === "Noise")).toHaveLength(plan.noise.length)
  })

  it("labels its nodes with names and shapes", () => {
    expect(plan.graph.nodes.map(({ label }) => label)).toEqual(
      expect.arrayContaining([
        "operator.logits [7,3]",
        "gumbel noise [S,7,3]",
        "draw split",
        "forest, 1 trees of depth 2",
        "log p(y | T) [S]",
      ]),
    )
  })
})
