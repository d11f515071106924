import { describe, expect, it } from "vitest"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Dirichlet from "../../../src/prob/dist/Dirichlet.ts"
import * as Nd from "../../../src/numeric/Nd.ts"
import * as Sym from "../../../src/prob/Sym.ts"
import * as Rng from "../../../src/random/Rng.ts"
import fixture from "../../fixtures/scipy-dist.json" with { type: "json" }

type Vector = ReadonlyArray<number>

// The fixtures are JSON, so their types are wider than what they hold: these read them.
const number = (value: unknown): number => Number(value)
const vector = (value: unknown): Vector => (Array.isArray(value) ? value.map(number) : [number(value)])
const matrix = (value: unknown): ReadonlyArray<Vector> => (Array.isArray(value) ? value.map(vector) : [])

const make = (name: string, args: ReadonlyArray<unknown>): Dist.Dist => {
  const [a, b, c, d] = args
  switch (name) {
    case "Bernoulli":
      return Dist.bernoulli(number(a))
    case "Categorical":
      return Dist.categorical(vector(a))
    case "Dirichlet":
      return Dist.dirichlet(vector(a))
    case "Normal":
      return Dist.normal(number(a), number(b))
    case "LogNormal":
      return Dist.logNormal(number(a), number(b))
    case "Gamma":
      return Dist.gamma(number(a), number(b))
    case "InverseGamma":
      return Dist.inverseGamma(number(a), number(b))
    case "HalfNormal":
      return Dist.halfNormal(number(a))
    case "Beta":
      return Dist.beta(number(a), number(b))
    case "Laplace":
      return Dist.laplace(number(a), number(b))
    case "StudentT":
      return Dist.studentT(number(a), number(b), number(c))
    case "Uniform":
      return Dist.uniform(number(a), number(b))
    case "NormalInverseGamma":
      return Dist.normalInverseGamma(vector(a), matrix(b), number(c), number(d))
    default:
      throw new Error(`no such distribution: ${name}`)
  }
}

const expectClose = (actual: number, expected: number, tolerance: number): void => {
  if (!Number.isFinite(expected)) expect(actual).toBe(expected)
  else expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)))
}

const expectAllClose = (actual: Vector, expected: Vector, tolerance: number): void => {
  expect(actual.length).toBe(expected.length)
  expected.forEach((value, i) => expectClose(actual[i]!, value, tolerance))
}

describe.each(fixture.map((c) => ({ ...c, title: `${c.dist}(${JSON.stringify(c.args).slice(1, -1)})` })))(
  "$title against SciPy",
  (c) => {
    const dist = make(c.dist, c.args)

    it("log density", () => {
      for (const [x, expected] of c.logDensity) {
        const draw = vector(x)
        // A draw of the union of supports is a number or a vector: the fixture says which.
        expectClose(Dist.logDensity(dist, Array.isArray(x) ? draw : draw[0]!), number(expected), 1e-12)
      }
    })

    it("entropy, mean, variance", () => {
      expectClose(Dist.entropy(dist), c.entropy, 1e-9)
      expectAllClose(Dist.mean(dist), vector(c.mean), 1e-12)
      expectAllClose(Dist.variance(dist), vector(c.variance), 1e-12)
    })

    it("divergences", () => {
      for (const [args, expected] of c.kl) {
        const other = make(c.dist, Array.isArray(args) ? args : [])
        expectClose(Dist.kl(dist, other), number(expected), 1e-9)
      }
    })
  },
)

describe("Dirichlet", () => {
  it("expected log weights are those of SciPy", () => {
    for (const c of fixture) {
      if (c.expectedLog === undefined) continue
      const logs = Dirichlet.expectedLog(Nd.algebra)({ concentration: Nd.vector(vector(c.args[0])) })
      expectAllClose([...logs.data], c.expectedLog, 1e-13)
    }
  })

  it("symmetric repeats the concentration; one weight is certain", () => {
    expect(Dist.dirichlet.symmetric(3, 0.5).parameters).toEqual({ concentration: [0.5, 0.5, 0.5] })
    const certain = Dist.dirichlet.symmetric(1, 2)
    expect([
      Dist.logDensity(certain, [1]),
      Dist.entropy(certain),
      Dist.kl(certain, Dist.dirichlet([7])),
    ]).toEqual([0, 0, 0])
  })

  it("has a limit on the boundary", () => {
    expect(Dist.logDensity(Dist.dirichlet([1, 1, 1]), [1, 0, 0])).toBeCloseTo(Math.LN2, 13)
    expect(Dist.logDensity(Dist.dirichlet([2, 1, 1]), [0, 0.5, 0.5])).toBe(-Infinity)
    expect(Dist.logDensity(Dist.dirichlet([0.5, 1, 1]), [0, 0.5, 0.5])).toBe(Infinity)
  })
})

describe("outside of the support the density is 0", () => {
  it.each<[Dist.Dist, ReadonlyArray<number | Vector>]>([
    [Dist.bernoulli(0.3), [0.5, 2, -1, Number.NaN]],
    [Dist.categorical([0.3, 0.7, 0]), [2, 3, -1, 0.5, Number.NaN]],
    [Dist.normal(0, 1), [Infinity, Number.NaN]],
    [Dist.laplace(0, 1), [Infinity, Number.NaN]],
    [Dist.studentT(3, 0, 1), [Infinity, Number.NaN]],
    [Dist.uniform(-1, 2), [-1.01, 2.01, Infinity, Number.NaN]],
    [Dist.uniform(0, 2, "positive"), [0, -0.5, 2.01, Number.NaN]],
    [Dist.uniform(0.25, 0.5, "unit"), [0.2, 0.6, 0, 1, Number.NaN]],
    [Dist.logNormal(0, 1), [0, -1, Infinity, Number.NaN]],
    [Dist.gamma(1, 1), [0, -1, Infinity, Number.NaN]],
    [Dist.inverseGamma(1, 1), [0, -1, Infinity, Number.NaN]],
    [Dist.halfNormal(1), [0, -1, Infinity, Number.NaN]],
    [Dist.beta(1, 1), [0, 1, -1, 2, Number.NaN]],
    [
      Dist.dirichlet([1, 1]),
      [
        [0.5, 0.6],
        [-0.5, 1.5],
        [Number.NaN, 1],
      ],
    ],
    [
      Dist.normalInverseGamma([0], [1], 1, 1),
      [
        [0, 0],
        [0, -1],
        [Number.NaN, 1],
      ],
    ],
  ])("%o", (dist, outside) => {
    for (const x of outside) expect(Dist.logDensity(dist, x)).toBe(-Infinity)
  })

  it("a draw of the wrong length is an error", () => {
    expect(() => Dist.logDensity(Dist.dirichlet([1, 1]), [1])).toThrow(
      "Dirichlet: a draw must be 2 numbers long, got [1]",
    )
  })
})

describe("divergences that are not finite or not defined", () => {
  it("are infinite where q allows what p excludes, and finite the other way round", () => {
    const [all, some] = [Dist.categorical([0.5, 0.5]), Dist.categorical([1, 0])]
    expect(Dist.kl(all, some)).toBe(Infinity)
    expect(Dist.kl(some, all)).toBeCloseTo(Math.LN2, 14)
  })

  it("of a uniform distribution are infinite where it reaches beyond the other", () => {
    expect(Dist.kl(Dist.uniform(0, 2), Dist.uniform(0, 1))).toBe(Infinity)
    expect(Dist.kl(Dist.uniform(0, 1), Dist.uniform(0, 2))).toBeCloseTo(Math.LN2, 14)
  })

  it("are refused where a family has no closed form", () => {
    expect(() => Dist.kl(Dist.studentT(3, 0, 1), Dist.studentT(4, 0, 1))).toThrow(
      "StudentT: the divergence must be given by its definition, got nothing",
    )
  })

  it("of different dimensions or families are errors", () => {
    expect(() => Dist.kl(Dist.dirichlet([1, 1]), Dist.dirichlet([1, 1, 1]))).toThrow(
      "Dirichlet: the dimension of p must be that of q, 2, got 3",
    )
    expect(() => Dist.kl(Dist.categorical([1]), Dist.categorical([0.5, 0.5]))).toThrow(Dist.DistError)
    // @ts-expect-error the compiler says no before the runtime does
    expect(() => Dist.kl(Dist.gamma(1, 1), Dist.normal(1, 1))).toThrow(
      "must be of the same family, got Normal",
    )
  })
})

describe("constructors refuse parameters of no distribution", () => {
  const nan = Number.NaN
  it.each<[string, () => unknown]>([
    ["Bernoulli: probability must be strictly between 0 and 1, got 1", () => Dist.bernoulli(1)],
    ["Bernoulli: probability must be strictly between 0 and 1, got NaN", () => Dist.bernoulli(nan)],
    ["Categorical: weights must be a non-empty vector", () => Dist.categorical([])],
    ["that sum to 1 within 1e-6, got [0.5, 0.6]", () => Dist.categorical([0.5, 0.6])],
    ["numbers >= 0", () => Dist.categorical([1.5, -0.5])],
    ["numbers >= 0", () => Dist.categorical([nan, 1])],
    [
      "Dirichlet: concentration must be a non-empty vector of finite numbers > 0, got []",
      () => Dist.dirichlet([]),
    ],
    ["finite numbers > 0, got [1, 0]", () => Dist.dirichlet([1, 0])],
    ["finite numbers > 0, got [1, Infinity]", () => Dist.dirichlet([1, Infinity])],
    ["Dirichlet: size must be an integer > 0, got 0", () => Dist.dirichlet.symmetric(0, 1)],
    ["Normal: sd must be a finite number > 0, got -1", () => Dist.normal(0, -1)],
    ["Normal: mean must be a finite number, got Infinity", () => Dist.normal(Infinity, 1)],
    ["LogNormal: scale must be", () => Dist.logNormal(0, 0)],
    ["Gamma: rate must be", () => Dist.gamma(1, nan)],
    ["InverseGamma: shape must be", () => Dist.inverseGamma(0, 1)],
    ["HalfNormal: sd must be", () => Dist.halfNormal(-2)],
    ["Beta: b must be", () => Dist.beta(1, -1)],
    ["Laplace: scale must be", () => Dist.laplace(0, 0)],
    ["StudentT: df must be a finite number > 0, got 0", () => Dist.studentT(0, 0, 1)],
    ["Uniform: high must be above low, 1, and at a finite distance, got 1", () => Dist.uniform(1, 1)],
    ["at a finite distance", () => Dist.uniform(-1e308, 1e308)],
    ["Uniform: low must be a finite number", () => Dist.uniform(-Infinity, 1)],
    [
      'Uniform: low must be 0 or more, for the support "positive", got -1',
      () => Dist.uniform(-1, 1, "positive"),
    ],
    ['Uniform: high must be 1 or less, for the support "unit", got 2', () => Dist.uniform(0.5, 2, "unit")],
    ["NormalInverseGamma: mean must be a non-empty", () => Dist.normalInverseGamma([], [], 1, 1)],
    ["NormalInverseGamma: covariance must be", () => Dist.normalInverseGamma([0, 0], [1], 1, 1)],
    ["NormalInverseGamma: covariance must be", () => Dist.normalInverseGamma([0, 0], [1, -1], 1, 1)],
    [
      "symmetric positive definite 2 x 2",
      () =>
        Dist.normalInverseGamma(
          [0, 0],
          [
            [1, 2],
            [2, 1],
          ],
          1,
          1,
        ),
    ],
    [
      "symmetric positive definite 2 x 2",
      () =>
        Dist.normalInverseGamma(
          [0, 0],
          [
            [1, 0.1],
            [0.2, 1],
          ],
          1,
          1,
        ),
    ],
    ["symmetric positive definite 1 x 1", () => Dist.normalInverseGamma([0], [nan], 1, 1)],
    ["NormalInverseGamma: scale must be", () => Dist.normalInverseGamma([0], [1], 1, 0)],
  ])("%s", (message, construct) => {
    expect(construct).toThrow(message)
    expect(construct).toThrow(Dist.DistError)
  })

  it("say what was wrong as data", () => {
    try {
      Dist.normal(0, -1)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({
        _tag: "DistError",
        distribution: "Normal",
        parameter: "sd",
        value: "-1",
        allowed: "a finite number > 0",
      })
    }
  })

  it("normalise weights within the tolerance, and copy vectors", () => {
    const third = Math.fround(1 / 3)
    expect(Dist.categorical([third, third, third]).mean()).toEqual([1 / 3, 1 / 3, 1 / 3])
    const concentration = [1, 2]
    const dist = Dist.dirichlet(concentration)
    concentration[0] = -1
    expect(dist.parameters).toEqual({ concentration: [1, 2] })
  })
})

describe("conditional priors", () => {
  const w = Sym.make("trees.w", "simplex", [3], 2)
  const p = Sym.make("p", "unit", [])
  const m = Sym.make("m", "real", [])
  const s = Sym.make("s", "positive", [])

  it("name the sites on which they depend", () => {
    expect(Dist.sitesOf(Dist.categorical(w))).toEqual([w])
    expect(Dist.sitesOf(Dist.bernoulli(p))).toEqual([p])
    expect(Dist.sitesOf(Dist.normal(m, s))).toEqual([m, s])
    expect(Dist.sitesOf(Dist.normal(1, s))).toEqual([s])
  })

  it("become distributions when the values are known", () => {
    const values = { "trees.w": [0.25, 0.75], p: 0.3, m: -1, s: 2 }
    const shown = (prior: Dist.Conditional) => {
      const { name, parameters } = Dist.instantiate(prior, values)
      return [name, parameters]
    }
    expect(shown(Dist.categorical(w))).toEqual(["Categorical", { weights: [0.25, 0.75] }])
    expect(shown(Dist.bernoulli(p))).toEqual(["Bernoulli", { probability: 0.3 }])
    expect(shown(Dist.normal(m, s))).toEqual(["Normal", { mean: -1, sd: 2 }])
    expect(shown(Dist.normal(5, s))).toEqual(["Normal", { mean: 5, sd: 2 }])
    expect(shown(Dist.laplace(5, s))).toEqual(["Laplace", { location: 5, scale: 2 }])
    expect(shown(Dist.studentT(3, m, s))).toEqual(["StudentT", { df: 3, location: -1, scale: 2 }])
  })

  it("refuse missing or wrong values, and wrong constants at once", () => {
    expect(() => Dist.instantiate(Dist.categorical(w), {})).toThrow(
      "Categorical: the value of site must be among those given, got trees.w",
    )
    expect(() => Dist.instantiate(Dist.categorical(w), { "trees.w": [1, 1] })).toThrow(Dist.DistError)
    expect(() => Dist.instantiate(Dist.bernoulli(p), { p: [0.1] })).toThrow("a parameter must be a number")
    expect(() => Dist.normal(m, -1)).toThrow("Normal: sd must be")
    expect(() => Dist.normal(Number.NaN, s)).toThrow("Normal: mean must be")
  })
})

describe("sample", () => {
  it("is [count, eventSize], and a prefix of longer samples", () => {
    const dist = Dist.normalInverseGamma([0, 1], [1, 2], 3, 2)
    const key = Rng.key(12)
    expect(Dist.eventSize(dist)).toBe(3)
    expect(Dist.sample(dist, key, 10).length).toBe(30)
    expect(Dist.sample(dist, key, 10).slice(0, 12)).toEqual(Dist.sample(dist, key, 4))
  })

  it("stays inside of the support at extreme parameters", () => {
    const key = Rng.key(7)
    const extremes: ReadonlyArray<Dist.Dist> = [
      Dist.dirichlet([1e-4, 1e-4, 1e-4]),
      Dist.beta(1e-4, 1e-4),
      Dist.beta(1e8, 1e-3),
      Dist.gamma(1e-4, 1),
      Dist.inverseGamma(1e-4, 1),
      Dist.logNormal(0, 1000),
      Dist.halfNormal(1e-300),
      Dist.categorical([0, 1, 0]),
      Dist.bernoulli(1e-12),
    ]
    for (const dist of extremes) {
      const size = Dist.eventSize(dist)
      const draws = Dist.sample(dist, key, 200)
      for (let i = 0; i < draws.length; i += size) {
        const x = Array.from(draws.subarray(i, i + size))
        expect(Dist.logDensity(dist, size === 1 ? x[0]! : x)).toBeGreaterThan(-Infinity)
      }
    }
  })
})
