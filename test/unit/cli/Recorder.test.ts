import { expect, it } from "vitest"
import * as Recorder from "../../../src/cli/Recorder.ts"

it("the trace of gradient ascent has each step", () => {
  expect(Recorder.ofSteps([-5, -3]).points).toEqual([
    [1, -5],
    [2, -3],
  ])
})

it("a fit over groups has a trace of each of its searches", () => {
  const searches = [
    { label: "A", course: [[10, -5] as const, [20, -4] as const] },
    { label: undefined, course: [[7, -9] as const] },
  ]
  expect(Recorder.ofGroups(searches)).toMatchObject({
    points: [],
    searches: [
      {
        group: "A",
        points: [
          [10, -5],
          [20, -4],
        ],
      },
      { group: null, points: [[7, -9]] },
    ],
  })
})
