import { describe, expect, it } from "vitest"
import { leastSquares } from "../../../src/numeric/leastSquares.ts"
import * as BorderedRegression from "../../../src/search/BorderedRegression.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Spaces from "../../support/spaces.ts"

/** Weighted least squares in float64: residual sum of squares, coefficients, and the sum around the weighted mean. */
const reference = (
  z: Float64Array,
  w: Float64Array,
  columns: ReadonlyArray<Float64Array>,
): { readonly rss: number; readonly coefficients: Float64Array } => {
  const by = (column: Float64Array): Float64Array => column.map((value, i) => value * w[i]!)
  const design = [new Float64Array(z.length).fill(1), ...columns].map(by)
  const { coefficients } = leastSquares(design, by(z))
  const rss = by(z).reduce((sum, value, i) => {
    const fitted = design.reduce((total, column, k) => total + coefficients[k]! * column[i]!, 0)
    return sum + (value - fitted) ** 2
  }, 0)
  return { rss, coefficients }
}

describe("regressions of a response on hard trees", () => {
  const spaces = Spaces.make(([a, b]) => 3 * Math.sin(a!) + a! * b! ** 2)
  const { space, data } = spaces
  const product = Spaces.apply(spaces, "mul", 0, 1)
  const wave = Spaces.apply(spaces, "sin", 0)
  const ratio = Spaces.apply(spaces, "div", 0, 1)
  const generator = Rng.generator(Rng.key(5))
  const z = data.y.map((value) => 1e4 + 7 * value + generator.normal())
  const w = data.y.map(() => 0.1 + 3 * generator.next())
  const regression = BorderedRegression.make(space, 4)

  const scored = (base: ReadonlyArray<number>, id: number): number => {
    regression.hold(base, 0)
    const rows = regression.moments(Int32Array.of(id), 1)
    return regression.rss(rows, 0) * space.responses[0]!.unit
  }

  it("have the residual sums of squares of weighted least squares in float64", () => {
    space.respond(0, z, w)
    for (const [base, id] of [
      [[], product],
      [[wave], product],
      [[wave, ratio], product],
      [[product, ratio], 1],
    ] as const) {
      const { rss } = reference(
        z,
        w,
        [...base, id].map((node) => Spaces.column(spaces, node)),
      )
      expect(scored(base, id)).toBeCloseTo(rss, 2 - Math.log10(rss / 1e-3))
      expect(Math.abs(scored(base, id) / rss - 1)).toBeLessThan(1e-5)
    }
  })

  it("have its coefficients", () => {
    space.respond(0, z, w)
    const trees = [wave, ratio, product]
    regression.hold(trees, 0)
    const { centre, scale } = space.responses[0]!
    const own = regression.coefficients().map((value) => value * scale)
    own[0]! += centre
    const { coefficients } = reference(
      z,
      w,
      trees.map((node) => Spaces.column(spaces, node)),
    )
    coefficients.forEach((value, k) => expect(Math.abs(own[k]! / value - 1)).toBeLessThan(1e-4))
  })

  it("leave out rows of weight 0, and count the others for all", () => {
    const half = w.map((value, i) => (i % 2 === 0 ? value : 0))
    const wild = z.map((value, i) => (i % 2 === 0 ? value : 1e6 * i))
    space.respond(0, wild, half)
    const { rss } = reference(wild, half, [Spaces.column(spaces, product)])
    expect(Math.abs(scored([], product) / (2 * rss) - 1)).toBeLessThan(1e-5)
  })

  it("are exact to float32 for a law without noise, whatever its offset", () => {
    const law = data.columns[0]!.map((a, i) => 1e3 + a * data.columns[1]![i]!)
    space.respond(
      0,
      law,
      law.map(() => 1),
    )
    const total = space.responses[0]!.tss * space.responses[0]!.unit
    expect(scored([], product) / total).toBeLessThan(1e-12)
  })

  it("do not take what rounds a column for what it explains", () => {
    const curve = data.columns[0]!.map((a) => a + a ** 2)
    space.respond(
      0,
      curve,
      curve.map(() => 1),
    )
    // sin(1 + a / 2048) beside a is a^2, and sin(1 + a / 2^33) is a line but for rounding.
    const two = Spaces.apply(spaces, "add", 2, 2)
    const sixteen = Spaces.apply(spaces, "square", Spaces.apply(spaces, "square", two))
    const eight = Spaces.apply(spaces, "mul", two, Spaces.apply(spaces, "square", two))
    const many = Spaces.apply(spaces, "mul", Spaces.apply(spaces, "square", sixteen), eight)
    const small = Spaces.apply(spaces, "div", 0, many)
    const smaller = Spaces.apply(spaces, "div", Spaces.apply(spaces, "div", small, many), many)
    const nearly = (by: number): number => Spaces.apply(spaces, "sin", Spaces.apply(spaces, "add", 2, by))
    const remaining = regression.hold([0], 0) * space.responses[0]!.unit
    const left = scored([0], nearly(small)) / remaining
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(1e-5)
    expect(scored([0], nearly(smaller))).toBeLessThan(0)
    expect(scored([0], Spaces.apply(spaces, "square", 0)) / remaining).toBeLessThan(1e-10)
  })

  it("do not take what rounds the columns that are held for what another explains", () => {
    // A link that is nearly flat somewhere gives a few rows most of the weight, and there all columns are one.
    const draws = Rng.generator(Rng.key(8))
    const apply = (name: string, left: number, right = -1): number => Spaces.apply(spaces, name, left, right)
    const two = apply("add", 2, 2)
    const candidates = Int32Array.of(
      0,
      1,
      apply("square", 0),
      wave,
      product,
      apply("div", 2, 0),
      apply("square", apply("square", 0)),
      apply("mul", 0, apply("square", 0)),
    )
    const one = new Float64Array(data.rows).fill(1)
    let looked = 0
    for (const spread of [3, 4, 5])
      for (const few of [8, 12, 16, 8, 12, 16, 8, 12, 16])
        for (
          let power = 2, big = apply("mul", two, two);
          power <= 10;
          power++, big = apply("mul", big, two)
        ) {
          const weights = data.y.map(() => 10 ** (spread * draws.next() ** few))
          const cosine = data.columns[0]!.map(
            (a, i) => Math.cos(a / 100) + (0.01 * draws.normal()) / weights[i]!,
          )
          space.respond(0, cosine, weights)
          const small = apply("div", 0, big)
          const quartic = apply("add", 2, apply("square", apply("square", small)))
          for (const nearly of [quartic, apply("sin", apply("add", 2, small))]) {
            regression.hold([nearly], 0)
            if (regression.rank() === 0) continue
            const rows = regression.moments(candidates, candidates.length)
            candidates.forEach((id, k) => {
              const rss = regression.rss(rows, k * regression.width()) * space.responses[0]!.unit
              const design = [one, Spaces.column(spaces, nearly), Spaces.column(spaces, id)]
              const by = (column: Float64Array): Float64Array => column.map((value, i) => value * weights[i]!)
              looked++
              // Negative: it adds nothing.
              if (rss >= 0) expect(rss).toBeGreaterThan(0.5 * leastSquares(design.map(by), by(cosine)).rss)
            })
          }
        }
    expect(looked).toBeGreaterThan(500)
  })

  it("claim no better fit of noise than there is, by columns that differ in their last digits", () => {
    // 1 / (a b)^4 and a + c / (a b)^4 have a in their span, and more of its digits the smaller c is.
    const draws = Rng.generator(Rng.key(9))
    const apply = (name: string, left: number, right = -1): number => Spaces.apply(spaces, name, left, right)
    const two = apply("add", 2, 2)
    const power = apply("square", apply("square", apply("div", 2, product)))
    const one = new Float64Array(data.rows).fill(1)
    const [law] = data.columns
    let [looked, loose] = [0, 0]
    for (let k = 1, large = apply("square", apply("square", apply("mul", two, two))); k <= 24; k++) {
      large = apply("mul", large, two)
      const sum = apply("add", 0, apply("mul", large, power))
      for (let draw = 0; draw < 4; draw++) {
        const noisy = law!.map((a) => a * (1 + 0.01 * draws.normal()))
        const weights = law!.map((a) => 1 / a)
        space.respond(0, noisy, weights)
        const by = (column: Float64Array): Float64Array => column.map((value, i) => value * weights[i]!)
        const design = [one, Spaces.column(spaces, power), Spaces.column(spaces, sum)].map(by)
        const least = leastSquares(design, by(noisy)).rss
        const rss = scored([power], sum)
        if (rss < 0) continue
        looked++
        if (rss > 1.01 * least) loose++
        expect(rss / least).toBeGreaterThan(1 - 1e-4)
      }
    }
    expect(looked).toBeGreaterThan(40)
    expect(loose).toBeLessThan(looked)
  })

  it("say that a column in the span of others adds nothing", () => {
    space.respond(0, z, w)
    const shifted = Spaces.apply(spaces, "add", product, 2)
    expect(scored([product], shifted)).toBeLessThan(0)
    const constant = Spaces.apply(spaces, "sub", 0, 0)
    expect(scored([], constant)).toBeLessThan(0)
    regression.hold([product, shifted], 0)
    expect(regression.rank()).toBe(1)
  })

  it("know columns that are affine functions of each other by one signature", () => {
    space.respond(0, z, w)
    regression.hold([wave], 0)
    const sign = (id: number): number => {
      const rows = regression.moments(Int32Array.of(id), 1)
      expect(regression.rss(rows, 0)).toBeGreaterThan(0)
      return regression.signature(rows, 0)
    }
    const negative = Spaces.apply(spaces, "sub", 2, product)
    expect(sign(negative)).toBe(sign(product))
    expect(sign(ratio)).not.toBe(sign(product))
  })
})
