import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Noise from "../../../src/evidence/Noise.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Ensemble from "../../../src/rank/Ensemble.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { dataset, problem } from "../../support/selected.ts"

const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.mul, Operator.square, Operator.sin, Operator.add],
})
const [a, b] = [Tree.leaf(0), Tree.leaf(1)]
const mul = (x: Tree.Tree, y: Tree.Tree) => Tree.branch(0, [x, y])
const square = (x: Tree.Tree) => Tree.branch(1, [x])

const links = [Link.identity, Link.square, Link.log, Link.sin]
const target = problem(grammar, { trees: 3, depth: 2, links })

const data = (law: (a: number, b: number) => number, noise: number, rows = 150) => {
  const random = Rng.generator(Rng.key(21))
  const [x0, x1] = [0, 1].map(() => Array.from({ length: rows }, () => 1 + 4 * random.next()))
  return dataset(
    { a: x0!, b: x1! },
    x0!.map((value, i) => law(value, x1![i]!) + noise * random.normal()),
  )
}
const hypotenuse = (noise: number, rows?: number) => data((p, q) => Math.sqrt(p * p + q * q), noise, rows)

/** Every set of up to three of a few trees under every link. */
const archive = (): ReadonlyArray<Ensemble.Archived> => {
  const trees = [a, b, square(a), square(b), mul(a, b), Tree.branch(2, [a])]
  const sets = Array.from({ length: 2 ** trees.length }, (_, mask) =>
    trees.filter((__, k) => (mask & (1 << k)) !== 0),
  )
  return links.flatMap((_, link) =>
    sets.flatMap((set) => (set.length > 3 ? [] : [{ link, trees: set, count: 2 }])),
  )
}

describe("ranking under links", () => {
  it.effect.each([0, 0.05, 0.3])("finds the root of a sum and solves for y, noise %d", (noise) =>
    Effect.gen(function* () {
      const train = hypotenuse(noise)
      const test = hypotenuse(noise, 40)
      const scorer = yield* Scorer.make(target, { train, test })
      expect(scorer.dropped).toHaveLength(1)
      expect(scorer.dropped[0]).toContain('the link "sin"')
      const ranking = yield* Rank.fromArchive(scorer, target.likelihood, archive())
      const [best] = ranking.models
      expect(best!.link.name).toBe("square")
      expect(best!.ensemble.trees).toEqual([square(a), square(b)])
      expect(best!.draws).toBe(2)
      expect(ranking.draws).toBe(2 * archive().length)
      expect(ranking.inadmissible).toBe(2 * 42)
      expect(best!.posterior).toBeGreaterThan(0.5)
      expect(best!.lmpse).toBe(best!.logEvidence + best!.logPrior)
      if (noise === 0) expect(infix(best!.expression)).toBe("sqrt(a^2 + b^2)")
      // The expression is the law whose errors are reported.
      const law = scalarFunction(best!.expression, ["a", "b"])
      for (const [rows, reported] of [
        [train, best!.rmseTrain],
        [test, best!.rmseTest],
      ] as const) {
        const squares = rows.y.map((y, i) => (y - law([rows.columns[0]![i]!, rows.columns[1]![i]!])) ** 2)
        const error = Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / rows.rows)
        expect(Math.abs(error - reported!)).toBeLessThan(1e-9)
      }
      if (noise > 0) {
        expect(best!.rmseTrain / noise).toBeGreaterThan(0.8)
        expect(best!.rmseTrain / noise).toBeLessThan(1.2)
        expect(Math.sqrt(best!.sigma2) / noise).toBeCloseTo(1, 0)
      }
    }),
  )

  it.effect("every score orders all links", () =>
    Effect.gen(function* () {
      const scorer = yield* Scorer.make(target, { train: hypotenuse(0.05) })
      const ranking = yield* Rank.fromArchive(scorer, target.likelihood, archive())
      for (const score of [Rank.evidence, Rank.bic, Rank.rmseTrain, Rank.linkEvidence]) {
        const values = ranking.pipe(Rank.by(score)).models.map(score.of)
        expect(values.every(Number.isFinite)).toBe(true)
        const sorted = values.toSorted((p, q) => (score.better === "larger" ? q - p : p - q))
        expect(values).toEqual(sorted)
      }
      const [best] = ranking.pipe(Rank.by(Rank.bic)).models
      expect(best!.ensemble.trees).toEqual([square(a), square(b)])
    }),
  )

  it.effect("a law is defined on every row, without a guard, or it is no model", () =>
    Effect.gen(function* () {
      const train = data((p, q) => Math.sqrt(Math.max(p - q, 0)) + 0.001, 0)
      const scorer = yield* Scorer.make(target, { train })
      const found = scorer.model({ ensemble: Ensemble.make(grammar, [a, b], 1), draws: 1 })!
      expect(infix(found.expression)).not.toMatch(/max|min|abs/)
      const law = scalarFunction(found.expression, ["a", "b"])
      const squares = train.y.map((y, i) => (y - law([train.columns[0]![i]!, train.columns[1]![i]!])) ** 2)
      const error = Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / train.rows)
      expect(error).toBeCloseTo(found.rmseTrain, 9)
      // On the scale of the square, least squares has negative values on some rows: they have no root.
      const onLink = problem(grammar, { trees: 3, depth: 2, links, noise: "link" })
      const strict = yield* Scorer.make(onLink, { train })
      expect(strict.model({ ensemble: Ensemble.make(grammar, [a, b], 1), draws: 1 })).toBeUndefined()
    }),
  )

  it.effect("the root of a sum that is 0 on a row is a law, and is written as one", () =>
    Effect.gen(function* () {
      const x = Float64Array.from({ length: 40 }, (_, i) => i / 10)
      const train = dataset({ a: x, b: x.map(Math.cos) }, x.map(Math.sqrt))
      const scorer = yield* Scorer.make(target, { train })
      const ranking = yield* Rank.fromArchive(scorer, target.likelihood, [
        { link: 1, trees: [a] },
        { link: 1, trees: [b, square(a)] },
      ])
      const [best] = ranking.pipe(Rank.exactConstants()).models
      expect(infix(best!.expression)).toBe("sqrt(a)")
      expect(best!.rmseTrain).toBeLessThan(1e-8)
    }),
  )

  it.effect("a law may have no value on a wrong row", () =>
    Effect.gen(function* () {
      const random = Rng.generator(Rng.key(5))
      const x = Float64Array.from({ length: 60 }, () => 2 + 3 * random.next())
      x[7] = 0.2
      const y = x.map((value, i) => (i === 7 ? 9 : Math.sqrt(2 * value - 1) + 0.01 * random.normal()))
      const { likelihood, sites } = problem(grammar, { trees: 3, depth: 2, links, kinds: Noise.latent() })
      const scorer = yield* Scorer.make({ likelihood, sites }, { train: dataset({ a: x, b: x }, y) })
      const found = scorer.model({ ensemble: Ensemble.make(grammar, [a], 1), draws: 1 })!
      expect(found.noise!.wrongRows.map(({ row, law }) => [row, law])).toEqual([[8, Number.NaN]])
      expect(found.rmseTrain).toBeLessThan(0.02)
      expect(found.rmseLoo).toBeLessThan(0.02)
      expect(found.rmseLoo).toBeGreaterThan(found.rmseTrain)
    }),
  )

  it.effect("groups laws that fit alike, whatever their links", () =>
    Effect.gen(function* () {
      const scorer = yield* Scorer.make(target, { train: data((p, q) => p * q, 0) })
      const ranking = yield* Rank.fromArchive(scorer, target.likelihood, [
        { link: 1, trees: [square(mul(a, b))] },
        { link: 1, trees: [square(mul(b, a))] },
        { link: 0, trees: [mul(a, b)] },
        { link: 0, trees: [a, b] },
      ])
      expect(ranking.models.map(({ link, draws }) => [link.name, draws])).toEqual([
        ["identity", 1],
        ["square", 2],
        ["identity", 1],
      ])
      const { models } = ranking.pipe(Rank.groupEquivalent)
      expect(models.map(({ ensembles, draws }) => [ensembles, draws])).toEqual([
        [2, 3],
        [1, 1],
      ])
      expect(infix(models[0]!.expression)).toBe("a*b")
    }),
  )
})

describe("laws of equal spans", () => {
  it.effect.each([0.01, 0.3])("are one group under a link as well, noise %d", (noise) =>
    Effect.gen(function* () {
      const scorer = yield* Scorer.make(target, { train: hypotenuse(noise) })
      const sum = Tree.branch(3, [square(a), square(b)])
      const ranking = yield* Rank.fromArchive(scorer, target.likelihood, [
        { link: 1, trees: [square(a), square(b)] },
        { link: 1, trees: [sum, square(b)] },
        { link: 1, trees: [sum] },
        { link: 2, trees: [square(a), square(b)] },
      ])
      const { models } = ranking.pipe(Rank.groupEquivalent)
      expect(models.map(({ ensembles }) => ensembles).toSorted((p, q) => p - q)).toEqual([1, 1, 2])
    }),
  )
})

describe("sets", () => {
  it("count equal trees once, and tell links apart", () => {
    const set = Ensemble.ofSet(grammar, [mul(a, b), a, mul(b, a)], 2)
    expect(set.trees).toEqual([mul(a, b), a])
    expect(set.key).toBe("g2 o0(t0,t1) t0")
    expect(Ensemble.Eq.equals(set, Ensemble.make(grammar, [a, mul(b, a)], 2))).toBe(true)
    expect(Ensemble.Eq.equals(set, Ensemble.make(grammar, [a, mul(b, a)], 1))).toBe(false)
  })

  it("are drawn with indicators and links", () => {
    // Three draws of two trees of depth 0: nodes are single leaves.
    const draws = {
      split: [0, 0, 0, 0, 0, 0],
      operator: [0, 0, 0, 0, 0, 0],
      terminal: [0, 1, 0, 0, 1, 0],
      included: [1, 0, 1, 1, 1, 1],
      link: [1, 0, 0],
    }
    expect(Ensemble.fromDraws({ grammar, depth: 0, trees: 2 }, draws, { sets: true })).toEqual([
      { ensemble: Ensemble.make(grammar, [a], 1), draws: 1 },
      { ensemble: Ensemble.make(grammar, [a], 0), draws: 1 },
      { ensemble: Ensemble.make(grammar, [a, b], 0), draws: 1 },
    ])
  })
})
