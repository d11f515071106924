import { describe, expect, it } from "vitest"
import * as Link from "../../../src/prob/Link.ts"
import * as WorkingResponse from "../../../src/evidence/workingResponse.ts"
import * as Rng from "../../../src/random/Rng.ts"

const generator = Rng.generator(Rng.key(3))
const mean = Float64Array.from({ length: 2000 }, () => 1 + 4 * generator.next())
const noise = mean.map(() => 0.2 * generator.normal())
const y = mean.map((value, i) => value + noise[i]!)

const working = (link: Link.Link, values = y): WorkingResponse.WorkingResponse => {
  const made = WorkingResponse.make(link, values)
  if (made === undefined) throw new Error(`the link ${link.name} does not fit`)
  return made
}

describe("the working response of a link", () => {
  it("is the link's value where nothing is known of the mean", () => {
    const { z, w } = working(Link.log).respond(undefined)
    z.forEach((value, i) => expect(value).toBeCloseTo(Math.log(y[i]!), 12))
    w.forEach((value, i) => expect(value).toBeCloseTo(y[i]!, 12))
  })

  it("has weighted residuals that are those of y, whatever the link", () => {
    for (const link of [Link.log, Link.inverse, Link.inverseSquare, Link.square, Link.sqrt]) {
      const { z, w } = working(link).respond(mean)
      const exact = working(link, mean).respond(undefined).z
      // At the true mean the residual of eta is g'(mu) eps, and its weight 1 / |g'|.
      z.forEach((value, i) =>
        expect(Math.abs(w[i]! * (value - exact[i]!))).toBeCloseTo(Math.abs(noise[i]!), 9),
      )
    }
  })

  it("has residuals of y where the link is flat at the mean, and its weight is cut", () => {
    const angles = Float64Array.from({ length: 400 }, (_, i) => 0.2 + i / 200)
    const wave = working(Link.cos, angles)
    const flat = angles.map((value, i) => (i % 100 === 0 ? 1e-5 : value))
    const { z, w } = wave.respond(flat)
    expect(Math.max(...w)).toBeLessThan(1e4)
    z.forEach((value, i) =>
      expect(Math.abs(w[i]! * (value - Math.cos(flat[i]!)))).toBeCloseTo(Math.abs(angles[i]! - flat[i]!), 9),
    )
  })

  it("has no bias at the mean, where the link's own values have", () => {
    const { z } = working(Link.inverse).respond(mean)
    const average = (values: Float64Array): number => values.reduce((a, b) => a + b, 0) / values.length
    const truth = average(mean.map((value) => 1 / value))
    const spread = average(mean.map((value, i) => (noise[i]! / value ** 2) ** 2)) ** 0.5 / Math.sqrt(2000)
    expect(Math.abs(average(z) - truth)).toBeLessThan(4 * spread)
    expect(average(y.map((value) => 1 / value)) - truth).toBeGreaterThan(2 * spread)
  })

  it("does without a mean at which the link is not defined", () => {
    const found = working(Link.log)
    const negative = mean.map((value, i) => (i % 4 === 0 ? -value : value))
    expect(found.respond(negative)).toEqual(found.respond(undefined))
  })

  it("leaves out rows where the link is not defined, and links that are undefined on many", () => {
    const some = y.map((value, i) => (i % 50 === 0 ? -value : value))
    const { w } = working(Link.log, some).respond(undefined)
    w.forEach((value, i) => expect(value > 0).toBe(some[i]! > 0))
    expect(
      WorkingResponse.make(
        Link.log,
        y.map((value, i) => (i % 5 === 0 ? -value : value)),
      ),
    ).toBeUndefined()
  })

  it("takes the branch on which the data lie", () => {
    const negative = mean.map((value) => -value)
    const { back, respond } = working(Link.square, negative)
    const { z } = respond(undefined)
    const value = new Float64Array(z.length)
    back.run(z, value, new Float64Array(z.length))
    value.forEach((one, i) => expect(one).toBeCloseTo(negative[i]!, 12))
  })

  it("are of any number of decades: no row has more than 1000 times the median weight", () => {
    const decades = Float64Array.from({ length: 500 }, (_, i) => 10 ** (i / 25 - 30))
    for (const [link, y] of [
      [Link.log, decades],
      [Link.exp, Float64Array.from({ length: 500 }, (_, i) => i / 10)],
    ] as const) {
      const { z, w } = WorkingResponse.make(link, y)!.respond(undefined)
      const median = w.toSorted()[250]!
      expect(Math.max(...w)).toBeLessThanOrEqual(1000.001 * median)
      y.forEach((value, i) => expect(z[i]).toBe(link === Link.log ? Math.log(value) : Math.exp(value)))
    }
  })

  it("has the weights of logarithms under relative errors, over any number of decades", () => {
    const decades = Float64Array.from({ length: 500 }, (_, i) => 10 ** (i / 25 - 30))
    const weights = { by: decades.map((value) => 1 / value), logarithms: true }
    for (const [link, each] of [
      [Link.identity, 1],
      [Link.square, 1 / 2],
      [Link.inverse, 1],
      [Link.inverseSquare, 1 / 2],
    ] as const) {
      const { respond, most } = WorkingResponse.make(link, decades)!
      const found = respond(undefined, weights)
      // w z is y / (y g'(y)) g(y) / y, the inverse of the exponent, on every row; a law of 0 or of infinity is as far off.
      found.z.forEach((value, i) => expect(Math.abs(found.w[i]! * value)).toBeCloseTo(each, 9))
      expect(most(found)).toBeCloseTo(each ** 2, 9)
    }
    const { respond, most } = WorkingResponse.make(Link.log, decades)!
    const found = respond(undefined, weights)
    found.w.forEach((value) => expect(value).toBeCloseTo(1, 9))
    expect(most(found)).toBe(Infinity)
  })

  it("is taken around y itself where a law is off by more than a factor of e", () => {
    const near = WorkingResponse.near(Float64Array.of(2, 2, 2, 2, -2), Float64Array.of(1, 5, 0.7, -2, -3))
    expect([...near]).toEqual([1, 5, 2, 2, -3])
  })
})
