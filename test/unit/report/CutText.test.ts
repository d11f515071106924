import { describe, expect, it } from "vitest"
import * as CutText from "../../../src/report/CutText.ts"

const asked = { steps: 2000, draws: 500 }
const whole = { asked, draws: 500, time: undefined }

describe("limits of a training in words", () => {
  it("are not told where none was reached", () => {
    expect(CutText.lines(whole, { stopReason: "steps", steps: 2000, seconds: 7 })).toEqual([])
    expect(
      CutText.lines({ ...whole, time: 7 }, { stopReason: "converged", steps: 90, seconds: 7.3 }),
    ).toEqual([])
  })

  it("say how far the training and the draws came", () => {
    expect(CutText.lines({ asked, draws: 1, time: 2 }, { stopReason: "time", steps: 1, seconds: 2 })).toEqual(
      [
        "cut off: its limit of time ended the training after 1 of 2,000 steps",
        "cut off: 1 of 500 draws were ranked within the limit of time",
      ],
    )
    expect(CutText.lines(whole, { stopReason: "interrupted", steps: 1500, seconds: undefined })).toEqual([
      "cut off: a request ended the training after 1,500 of 2,000 steps",
    ])
  })

  it("say that a limit of time was too short, and what makes it longer", () => {
    const [late, ...others] = CutText.lines(
      { ...whole, time: 2 },
      { stopReason: "steps", steps: 2000, seconds: 2.11 },
    )
    expect(late).toMatch(/^late: this took 2\.1 s, and its limit is 2 s\..*--trees, --depth/)
    expect(others).toEqual([])
  })
})
