import { describe, expect, it } from "vitest"
import * as Rng from "../../../src/random/Rng.ts"
import * as LogSlopes from "../../../src/search/LogSlopes.ts"
import * as Scaling from "../../../src/search/Scaling.ts"
import * as Spaces from "../../support/spaces.ts"

/** Logarithms of independent features in [1, 5), and that of a law of some of them with 1 % of noise. */
const table = (rows: number, count: number, law: (x: ReadonlyArray<number>) => number) => {
  const key = Rng.key(21)
  const columns = Array.from({ length: count }, (_, j) =>
    Rng.uniform(Rng.fold(key, j), new Float64Array(rows)).map((value) => 1 + 4 * value),
  )
  const errors = Rng.normal(Rng.fold(key, "noise"), new Float64Array(rows))
  const t = errors.map((error, i) =>
    Math.log(Math.abs(law(columns.map((column) => column[i]!)) * (1 + 0.01 * error))),
  )
  return { features: columns.map((column, id) => ({ id, log: column.map(Math.log) })), t }
}

describe("the features that y is looked at along", () => {
  it("are all where there are few", () => {
    const { features, t } = table(100, 9, (x) => x[0]!)
    expect(Scaling.foremost(features, t)).toBe(features)
  })

  it("are those that matter, of a thousand, in their order", () => {
    const { features, t } = table(200, 1000, (x) => (3 * x[17]! * x[400]!) / x[999]!)
    const chosen = Scaling.foremost(features, t).map(({ id }) => id)
    expect(chosen).toHaveLength(9)
    expect(chosen).toEqual(chosen.toSorted((a, b) => a - b))
    expect(chosen).toEqual(expect.arrayContaining([17, 400, 999]))
  })

  it("are found by a bend, too, and on rows where they are finite", () => {
    const { features, t } = table(300, 30, (x) => 1 + (x[3]! - 3) ** 2)
    features[3]!.log[0] = Number.NaN
    expect(Scaling.foremost(features, t).map(({ id }) => id)).toContain(3)
  })
})

describe("what a parabola leaves", () => {
  it("is nothing of a parabola, all of a constant, and 1 less R^2 of noise", () => {
    const x = Float64Array.of(1, 2, 4, 7, 8)
    expect(
      LogSlopes.parabola(
        x,
        x.map((value) => 2 - 3 * value + value ** 2),
      ),
    ).toBeLessThan(1e-20)
    expect(LogSlopes.parabola(x, new Float64Array(5).fill(4))).toBe(1)
    // by exact fractions
    expect(LogSlopes.parabola(x, Float64Array.of(1, 0, 2, 1, 3))).toBeCloseTo(0.5483918778716467, 12)
  })
})

describe("the rows whose logarithms are heard", () => {
  const y = Float64Array.of(0, -1, 2, 4, 8, -16, 32, 64)
  const same = (noise: number): Float64Array => new Float64Array(y.length).fill(noise)

  it("are all that have one without noise", () => {
    expect(Scaling.loud(y, same(0))).toEqual(
      y.map((value) => (value === 0 ? Number.NaN : Math.log(Math.abs(value)))),
    )
  })

  it("are those of three standard deviations", () => {
    expect(Scaling.loud(y, same(1))).toEqual(
      y.map((value) => (Math.abs(value) < 3 ? Number.NaN : Math.log(Math.abs(value)))),
    )
  })

  it("are the loudest quarter where noise drowns all, and none that have no weight", () => {
    const heard = (noise: Float64Array): ReadonlyArray<number> =>
      [...Scaling.loud(y, noise)].flatMap((value, i) => (Number.isNaN(value) ? [] : [i]))
    expect(heard(same(1000))).toEqual([5, 6, 7])
    const silent = same(1000)
    silent[7] = Infinity
    expect(heard(silent)).toEqual([4, 5, 6])
  })
})

describe("the form that the best law shows", () => {
  const truth = (u: number): number => Math.exp(u) - 1
  /** a law of three numbers that has the values of the truth to a few percent */
  const surrogate = (u: number): number => 0.79 * u ** 0.78 * Math.exp(0.777 * u)
  const sigma = 40
  const errors = Rng.generator(Rng.key(5))
  const spaces = Spaces.make(([a, b]) => truth(a! / b!) + sigma * errors.normal())
  const { space, data } = spaces
  const apply = (name: string, left: number, right = -1): number => Spaces.apply(spaces, name, left, right)
  const [a, b] = data.columns
  const law = (): Float64Array => a!.map((value, i) => surrogate(value / b![i]!))
  const shown = (looks: Generator<void, ReadonlyArray<Scaling.Scaling>>) => {
    let next = looks.next()
    while (next.done !== true) next = looks.next()
    return next.value.map(
      ({ single }) => single && [...single.index].map((power) => power * single.index[0]!),
    )
  }

  it("is a function of one product of powers, which noise hides in y", () => {
    expect(shown(Scaling.ofLaw({ space, apply, law }))).toEqual([[1, -1]])
    const noise = (): Float64Array => new Float64Array(data.rows).fill(sigma)
    for (const index of shown(Scaling.of({ space, apply, noise }))) expect(index).not.toEqual([1, -1])
  })

  it("is none where there is no law yet", () => {
    expect(shown(Scaling.ofLaw({ space, apply, law: () => undefined }))).toEqual([])
  })
})

describe("the product of powers that y shows at once", () => {
  const shown = (law: (row: ReadonlyArray<number>) => number) =>
    Scaling.products(Spaces.make(law)).map(({ factor }) => [...factor])

  it("is the law where it is one, small values that are mostly noise notwithstanding", () => {
    expect(shown(([a, b]) => (3 * a! ** 2) / b!)).toEqual([[2, -1]])
    const noise = Rng.generator(Rng.key(3))
    // Values from 0.002 to 25, and noise of 0.05: a quarter of the rows are of one sign by chance alone.
    expect(shown(([a, b]) => a! ** 2 / b! ** 4 + 0.05 * noise.normal())).toContainEqual([2, -4])
  })

  it("is none where y does not depend on the features", () => {
    const noise = Rng.generator(Rng.key(4))
    expect(shown(() => 5 + 0.1 * noise.normal())).toEqual([])
  })
})
