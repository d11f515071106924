import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
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
import * as Tree from "../../../src/prob/Tree.ts"
import * as Family from "../../../src/vi/Family.ts"
import { CompileError } from "../../../src/errors/Errors.ts"
import { elbo, softTrees } from "../../support/ensembles.ts"

const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.mul, Operator.sin],
  constants: { one: 1 },
})
const split = Prior.depthDecay(0.9, 1)
const hyper = { mu0: 0, sigma0: 10, a0: 2, b0: 2 }
const weights = Effect.all([
  Model.sample("operatorWeights", Dist.dirichlet.symmetric(2, 1)),
  Model.sample("featureWeights", Dist.dirichlet.symmetric(3, 1)),
])
const trees = (count: number) =>
  Effect.gen(function* () {
    const [operators, features] = yield* weights
    return yield* Model.plate("trees", count, Tree.prior({ grammar, depth: 2, split, operators, features }))
  })

const complete = Model.gen(function* () {
  yield* Model.observe("y", Likelihood.conjugateLinear(yield* trees(3), hyper))
})

const traced = <A, R>(model: Model.Model<A, R>) =>
  Plan.trace(model).pipe(Effect.provide(Family.meanField(model)))

/** The message with which a model does not compile. */
const complaint = <A, R>(model: Model.Model<A, R>) =>
  Effect.map(Effect.flip(traced(model)), (error) => {
    expect(error).toBeInstanceOf(CompileError)
    return error.message
  })

describe("a plan", () => {
  it.effect("has the sites of the model in order, with their plates", () =>
    Effect.gen(function* () {
      const plan = yield* traced(complete)
      expect(plan.sites.map(({ name, support, shape, size }) => [name, support, shape, size])).toEqual([
        ["operatorWeights", "simplex", [], 2],
        ["featureWeights", "simplex", [], 3],
        ["trees.split", "binary", [3, 7], 1],
        ["trees.operator", "categorical", [3, 7], 2],
        ["trees.terminal", "categorical", [3, 7], 3],
      ])
      expect(plan.observed).toBe("y")
      expect(plan.likelihood.forest).toMatchObject({
        trees: 3,
        depth: 2,
        sites: { split: "trees.split", operator: "trees.operator", terminal: "trees.terminal" },
      })
      expect(Plan.site(plan, "trees.split").factor.name).toBe("Bernoulli(logit)")
      expect(() => Plan.site(plan, "split")).toThrow('the plan has no site "split"')
    }),
  )

  it.effect("lays parameters and noise out one after the other", () =>
    Effect.gen(function* () {
      const plan = yield* traced(complete)
      expect(plan.parameters.map(({ site, offset, length }) => [site, offset, length])).toEqual([
        ["operatorWeights", 0, 2],
        ["featureWeights", 2, 3],
        ["trees.split", 5, 21],
        ["trees.operator", 26, 42],
        ["trees.terminal", 68, 63],
      ])
      expect(plan.parameterCount).toBe(131)
      expect(plan.noise.map(({ site, kind, offset, length }) => [site, kind, offset, length])).toEqual([
        ["trees.split", "logistic", 0, 21],
        ["trees.operator", "gumbel", 21, 42],
        ["trees.terminal", "gumbel", 63, 63],
      ])
      expect(plan.noiseCount).toBe(126)
      const flat = Float64Array.from({ length: 131 }, (_, i) => i)
      expect(Plan.parametersOf(plan, "featureWeights", flat)).toEqual([Float64Array.of(2, 3, 4)])
      expect(Plan.parametersOf(plan, "nowhere", flat)).toEqual([])
    }),
  )

  it.effect("counts the trees of nested plates, and of none", () =>
    Effect.gen(function* () {
      const nested = Model.gen(function* () {
        const [operators, features] = yield* weights
        const one = Tree.prior({ grammar, depth: 1, split, operators, features })
        const forest = yield* Model.plate("outer", 2, Model.repeat(2, Model.plate("inner", 3, one)))
        yield* Model.observe("y", Likelihood.conjugateLinear(forest, hyper))
      })
      const plan = yield* traced(nested)
      expect(Plan.site(plan, "outer.inner.split").shape).toEqual([2, 2, 3, 3])
      const { likelihood } = yield* Plan.relaxable(plan)
      expect(likelihood.forest.trees).toBe(12)
      expect(likelihood.relaxed.conjugate?.sigma0).toHaveLength(13)

      const single = Model.gen(function* () {
        const [operators, features] = yield* weights
        const forest = yield* Tree.prior({ grammar, depth: 1, split, operators, features })
        yield* Model.observe("y", Likelihood.conjugateLinear(forest, hyper))
      })
      const alone = yield* traced(single)
      expect(Plan.site(alone, "split").shape).toEqual([3])
      expect(alone.likelihood.forest.trees).toBe(1)
    }),
  )
})

describe("a model does not compile", () => {
  it.effect("when it observes nothing", () =>
    Effect.gen(function* () {
      expect(yield* complaint(Effect.asVoid(trees(1)))).toBe(
        "the model observes nothing; end it with Model.observe(name, likelihood)",
      )
    }),
  )

  it.effect("when it observes twice", () =>
    Effect.gen(function* () {
      const model = Model.gen(function* () {
        const likelihood = Likelihood.conjugateLinear(yield* trees(1), hyper)
        yield* Model.observe("y", likelihood)
        yield* Model.observe("z", likelihood)
      })
      expect(yield* complaint(model)).toBe('the model observes "y" and "z", but may observe once')
    }),
  )

  it.effect("when a site's name is used twice", () =>
    Effect.gen(function* () {
      const model = Model.gen(function* () {
        yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1))
        yield* complete
      })
      expect(yield* complaint(model)).toBe(
        'the site "featureWeights" is sampled twice; give each site a name of its own',
      )
    }),
  )

  it.effect("when the weights of a tree prior do not fit the grammar", () =>
    Effect.gen(function* () {
      const sized = (operators: number, features: number) =>
        Model.gen(function* () {
          const one = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(operators, 1))
          const two = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(features, 1))
          const forest = yield* Tree.prior({ grammar, depth: 1, split, operators: one, features: two })
          yield* Model.observe("y", Likelihood.conjugateLinear(forest, hyper))
        })
      expect(yield* complaint(sized(3, 3))).toBe(
        'the site "operatorWeights" has 3 weights, but the grammar has 2 operators',
      )
      expect(yield* complaint(sized(2, 2))).toBe(
        'the site "featureWeights" has 2 weights, but the grammar has 3 terminals',
      )
    }),
  )

  it.effect("when the weights lie inside the plate of the trees", () =>
    Effect.gen(function* () {
      const model = Model.gen(function* () {
        const forest = yield* Model.plate(
          "trees",
          2,
          Effect.flatMap(weights, ([operators, features]) =>
            Tree.prior({ grammar, depth: 1, split, operators, features }),
          ),
        )
        yield* Model.observe("y", Likelihood.conjugateLinear(forest, hyper))
      })
      expect(yield* complaint(model)).toBe(
        'the site "trees.operatorWeights" lies inside a plate; declare the weights of a tree prior outside',
      )
    }),
  )

  it.effect("when a prior depends on a site out of its reach", () =>
    Effect.gen(function* () {
      const nowhere = { _tag: "Sym", site: "p", support: "unit", shape: [], size: 1 } as const
      const dangling = Effect.andThen(Model.sample("e", Dist.bernoulli(nowhere)), complete)
      expect(yield* complaint(dangling)).toBe(
        'the prior of the site "e" depends on the site "p", which the model does not sample',
      )
      const escaped = Model.gen(function* () {
        const p = yield* Model.plate("groups", 3, Model.sample("p", Dist.beta(1, 1)))
        yield* Model.sample("e", Dist.bernoulli(p))
        yield* complete
      })
      expect(yield* complaint(escaped)).toBe(
        'the prior of the site "e" depends on the site "groups.p", which lies inside a plate that "e" is not in',
      )
      const outer = Model.plate(
        "groups",
        3,
        Effect.flatMap(Model.sample("w", Dist.dirichlet([1, 1])), (w) =>
          Model.repeat(2, Model.sample("o", Dist.categorical(w))),
        ),
      )
      expect(yield* complaint(Effect.andThen(outer, complete))).toBe(
        'the prior of the site "groups.o" depends on the weights "groups.w", which lie in fewer plates; declare them outside of all plates, or in the same',
      )
    }),
  )

  it.effect("when the likelihood reaches a factor that cannot be drawn", () =>
    Effect.gen(function* () {
      const { operatorWeights, featureWeights, split, terminal } = {
        operatorWeights: Family.factors.dirichlet(),
        featureWeights: Family.factors.dirichlet(),
        split: Family.factors.bernoulli(),
        terminal: Family.factors.categorical(),
      }
      const undrawn: Family.FactorMaker<"categorical"> = {
        support: "categorical",
        make: (site) => {
          const { draw: _, ...factor } = Family.factors.categorical().make(site)
          return { ...factor, name: "Enumerated" }
        },
      }
      const family = Family.make(complete)({
        operatorWeights,
        featureWeights,
        "trees.split": split,
        "trees.operator": undrawn,
        "trees.terminal": terminal,
      })
      // Hard trees may still be drawn from it.
      const plan = yield* Plan.trace(complete).pipe(Effect.provide(family))
      const error = yield* Effect.flip(Plan.relaxable(plan))
      expect(error.message).toBe(
        'the factor Enumerated of the site "trees.operator" has no reparameterised draw, which the likelihood of "y" needs; fit with ScoreFunction.fit or Inclusive.fit, or give the site another factor',
      )
    }),
  )

  const engines: ReadonlyArray<Engine> = [Scalar.engine, Tfjs.engine]
  for (const engine of engines)
    it.effect(`on the ${engine.name} engine when the data lack a feature`, () =>
      Effect.gen(function* () {
        const plan = yield* traced(complete)
        const data = {
          features: ["b", "c"],
          columns: [Float64Array.of(1, 2), Float64Array.of(3, 4)],
          target: "y",
          y: Float64Array.of(1, 2),
          rows: 2,
        }
        const error = yield* Effect.flip(engine.compile(plan, data, softTrees(undefined), elbo(1)))
        expect(error).toBeInstanceOf(CompileError)
        expect(error.message).toBe('the grammar uses the feature "a", but the data have "b", "c"')
      }).pipe(Effect.scoped),
    )
})

describe("a likelihood", () => {
  it.effect("spreads one hyperparameter over the coefficients, or takes one for each", () =>
    Effect.gen(function* () {
      const { forest } = (yield* traced(complete)).likelihood
      expect(Likelihood.conjugateLinear(forest, hyper)).toMatchObject({
        mu0: [0, 0, 0, 0],
        sigma0: [10, 10, 10, 10],
        a0: 2,
        b0: 2,
      })
      const each = { ...hyper, mu0: [1, 0, 0, 0], sigma0: [1000, 1, 2, 3] }
      expect(Likelihood.conjugateLinear(forest, each)).toMatchObject({ mu0: each.mu0, sigma0: each.sigma0 })
    }),
  )

  it.effect("refuses impossible hyperparameters by name", () =>
    Effect.gen(function* () {
      const { forest } = (yield* traced(complete)).likelihood
      const refused = (
        changed: Partial<Parameters<typeof Likelihood.conjugateLinear>[1]>,
        message: string,
      ) => {
        const declare = () => Likelihood.conjugateLinear(forest, { ...hyper, ...changed })
        expect(declare).toThrow(message)
        expect(declare).toThrow(Likelihood.LikelihoodError)
      }
      refused({ mu0: [0, 0] }, "mu0 has 2 entries, but 3 trees and an intercept need 4")
      refused({ sigma0: 0 }, "sigma0 must be positive")
      refused({ sigma0: [1, 1, 1, Number.NaN] }, "sigma0 must be finite")
      refused({ mu0: Infinity }, "mu0 must be finite")
      refused({ a0: 0 }, "a0 must be positive and finite, but is 0")
      refused({ b0: Number.NaN }, "b0 must be positive and finite, but is NaN")
    }),
  )
})
