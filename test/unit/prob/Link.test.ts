import { describe, expect, it } from "vitest"
import * as GPrior from "../../../src/evidence/gPrior.ts"
import * as Response from "../../../src/evidence/response.ts"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Term from "../../../src/expr/Term.ts"

/** Values of y that each shipped link takes. */
const taken: Readonly<Record<string, ReadonlyArray<number>>> = {
  identity: [-3, 0, 4],
  square: [0.3, 2, 7],
  sqrt: [0.3, 2, 7],
  inverse: [-2, 0.1, 5],
  inverseSquare: [0.3, 2, 7],
  log: [1e-3, 1, 40],
  exp: [-20, 0, 8],
  sin: [-1.5, 0.2, 1.5],
  cos: [0.1, 1.5, 3],
  arcsin: [-0.9, 0, 0.99],
}

const applied = (link: Link.Link, y: ReadonlyArray<number>, stray?: number): Response.Response => {
  const found = Response.apply(link, Float64Array.from(y), stray)
  if (found._tag === "Dropped") throw new Error(found.reason)
  return found
}

const dropped = (link: Link.Link, y: ReadonlyArray<number>, stray?: number): string => {
  const found = Response.apply(link, Float64Array.from(y), stray)
  return found._tag === "Dropped" ? found.reason : "applies"
}

describe("links", () => {
  it.each(Link.shipped.map((link) => [link.name, link] as const))(
    "%s has an inverse, a Jacobian and slopes on the way back",
    (name, link) => {
      const y = Float64Array.from(taken[name]!)
      const response = applied(link, taken[name]!)
      const g = scalarFunction(link.forward, ["y"])
      const h = 1e-6
      let jacobian = 0
      y.forEach((value, i) => {
        const slope = (g([value + h]) - g([value - h])) / (2 * h)
        expect(Math.abs(response.slopes[i]! / slope - 1)).toBeLessThan(1e-6)
        expect(response.values[i]).toBeCloseTo(g([value]), 12)
        jacobian += Math.log(Math.abs(slope))
      })
      expect(response.logJacobian).toBeCloseTo(jacobian, 5)
      const [back, slopes] = [new Float64Array(3), new Float64Array(3)]
      Response.back(response).run(response.values, back, slopes)
      y.forEach((value, i) => {
        expect(Math.abs(back[i]! - value)).toBeLessThan(1e-9)
        expect(slopes[i]! * response.slopes[i]!).toBeCloseTo(1, 6)
      })
    },
  )

  it("take the branch on which the data lie", () => {
    const back = (y: ReadonlyArray<number>) => {
      const out = new Float64Array(2)
      Response.back(applied(Link.square, y)).run(Float64Array.of(4, 9), out, new Float64Array(2))
      return [...out]
    }
    expect(back([1, 5])).toEqual([2, 3])
    expect(back([-1, -5])).toEqual([-2, -3])
  })

  it("are dropped where they do not hold, with the row", () => {
    expect(dropped(Link.log, [1, -2, 3])).toBe(
      'the link "log" cannot be undone on row 2, where the response is -2',
    )
    expect(dropped(Link.square, [1, 2, -1, -3])).toContain("on row 3 and 1 more")
    expect(dropped(Link.inverse, [1, 0])).toContain("row 2")
    expect(dropped(Link.exp, [1, 800])).toContain("row 2")
    expect(dropped(Link.arcsin, [0, 1])).toContain("row 2")
    expect(dropped(Link.sin, [0.2, 3])).toContain("row 2")
  })

  it("may be undefined on a share of the rows, which they then leave out", () => {
    const y = [1, 2, -0.1, 3, 4, 5, 6, 7, 8, 9]
    expect(dropped(Link.log, y, 0.09)).toContain("row 3")
    const response = applied(Link.log, y, 0.1)
    expect(response.values[2]).toBe(0)
    expect(response.slopes[2]).toBe(Infinity)
    expect(response.logJacobian).toBe(-Infinity)
    expect(response.values[3]).toBe(Math.log(3))
  })

  it("have no value outside of the domain of their inverse, and no slope at its end", () => {
    const way = Response.back(applied(Link.square, [1, 2]))
    const [values, slopes] = [new Float64Array(3), new Float64Array(3)]
    way.run(Float64Array.of(-0.5, 0, 4), values, slopes)
    expect([...values]).toEqual([Number.NaN, 0, 2])
    expect([...slopes].slice(1)).toEqual([0, 0.25])
  })

  it("of one's own are one line", () => {
    const tangent = Link.make("tan", { forward: Term.tan, inverse: Term.atan })
    expect(tangent.complexity).toBe(1)
    expect(applied(tangent, [-1, 0.5, 1.2]).values[1]).toBeCloseTo(Math.tan(0.5), 12)
  })

  it("have to be undone by their inverse", () => {
    expect(() => Link.make("wrong", { forward: Term.log, inverse: Term.square })).toThrow(
      'the inverse of the link "wrong" does not undo it',
    )
    const twoSides = { forward: Term.square, inverse: [Term.sqrt, Term.exp] }
    expect(() => Link.make("half", twoSides)).toThrow(Link.LinkError)
    expect(() => Link.make("half", twoSides)).toThrow('branch 2 of the inverse of the link "half"')
  })
})

describe("the target of a link", () => {
  const y = Float64Array.of(0.5, 1, 2, 4)
  const prior = { a: 3, resolution: 1e-3 }

  it("is that of y for the identity", () => {
    expect(Response.target(applied(Link.identity, [...y]), y, prior)).toEqual(GPrior.target(y, prior))
  })

  it("rounds by what the rounding of y does", () => {
    // d log y = dy / y: a value is known to 1e-3 of itself, or of the standard deviation where that is less.
    const variance = (1.375 ** 2 + 0.875 ** 2 + 0.125 ** 2 + 2.125 ** 2) / 4
    const { rounding } = Response.target(applied(Link.log, [...y]), y, prior)
    expect(rounding / (1e-6 * (1 + 1 + variance / 4 + variance / 16))).toBeCloseTo(1, 10)
  })
})
