import { describe, expect, it } from "vitest"
import * as Axis from "../../../../src/report/html/Axis.ts"
import * as Charts from "../../../../src/report/html/Charts.ts"
import * as Draw from "../../../../src/report/html/Draw.ts"
import * as TreeDrawing from "../../../../src/report/html/TreeDrawing.ts"
import * as hostile from "../../../support/hostile.ts"

/** The places of the circles of a picture. */
const circles = (svg: string): ReadonlyArray<ReadonlyArray<number>> =>
  [...svg.matchAll(/transform="translate\(([\d.]+),([\d.]+)\)" d="M[\d.]+,0A/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ])

describe("a picture", () => {
  it("has a mark for each point, in order, and a cross for a wrong row", async () => {
    const [x, y] = [
      [1, 2, 3, 4],
      [2, 4, 6, 8],
    ]
    const points = Charts.points(x, y, (row) => row === 3)
    const chart = Charts.residuals("r", "text", { title: "x", values: x }, { title: "y", values: y }, points)
    const { text } = await Draw.draw(chart)
    const places = circles(text)
    expect(places).toHaveLength(3)
    expect(places[1]![0]! - places[0]![0]!).toBeCloseTo(places[2]![0]! - places[1]![0]!, 1)
    expect(places[0]![1]).toBeGreaterThan(places[1]![1]!)
    expect(text).toContain("var(--wrong)")
    expect(text).toMatch(/^<svg class="chart" role="img" [^>]*aria-labelledby="r-title"/)
  })

  it.each([...hostile.names, hostile.target])("has a title of any text: %j", async (title) => {
    const axis = { title, values: [1, 2, 3] }
    const { text } = await Draw.draw(Charts.trace("t", title, axis, { title: "y", values: [1, 2, 4] }, false))
    expect(text).not.toMatch(/<script|<img|<b>|<[^>]*(onload|href)=/)
    expect(text.match(/<svg/g)).toHaveLength(1)
  })

  it("draws some hundred of many rows, and all that are wrong", () => {
    const drawn = Charts.drawn(100_000, (row) => row === 17 || row === 99_999)
    expect(drawn.length).toBeGreaterThanOrEqual(Charts.most)
    expect(drawn.length).toBeLessThanOrEqual(Charts.most + 2)
    expect(drawn).toEqual(expect.arrayContaining([17, 99_999]))
  })

  it("has a logarithmic scale for magnitudes, and for nothing below 0 or spread evenly", () => {
    expect(Axis.isLogarithmic([0.24, 0.6, 1, 1.9, 11.9, 29.5, 84, 165, 248])).toBe(true)
    expect(Axis.isLogarithmic([-1, 0.6, 1, 1.9, 11.9, 29.5, 84, 165, 248])).toBe(false)
    expect(Axis.isLogarithmic(Array.from({ length: 100 }, (_, i) => i + 0.5))).toBe(false)
    expect(Axis.isLogarithmic([])).toBe(false)
  })
})

describe("the drawing of a tree", () => {
  it("has a box for each operation and operand, sums of sums as one", () => {
    const { text } = TreeDrawing.draw("2.5*x*y + sin(x) + 1", "text")!
    const labels = [...text.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, label]) => label)
    expect(labels).toEqual(["+", "×", "2.5", "x", "y", "sin", "x", "1"])
    // An edge to each box but the first.
    expect(text.match(/class="edge"/g)).toHaveLength(labels.length - 1)
  })

  it("has boxes that do not overlap", () => {
    const { text } = TreeDrawing.draw("exp(-0.7*longer_name)*(a + b^2/c)/(1 + sqrt(longer_name*d))", "text")!
    const boxes = [...text.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)].map(([, ...one]) =>
      one.map(Number),
    )
    for (const [x, y, width] of boxes)
      for (const [x2, y2] of boxes) if (y2 === y && x2! > x!) expect(x2).toBeGreaterThanOrEqual(x! + width!)
  })

  it("has none for an operator that is not known", () => {
    expect(TreeDrawing.draw("mystery(x)", "text")).toBeUndefined()
  })
})
