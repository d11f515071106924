import { describe, expect, it } from "vitest"
import * as BorderedRegression from "../../../src/search/BorderedRegression.ts"
import * as Survey from "../../../src/search/Survey.ts"
import * as Spaces from "../../support/spaces.ts"

describe("a list of columns that is tried again and again", () => {
  const spaces = Spaces.make(([a, b]) => 3 * Math.sin(a!) + a! * b! ** 2)
  const { space, data } = spaces
  const product = Spaces.apply(spaces, "mul", 0, 1)
  const wave = Spaces.apply(spaces, "sin", 0)
  const ratio = Spaces.apply(spaces, "div", 0, 1)
  // 1 / (1 - 1) is not finite: the column is not admissible.
  const broken = Spaces.apply(spaces, "div", 2, Spaces.apply(spaces, "sub", 2, 2))
  const list = Int32Array.of(product, broken, ratio, wave, Spaces.apply(spaces, "square", ratio))
  const regression = BorderedRegression.make(space, 4)

  const residuals = (rows: Float64Array, count: number): ReadonlyArray<number> =>
    Array.from({ length: count }, (_, i) => regression.rss(rows, i * regression.width()))

  it("has the residuals of passes over the data, and the places of what is admissible", () => {
    const survey = Survey.make(space, 0)
    for (const base of [[], [wave], [wave, 1], [1]]) {
      const rows = survey.moments(list, base).slice()
      regression.hold(base, 0)
      expect([...survey.places()]).toEqual([0, 2, 3, 4])
      const ours = residuals(rows, 4)
      const all = residuals(regression.moments(list, list.length), list.length)
      expect(ours).toEqual([...survey.places()].map((place) => all[place]))
    }
  })

  it("takes one pass over the data for each tree that is held", () => {
    const survey = Survey.make(space, 0)
    let passes = 0
    const { moments } = space.kernel
    const counting = {
      ...space,
      kernel: {
        ...space.kernel,
        moments: (ids: ArrayLike<number>, out: Float64Array) => {
          passes++
          moments(ids, out)
        },
      },
    }
    const counted = Survey.make(counting, 0)
    counted.moments(list, [])
    expect(passes).toBe(1)
    counted.moments(list, [wave])
    expect(passes).toBe(2)
    counted.moments(list, [wave])
    expect(passes).toBe(2)
    counted.moments(list, [1, wave])
    expect(passes).toBe(3)
    regression.hold([wave, 1], 0)
    expect(residuals(counted.moments(list, [wave, 1]), 4)).toEqual(
      residuals(survey.moments(list, [wave, 1]), 4),
    )
    counted.clear()
    counted.moments(list, [wave])
    expect(passes).toBe(5)
  })

  it("forgets the products of an earlier response", () => {
    const survey = Survey.make(space, 0)
    const before = survey.moments(list, [wave]).slice()
    space.respond(
      0,
      data.y.map(Math.sqrt),
      Float64Array.from(data.y, (_, i) => 1 + (i % 3)),
    )
    survey.clear()
    const after = survey.moments(list, [wave]).slice()
    regression.hold([wave], 0)
    const all = residuals(regression.moments(list, list.length), list.length)
    expect(residuals(after, 4)).toEqual([...survey.places()].map((place) => all[place]))
    expect([...after]).not.toEqual([...before])
  })
})
