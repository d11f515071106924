import { describe, expect, it } from "vitest"
import * as CutText from "../../../src/report/CutText.ts"

const asked = { steps: 2000, draws: 500 }
const whole = { asked, draws: 500 }

describe("limits of a training in words", () => {
  it("are not told where none was reached", () => {
    expect(CutText.lines(whole, { stopReason: "steps", steps: 2000 })).toEqual([])
    expect(CutText.lines(whole, { stopReason: "converged", steps: 90 })).toEqual([])
    expect(CutText.late({ seconds: 7.3, time: 7 }, true)).toEqual([])
    expect(CutText.late({ seconds: 7.3 }, true)).toEqual([])
    expect(CutText.late({ seconds: undefined, time: 7 }, false)).toEqual([])
  })

  it("say how far the training and the draws came", () => {
    expect(CutText.lines({ asked, draws: 1 }, { stopReason: "time", steps: 1 })).toEqual([
      "cut off: its limit of time ended the training after 1 of 2,000 steps",
      "cut off: 1 of 500 draws were ranked within the limit of time",
    ])
    expect(CutText.lines(whole, { stopReason: "interrupted", steps: 1500 })).toEqual([
      "cut off: a request ended the training after 1,500 of 2,000 steps",
    ])
  })

  it("say that a limit of time was too short, and what makes it longer", () => {
    const [trained, ...others] = CutText.late({ seconds: 2.11, time: 2 }, true)
    expect(trained).toMatch(/^late: this took 2\.1 s, and its limit is 2 s\..*draws.*--trees, --depth/)
    expect(others).toEqual([])
    const [found] = CutText.late({ seconds: 13.4, time: 2 }, false)
    expect(found).toMatch(/^late: this took 13 s, and its limit is 2 s\..*best law.*--trees/)
  })
})
