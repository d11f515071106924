import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Dist from "../../../../src/prob/Dist.ts"
import type { Factor } from "../../../../src/prob/Factor.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import * as Family from "../../../../src/vi/Family.ts"
import { shared, siteOf, sum } from "../../../support/factors.ts"
import { runs } from "../../../support/property.ts"

// The move towards weighted draws against a numerical minimisation of KL((1 - rate) q + rate p^ || q'), whose value is
// computed here from log densities: by enumeration for discrete sites, from closed cross entropies for the others.

const { factors } = Family
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const rates = fc.constantFrom(0, 0.2, 0.7, 1)
const weightsOf = (raw: ReadonlyArray<number>): ReadonlyArray<number> => raw.map((w) => w / sum(raw))

/** The least value of a smooth convex function by compass search: slow, and knows nothing of what it minimises. */
const minimise = (f: (x: ReadonlyArray<number>) => number, start: ReadonlyArray<number>): number => {
  let x = [...start]
  let least = f(x)
  for (let step = 1; step > 1e-6; step /= 2)
    for (let round = 0, better = true; better && round < 200; round++) {
      better = false
      for (let i = 0; i < x.length; i++)
        for (const way of [step, -step]) {
          const next = x.with(i, x[i]! + way)
          const value = f(next)
          if (value >= least) continue
          x = next
          least = value
          better = true
        }
    }
  return least
}

/** All values of a site of `elements` elements with m categories each, one after the other. */
const enumerated = (elements: number, m: number): ReadonlyArray<ReadonlyArray<number>> =>
  elements === 0
    ? [[]]
    : enumerated(elements - 1, m).flatMap((head) => Array.from({ length: m }, (_, k) => [...head, k]))

const flat = (parts: ReadonlyArray<ArrayLike<number>>): ReadonlyArray<number> =>
  parts.flatMap((part) => Array.from(part))

/** Numbers in the layout of a factor's parameters. */
const laidOut = (factor: Factor, numbers: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<number>> => {
  let from = 0
  return factor.parameters.map(({ shape }) => {
    const length = shape.reduce((a, b) => a * b, 1)
    return numbers.slice(from, (from += length))
  })
}

const countOf = (factor: Factor): number =>
  sum(
    laidOut(
      factor,
      Array.from({ length: 999 }, () => 1),
    ).flat(),
  )

/** A factor, where it stands, and draws of it: hidden elements are NaN. */
interface Case {
  readonly parameters: ReadonlyArray<number>
  readonly draws: ReadonlyArray<ReadonlyArray<number>>
  readonly weights: ReadonlyArray<number>
  readonly rate: number
}

const cases = (factor: Factor, draw: fc.Arbitrary<ReadonlyArray<number>>, size = 2): fc.Arbitrary<Case> =>
  fc
    .tuple(
      fc.array(number(-size, size), { minLength: countOf(factor), maxLength: countOf(factor) }),
      fc.array(fc.tuple(draw, number(0.1, 1)), { minLength: 1, maxLength: 5 }),
      rates,
    )
    .map(([parameters, drawn, rate]) => ({
      parameters,
      draws: drawn.map(([values]) => values),
      weights: weightsOf(drawn.map(([, weight]) => weight)),
      rate,
    }))

const discrete = (
  factor: Factor,
  values: ReadonlyArray<ReadonlyArray<number>>,
  { draws, weights, rate, parameters }: Case,
) => {
  const before = laidOut(factor, parameters)
  const own = factor.logDensity!(before, values.flat()).map(Math.exp)
  const all = [...values.flat(), ...draws.flat()]
  // KL up to the entropy of the mixture, which does not depend on q'.
  const f = (numbers: ReadonlyArray<number>): number => {
    const logs = factor.logDensity!(laidOut(factor, numbers), all)
    return -sum(
      Array.from(
        logs,
        (log, i) => (i < values.length ? (1 - rate) * own[i]! : rate * weights[i - values.length]!) * log,
      ),
    )
  }
  const found = flat(factor.project!(before, { values: draws.flat(), weights }, rate))
  return { f, found, start: parameters }
}

describe("a factor of a discrete site moves to the least inclusive divergence", () => {
  const hidden = (value: fc.Arbitrary<number>) => fc.oneof({ weight: 3, arbitrary: value }, fc.constant(NaN))
  const array = (value: fc.Arbitrary<number>, length: number) =>
    fc.array(value, { minLength: length, maxLength: length })

  /** Draws of a skeleton: nodes below one that is hidden are hidden. */
  const skeletons = (nodes: number, m: number) =>
    array(hidden(fc.nat({ max: m - 1 })), nodes).map((values) => {
      const out = [...values]
      for (let z = 1; z < nodes; z++) if (Number.isNaN(out[(z - 1) >> 1]!)) out[z] = NaN
      return out
    })

  const check = (
    factor: Factor,
    values: ReadonlyArray<ReadonlyArray<number>>,
    draw: fc.Arbitrary<ReadonlyArray<number>>,
  ): void =>
    fc.assert(
      fc.property(cases(factor, draw), (item) => {
        const { f, found, start } = discrete(factor, values, item)
        expect(found.every(Number.isFinite)).toBe(true)
        const reached = f(found)
        // Clipped logits leave e^-20 to what was never drawn.
        expect(reached).toBeLessThanOrEqual(minimise(f, start) + 1e-3)
        if (item.rate < 1) expect(reached).toBeLessThanOrEqual(minimise(f, start) + 1e-9)
      }),
      runs(25),
    )

  it("Bernoulli", () =>
    check(
      factors.bernoulli().make(siteOf("binary", shared(Dist.bernoulli(0.5)), [3])),
      enumerated(3, 2),
      array(hidden(fc.nat({ max: 1 })), 3),
    ))

  it("Categorical", () =>
    check(
      factors.categorical().make(siteOf("categorical", shared(Dist.categorical([0.2, 0.3, 0.5])), [2], 3)),
      enumerated(2, 3),
      array(hidden(fc.nat({ max: 2 })), 2),
    ))

  it("Categorical given the parent", () =>
    check(
      factors
        .parentConditional()
        .make(siteOf("categorical", shared(Dist.categorical([0.5, 0.5])), [1, 7], 2)),
      enumerated(7, 2),
      skeletons(7, 2),
    ))

  it("stays where it is when the rate is 0, or where a draw says nothing", () => {
    const factor = factors
      .categorical()
      .make(siteOf("categorical", shared(Dist.categorical([0.5, 0.5])), [2], 2))
    const logits = [1, -1, 3, 2.5]
    const after = (values: ReadonlyArray<number>, rate: number) =>
      factor.logDensity!(factor.project!([logits], { values, weights: [1] }, rate), [0, 0, 1, 1])
    const before = factor.logDensity!([logits], [0, 0, 1, 1])
    after([1, 1], 0).forEach((log, i) => expect(log).toBeCloseTo(before[i]!, 12))
    after([NaN, NaN], 1).forEach((log, i) => expect(log).toBeCloseTo(before[i]!, 12))
  })
})

describe("a categorical factor", () => {
  it("has probabilities that are exp(2 clip) apart, and none of 0", () => {
    const site = siteOf("categorical", shared(Dist.categorical([0.5, 0.5])), [], 2)
    const factor = factors.categorical({ logitsClip: 10, initialScale: 0 }).make(site)
    const [, rare] = weightsOf([1, Math.exp(-15)])
    const weights = [1 - rare!, rare!]
    const moved = factor.project!([[0, 0]], { values: [0, 1], weights }, 1)
    expect(factor.logDensity!(moved, [1])[0]).toBeCloseTo(Math.log(rare!), 9)
    const never = factor.project!([[0, 0]], { values: [0, 0], weights }, 1)
    expect(factor.logDensity!(never, [1])[0]).toBeCloseTo(-20, 6)
  })
})

describe("a factor of a site that is integrated out moves to the least inclusive divergence", () => {
  const counts = (length: number) => fc.array(fc.nat({ max: 6 }), { minLength: length, maxLength: length })
  /** E_p[log q'] of distributions p with weights, from their cross entropies. */
  const against =
    <D extends Dist.Dist>(
      mixture: ReadonlyArray<readonly [D, number]>,
      make: (numbers: ReadonlyArray<number>) => D,
    ) =>
    (numbers: ReadonlyArray<number>): number =>
      sum(
        mixture.map(([p, weight]) => {
          // `Dist.kl` takes two of one kind, which the compiler does not see of a type parameter.
          const kl: (q: Dist.Dist, p: never) => number = Dist.kl
          return weight * (kl(p, make(numbers) as never) + Dist.entropy(p))
        }),
      )

  it("Dirichlet, with two elements of a plate", () => {
    const prior = Dist.dirichlet([1, 0.5, 2])
    const factor = factors.dirichlet().make(siteOf("simplex", shared(prior), [2], 3))
    fc.assert(
      fc.property(cases(factor, counts(6), 1), ({ parameters, draws, weights, rate }) => {
        const found = factor.project!(laidOut(factor, parameters), { values: draws.flat(), weights }, rate)
        for (const element of [0, 1]) {
          const of = (numbers: ArrayLike<number>) => Array.from(numbers).slice(3 * element, 3 * element + 3)
          const make = (numbers: ReadonlyArray<number>) => Dist.dirichlet(numbers.map(Math.exp))
          const f = against(
            [
              [make(of(parameters)), 1 - rate] as const,
              ...draws.map(
                (draw, i) =>
                  [Dist.dirichlet(of(draw).map((n, k) => n + [1, 0.5, 2][k]!)), rate * weights[i]!] as const,
              ),
            ],
            make,
          )
          expect(f(of(found[0]!))).toBeLessThanOrEqual(minimise(f, of(parameters)) + 1e-9)
        }
      }),
      runs(25),
    )
  })

  it("Beta", () => {
    const factor = factors.beta().make(siteOf("unit", shared(Dist.beta(2, 0.7))))
    fc.assert(
      fc.property(cases(factor, counts(2), 1), ({ parameters, draws, weights, rate }) => {
        const make = ([a, b]: ReadonlyArray<number>) => Dist.beta(Math.exp(a!), Math.exp(b!))
        const f = against(
          [
            [make(parameters), 1 - rate] as const,
            ...draws.map(
              ([ones, zeros], i) => [Dist.beta(2 + ones!, 0.7 + zeros!), rate * weights[i]!] as const,
            ),
          ],
          make,
        )
        const found = flat(
          factor.project!(laidOut(factor, parameters), { values: draws.flat(), weights }, rate),
        )
        expect(f(found)).toBeLessThanOrEqual(minimise(f, parameters) + 1e-9)
      }),
      runs(25),
    )
  })

  it("is the conjugate posterior when there is one draw", () => {
    const factor = factors.dirichlet().make(siteOf("simplex", shared(Dist.dirichlet([1, 0.5, 2])), [], 3))
    const [found] = factor.project!([[0, 3, -1]], { values: [4, 0, 17], weights: [1] }, 1)
    expect(Array.from(found!, Math.exp).map((c, k) => c / [5, 0.5, 19][k]!)).toEqual([
      expect.closeTo(1, 9),
      expect.closeTo(1, 9),
      expect.closeTo(1, 9),
    ])
    // One weight is always 1, whatever is counted.
    const single = factors.dirichlet().make(siteOf("simplex", shared(Dist.dirichlet([2])), [], 1))
    expect(single.project!([[0]], { values: [3], weights: [1] }, 1)[0]!.every(Number.isFinite)).toBe(true)
  })
})

describe("a factor of a number moves to the moments of the draws", () => {
  const values = fc.array(fc.oneof({ weight: 4, arbitrary: number(0.1, 4) }, fc.constant(NaN)), {
    minLength: 2,
    maxLength: 2,
  })
  const kinds: ReadonlyArray<readonly [string, Factor, (m: number, s: number) => Dist.Dist]> = [
    ["Normal", factors.normal().make(siteOf("real", shared(Dist.normal(0, 1)), [2])), Dist.normal],
    [
      "LogNormal",
      factors.logNormal().make(siteOf("positive", shared(Dist.gamma(1, 1)), [2])),
      Dist.logNormal,
    ],
  ]
  it.each(kinds)("%s", (_, factor, make) =>
    fc.assert(
      fc.property(cases(factor, values, 1), ({ parameters, draws, weights, rate }) => {
        fc.pre(rate < 1)
        const before = laidOut(factor, parameters)
        const distributions = (numbers: ReadonlyArray<number>) =>
          [0, 1].map((i) => make(numbers[i]!, Math.exp(numbers[2 + i]!)))
        const own = distributions(parameters)
        const f = (numbers: ReadonlyArray<number>): number => {
          const q = distributions(numbers)
          const kl: (q: Dist.Dist, p: never) => number = Dist.kl
          const expected = sum(own.map((p, i) => kl(p, q[i] as never) + Dist.entropy(p)))
          const drawn = factor.logDensity!(laidOut(factor, numbers), draws.flat())
          return (1 - rate) * expected - rate * sum(Array.from(drawn, (log, i) => weights[i]! * log))
        }
        const found = flat(factor.project!(before, { values: draws.flat(), weights }, rate))
        expect(f(found)).toBeLessThanOrEqual(minimise(f, parameters) + 1e-8)
      }),
      runs(40),
    ),
  )

  it("keeps a scale that is not 0 when all draws are equal", () => {
    const [, normal] = kinds[0]!
    const [loc, logScale] = normal.project!(
      [
        [0, 0],
        [0, 0],
      ],
      { values: [3, -2, 3, -2], weights: [0.5, 0.5] },
      1,
    )
    expect(Array.from(loc!)).toEqual([3, -2])
    expect(logScale!.every(Number.isFinite)).toBe(true)
  })
})

describe("log densities", () => {
  const sites: ReadonlyArray<readonly [string, Factor, (values: ReadonlyArray<number>) => number]> = [
    [
      "Dirichlet",
      factors.dirichlet().make(siteOf("simplex", shared(Dist.dirichlet([1, 1, 1])), [2], 3)),
      (values) => Dist.logDensity(Dist.dirichlet([1, 1, 1]), values),
    ],
    [
      "Beta",
      factors.beta().make(siteOf("unit", shared(Dist.beta(2, 3)), [2])),
      ([x]) => Dist.logDensity(Dist.beta(2, 3), x!),
    ],
    [
      "Normal",
      factors.normal().make(siteOf("real", shared(Dist.normal(1, 2)), [2])),
      ([x]) => Dist.logDensity(Dist.normal(1, 2), x!),
    ],
    [
      "LogNormal",
      factors.logNormal().make(siteOf("positive", shared(Dist.gamma(1, 1)), [2])),
      ([x]) => Dist.logDensity(Dist.logNormal(0, 1), x!),
    ],
  ]
  it.each(sites)("of %s are those of its distribution, without what is NaN", (_, factor, density) => {
    const parameters = factor.parameters.map(({ initialise }) => initialise(Rng.key(1)))
    const draws = factor.sample(Rng.key(2), parameters, 3)
    const width = draws.length / 6
    const rows = Array.from({ length: 6 }, (__, i) => Array.from(draws.subarray(i * width, (i + 1) * width)))
    const found = factor.logDensity!(parameters, draws)
    found.forEach((log, i) => expect(log).toBeCloseTo(density(rows[2 * i]!) + density(rows[2 * i + 1]!), 10))
    const half = Float64Array.from(draws)
    half.fill(NaN, 0, width)
    expect(factor.logDensity!(parameters, half)[0]).toBeCloseTo(density(rows[1]!), 10)
  })
})
