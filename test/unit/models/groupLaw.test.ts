import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Units from "../../../src/expr/Units.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as GroupLaw from "../../../src/models/groupLaw.ts"
import * as Rng from "../../../src/random/Rng.ts"

const [groups, each] = [4, 15]
const normal = Rng.normal(Rng.key(3), new Float64Array(2 * groups * each))
const uniform = Rng.uniform(Rng.key(4), new Float64Array(2 * groups * each))
const speeds = [1.2, 2.1, 3.3, 2.7]
/** Rows of four groups under a law of a time and a mass. */
const table = (law: (t: number, mass: number, speed: number) => number) => {
  const rows = Array.from({ length: groups * each }, (_, i) => {
    const [group, t, mass] = [i % groups, 1 + 4 * uniform[i]!, 1 + uniform[groups * each + i]!]
    return { x: [group, t, mass], y: law(t, mass, speeds[group]!) + 0.05 * normal[i]! }
  })
  return {
    X: rows.map(({ x }) => x),
    y: rows.map(({ y }) => y),
    features: ["run", "t", "mass"],
    target: "way",
  }
}

const fit = (data: ReturnType<typeof table>, options: Partial<GroupLaw.Options> = {}) =>
  Effect.runPromise(GroupLaw.fit(data, { group: "run", effort: 60_000, workers: 1, ...options }))

describe("GroupLaw", () => {
  it("finds one law, and predicts in its groups and in another", async () => {
    const found = await fit(table((t, _, speed) => speed * t * t))
    const { best, unseen, models } = found
    expect(best.varying).toHaveLength(1)
    best.varying[0]!.values.forEach((value, group) => {
      expect(Math.abs(value - speeds[group]!)).toBeLessThan(5 * best.varying[0]!.errors[group]!)
    })
    // With one number for each of four groups, left-out residuals are larger by about one part in 15.
    expect(best.rmseLoo / best.rmseTrain).toBeGreaterThan(1.02)
    expect(best.rmseLoo / best.rmseTrain).toBeLessThan(1.2)
    const total = models.reduce((sum, { probability }) => sum + probability!, 0)
    expect(total + unseen!.probability).toBeCloseTo(1, 9)
    // Four searches of groups and one of all rows.
    expect(unseen!.signs.restarts).toBe(5)
    expect(unseen!.signs.agreeing).toBeLessThanOrEqual(5)

    const known = found.inGroup("2")
    const row = [[3, 1.5]]
    const value = known(row)[0]!
    expect(Math.abs(value - 9 * speeds[2]!)).toBeLessThan(0.2)
    const [inside] = known(row, { bands: [0.9] }).bands
    const [outside] = found.predict(row, { bands: [0.9] }).bands
    expect(inside!.credible.low[0]).toBeLessThan(value)
    expect(inside!.credible.high[0]).toBeGreaterThan(value)
    const width = ({ low, high }: { low: Float64Array; high: Float64Array }): number => high[0]! - low[0]!
    expect(width(inside!.predictive)).toBeLessThan(0.3)
    // Of a group that was not there the speed is between those of the others.
    expect(width(outside!.credible)).toBeGreaterThan(9)
    expect(() => found.inGroup("9")).toThrow('there is no group "9"; the groups are: 0, 1, 2, 3')
    expect(() => known([[1]])).toThrow("row 1 has 1 values, but the law is over 2: t, mass")
  })

  it("tries known forms, which searches need not find", async () => {
    const rows = table((t, _, speed) => speed * t)
    const y = rows.X.map(([run, t]) => 1 / (Math.exp(speeds[run!]! * t!) - 1))
    const { best } = await fit({ ...rows, y }, { effort: 60 })
    // 1 / (exp(c t) - 1), in the way of one form or another.
    expect(best.rmseTrain).toBeLessThan(1e-9)
  })

  it("tells the best law of each search, and then that of all groups, which is at last the one that it finds", async () => {
    const data = table((t, _, speed) => speed * t * t)
    const searches = new Map<string, string>()
    let ranked: { best: GroupLaw.Best; unseen: number; scored: number } | undefined
    const found = await Effect.runPromise(
      GroupLaw.fit(
        data,
        { group: "run", effort: 60_000, workers: 1 },
        ({ label = "all", scored, best, unseen }) => {
          expect(ranked).toBeUndefined()
          const law = best()
          if (law === undefined || scored < 10_000) return
          searches.set(label, infix(law.expression, { precision: 3 }))
          expect(unseen()!.signs.rows).toBe(label === "all" ? groups * each : each)
        },
        ({ scored, best, unseen }) => {
          const law = best()
          if (law !== undefined) ranked = { best: law, unseen: unseen()!.probability, scored }
        },
      ),
    )
    expect([...searches.keys()].sort()).toEqual(["0", "1", "2", "3", "all"])
    speeds.forEach((speed, group) => {
      const [, factor = "0"] = /^([\d.]+)\*t\^2$/.exec(searches.get(String(group))!) ?? []
      expect(Math.abs(Number(factor) / speed - 1)).toBeLessThan(0.05)
    })
    expect(infix(found.best.expression)).toBe("k1*t^2")
    expect(infix(ranked!.best.expression)).toBe("k1*t^2")
    expect(ranked!.best.lmpse).toBe(found.best.lmpse)
    expect(ranked!.unseen).toBeCloseTo(found.unseen!.probability, 1)
    expect(ranked!.scored).toBe(found.unseen!.signs.scored)
  })

  it("has no sums of unlike quantities where columns have units", async () => {
    const data = table((t, mass, speed) => speed * (t + mass))
    const units = Units.of({ t: "s", mass: "kg", way: "m" })
    // A column times a fitted number, or to the power of one, has any unit.
    const plain = /(?<!\*)mass \+ t(?!\^)|(?<!\*)t \+ mass(?!\^)/
    const sums = ({ models }: GroupLaw.Fitted): number =>
      models.filter(({ terms }) => terms.some((term) => plain.test(infix(term)))).length
    expect(sums(await fit(data))).toBeGreaterThan(0)
    expect(sums(await fit(data, { units }))).toBe(0)
  })

  it("searches no group whose rows rule out the links, and names a row of the table where all rows do", async () => {
    const data = table((t) => t)
    const links = [Link.log]
    const below = (is: (row: number) => boolean) => ({
      ...data,
      y: data.y.map((value, i) => (is(i) ? -value : value)),
    })
    // 3 of the 15 rows of a group, and of the 60 of the table: a link may be undefined on a tenth of the rows.
    const { searches } = await fit(
      below((i) => i % groups === 1 && i < 12),
      { links },
    )
    expect(new Set(searches.map(({ label }) => label))).toEqual(new Set(["0", "2", "3", undefined]))
    await expect(
      fit(
        below((i) => i % 2 === 1),
        { links },
      ),
    ).rejects.toThrow(
      /^the data rule out all links of the model: the link "log" cannot be undone on row 2 and 29 more, where the response is -/,
    )
  })
})
