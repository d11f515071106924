import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Plan from "../../../../src/prob/Plan.ts"
import * as Evidence from "../../../../src/evidence/conjugate.ts"
import * as Columns from "../../../../src/evidence/columns.ts"
import * as Scalar from "../../../../src/vi/engines/oracle/engine.ts"
import * as Simd from "../../../../src/vi/engines/simd/engine.ts"
import * as PlanText from "../../../../src/prob/planText.ts"
import * as Tfjs from "../../../../src/vi/engines/tfjs/engine.ts"
import * as Constant from "../../../../src/prob/Constant.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Likelihood from "../../../../src/evidence/Likelihood.ts"
import * as Model from "../../../../src/prob/Model.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Prior from "../../../../src/prob/Prior.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import * as Family from "../../../../src/vi/Family.ts"
import * as Stop from "../../../../src/infer/Stop.ts"
import * as Search from "../../../../src/search/Search.ts"
import * as Elbo from "../../../../src/vi/Elbo.ts"
import * as Law from "../../../../src/models/law.ts"
import * as Vasst from "../../../../src/models/vasst.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { point } from "../../../../src/testing/arbitraryModel.ts"
import { availableBackends } from "../../../support/backends.ts"
import { activate } from "../../../support/ensembles.ts"
import { data, evaluatorOf, worstSlope } from "../../../support/onEngines.ts"

// The values of fitted constants as latent sites of relaxed trees.

const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.mul, Operator.sin],
  constants: { two: 2, c: Constant.fitted(Dist.normal(0.5, 2)), s: Constant.fitted(Dist.gamma(3, 2)) },
})
const [trees, depth] = [2, 2]
const nodes = 7
const p = grammar.terminals.length
const model = Vasst.model(grammar, trees, depth)
const plan = Effect.runSync(Plan.trace(model).pipe(Effect.provide(Family.meanField(model))))

const evaluate = evaluatorOf(plan, 2)

describe("the sites of values", () => {
  it("are one for each fitted constant, with an element for each node of each tree", () => {
    const found = plan.sites.slice(-2)
    expect(found.map(({ name, support, shape }) => ({ name, support, shape }))).toEqual([
      { name: "trees.value.c", support: "real", shape: [trees, nodes] },
      { name: "trees.value.s", support: "positive", shape: [trees, nodes] },
    ])
    expect(found.map(({ factor }) => factor.name)).toEqual([
      "Normal(loc, log scale)",
      "LogNormal(loc, log scale)",
    ])
    expect(plan.graph.nodes.map(({ label }) => label)).toContain("terminals, c, s times values")
    expect(PlanText.dot(plan)).toContain("terminals, c, s times values")
  })

  it("are there only where they are asked for, and where there are fitted constants", () => {
    const law = Law.model(grammar)
    const plain = Vasst.model(
      Grammar.make({ features: ["a"], operators: [Operator.sin], constants: { two: 2 } }),
    )
    const sitesOf = <A, R>(program: Model.Model<A, R>) =>
      Effect.runSync(Plan.trace(program).pipe(Effect.provide(Family.meanField(program)))).sites.map(
        ({ name }) => name,
      )
    expect(sitesOf(law).filter((name) => name.includes("value"))).toEqual([])
    expect(sitesOf(plain).filter((name) => name.includes("value"))).toEqual([])
  })

  it("start around 1, close to their values", () => {
    const start = Elbo.initialParameters(plan, Rng.key(1))
    const of = (site: string) => Plan.parametersOf(plan, site, start)
    const [loc, logScale] = of("trees.value.c")
    expect(loc!.every((x) => Math.abs(x - 1) < 5 * Family.valueStart.scatter)).toBe(true)
    expect(new Set(loc).size).toBe(trees * nodes)
    expect(Array.from(logScale!)).toEqual(Array.from({ length: trees * nodes }, () => Math.log(0.1)))
    expect(of("trees.value.s")[0]!.every((x) => Math.abs(x) < 5 * Family.valueStart.scatter)).toBe(true)
  })
})

describe("relaxed trees with values", () => {
  // At a temperature near 0 and without noise a draw is its likeliest vertex: a hard tree.
  const tree = (number: (node: number) => number): Tree.Tree =>
    Tree.branch(1, [Tree.branch(0, [Tree.leaf(0), Tree.leaf(3, number(4))])])
  const parameters = new Float64Array(plan.parameterCount)
  const place = (site: string, slot: number, values: (index: number) => number): void => {
    const slots = plan.parameters.filter((one) => one.site === site)
    const { offset, length } = slots[slot]!
    for (let i = 0; i < length; i++) parameters[offset + i] = values(i)
  }
  const value = (i: number): number => 0.3 + 0.2 * i
  place("trees.split", 0, (i) => (i % nodes < 2 ? 5 : -5))
  // sin at the root, mul below.
  place("trees.operator", 0, (i) => (i % 2 === (Math.floor(i / 2) % nodes === 0 ? 1 : 0) ? 5 : -5))
  // b everywhere but for a in node 3 and c in node 4.
  place("trees.terminal", 0, (i) => {
    const node = Math.floor(i / p) % nodes
    return i % p === (node === 3 ? 0 : node === 4 ? 3 : 1) ? 5 : -5
  })
  place("trees.value.c", 0, value)
  place("trees.value.c", 1, () => -40)
  place("trees.value.s", 1, () => -3)
  const still = new Float32Array(2 * plan.noiseCount)

  it("are hard trees whose leaves have those values where draws are vertices", () => {
    const columns = Effect.runSync(Columns.make(grammar, data))
    const design = [0, 1].map((k) => columns.column(tree((node) => value(k * nodes + node))).values)
    const expected = Evidence.posterior(plan.likelihood.relaxed!.conjugate!, data.y, design).logEvidence
    expect(evaluate(Scalar.engine, parameters, still, 0.02).evidence).toBeCloseTo(expected, 3)
    expect(evaluate(Simd.engine, parameters, still, 0.02).evidence).toBeCloseTo(expected, 3)
  })

  it("have the same objective and gradient on every engine, by central differences of the scalar one", async () => {
    for (let seed = 0; seed < 3; seed++) {
      const at = point(plan, 2, seed, 0.5)
      const scalar = evaluate(Scalar.engine, at.parameters, at.noise)
      const compare = (found: typeof scalar, tolerance: number): void => {
        expect(Math.abs(found.objective - scalar.objective)).toBeLessThan(tolerance)
        expect(worstSlope(found, scalar)).toBeLessThan(tolerance)
      }
      const moved = plan.parameters.filter(({ site }) => site.startsWith("trees.value."))
      for (const { offset, length } of moved)
        expect(scalar.gradient.subarray(offset, offset + length).every((slope) => slope !== 0)).toBe(true)
      compare(evaluate(Simd.engine, at.parameters, at.noise), 1e-4)
      for (const backend of availableBackends()) {
        await activate(backend)
        compare(evaluate(Tfjs.engine, at.parameters, at.noise), 1e-3)
      }
    }
  })

  it("cost the divergences of their values beside those of the others", () => {
    const at = point(plan, 2, 4, 0.4)
    const before = evaluate(Scalar.engine, at.parameters, at.noise).divergence
    const [loc, logScale] = Plan.parametersOf(plan, "trees.value.c", at.parameters)
    const prior = Dist.normal(0.5, 2)
    const cost = (): number =>
      loc!.reduce((sum, mean, i) => sum + Dist.kl(Dist.normal(mean, Math.exp(logScale![i]!)), prior), 0)
    const own = cost()
    loc!.forEach((_, i) => {
      loc![i]! += 0.7
      logScale![i]! -= 0.4
    })
    const after = evaluate(Scalar.engine, at.parameters, at.noise).divergence
    expect(after - before).toBeCloseTo(cost() - own, 9)
  })
})

describe("a plan fails", () => {
  const declare = (values: boolean, likelihood: (forest: Tree.Forest) => Likelihood.Likelihood) =>
    Model.gen(function* () {
      const operators = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(2, 1))
      const features = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(p, 1))
      const split = Prior.depthDecay(0.9, 1)
      const forest = yield* Model.plate(
        "trees",
        2,
        Tree.prior({ grammar, depth: 2, split, operators, features, values }),
      )
      yield* Model.observe("y", likelihood(forest))
    })
  const messageOf = (program: ReturnType<typeof declare>): string =>
    Effect.runSync(Effect.flip(Plan.trace(program).pipe(Effect.provide(Family.meanField(program))))).message

  it("where relaxed trees meet a likelihood that integrates the values out", () => {
    for (const likelihood of [
      (forest: Tree.Forest) => Likelihood.selectedLinear(forest),
      (forest: Tree.Forest) => Likelihood.linear(forest, Likelihood.poisson),
    ]) {
      const program = declare(false, likelihood)
      const relaxable = Plan.trace(program).pipe(
        Effect.flatMap(Plan.relaxable),
        Effect.provide(Family.meanField(program)),
      )
      expect(Effect.runSync(Effect.flip(relaxable)).message).toContain(
        'is fitted, but the likelihood of "y" integrates its values out, which takes hard trees',
      )
    }
  })

  it("where relaxed trees lack the values, and where a search has them", () => {
    const conjugate = (forest: Tree.Forest) =>
      Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 10, a0: 2, b0: 2 })
    expect(messageOf(declare(false, conjugate))).toBe(
      'the constant "c" is fitted, but the model has no site for its values, which relaxed trees need; declare the trees with Tree.prior({ ..., values: true }), or search with Likelihood.selectedLinear (Search.fit)',
    )
    expect(messageOf(declare(true, (forest) => Likelihood.selectedLinear(forest)))).toBe(
      'the site "trees.value.c" has the values of a fitted constant, which the likelihood of "y" integrates out by itself; leave `values` out of Tree.prior',
    )
  })

  it("where values are searched", () => {
    const failure = Effect.runSync(
      Effect.flip(
        Search.fit(model, data).pipe(Effect.provide(Stop.layer({ rules: [Stop.afterSeconds(1)] }))),
      ),
    )
    expect(failure.message).toContain('the site "trees.value.c" has the values of a fitted constant')
  })

  it("where a factor of the values cannot be drawn", () => {
    const undrawn: Family.FactorMaker<"real"> = {
      support: "real",
      make: (site) => {
        const { draw: _, ...factor } = Family.factors.normal().make(site)
        return { ...factor, name: "Still" }
      },
    }
    const family = Family.make(model)({
      operatorWeights: Family.factors.dirichlet(),
      featureWeights: Family.factors.dirichlet(),
      "trees.split": Family.factors.bernoulli(),
      "trees.operator": Family.factors.categorical(),
      "trees.terminal": Family.factors.categorical(),
      "trees.value.c": undrawn,
      "trees.value.s": Family.factors.logNormal(),
    })
    const failure = Effect.runSync(
      Effect.flip(Plan.trace(model).pipe(Effect.flatMap(Plan.relaxable), Effect.provide(family))),
    )
    expect(failure.message).toContain(
      'the factor Still of the site "trees.value.c" has no reparameterised draw',
    )
  })
})
