import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Bernoulli from "../../../src/prob/dist/Bernoulli.ts"
import * as Beta from "../../../src/prob/dist/Beta.ts"
import * as Categorical from "../../../src/prob/dist/Categorical.ts"
import * as Dirichlet from "../../../src/prob/dist/Dirichlet.ts"
import * as NormalInverseGamma from "../../../src/prob/dist/NormalInverseGamma.ts"
import * as Nd from "../../../src/numeric/Nd.ts"
import * as Rng from "../../../src/random/Rng.ts"

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 200 })

const A = Nd.algebra

const real = fc.double({ min: -20, max: 20, noNaN: true })
const positive = fc.double({ min: -3, max: 3, noNaN: true }).map((e) => 10 ** e)
const unit = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true })
const logits = (m: number) => fc.array(real, { minLength: m, maxLength: m })
const softmax = (values: ReadonlyArray<number>): ReadonlyArray<number> => [
  ...A.softmaxLast(Nd.vector(values)).data,
]
const size = fc.integer({ min: 1, max: 6 })

/** A symmetric positive definite d x d matrix: B B' + I. */
const covariance = (d: number) =>
  fc
    .array(fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: d, maxLength: d }), {
      minLength: d,
      maxLength: d,
    })
    .map((rows) =>
      rows.map((a, i) => rows.map((b, j) => a.reduce((sum, v, k) => sum + v * b[k]!, i === j ? 1 : 0))),
    )

/** Pairs of distributions of one family and dimension. */
const pair = <D extends Dist.Dist>(one: fc.Arbitrary<D>) => fc.tuple(one, one)

const families = {
  Bernoulli: pair(unit.map((p) => Dist.bernoulli(p))),
  Categorical: size.chain((m) => pair(logits(m).map((l) => Dist.categorical(softmax(l))))),
  Dirichlet: size.chain((m) =>
    pair(fc.array(positive, { minLength: m, maxLength: m }).map((a) => Dist.dirichlet(a))),
  ),
  Normal: pair(fc.tuple(real, positive).map(([m, s]) => Dist.normal(m, s))),
  LogNormal: pair(fc.tuple(real, positive).map(([m, s]) => Dist.logNormal(m, s))),
  Gamma: pair(fc.tuple(positive, positive).map(([a, b]) => Dist.gamma(a, b))),
  InverseGamma: pair(fc.tuple(positive, positive).map(([a, b]) => Dist.inverseGamma(a, b))),
  Laplace: pair(fc.tuple(real, positive).map(([m, s]) => Dist.laplace(m, s))),
  HalfNormal: pair(positive.map((s) => Dist.halfNormal(s))),
  Beta: pair(fc.tuple(positive, positive).map(([a, b]) => Dist.beta(a, b))),
  NormalInverseGamma: fc
    .integer({ min: 1, max: 3 })
    .chain((d) =>
      pair(
        fc
          .tuple(logits(d), covariance(d), positive, positive)
          .map(([m, c, a, b]) => Dist.normalInverseGamma(m, c, a, b)),
      ),
    ),
} satisfies Record<string, fc.Arbitrary<readonly [Dist.Dist, Dist.Dist]>>

/** Closed forms subtract terms much larger than their result: rounding is relative to those. */
const slack = (...terms: ReadonlyArray<number>): number =>
  1e-14 * terms.reduce((sum, term) => sum + Math.abs(term), 1)

/** The size of the terms that cancel in a divergence: a parameter times a logarithm, which here is below 20. */
const magnitude = (dist: Dist.Dist): number =>
  (JSON.stringify(dist).match(/-?\d[\d.e+-]*/g) ?? []).reduce(
    (sum, v) => sum + 20 * (1 + Math.abs(Number(v))),
    0,
  )

describe.each(Object.keys(families) as ReadonlyArray<keyof typeof families>)(
  // Object.keys forgets that the keys are those of the record.
  "%s",
  (tag) => {
    const pairs: fc.Arbitrary<readonly [Dist.Dist, Dist.Dist]> = families[tag]

    it("KL[q || p] >= 0, and = 0 for q = p", () => {
      fc.assert(
        fc.property(pairs, ([q, p]) => {
          expect(Math.abs(Dist.kl(q, q))).toBeLessThanOrEqual(slack(magnitude(q)))
          expect(Dist.kl(q, p)).toBeGreaterThanOrEqual(-slack(magnitude(q), magnitude(p)))
        }),
      )
    })

    it("draws lie inside of the support, and the density there is that of the lifted algebra", () => {
      fc.assert(
        fc.property(pairs, fc.integer({ min: 0, max: 2 ** 32 }), ([dist], seed) => {
          const x = [...Dist.sample(dist, Rng.key(seed), 1)]
          const draw = dist.support === "simplex" || dist.support === "coefficients" ? x : x[0]!
          const density = Dist.logDensity(dist, draw)
          expect(density).toBeGreaterThan(-Infinity)
          // Coefficients are two values of an algebra: see the test of their density below.
          if (dist.support === "coefficients") return
          const parameters = Object.fromEntries(
            Object.entries(dist.parameters).map(([name, value]) => [
              name,
              typeof value === "number" ? Nd.scalar(value) : Nd.vector(value),
            ]),
          )
          const oneHot = (m: number) => Nd.vector(Array.from({ length: m }, (_, k) => (k === x[0] ? 1 : 0)))
          const value =
            dist.support === "categorical"
              ? oneHot(dist.axis)
              : dist.support === "simplex"
                ? Nd.vector(x)
                : Nd.scalar(x[0]!)
          expect(Nd.toNumber(dist.lifted!.logDensity(A)(value, parameters))).toBeCloseTo(density, 9)
        }),
      )
    })
  },
)

describe("algebra-level forms agree with each other", () => {
  it("Bernoulli from logits and from probabilities", () => {
    fc.assert(
      fc.property(unit, unit, (q, p) => {
        const [l, m] = [Bernoulli.logit(A)(Nd.scalar(q)), Bernoulli.logit(A)(Nd.scalar(p))]
        const [own, other] = [{ probability: Nd.scalar(q) }, { probability: Nd.scalar(p) }]
        const direct = q * Math.log(q / p) + (1 - q) * Math.log((1 - q) / (1 - p))
        expect(Nd.toNumber(Bernoulli.klLogits(A)(l, m))).toBeCloseTo(direct, 9)
        expect(Nd.toNumber(Bernoulli.crossEntropyLogits(A)(l, m))).toBeCloseTo(
          Nd.toNumber(Bernoulli.crossEntropy(A)(own, other)),
          9,
        )
        expect(Nd.toNumber(Bernoulli.entropyLogits(A)(l))).toBeCloseTo(
          Nd.toNumber(Bernoulli.entropy(A)(own)),
          9,
        )
        const x = Nd.scalar(p)
        expect(Nd.toNumber(Bernoulli.logDensityLogits(A)(x, l))).toBeCloseTo(
          Nd.toNumber(Bernoulli.logDensity(A)(x, own)),
          9,
        )
      }),
    )
  })

  it("KL from logits is exact at equality and precise for confident coins", () => {
    for (const l of [-40, -10, -1e-3, 0, 0.5, 10, 40]) {
      expect(Nd.toNumber(Bernoulli.klLogits(A)(Nd.scalar(l), Nd.scalar(l)))).toBe(0)
    }
    // To second order KL[Ber(l) || Ber(l + h)] = p (1 - p) h^2 / 2; direct formulas lose it at |l| = 30.
    const l = 30
    const h = 1e-3
    const p = 1 / (1 + Math.exp(l))
    for (const sign of [1, -1]) {
      const kl = Nd.toNumber(Bernoulli.klLogits(A)(Nd.scalar(sign * l), Nd.scalar(sign * (l + h))))
      expect(Math.abs(kl / ((p * h * h) / 2) - 1)).toBeLessThan(1e-3)
    }
  })

  it("KL = cross entropy - entropy", () => {
    fc.assert(
      fc.property(
        size.chain((m) => fc.tuple(logits(m), logits(m))),
        fc.tuple(positive, positive, positive, positive),
        ([l, m], [a, b, c, d]) => {
          const [ql, pl] = [Nd.vector(l), Nd.vector(m)]
          const logP = A.logSoftmaxLast(pl)
          const cross = Categorical.crossEntropy(A)({ weights: A.softmaxLast(ql) }, logP)
          expect(Nd.toNumber(Categorical.klLogits(A)(ql, logP))).toBeCloseTo(
            Nd.toNumber(cross) - Nd.toNumber(Categorical.entropyLogits(A)(ql)),
            9,
          )
          const [q, p] = [
            { a: Nd.scalar(a), b: Nd.scalar(b) },
            { a: Nd.scalar(c), b: Nd.scalar(d) },
          ]
          const terms = slack(magnitude(Dist.beta(a, b)), magnitude(Dist.beta(c, d)))
          const difference =
            Nd.toNumber(Beta.crossEntropy(A)(q, p)) -
            Nd.toNumber(Beta.entropy(A)(q)) -
            Nd.toNumber(Beta.kl(A)(q, p))
          expect(Math.abs(difference)).toBeLessThanOrEqual(terms)
          const [dq, dp] = [{ concentration: Nd.vector([a, b]) }, { concentration: Nd.vector([c, d]) }]
          const dirichlet =
            Nd.toNumber(Dirichlet.crossEntropy(A)(dq, dp)) -
            Nd.toNumber(Dirichlet.entropy(A)(dq)) -
            Nd.toNumber(Dirichlet.kl(A)(dq, dp))
          expect(Math.abs(dirichlet)).toBeLessThanOrEqual(terms)
        },
      ),
    )
  })

  it("a one-hot vector scores its category, a probability vector the expectation", () => {
    fc.assert(
      fc.property(
        size.chain((m) => fc.tuple(logits(m), logits(m))),
        ([l, x]) => {
          const dist = Dist.categorical(softmax(l))
          const q = softmax(x)
          const expected = q.reduce((sum, w, k) => sum + w * Math.max(Dist.logDensity(dist, k), -85.2), 0)
          const actual = Categorical.logDensity(A)(Nd.vector(q), { weights: Nd.vector(dist.mean()) })
          expect(Nd.toNumber(actual)).toBeCloseTo(expected, 8)
        },
      ),
    )
  })

  it("Beta is Dirichlet on two weights", () => {
    fc.assert(
      fc.property(positive, positive, unit, (a, b, x) => {
        const beta = Dist.logDensity(Dist.beta(a, b), x)
        const dirichlet = Dist.logDensity(Dist.dirichlet([a, b]), [x, 1 - x])
        expect(Math.abs(beta - dirichlet)).toBeLessThanOrEqual(slack(a * 20, b * 20))
      }),
    )
  })

  it("the coefficients broadcast over plates of draws", () => {
    const dist = Dist.normalInverseGamma(
      [0, 1],
      [
        [2, 0.5],
        [0.5, 1],
      ],
      3,
      2,
    )
    const draws = Dist.sample(dist, Rng.key(1), 4)
    const rows = [0, 1, 2, 3].map((i) => Array.from(draws.subarray(3 * i, 3 * i + 3)))
    // L of [[2, 0.5], [0.5, 1]] is [[r, 0], [0.5 / r, s]] with r = sqrt 2 and s = sqrt(1 - 1 / 8).
    const [r, s] = [Math.SQRT2, Math.sqrt(0.875)]
    const density = NormalInverseGamma.logDensity(A)(
      Nd.of(
        [4, 2],
        rows.flatMap((row) => row.slice(0, 2)),
      ),
      Nd.vector(rows.map((row) => row[2]!)),
      {
        mean: Nd.vector([0, 1]),
        whiten: [Nd.vector([1 / r, 0]), Nd.vector([-0.5 / (r * r * s), 1 / s])],
        logDeterminant: Nd.scalar(Math.log(1.75)),
        shape: Nd.scalar(3),
        scale: Nd.scalar(2),
      },
    )
    expect(density.shape).toEqual([4])
    rows.forEach((row, i) => expect(density.data[i]).toBeCloseTo(Dist.logDensity(dist, row), 11))
  })
})
