import { describe, expect, it } from "vitest"
import { scalarFunction } from "../../../../src/expr/evaluate.ts"
import { infix } from "../../../../src/expr/text/infix.ts"
import * as Constants from "../../../../src/evidence/exact/Constants.ts"
import type { Model } from "../../../../src/rank/Model.ts"
import { model, sample, scorer } from "../../../support/laws.ts"

type Law = (a: number, b: number, c: number, d: number) => number

/** A law, the link and terms under which it is linear, what its constants are, and how it is written. */
interface Planted {
  readonly name: string
  readonly law: Law
  readonly link: string
  readonly terms: ReadonlyArray<string>
  readonly constants: ReadonlyArray<string>
  readonly text: string
  /** noise at which data tell the constants from free ones, where that is less than 0.1: those of small prior mass */
  readonly within?: number
}

const planted: ReadonlyArray<Planted> = [
  {
    name: "a product",
    law: (a, b) => a * b,
    link: "identity",
    terms: ["a*b"],
    constants: ["0", "1"],
    text: "a*b",
  },
  {
    name: "a product and its constant elsewhere",
    law: (a, b) => a * b,
    link: "identity",
    terms: ["2*(a*b + 3)"],
    constants: ["0", "1"],
    text: "a*b",
  },
  {
    name: "a quotient by 4 pi",
    law: (a, b, c) => (a * b) / (4 * Math.PI * c ** 2),
    link: "inverse",
    terms: ["c^2/a/b"],
    constants: ["0", "4*pi"],
    text: "a*b/(4*pi*c^2)",
    within: 0.001,
  },
  {
    name: "a distance",
    law: (a, b, c, d) => Math.hypot(a - b, c - d),
    link: "square",
    terms: ["(a - b)^2", "(c - d)^2"],
    constants: ["0", "1", "1"],
    text: "sqrt((a - b)^2 + (c - d)^2)",
  },
  {
    name: "a Gaussian",
    law: (a, b) => Math.exp(-((a / b) ** 2) / 2) / b,
    link: "log",
    terms: ["(a/b)^2", "log(b)"],
    constants: ["1", "-1/2", "-1"],
    text: "exp(-a^2/(2*b^2))/b",
    within: 0.01,
  },
  {
    name: "powers",
    law: (a, b, c) => (2 * a ** 2 * Math.sqrt(b)) / c,
    link: "log",
    terms: ["log(a)", "log(b)", "log(c)"],
    constants: ["2", "2", "1/2", "-1"],
    text: "2*a^2*sqrt(b)/c",
    within: 0.001,
  },
  {
    name: "halves",
    law: (a, b, c) => (a * (b * b + c * c)) / 2,
    link: "identity",
    terms: ["a*b^2", "a*c^2"],
    constants: ["0", "1/2", "1/2"],
    text: "a*(b^2 + c^2)/2",
    within: 0.01,
  },
  {
    name: "three terms",
    law: (a, b, c) => a * b + b * c - (2 * c) / a,
    link: "identity",
    terms: ["a*b", "b*c", "c/a"],
    constants: ["0", "1", "1", "-2"],
    text: "a*b + b*c - 2*c/a",
    within: 0.01,
  },
]

const ofCurve = Constants.ofLaw(Constants.defaults, 1, false)
const ofTwo = Constants.ofLaw(Constants.defaults, 2, false)
const rounded = (of: Model, prior: Constants.Constants = Constants.defaults): Model => {
  const found = of.exact?.(prior)
  if (found === undefined) throw new Error("not rounded")
  return found
}

describe.each([{ noise: 0 }, { noise: 0.1 }])(
  "at noise $noise the law is recovered exactly:",
  ({ noise }) => {
    it.each(planted)("$name", ({ law, link, terms, constants, text, within = 0.1 }) => {
      const train = sample(law, { noise: Math.min(noise, within) })
      const free = model(scorer(train), link, ...terms)
      const exact = rounded(free)
      expect(exact.constants).toEqual(constants)
      expect(infix(exact.expression)).toBe(text)
      expect(exact.lmpse).toBeGreaterThan(free.lmpse)
      expect(exact.lmpse).toBe(exact.logEvidence + exact.logPrior)
      // The coefficients of the trees are those of the expression, on the training data and elsewhere.
      const value = scalarFunction(exact.expression, train.features)
      const misses = train.y.map((observed, i) => observed - value(train.columns.map((column) => column[i]!)))
      const rmse = Math.sqrt(misses.reduce((sum, miss) => sum + miss * miss, 0) / train.rows)
      expect(Math.abs(exact.rmseTrain - rmse)).toBeLessThan(
        1e-9 * train.y.reduce((most, v) => Math.max(most, v), 0),
      )
      expect(exact.rmseTrain).toBeLessThan(free.rmseTrain * 1.01 + 1e-9)
    })
  },
)

describe("what is not exact", () => {
  it("is left free: 1.37 with a standard error of 0.003", () => {
    const train = sample((a, b) => 1.37 * a * b, { noise: 0.1 })
    const found = rounded(model(scorer(train), "identity", "a*b"))
    expect(found.constants).toEqual(["0", "free"])
    // Without intercept the standard error is sigma over the length of the column.
    const [a, b] = train.columns
    const length = Math.sqrt(a!.reduce((sum, value, i) => sum + (value * b![i]!) ** 2, 0))
    const error = Math.sqrt(found.sigma2) / length
    expect(error).toBeGreaterThan(0.002)
    expect(error).toBeLessThan(0.004)
    expect(Math.abs(found.coefficients[1]! - 1.37)).toBeLessThan(3 * error)
  })

  it("is left free without noise as well, and written as it is", () => {
    const train = sample((a, b) => 1.37 * a * b + 0.713, { noise: 0 })
    const found = rounded(model(scorer(train), "identity", "a*b"))
    expect(found.constants).toEqual(["free", "free"])
    expect(infix(found.expression)).toBe("1.37*a*b + 0.713")
  })

  it("may stand in an exact ratio to something", () => {
    const train = sample((a, b, c) => 1.2345 * (a * b + 2 * c), { noise: 0.001 })
    const found = rounded(model(scorer(train), "identity", "a*b", "c"))
    expect(found.constants).toEqual(["0", "1 s", "2 s"])
    expect(infix(found.expression, { precision: 3 })).toBe("1.23*(a*b + 2*c)")
    const intercept = sample((a) => 2.3457 * (1 - Math.cos(a)), { noise: 0.001 })
    const other = rounded(model(scorer(intercept), "identity", "cos(a)"))
    expect(other.constants).toEqual(["-1 s", "1 s"])
    expect(infix(other.expression, { precision: 4 })).toBe("2.346*(1 - cos(a))")
    // One that is tied is a form of laws: it needs no odds, and has its own mass.
    const noisy = sample((a) => 2.3457 * (1 - Math.cos(a)), { noise: 0.5 })
    const tied = model(scorer(noisy), "identity", "cos(a)")
    expect(rounded(tied).constants).toEqual(["-1 s", "1 s"])
    expect(rounded(tied).logPrior - tied.logPrior).toBeCloseTo(
      Math.log((1 - ofCurve.zero) * 0.24 * (1 - ofCurve.exact)),
      9,
    )
    expect(rounded(tied, Constants.make({ tied: 0.01 })).constants).not.toEqual(["-1 s", "1 s"])
    const root = sample((a, b) => Math.sqrt(1.7123 * (a ** 2 + b)), { noise: 0.001 })
    const third = rounded(model(scorer(root), "square", "a^2", "b"))
    expect(third.constants).toEqual(["0", "1 s", "1 s"])
  })
})

describe("a rounded model", () => {
  const law: Law = (a, b) => a * b
  const train = sample(law, { noise: 0.1 })

  it("has the evidence of the free model and its prior mass where all stays free", () => {
    const other = sample((a, b) => 1.3717 * a * b + 0.7131, { noise: 0.001 })
    for (const noise of ["response", "link"] as const)
      for (const link of ["identity", "inverse"]) {
        const free = model(scorer(other, { noise }), link, "a*b", "b")
        const found = rounded(free, Constants.make({ exact: 1e-12, zero: 0.6 }))
        expect(found.constants).toEqual(["free", "free", "free"])
        expect(found.logEvidence).toBeCloseTo(free.logEvidence, 5)
        expect(found.logPrior - free.logPrior).toBeCloseTo(
          Math.log(0.4 * (link === "identity" ? 0.76 : 1)) + 3 * Math.log1p(-1e-12),
          12,
        )
        found.coefficients.forEach((value, k) => expect(value).toBeCloseTo(free.coefficients[k]!, 6))
        expect(found.sigma2 / free.sigma2).toBeCloseTo(1, 6)
        expect(found.bic).toBeCloseTo(free.bic, 5)
      }
  })

  it("rounds with noise on the scale of the link, too", () => {
    const random = sample(law, { noise: 0 })
    const jitter = sample(() => 1, { noise: 0.05, seed: 3 })
    const data = { ...random, y: random.y.map((value, i) => value * jitter.y[i]!) }
    const found = rounded(model(scorer(data, { noise: "link" }), "log", "log(a)", "log(b)"))
    expect(found.constants).toEqual(["1", "1", "1"])
    expect(infix(found.expression)).toBe("a*b")
  })

  it("has errors on test data", () => {
    const test = sample(law, { noise: 0, rows: 50, seed: 2 })
    const found = rounded(model(scorer(train, { test }), "identity", "a*b"))
    expect(found.rmseTest).toBeLessThan(1e-12)
  })

  it("has no coefficient for terms in the span of others", () => {
    const found = rounded(model(scorer(train), "identity", "a*b", "2*(a*b)", "3"))
    expect(found.constants).toEqual(["0", "1"])
    expect(infix(found.expression)).toBe("a*b")
    const identities = sample((a, b) => (a + b) ** 2, { noise: 0 })
    const four = rounded(model(scorer(identities), "identity", "(a + b)^2", "(a - b)^2", "a*b"))
    expect(four.rmseTrain).toBeLessThan(1e-9)
  })

  it("without terms is a constant", () => {
    const one = model(scorer(sample(() => 3, { noise: 0.01 })), "identity")
    const sure = rounded(one)
    expect(sure.constants).toEqual(["3"])
    expect(infix(sure.expression)).toBe("3")
  })

  it("takes it for no coincidence that coefficients cancel: their ratio is -1 to eight digits whatever the law is", () => {
    const data = sample((a) => 2 * Math.exp(-0.7 / a), { noise: 0.05 })
    const plain = model(scorer(data), "log", "1/a")
    const cancelling = model(scorer(data), "log", "log((((3^2)^2)^2)^2*a - 3)", "log(a)")
    const [first, second] = cancelling.coefficients.subarray(1)
    expect(first! / second!).toBeCloseTo(-1, 6)
    expect(cancelling.rmseTrain).toBeCloseTo(plain.rmseTrain, 3)
    expect(rounded(cancelling).logEvidence).toBeLessThan(rounded(plain).logEvidence + 4)
  })

  it("has the residuals of least squares under what is said, in which the same law under two links agrees", () => {
    const data = sample((a) => 13.717 / a, { noise: 0.01 })
    const [plain, logarithm] = [
      rounded(model(scorer(data), "identity", "1/a")),
      rounded(model(scorer(data), "log", "log(a)")),
    ]
    expect([plain.constants, logarithm.constants]).toEqual([
      ["0", "free"],
      ["free", "-1"],
    ])
    const apart = plain.residuals().map((value, i) => value - logarithm.residuals()[i]!)
    expect(Math.max(...apart.map(Math.abs))).toBeLessThan(1e-9)
    // Posterior means shrink each parametrisation differently.
    expect(Math.abs(plain.rmseTrain - logarithm.rmseTrain)).toBeGreaterThan(1e-12)
  })

  it("adds what the evidence and the masses say: a zero intercept by hand", () => {
    // One slope far from any exact number: the ways to say that the intercept is 0 are an absolute one and a ratio.
    const data = sample((a, b) => 1.3717 * a * b, { noise: 0.1 })
    const found = rounded(model(scorer(data), "identity", "a*b"))
    const free = model(scorer(data), "identity", "a*b")
    expect(found.constants).toEqual(["0", "free"])
    // P(0) = zero, slope free: (1 - exact), under either reading.
    expect(found.logPrior - free.logPrior).toBeCloseTo(Math.log(ofTwo.zero * (1 - ofTwo.exact)), 10)
  })
})
