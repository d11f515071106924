import { expect, it } from "vitest"
import * as Recorder from "../../../src/cli/Recorder.ts"

it("the trace of a search has each better score and the end", () => {
  const { tell, trace } = Recorder.ofSearch()
  for (const [scored, objective] of [
    [0, -Infinity],
    [10, -5],
    [20, -5],
    [30, -3],
    [40, -3],
    [50, -3],
  ] as const)
    tell({ scored, objective })
  expect(trace().points).toEqual([
    [10, -5],
    [30, -3],
    [50, -3],
  ])
  tell({ scored: 60, objective: -1 })
  expect(trace().points.at(-1)).toEqual([60, -1])
  expect(trace().points).toHaveLength(3)
})

it("a fit over groups has a trace of each of its searches", () => {
  const { tell, trace, scored } = Recorder.ofGroups()
  tell({ label: "A", search: 1, scored: 10, objective: -5 })
  tell({ label: "A", search: 1, scored: 20, objective: -4 })
  tell({ label: undefined, search: 2, scored: 7, objective: -9 })
  expect(scored()).toBe(27)
  expect(trace()).toMatchObject({
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
