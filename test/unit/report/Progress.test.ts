import { describe, expect, it } from "vitest"
import * as Progress from "../../../src/report/Progress.ts"

const step = (changes: Partial<Progress.Step> = {}): Progress.Step => ({
  step: 500,
  steps: 2000,
  elbo: -1234.5678,
  elboTrend: 0.12345,
  seconds: 10,
  ...changes,
})

describe("Progress.describe", () => {
  it("says step, ELBO, its trend and the time left", () => {
    expect(Progress.describe(step())).toBe("step 500/2000   ELBO -1235 (+0.1235 a step)   30 s left")
  })

  it("knows the time that the fit may take", () => {
    expect(Progress.describe(step(), 12)).toContain("2 s left")
    expect(Progress.describe(step(), 9)).toContain("0 s left")
  })

  it("has no number for what is none, and no sign for a fall but its own", () => {
    expect(Progress.describe(step({ elbo: Number.NaN, elboTrend: -2 }))).toContain("ELBO ? (-2 a step)")
  })

  it("says what follows the last step", () => {
    expect(Progress.describe(step({ step: 2000 }))).toBe("step 2000/2000   ranking the models drawn ...")
  })
})

describe("Progress.ofSearch", () => {
  const best = () => ({ logPosterior: -21.534, target: "period", formula: "sqrt(a)^3" })
  const says = (columns: number, changes: Partial<Progress.Search> = {}): string =>
    Progress.ofSearch({ seconds: 3, limit: 60, best, ...changes }).text(columns)

  it("says the time, the log posterior of the best law, the mass of the unseen, the law, and the number scored a second", () => {
    const start = "3 s, at most 57 s left   log posterior -21.53"
    const law = "   period = sqrt(a)^3"
    const known = (unseen?: number) => ({ best: () => ({ ...best(), unseen }) })
    expect(says(80)).toBe(`${start}${law}`)
    expect(says(110, { scored: 36_000, ...known(0.374) })).toBe(
      `${start}   37 % unseen${law}   12 thousand scored a second`,
    )
    expect(says(110, known(0.9999))).toContain("   99 % unseen")
    expect(says(110, known())).toBe(`${start}${law}`)
  })

  it("says all of it on a terminal of 80 columns, with a law that is cut off where it is long", () => {
    const formula = "1.234*exp(-0.5678*time) + sin(angle)"
    const changes = { scored: 36_000, best: () => ({ ...best(), formula, unseen: 0.374 }) }
    expect(says(79, changes)).toBe(
      "57 s left  log posterior -21.53  37 % unseen  12k scored/s  1.234*exp(-0.5678*…",
    )
    expect(says(79, { ...changes, best: () => ({ ...best(), unseen: 0.374 }) })).toBe(
      "57 s left  log posterior -21.53  37 % unseen  12k scored/s  sqrt(a)^3",
    )
    expect(says(79, { ...changes, seconds: 7384, limit: 10_000, scored: 2e10 })).toContain(
      "43 min 36 s left  log posterior -21.53  37 % unseen  2.7M scored/s  1.234*exp(…",
    )
    for (let columns = 40; columns < 160; columns++)
      expect(says(columns, changes).length).toBeLessThanOrEqual(columns)
  })

  it("leaves out the number scored, the law, and the mass, in this order, where a line is shorter", () => {
    const changes = { scored: 36_000, best: () => ({ ...best(), unseen: 0.374 }) }
    const start = "57 s left  log posterior -21.53"
    expect(says(66, changes)).toBe(`${start}  37 % unseen  sqrt(a)^3`)
    expect(says(54, changes)).toBe(`${start}  37 % unseen  sqrt(a)…`)
    expect(says(53, changes)).toBe(`${start}  37 % unseen`)
    expect(says(43, changes)).toBe(start)
  })

  it("says which rows a law of some of them was scored on, and shows control characters of names as text", () => {
    const changes = { scored: 36_000, best: () => ({ ...best(), unseen: 0.374, rows: "in \u001b[2J" }) }
    const texts: Array<string> = []
    for (const columns of [130, 80])
      Progress.line({ write: (text) => texts.push(text), columns }).update(
        Progress.ofSearch({ seconds: 3, limit: 60, ...changes }),
      )
    expect(texts).toEqual([
      "\r3 s, at most 57 s left   in \\u001b[2J   log posterior -21.53   37 % unseen   period = sqrt(a)^3   12 thousand scored a second",
      "\r57 s left  in \\u001b[2J  log posterior -21.53  37 % unseen  sqrt(a)^3",
    ])
  })

  it("knows of searches without a limit, and without a law so far", () => {
    expect(says(80, { limit: undefined, best: () => undefined })).toBe("3 s   searching ...")
    expect(says(80, { limit: undefined, scored: 9000, best: () => undefined })).toBe(
      "3 s   searching ...   3 thousand scored a second",
    )
  })

  it("asks for the best law only when the line is written", () => {
    let asked = 0
    const texts: Array<string> = []
    const line = Progress.line({ write: (text) => texts.push(text), columns: 80 })
    for (const seconds of [0.01, 0.02, 0.05, 0.2])
      line.update(
        Progress.ofSearch({
          seconds,
          limit: 9,
          best: () => {
            asked++
            return undefined
          },
        }),
      )
    expect([asked, texts.length]).toEqual([2, 2])
  })
})

describe("Progress.trend", () => {
  it("is the slope of a line, and the mean of its last half at first", () => {
    const trend = Progress.trend(3)
    const told = [1, 2, undefined, 3, 4, 5, 6, 7, 8].map(trend)
    expect(told[0]).toEqual({ elbo: 1, elboTrend: 0 })
    expect(told[1]).toEqual({ elbo: 2, elboTrend: 1 })
    expect(told[2]).toEqual(told[1])
    expect(told.at(-1)).toEqual({ elbo: 7, elboTrend: 1 })
  })

  it("knows nothing before the first value", () => {
    expect(Progress.trend(3)(undefined)).toEqual({ elbo: Number.NaN, elboTrend: 0 })
  })
})

describe("Progress.duration", () => {
  it("reads as people write it", () => {
    expect([0.4, 59.4, 60, 125, 3599, 3600, 12_000].map(Progress.duration)).toEqual([
      "0 s",
      "59 s",
      "1 min 00 s",
      "2 min 05 s",
      "59 min 59 s",
      "1 h 00 min",
      "3 h 20 min",
    ])
  })
})

describe("Progress.line", () => {
  const written = (columns: number) => {
    const texts: Array<string> = []
    return { texts, line: Progress.line({ write: (text) => texts.push(text), columns }) }
  }

  it("writes over itself, blanks out what is longer, and clears", () => {
    const { texts, line } = written(80)
    line.update(Progress.ofStep(step()))
    line.update(Progress.ofStep(step({ step: 2000, seconds: 11 })))
    line.clear()
    line.clear()
    const first = "step 500/2000   ELBO -1235 (+0.1235 a step)   30 s left"
    const last = "step 2000/2000   ranking the models drawn ..."
    expect(texts).toEqual([
      `\r${first}`,
      `\r${last.padEnd(first.length)}`,
      `\r${" ".repeat(last.length)}`,
      "\r",
    ])
  })

  it("never wraps", () => {
    const { texts, line } = written(20)
    line.update(Progress.ofStep(step()))
    expect(texts).toEqual(["\rstep 500/2000   ELB"])
  })

  it("updates ten times a second, and at the last step", () => {
    const { texts, line } = written(80)
    for (const seconds of [0, 0.05, 0.09, 0.11, 0.12]) line.update(Progress.ofStep(step({ seconds })))
    line.update(Progress.ofStep(step({ step: 2000, seconds: 0.13 })))
    expect(texts).toHaveLength(3)
  })
})
