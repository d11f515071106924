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
