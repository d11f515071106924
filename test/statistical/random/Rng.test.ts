import { describe, expect, it } from "vitest"
import { gammaP, normalCdf } from "../../../src/numeric/Special.ts"
import * as Rng from "../../../src/random/Rng.ts"
import {
  chiSquare,
  kolmogorovSmirnov,
  kolmogorovSmirnovTwoSample,
} from "../../../src/testing/goodnessOfFit.ts"

/** The declared failure rate of each test under a fresh seed. The seeds are fixed, so a pass is a pass. */
const RATE = 1e-4
const N = 100_000

const logisticCdf = (x: number): number => 1 / (1 + Math.exp(-x))
const gumbelCdf = (x: number): number => Math.exp(-Math.exp(-x))

const draws = (n: number, draw: () => number): Float64Array => Float64Array.from({ length: n }, draw)

describe("fills fit their distributions, and not a slightly different one", () => {
  const key = Rng.key(101)
  it.each([
    { name: "uniform", fill: Rng.uniform, right: (x: number) => x, wrong: (x: number) => x ** 1.04 },
    { name: "normal", fill: Rng.normal, right: normalCdf, wrong: (x: number) => normalCdf(x / 1.04) },
    { name: "gumbel", fill: Rng.gumbel, right: gumbelCdf, wrong: (x: number) => gumbelCdf(x - 0.04) },
    { name: "logistic", fill: Rng.logistic, right: logisticCdf, wrong: (x: number) => logisticCdf(x / 1.04) },
  ])("$name", ({ fill, right, wrong }) => {
    for (const out of [new Float64Array(N), new Float32Array(N)]) {
      const filled = fill(key, out)
      expect(kolmogorovSmirnov(filled, right).pValue).toBeGreaterThan(RATE)
      expect(kolmogorovSmirnov(filled, wrong).pValue).toBeLessThan(RATE)
    }
  })

  it("tails of the normal", () => {
    const z = Rng.normal(Rng.key(7), new Float64Array(1_000_000))
    const beyond = [2, 3, 4].map((t) => z.reduce((count, x) => count + (Math.abs(x) > t ? 1 : 0), 0))
    for (const [i, t] of [2, 3, 4].entries()) {
      const p = 2 * normalCdf(-t)
      expect(chiSquare([beyond[i]!, z.length - beyond[i]!], [p, 1 - p]).pValue).toBeGreaterThan(RATE)
    }
  })
})

describe("bits are independent", () => {
  const bitBalance = (words: ReadonlyArray<number>): number =>
    Math.min(
      ...Array.from({ length: 32 }, (_, bit) => {
        const ones = words.reduce((count, word) => count + ((word >>> bit) & 1), 0)
        return chiSquare([ones, words.length - ones], [0.5, 0.5]).pValue
      }),
    )
  const wordsOf = (key: Rng.Key, n: number): ReadonlyArray<number> =>
    [...Rng.uniform(key, new Float64Array(n))].map((u) => u * 2 ** 32 - 0.5)

  it("each bit of the words is fair, of one key and of the first words of neighbouring seeds and children", () => {
    const first = (key: Rng.Key) => wordsOf(key, 1)[0]!
    const children = Rng.split(Rng.key(1), 10_000)
    expect(bitBalance(wordsOf(Rng.key(1), 10_000))).toBeGreaterThan(RATE / 32)
    expect(bitBalance(children.map(first))).toBeGreaterThan(RATE / 32)
    expect(bitBalance(children.map((_, seed) => first(Rng.key(seed))))).toBeGreaterThan(RATE / 32)
    expect(bitBalance(children.map((_, n) => first(Rng.fold(Rng.key(1), n))))).toBeGreaterThan(RATE / 32)
    // The counterpart: the seeds themselves are nothing like fair.
    expect(bitBalance(children.map((_, seed) => seed))).toBeLessThan(RATE / 32)
  })

  it("pairs of neighbouring uniforms, and of parent and child, fill the square", () => {
    const cells = (a: Float64Array, b: Float64Array): number => {
      const counts = new Float64Array(64)
      a.forEach((u, i) => (counts[8 * Math.floor(8 * u) + Math.floor(8 * b[i]!)]! += 1))
      return chiSquare(counts, new Float64Array(64).fill(1 / 64)).pValue
    }
    const parent = Rng.key(5)
    const u = Rng.uniform(parent, new Float64Array(N))
    const even = u.filter((_, i) => i % 2 === 0)
    const odd = u.filter((_, i) => i % 2 === 1)
    expect(cells(even, odd)).toBeGreaterThan(RATE)
    for (const child of [...Rng.split(parent, 2), Rng.fold(parent, 0), Rng.fold(parent, "")]) {
      expect(cells(u, Rng.uniform(child, new Float64Array(N)))).toBeGreaterThan(RATE)
    }
    expect(cells(even, even)).toBeLessThan(RATE)
  })
})

describe("the generator", () => {
  it("next and normal", () => {
    const source = Rng.generator(Rng.key(11))
    expect(kolmogorovSmirnov(draws(N, source.next), (x) => x).pValue).toBeGreaterThan(RATE)
    expect(kolmogorovSmirnov(draws(N, source.normal), normalCdf).pValue).toBeGreaterThan(RATE)
  })

  it.each([0.05, 0.5, 0.99, 1, 2.5, 40, 1e5])("gamma of shape %d, and not of a shape 5 % larger", (shape) => {
    const source = Rng.generator(Rng.key(12))
    // On the log scale, because small shapes underflow; P(a, x) ~ x^a / Gamma(a + 1) there needs no small x.
    const cdf = (a: number) => (logX: number) => gammaP(a, Math.exp(Math.max(logX, -700)))
    const logs = draws(20_000, () => source.logGamma(shape))
    expect(kolmogorovSmirnov(logs, cdf(shape)).pValue).toBeGreaterThan(RATE)
    expect(kolmogorovSmirnov(logs, cdf(shape * 1.05)).pValue).toBeLessThan(RATE)
  })

  it.each([2, 3, 6, 10, 100])("integers below %i are unbiased", (n) => {
    const source = Rng.generator(Rng.key(13))
    const counts = new Float64Array(n)
    for (let i = 0; i < N; i++) counts[source.integer(n)]! += 1
    const fair = new Float64Array(n).fill(1 / n)
    expect(chiSquare(counts, fair).pValue).toBeGreaterThan(RATE)
    // One part in ten moved from one face to the next.
    const loaded = fair.map((p, k) => (k === 0 ? 0.9 * p : k === 1 ? 1.1 * p : p))
    if (n <= 10) expect(chiSquare(counts, loaded).pValue).toBeLessThan(RATE)
  })

  it("integers below 3 * 2^30, where word % n would favour the first third twofold", () => {
    const source = Rng.generator(Rng.key(14))
    const n = 3 * 2 ** 30
    const counts = new Float64Array(3)
    const naive = new Float64Array(3)
    for (let i = 0; i < N; i++) {
      counts[Math.floor(source.integer(n) / 2 ** 30)]! += 1
      naive[Math.floor((source.integer(2 ** 32) % n) / 2 ** 30)]! += 1
    }
    const fair = [1 / 3, 1 / 3, 1 / 3]
    expect(chiSquare(counts, fair).pValue).toBeGreaterThan(RATE)
    expect(chiSquare(naive, fair).pValue).toBeLessThan(RATE)
  })

  it("permutations of 4 are all equally likely; those of a naive shuffle are not", () => {
    const source = Rng.generator(Rng.key(15))
    const tally = (permute: () => ArrayLike<number>): number => {
      const counts = new Map<string, number>()
      for (let i = 0; i < 24_000; i++) {
        const order = Array.from(permute()).join("")
        counts.set(order, (counts.get(order) ?? 0) + 1)
      }
      expect(counts.size).toBe(24)
      return chiSquare([...counts.values()], new Float64Array(24).fill(1 / 24)).pValue
    }
    const naive = (): ReadonlyArray<number> => {
      const order = [0, 1, 2, 3]
      for (let i = 0; i < 4; i++) {
        const j = source.integer(4)
        const moved = order[i]!
        order[i] = order[j]!
        order[j] = moved
      }
      return order
    }
    expect(tally(() => source.permutation(4))).toBeGreaterThan(RATE)
    expect(tally(naive)).toBeLessThan(RATE)
  })
})

describe("the tests themselves", () => {
  it("p-values are uniform when the hypothesis holds", () => {
    const keys = Rng.split(Rng.key(21), 500)
    const uniform = (key: Rng.Key, n: number) => Rng.uniform(key, new Float64Array(n))
    const one = keys.map((key) => kolmogorovSmirnov(uniform(key, 200), (x) => x).pValue)
    const two = keys.map(
      (key) => kolmogorovSmirnovTwoSample(uniform(key, 700), uniform(Rng.fold(key, 1), 500)).pValue,
    )
    const chi = keys.map((key) => {
      const counts = new Float64Array(10)
      for (const u of uniform(key, 2000)) counts[Math.floor(10 * u)]! += 1
      return chiSquare(counts, new Float64Array(10).fill(0.1)).pValue
    })
    for (const pValues of [one, two, chi]) {
      expect(kolmogorovSmirnov(pValues, (x) => x).pValue).toBeGreaterThan(RATE)
    }
  })

  it("agree with SciPy", () => {
    // stats.kstest([...], "uniform").statistic, and special.kolmogorov at Stephens's argument.
    const fit = kolmogorovSmirnov([0.05, 0.1, 0.2, 0.35, 0.5, 0.55, 0.6, 0.62], (x) => x)
    expect(fit.statistic).toBeCloseTo(0.38, 14)
    expect(fit.pValue).toBeCloseTo(0.1518954782674185, 12)
    expect(chiSquare([16, 18, 16, 14, 12, 12], new Float64Array(6).fill(1 / 6)).pValue).toBeCloseTo(
      0.84914503608460956,
      12,
    )
  })

  it("count NaN and impossible cells as misfits, and want enough draws", () => {
    const draws = [0.1, 0.2, 0.3, 0.4, Number.NaN]
    expect(kolmogorovSmirnov(draws, (x) => x).pValue).toBe(0)
    expect(kolmogorovSmirnovTwoSample(draws, [1, 2, 3, 4, 5]).pValue).toBe(0)
    expect(chiSquare([5, 1], [1, 0]).pValue).toBe(0)
    expect(() => kolmogorovSmirnov([1], (x) => x)).toThrow("needs at least 5 draws, got 1")
    expect(() => chiSquare([], [])).toThrow(RangeError)
  })

  it("two samples with ties", () => {
    const a = [1, 1, 2, 2, 3, 3]
    expect(kolmogorovSmirnovTwoSample(a, a)).toEqual({ statistic: 0, pValue: 1 })
    expect(kolmogorovSmirnovTwoSample(a, [4, 5, 6, 7, 8]).statistic).toBe(1)
  })
})
