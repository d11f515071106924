import { describe, expect, it } from "vitest"
import * as GPrior from "../../../../src/evidence/gPrior.ts"
import { leastSquares } from "../../../../src/numeric/leastSquares.ts"
import * as Constants from "../../../../src/evidence/exact/Constants.ts"
import { select, type ConstantSelection } from "../../../../src/evidence/exact/ConstantSelection.ts"
import * as Rng from "../../../../src/random/Rng.ts"

// Laws y = b0 + b1 x + sigma eps with constants drawn from their prior: a slope is exact with probability 1/2, and
// N(0, g sigma^2 / Sxx) otherwise, g from its prior; an intercept is 0 with probability 1/2, otherwise exact with
// probability 1/2, and flat if not.

const prior = Constants.make()
const table = Constants.table(prior)
const exact = table.near(0, 1e9, 1e9)
const random = Rng.generator(Rng.key(20261101))

const drawExact = (): number => {
  let left = random.next() * exact.reduce((sum, { logMass }) => sum + Math.exp(logMass), 0)
  const found = exact.find(({ logMass }) => (left -= Math.exp(logMass)) < 0) ?? exact[0]!
  return random.next() < 0.5 ? found.value : -found.value
}

const fit = (y: Float64Array, x: Float64Array): ConstantSelection => {
  const design = [new Float64Array(y.length).fill(1), x]
  const start = leastSquares(design, y).coefficients
  const found = select({ y, way: undefined, design }, GPrior.target(y, { a: 3, resolution: 1e-7 }), start, {
    prior,
    table,
    logarithmic: false,
  })
  if (found === undefined) throw new Error("not fitted")
  return found
}

const draw = (rows: number) => {
  const x = Float64Array.from({ length: rows }, () => 1 + random.next())
  const mean = x.reduce((sum, value) => sum + value, 0) / rows
  const sxx = x.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const sigma = 10 ** (-4 + 3 * random.next())
  const isExact = random.next() < prior.exact
  const g = rows * ((1 - random.next()) ** -2 - 1)
  const slope = isExact ? drawExact() : sigma * Math.sqrt(g / sxx) * random.normal()
  const spread = Math.sqrt(sigma ** 2 + (slope ** 2 * sxx) / rows)
  const isZero = random.next() < prior.zero
  const intercept = isZero ? 0 : random.next() < prior.exact ? drawExact() : spread * (random.next() - 0.5)
  const y = x.map((value) => intercept + slope * value + sigma * random.normal())
  return { x, y, slope, isExact, isZero }
}

describe("selection of laws as the prior has them", () => {
  const count = 800
  const trials = Array.from({ length: count }, () => {
    const law = draw(100)
    return { ...law, found: fit(law.y, law.x) }
  })
  const share = <A>(of: ReadonlyArray<A>, is: (one: A) => boolean): number => of.filter(is).length / of.length

  it("is right nine times out of ten where it is done", () => {
    const done = trials.filter(({ found }) => found.states[1]?._tag === "Fixed")
    expect(done.length).toBeGreaterThan(count / 3)
    expect(share(done, ({ slope, found }) => found.coefficients[1] === slope)).toBeGreaterThan(0.9)
  })

  it("takes one free slope in twenty for an exact one, and misses one exact slope in eight", () => {
    const free = trials.filter(({ isExact }) => !isExact)
    const known = trials.filter(({ isExact }) => isExact)
    expect(share(free, ({ found }) => found.states[1]?._tag === "Fixed")).toBeLessThan(0.07)
    expect(share(known, ({ found }) => found.states[1]?._tag !== "Fixed")).toBeLessThan(0.16)
  })

  it("is right four times out of five about a zero intercept", () => {
    // Half of the others lie within a quarter of a standard deviation of y of 0.
    const zero = trials.filter(
      ({ found }) => found.states[0]?._tag === "Fixed" && found.coefficients[0] === 0,
    )
    expect(zero.length).toBeGreaterThan(count / 5)
    expect(share(zero, ({ isZero }) => isZero)).toBeGreaterThan(0.8)
  })
})
