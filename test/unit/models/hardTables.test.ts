/** The documented answers to tables that are hard (docs/limits.md). */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Hard from "../../../bench/limits/hard.ts"
import * as Tables from "../../../bench/limits/tables.ts"
import * as Data from "../../../src/data/Data.ts"
import * as Term from "../../../src/expr/Term.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Law from "../../../src/models/law.ts"
import * as UnseenText from "../../../src/report/UnseenText.ts"

const fitOf = async (table: Tables.Table, effort = 60_000) => {
  const data = await Effect.runPromise(Data.fromCsv([...Tables.text(table)].join(""), { target: "y" }))
  const fit = await Effect.runPromise(Law.fit(data, { effort, workers: 1 }))
  const said = UnseenText.lines(fit.unseen!, fit.posterior.stopReason, "y").join("\n")
  const text = infix(fit.best.expression, { precision: 4 })
  return { fit, said, text, columns: Term.variables(fit.best.expression) }
}

/** That a fit has the law of a table, y = 3 x0 x1 / x2, at new rows. */
const expectLaw = (fit: Law.Fitted, features: number): void => {
  const rows = [
    [2, 3, 4],
    [1.5, 4.5, 2.5],
  ].map((x) => [...x, ...Array.from({ length: features - 3 }, () => 2)])
  const values = fit.predict(rows)
  expect(values[0]).toBeCloseTo(4.5, 1)
  expect(values[1]).toBeCloseTo(8.1, 1)
}

describe("tables that are hard have the documented answer", () => {
  it("columns in the span of others: the law of the simplest columns", async () => {
    const { fit, columns } = await fitOf(Hard.collinear)
    // Of x0 and its duplicate x4 either.
    expect(columns.map((name) => (name === "x4" ? "x0" : name)).toSorted()).toEqual(["x0", "x1", "x2"])
    expect(fit.best.probability).toBeGreaterThan(0.3)
  })

  it("six rows: the simplest law, and laws that were not seen", async () => {
    const { fit, text } = await fitOf(Hard.few)
    expect(text).toMatch(/x0\*x1/)
    expect(fit.predict([[2, 4]])[0]).toBeCloseTo(20, 6)
    expect(fit.unseen!.probability).toBeGreaterThan(0.02)
  })

  it("a thousand columns with a short search: cut off, and the table says so", async () => {
    const { said } = await fitOf(Hard.wide, 2000)
    expect(said).toMatch(/no restart has ended/)
    expect(said).toMatch(/cut off: its limit of effort/)
  })

  it("a thousand columns with the effort that the page says: the law", async () => {
    const { fit, columns } = await fitOf(Hard.wide, Hard.wide.effort)
    expect(columns.toSorted()).toEqual(["x0", "x1", "x2"])
    expectLaw(fit, 1000)
    expect(fit.best.probability).toBeGreaterThan(0.5)
  })

  it("outliers: wrong rows, which have no say in the law", async () => {
    const { fit } = await fitOf(Hard.outliers)
    expectLaw(fit, 3)
    const wrong = fit.best.noise!.wrongRows.map(({ row }) => row)
    expect(wrong.length).toBeGreaterThan(15)
    for (const row of wrong) expect(row % 25).toBe(0)
    expect(fit.best.noise!.sigma).toBeLessThan(0.05)
  })

  it("pure noise: the mean", async () => {
    const { fit, said, columns } = await fitOf(Hard.noise)
    expect(columns).toEqual([])
    expect(fit.best.ensemble.trees).toHaveLength(0)
    expect(said).toContain("nothing explains y: its mean")
  })

  it("99 % zeros: the law 0 with heavy-tailed noise", async () => {
    const { fit, columns } = await fitOf(Hard.zeros)
    expect(columns).toEqual([])
    expect(Math.abs(fit.predict([[2, 3, 4]])[0]!)).toBeLessThan(1e-3)
    expect(fit.best.noise!.kind).toBe("heavy")
  })

  it("a binary target: no law of the values, a misfit", async () => {
    const { fit, said } = await fitOf(Hard.binary)
    expect(fit.unseen!.probability).toBeGreaterThan(0.98)
    expect(said).toMatch(/misfit/)
  })

  it("many rows and columns with a short search: a product is found before the search is cut off", async () => {
    const { fit, said } = await fitOf(Tables.plain(30_000, 20), 5000)
    expectLaw(fit, 20)
    expect(said).toMatch(/cut off: its limit of effort/)
    expect(said).not.toMatch(/misfit/)
  })
})
