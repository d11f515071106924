import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Columns from "../../../src/evidence/columns.ts"
import * as GPrior from "../../../src/evidence/gPrior.ts"
import { leastSquares } from "../../../src/numeric/leastSquares.ts"
import * as Responses from "../../../src/evidence/response.ts"
import * as ResponseFit from "../../../src/evidence/responseFit.ts"
import * as Selected from "../../../src/evidence/selected.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { dataset, problem } from "../../support/selected.ts"

const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.square, Operator.add, Operator.mul, Operator.exp],
})
const [a, b] = [Tree.leaf(0), Tree.leaf(1)]
const square = (x: Tree.Tree) => Tree.branch(0, [x])
const exp = (x: Tree.Tree) => Tree.branch(3, [x])

const n = 120
const random = Rng.generator(Rng.key(11))
const [x0, x1] = [0, 1].map(() => Float64Array.from({ length: n }, () => 0.2 + 2 * random.next()))
const errors = Float64Array.from({ length: n }, () => random.normal())

/** y = law(a, b) + noise. */
const response = (law: (a: number, b: number) => number, noise: number) =>
  Float64Array.from({ length: n }, (_, i) => law(x0![i]!, x1![i]!) + noise * errors[i]!)

const selected = (y: Float64Array, settings: Partial<Parameters<typeof problem>[1]> = {}) => {
  const { likelihood } = problem(grammar, { trees: 3, depth: 2, ...settings })
  const columns = Effect.runSync(Columns.make(grammar, dataset({ a: x0!, b: x1! }, y)))
  return Selected.make(likelihood, columns, y)
}

const ones = new Float64Array(n).fill(1)
const prior = { a: 3, resolution: 1e-7 }

describe("with the identity", () => {
  const y = response((a, b) => 2 * a - b, 0.3)

  it("the evidence is that of least squares", () => {
    const { rss } = leastSquares([ones, x0!, x1!], y)
    const found = selected(y).assess(0, [a, b])!
    expect(found.logEvidence).toBeCloseTo(GPrior.logEvidence({ ...GPrior.target(y, prior), rank: 2, rss }), 8)
    expect(found.linkEvidence()).toBe(found.logEvidence)
    expect(found.deviance).toBeCloseTo(n * Math.log(rss / n), 8)
  })

  it("columns that add nothing to the span earn and cost nothing", () => {
    const { assess } = selected(y)
    const two = assess(0, [a, b])!
    const more = assess(0, [a, b, Tree.branch(1, [a, b])])!
    expect(more.rank).toBe(2)
    expect(more.logEvidence).toBeCloseTo(two.logEvidence, 8)
    expect(assess(0, [a, a])!.logEvidence).toBeCloseTo(assess(0, [a])!.logEvidence, 8)
  })

  it("coefficients are least squares, shrunk towards the mean alone", () => {
    const found = selected(y).assess(0, [a, b])!
    const { leftover } = found.posterior
    expect(leftover).toBeGreaterThan(1e-6)
    const mean = y.reduce((sum, value) => sum + value, 0) / n
    const [full, shrunk] = [found.leastSquares(), found.coefficients()].map((c) =>
      ResponseFit.combine([ones, x0!, x1!], c),
    )
    shrunk!.forEach((value, i) => expect(value).toBeCloseTo(mean + (1 - leftover) * (full![i]! - mean), 9))
  })

  it("no tree is the mean alone", () => {
    expect(selected(y).assess(0, [])!.logEvidence).toBeCloseTo(GPrior.logNull(GPrior.target(y, prior)), 9)
  })
})

describe("with a link", () => {
  // A line is the identity in other units: the same law, written otherwise.
  const line = Link.make("line", {
    forward: (y) => Term.sub(Term.mul(3, y), 2),
    inverse: (z) => Term.div(Term.add(z, 2), 3),
  })

  it.each(["response", "link"] as const)(
    "lines have the evidence of the identity, noise on the %s",
    (noise) => {
      const y = response((a, b) => 2 * a - b, 0.3)
      const { assess } = selected(y, { links: [Link.identity, line], noise, resolution: 0 })
      for (const trees of [[], [a], [a, b], [a, b, square(a)]]) {
        const [plain, other] = [assess(0, trees)!, assess(1, trees)!]
        expect(other.rank).toBe(plain.rank)
        expect(Math.abs(other.logEvidence - plain.logEvidence)).toBeLessThan(1e-7)
        expect(Math.abs(other.linkEvidence() - plain.logEvidence)).toBeLessThan(1e-7)
        expect(other.deviance).toBeCloseTo(plain.deviance, 6)
      }
    },
  )

  it.each(["response", "link"] as const)(
    "evidences are densities in the units of y, noise on the %s",
    (noise) => {
      const links = [Link.identity, Link.square, Link.sqrt, Link.inverse, Link.inverseSquare, Link.log]
      const y = response((a, b) => 1 + a + b * b, 0.1)
      const [one, other] = [y, y.map((value) => 1000 * value)].map((units) =>
        selected(units, { links, noise }),
      )
      const possible = links.filter((_, link) => {
        const [small, large] = [one!, other!].map(({ assess }) => assess(link, [a, square(b)]))
        // A law without a value on some row is none in any unit.
        if (small === undefined) return expect(large).toBeUndefined()
        expect(large!.logEvidence - small.logEvidence).toBeCloseTo(-n * Math.log(1000), 5)
        expect(large!.linkEvidence() - small.linkEvidence()).toBeCloseTo(-n * Math.log(1000), 5)
        expect(large!.deviance - small.deviance).toBeCloseTo(2 * n * Math.log(1000), 5)
        return true
      })
      expect(possible.length).toBeGreaterThan(4)
    },
  )

  it("the deviance of data in large units is that of small ones, noise on the scale of a logarithm", () => {
    const y = response((a, b) => 2 * a - b, 0.001).map(Math.exp)
    const [small, large] = [1, 1e12].map((unit) =>
      selected(
        y.map((value) => unit * value),
        { links: [Link.log], noise: "link" },
      ).assess(0, [a, b])!,
    )
    expect(large!.deviance - small!.deviance).toBeCloseTo(2 * n * Math.log(1e12), 4)
  })

  it("noise on its scale gives the evidence of g(y), times the Jacobian", () => {
    const y = response((a, b) => 2 * a - b, 0.3).map(Math.exp)
    const logs = y.map(Math.log)
    const found = selected(y, { links: [Link.log], noise: "link", resolution: 0 }).assess(0, [a, b])!
    const { rss } = leastSquares([ones, x0!, x1!], logs)
    const target = GPrior.target(logs, { a: 3, resolution: 0 })
    const jacobian = -logs.reduce((sum, value) => sum + value, 0)
    expect(found.logEvidence).toBeCloseTo(GPrior.logEvidence({ ...target, rank: 2, rss }) + jacobian, 7)
  })

  it("a law and its expanded twin have comparable evidence under noise on y", () => {
    const links = [Link.identity, Link.sqrt, Link.log]
    for (const noise of [0.05, 0.3]) {
      // exp(0.5 + a) is e^0.5 exp(a): one coefficient each.
      const growth = selected(
        response((a) => Math.exp(0.5 + a), noise),
        { links },
      )
      const [twin, law] = [growth.assess(0, [exp(a)])!, growth.assess(2, [a])!]
      expect(Math.abs(law.logEvidence - twin.logEvidence)).toBeLessThan(2)
      // (1 + 2 a)^2 is 1 + 4 a + 4 a^2: the law saves a coefficient, worth some log sqrt(n).
      const parabola = selected(
        response((a) => (1 + 2 * a) ** 2, noise),
        { links },
      )
      const gain = parabola.assess(1, [a])!.logEvidence - parabola.assess(0, [a, square(a)])!.logEvidence
      expect(gain).toBeGreaterThan(0)
      expect(gain).toBeLessThan(8)
    }
  })

  it("noise on y is not mistaken for noise on its scale", () => {
    // 1 / y of values near 0 is mostly noise: on its own scale the law of a reciprocal looks bad, on y's good.
    const y = response((a, b) => 1 / (a + b * b), 0.05)
    const { assess } = selected(y, { links: [Link.identity, Link.inverse] })
    const found = assess(1, [a, square(b)])!
    expect(found.logEvidence).toBeGreaterThan(assess(0, [a, square(b)])!.logEvidence + 20)
    expect(found.logEvidence).toBeGreaterThan(found.linkEvidence() + 20)
  })

  it("rows on which it is not defined do not spoil the law", () => {
    const y = response((a, b) => Math.exp(2 * a - 2 * b), 0.05)
    expect(y.some((value) => value < 0)).toBe(true)
    const found = selected(y, { links: [Link.log] }).assess(0, [a, b])!
    const [, first, second] = found.leastSquares()
    expect(first).toBeCloseTo(2, 1)
    expect(second).toBeCloseTo(-2, 1)
    expect(found.linkEvidence()).toBe(-Infinity)
    const { dropped, assess } = selected(y, { links: [Link.log], noise: "link" })
    expect(dropped()).toHaveLength(1)
    expect(assess(0, [a])).toBeUndefined()
  })

  it("what has no value on some row is no model", () => {
    const { assess } = selected(
      response((a) => a, 0.1),
      { links: [Link.identity] },
    )
    expect(assess(0, [exp(square(square(square(square(a)))))])).toBeUndefined()
    expect(assess(1, [a])).toBeUndefined()
  })
})

describe("the fit on the scale of the response", () => {
  const fitted = (link: Link.Link, y: Float64Array) => {
    const found = Responses.apply(link, y, Responses.strayRows)
    if (found._tag === "Dropped") throw new Error(found.reason)
    const way = Responses.back(found)
    const loss = (coefficients: ArrayLike<number>): number => {
      const law = new Float64Array(n)
      way.run(ResponseFit.combine([ones, x0!, x1!], coefficients), law, new Float64Array(n))
      return law.reduce((sum, value, i) => sum + (y[i]! - value) ** 2, 0)
    }
    return { fit: ResponseFit.fitter(found, y)([x0!, x1!])!, loss }
  }
  const laws: ReadonlyArray<readonly [Link.Link, (z: number) => number]> = [
    [Link.square, Math.sqrt],
    [Link.sqrt, (z) => z * z],
    [Link.inverse, (z) => 1 / z],
    [Link.inverseSquare, (z) => 1 / Math.sqrt(z)],
    [Link.log, Math.exp],
    [Link.exp, Math.log],
    [Link.sin, (z) => Math.asin(z / 10)],
    [Link.arcsin, (z) => Math.sin(z / 10)],
  ]

  it.each(laws.map(([link, h]) => [link.name, link, h] as const))(
    "is exact without noise, and a minimum with it: %s",
    (_, link, h) => {
      const y = response((a, b) => h(1 + 2 * a + b), 0)
      const exact = fitted(link, y)
      expect(exact.fit.rss).toBeLessThan(1e-24 * y.reduce((sum, value) => sum + value * value, 0))
      expect(exact.fit.rank).toBe(2)
      const noisy = fitted(
        link,
        response((a, b) => h(1 + 2 * a + b), 0.05 * Math.abs(y[0]!)),
      )
      const { rss } = noisy.fit
      const coefficients = noisy.fit.coefficients()
      expect(Math.abs(rss / noisy.loss(coefficients) - 1)).toBeLessThan(1e-8)
      for (const k of [0, 1, 2])
        for (const change of [-1e-3, 1e-3])
          expect(
            noisy.loss(coefficients.map((c, j) => c + (j === k ? change * (1 + Math.abs(c)) : 0))),
          ).toBeGreaterThan(noisy.loss(coefficients))
    },
  )
})
