import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Enumerate from "../../../src/evidence/enumerate.ts"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import * as TreePrior from "../../../src/evidence/treePrior.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Sym from "../../../src/prob/Sym.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Ensemble from "../../../src/rank/Ensemble.ts"
import { update } from "../../../src/rank/Model.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"
import type { Dataset } from "../../../src/data/Data.ts"
import { FitError } from "../../../src/errors/Errors.ts"
import * as Rng from "../../../src/random/Rng.ts"
import cases from "../../fixtures/evidence.json" with { type: "json" }

const dataset = (
  columns: Readonly<Record<string, ReadonlyArray<number>>>,
  y: ReadonlyArray<number>,
): Dataset => ({
  features: Object.keys(columns),
  columns: Object.values(columns).map((column) => Float64Array.from(column)),
  target: "y",
  y: Float64Array.from(y),
  rows: y.length,
})

const problem = (
  grammar: Grammar.Grammar,
  shape: { readonly depth: number; readonly trees: number },
  hyper: Parameters<typeof Likelihood.conjugateLinear>[1] = { mu0: 0, sigma0: 10, a0: 2, b0: 2 },
) => {
  const dirichlet = (name: string, size: number) => ({
    name,
    prior: { _tag: "Shared" as const, dist: Dist.dirichlet.symmetric(size, 1) },
  })
  const sites = [dirichlet("o", grammar.operators.length), dirichlet("t", grammar.terminals.length)]
  const forest: Tree.Forest = {
    _tag: "Forest",
    grammar,
    ...shape,
    split: Prior.depthDecay(0.95, 2),
    weights: {
      operators: Sym.make("o", "simplex", [], grammar.operators.length),
      terminals: Sym.make("t", "simplex", [], grammar.terminals.length),
    },
    sites: { split: "s", operator: "p", terminal: "u" },
  }
  return { likelihood: Likelihood.conjugateLinear(forest, hyper), sites }
}

const drawn = (grammar: Grammar.Grammar, ...ensembles: ReadonlyArray<ReadonlyArray<Tree.Tree>>) =>
  ensembles.map((trees) => ({ ensemble: Ensemble.make(grammar, trees), draws: 1 }))

/** Uniform draws of skeletons. */
const uniform = (forest: Tree.Forest, count: number, seed: number): Ensemble.Draws => {
  const random = Rng.generator(Rng.key(seed))
  const draw = (categories: number) =>
    Float64Array.from({ length: count * forest.trees * (2 ** (forest.depth + 1) - 1) }, () =>
      random.integer(categories),
    )
  return {
    split: draw(2),
    operator: draw(forest.grammar.operators.length),
    terminal: draw(forest.grammar.terminals.length),
  }
}

const grammar = Grammar.make({
  features: ["x0", "x1"],
  operators: [Operator.mul, Operator.sin, Operator.cos],
})
const [x0, x1] = [Tree.leaf(0), Tree.leaf(1)]
const mul = (a: Tree.Tree, b: Tree.Tree) => Tree.branch(0, [a, b])
const sin = (a: Tree.Tree) => Tree.branch(1, [a])
const cos = (a: Tree.Tree) => Tree.branch(2, [a])

/** The paper's second simulation. */
const sim2 = (rows: number, noise: number, seed: number): Dataset => {
  const random = Rng.generator(Rng.key(seed))
  const a = Array.from({ length: rows }, () => random.next())
  const b = Array.from({ length: rows }, () => 2 + random.next())
  const y = a.map((value, i) => 6 * Math.sin(value) * Math.cos(b[i]!) + noise * random.normal())
  return dataset({ x0: a, x1: b }, y)
}

describe("scores", () => {
  it.effect("agree with the enumeration of all ensembles", () =>
    Effect.gen(function* () {
      const target = problem(grammar, { depth: 1, trees: 2 })
      const data = sim2(40, 0.3, 1)
      const prior = yield* TreePrior.of(target.likelihood.forest, target.sites)
      const space = yield* Enumerate.enumerate(target.likelihood, prior, data)
      const scorer = yield* Scorer.make(target, { train: data })
      // Enough draws to meet each of the 66 ensembles.
      const ranking = yield* Rank.fromDraws(
        scorer,
        target.likelihood,
        uniform(target.likelihood.forest, 4000, 2),
      )
      expect(ranking.distinct).toBe(space.ensembles.length)
      expect(ranking.draws).toBe(4000)
      ranking.models.forEach((model, i) => {
        const exact = space.ensembles[i]!
        expect(model.ensemble.trees).toEqual(exact.trees)
        expect(model.lmpse).toBeCloseTo(exact.lmpse, 9)
        expect(model.posterior).toBeCloseTo(exact.posterior, 9)
      })
    }),
  )

  it.effect.each(cases.filter((c) => c.columns.length > 0 && c.columns.length < 10))(
    "have the coefficients of the reference: $name",
    (c) =>
      Effect.gen(function* () {
        const features = c.columns.map((_, k) => `f${k}`)
        const leaves = Grammar.make({ features, operators: [Operator.neg] })
        const columns = Object.fromEntries(c.columns.map((column, k) => [`f${k}`, column]))
        const scorer = yield* Scorer.make(problem(leaves, { depth: 1, trees: c.columns.length }, c), {
          train: dataset(columns, c.y),
        })
        const trees = features.map((_, k) => Tree.leaf(k))
        const model = scorer.model({ ensemble: Ensemble.make(leaves, trees), draws: 1 })
        if (c.columns.some((column) => column.some((value) => Math.abs(value) >= 1e150))) {
          expect(model).toBeUndefined()
          return
        }
        expect(model!.logEvidence).toBeCloseTo(c.logEvidence, 6)
        expect(model!.sigma2).toBeCloseTo(c.scale / (c.shape - 1), 6)
        const fitted = (coefficients: ArrayLike<number>) =>
          c.y.map((_, i) =>
            c.columns.reduce((sum, t, k) => sum + coefficients[k + 1]! * t[i]!, coefficients[0]!),
          )
        const expected = fitted(c.mean)
        const scale = Math.max(...c.y.map(Math.abs))
        fitted(model!.coefficients).forEach((value, i) =>
          expect(Math.abs(value - expected[i]!)).toBeLessThan(1e-6 * scale),
        )
      }),
  )

  it.effect("are those worked out by hand", () =>
    Effect.gen(function* () {
      // One tree, x0, with beta ~ N(0, sigma^2 I): A = [[1 + 3, 0], [0, 1 + 2]], T'y = [6, 2], y'y = 14
      const target = problem(grammar, { depth: 1, trees: 1 }, { mu0: 0, sigma0: 1, a0: 1, b0: 1 })
      const data = dataset({ x0: [-1, 0, 1], x1: [0, 0, 0] }, [1, 2, 3])
      const scorer = yield* Scorer.make(target, { train: data, test: dataset({ x0: [2], x1: [0] }, [0]) })
      const model = scorer.model({ ensemble: Ensemble.make(grammar, [x0]), draws: 1 })!
      expect(Array.from(model.coefficients)).toEqual([1.5, expect.closeTo(2 / 3, 12)])
      const scale = 1 + (14 - (36 / 4 + 4 / 3)) / 2
      expect(model.sigma2).toBeCloseTo(scale / 1.5, 12)
      const evidence =
        -1.5 * Math.log(2 * Math.PI) +
        Math.log(0.75 * Math.sqrt(Math.PI)) -
        0.5 * Math.log(12) -
        2.5 * Math.log(scale)
      expect(model.logEvidence).toBeCloseTo(evidence, 12)
      expect(model.logPrior).toBeCloseTo(Math.log(0.05 * 0.5), 12)
      expect(model.lmpse).toBeCloseTo(evidence + Math.log(0.025), 12)
      // least squares: 2 + x0 fits exactly, so that the residual sum of squares counts as (2^-52)^2 y'y
      expect(model.bic).toBeCloseTo(3 * Math.log((2 ** -104 * 14) / 3) + 2 * Math.log(3), 9)
      expect(model.rmseTrain).toBeCloseTo(
        Math.sqrt(((1 - 5 / 6) ** 2 + 0.5 ** 2 + (3 - 13 / 6) ** 2) / 3),
        12,
      )
      expect(model.rmseTest).toBeCloseTo(1.5 + 4 / 3, 12)
      expect(model.complexity).toBe(1)
    }),
  )

  it.effect("charge BIC for the span only", () =>
    Effect.gen(function* () {
      const data = sim2(50, 0.2, 5)
      const two = yield* Scorer.make(problem(grammar, { depth: 2, trees: 2 }), { train: data })
      const one = yield* Scorer.make(problem(grammar, { depth: 2, trees: 1 }), { train: data })
      const twice = two.model({ ensemble: Ensemble.make(grammar, [sin(x0), sin(x0)]), draws: 1 })!
      const once = one.model({ ensemble: Ensemble.make(grammar, [sin(x0)]), draws: 1 })!
      expect(twice.bic).toBeCloseTo(once.bic, 9)
      const rss = once.residuals().reduce((sum, value) => sum + value * value, 0)
      expect(once.bic).toBeCloseTo(50 * Math.log(rss / 50) + 2 * Math.log(50), 9)
    }),
  )
})

describe("expression", () => {
  it.effect("predicts what the model predicts, equal trees once", () =>
    Effect.gen(function* () {
      const train = sim2(60, 0.1, 3)
      const test = sim2(10, 0.1, 4)
      const scorer = yield* Scorer.make(problem(grammar, { depth: 2, trees: 3 }), { train, test })
      const ensemble = Ensemble.make(grammar, [mul(sin(x0), cos(x1)), x0, mul(cos(x1), sin(x0))])
      const model = scorer.model({ ensemble, draws: 1 })!
      expect(infix(model.expression).match(/sin/g)).toHaveLength(1)
      expect(model.complexity).toBe(1 + 5)
      expect(model.terms.map((term) => infix(term))).toEqual(
        ensemble.trees.map((tree) => infix(Term.arrange(Tree.toTerm(grammar, tree)))),
      )
      const predict = scalarFunction(model.expression, ["x0", "x1"])
      let squares = 0
      test.y.forEach(
        (value, i) => (squares += (value - predict([test.columns[0]![i]!, test.columns[1]![i]!])) ** 2),
      )
      expect(Math.sqrt(squares / test.rows)).toBeCloseTo(model.rmseTest!, 12)
    }),
  )

  it.effect("are undefined for a tree that leaves the domain of an operator on a training row", () =>
    Effect.gen(function* () {
      const operators = [Operator.div, Operator.log, Operator.sqrt]
      const whole = Grammar.make({ features: ["a", "b"], operators })
      const [a, b] = [Tree.leaf(0), Tree.leaf(1)]
      const tree = Tree.branch(0, [Tree.branch(1, [a]), Tree.branch(2, [b])])
      const ensemble = Ensemble.make(whole, [tree])
      const target = problem(whole, { depth: 2, trees: 1 })
      const modelOf = (a: ReadonlyArray<number>, test?: Dataset) =>
        Effect.map(
          Scorer.make(target, { train: dataset({ a, b: [0.01, 4, 9, 16] }, [1, 2, 3, 5]), test }),
          (scorer) => scorer.model({ ensemble, draws: 1 }),
        )
      const model = yield* modelOf([0.01, 1, 2, 3])
      expect(infix(model!.terms[0]!)).toBe("log(a)/sqrt(b)")
      expect(yield* modelOf([-1, 1, 2, 3])).toBeUndefined()
      expect(yield* modelOf([0, 1, 2, 3])).toBeUndefined()
      const outside = yield* modelOf([0.01, 1, 2, 3], dataset({ a: [-1], b: [4] }, [1]))
      expect(outside!.rmseTest).toBeNaN()
    }),
  )
})

describe("Rank", () => {
  const target = problem(grammar, { depth: 2, trees: 2 })
  const truth = mul(sin(x0), cos(x1))
  const found = (noise: number) =>
    Effect.gen(function* () {
      const data = sim2(200, noise, 7)
      const scorer = yield* Scorer.make(target, { train: data, test: sim2(50, noise, 8) })
      const ensembles = drawn(
        grammar,
        [x0, x1],
        [sin(x0), cos(x1)],
        [truth, x0],
        [truth, truth],
        [truth, sin(x1)],
      )
      return yield* Rank.fromEnsembles(scorer, ensembles)
    })

  it.effect("finds the truth of the second simulation among random draws", () =>
    Effect.gen(function* () {
      const data = sim2(300, 0.1, 9)
      const scorer = yield* Scorer.make(target, { train: data })
      const random = Ensemble.fromDraws(target.likelihood.forest, uniform(target.likelihood.forest, 1500, 10))
      const ranking = yield* Rank.fromEnsembles(scorer, [...random, ...drawn(grammar, [truth, x0])])
      const best = ranking.pipe(Rank.by(Rank.lmpse), Rank.occamWindow(10), Rank.groupEquivalent, Rank.top(1))
        .models[0]!
      expect(best.ensemble.trees.map(Tree.key)).toContain(Tree.key(Tree.canonical(grammar, truth)))
      expect(best.rmseTrain).toBeLessThan(0.12)
      expect(ranking.models.reduce((sum, { posterior }) => sum + posterior, 0)).toBeCloseTo(1, 12)
    }),
  )

  it.effect("sorts by any score, the better first", () =>
    Effect.gen(function* () {
      const ranking = yield* found(0.3)
      const values = (score: Rank.Score) => ranking.pipe(Rank.by(score)).models.map(score.of)
      for (const score of [Rank.lmpse, Rank.evidence, Rank.posterior])
        expect(values(score)).toEqual(values(score).toSorted((a, b) => b - a))
      for (const score of [Rank.bic, Rank.complexity, Rank.rmseTrain, Rank.rmseTest])
        expect(values(score)).toEqual(values(score).toSorted((a, b) => a - b))
      expect(ranking.pipe(Rank.by(Rank.bic), Rank.top(2)).models).toHaveLength(2)
    }),
  )

  it.effect("keeps Occam's window", () =>
    Effect.gen(function* () {
      const ranking = yield* found(0.3)
      const best = ranking.models[0]!.posterior
      for (const ratio of [1.5, 20, 1e6, 1e300]) {
        const kept = ranking.pipe(Rank.occamWindow(ratio)).models
        expect(kept).toEqual(ranking.models.filter(({ posterior }) => posterior >= best / ratio))
      }
    }),
  )

  it.effect("groups models with one fit under the simplest, their posteriors summed", () =>
    Effect.gen(function* () {
      // Without noise every model with the truth in its span fits exactly.
      const ranking = yield* found(0)
      const groups = ranking.pipe(Rank.groupEquivalent).models
      expect(groups).toHaveLength(3)
      const [best] = groups
      expect(best!.ensemble.key).toBe(Ensemble.make(grammar, [truth, truth]).key)
      expect(best!.ensembles).toBe(3)
      expect(best!.draws).toBe(3)
      expect(groups.reduce((sum, { posterior }) => sum + posterior, 0)).toBeCloseTo(1, 12)
      // With noise, different spans fit differently; columns in other words do not.
      const noisy = yield* found(0.3)
      expect(noisy.pipe(Rank.groupEquivalent).models).toHaveLength(5)
    }),
  )

  it.effect("groups the same span in other words", () =>
    Effect.gen(function* () {
      const words = Grammar.make({
        features: ["a", "b"],
        operators: [Operator.add, Operator.mul, Operator.square],
      })
      const [a, b] = [Tree.leaf(0), Tree.leaf(1)]
      const scorer = yield* Scorer.make(problem(words, { depth: 2, trees: 2 }), {
        train: dataset({ a: [1, 2, 3, 4, 5], b: [2, 7, 1, 8, 2] }, [3, 1, 4, 1, 5]),
      })
      const ranking = yield* Rank.fromEnsembles(
        scorer,
        drawn(
          words,
          [a, b],
          [Tree.branch(0, [a, b]), a],
          [Tree.branch(2, [a]), b],
          [Tree.branch(1, [a, a]), b],
          [a, a],
        ),
      )
      const groups = ranking.pipe(Rank.groupEquivalent).models
      expect(groups.map(({ ensembles }) => ensembles).toSorted((a, b) => a - b)).toEqual([1, 2, 2])
      expect(groups.map(({ ensemble }) => ensemble.key)).toContain(Ensemble.make(words, [a, b]).key)
    }),
  )

  it.effect("drops ensembles with inadmissible columns, counts them, and fails when none is left", () =>
    Effect.gen(function* () {
      const power = Operator.unary("power", (x) => Term.exp(Term.exp(x)))
      const wild = Grammar.make({ features: ["x0"], operators: [power] })
      const scorer = yield* Scorer.make(problem(wild, { depth: 1, trees: 1 }), {
        train: dataset({ x0: [1, 2, 9] }, [1, 2, 3]),
      })
      const [good] = drawn(wild, [Tree.leaf(0)])
      const bad = { ensemble: Ensemble.make(wild, [Tree.branch(0, [Tree.leaf(0)])]), draws: 4 }
      const ranking = yield* Rank.fromEnsembles(scorer, [good!, bad])
      expect(ranking).toMatchObject({ draws: 5, inadmissible: 4, distinct: 1 })
      expect(ranking.models[0]!.posterior).toBe(1)
      const error = yield* Effect.flip(Rank.fromEnsembles(scorer, [bad]))
      expect(error).toBeInstanceOf(FitError)
      expect(error.message).toContain("none of the ensembles that were found is a model (4 in all)")
      expect((yield* Effect.flip(Rank.fromEnsembles(scorer, []))).message).toContain("no draws")
    }),
  )

  it.effect("leaves what is not read unevaluated when a model is copied", () =>
    Effect.gen(function* () {
      const ranking = yield* found(0.3)
      const [model] = ranking.models
      const copy = update(model!, { posterior: 0.5 })
      expect(Object.getOwnPropertyDescriptor(copy, "expression")).not.toHaveProperty("value")
      expect({ ...copy }).toMatchObject({
        posterior: 0.5,
        lmpse: model!.lmpse,
        expression: model!.expression,
      })
    }),
  )
})
