import { describe, expect, it } from "vitest"
import type * as HallOfFame from "../../../src/search/HallOfFame.ts"
import * as State from "../../../src/search/State.ts"
import * as Waiting from "../../../src/search/Waiting.ts"
import * as Rng from "../../../src/random/Rng.ts"

const patience = 120

/** An ensemble of as many nodes and trees; exact where its residual sum of squares is 0. */
const entry = (size: number, rss: number): HallOfFame.Entry => ({
  trees: [0],
  signatures: [0],
  response: 0,
  rss,
  logEvidence: 0,
  score: 0,
  size,
  numbers: 0,
  hasUnit: true,
  searched: new Int32Array(2),
  found: 0,
})

/** The number of steps until a restart ends; each step has its best score, and the ensembles that are kept. */
const stepsOf = (
  step: (steps: number) => { readonly score: number; readonly kept: ReadonlyArray<HallOfFame.Entry> },
) => {
  const core = State.nothing(1, [], Rng.key(1))
  // All terms of up to 6 nodes were scored.
  core.library.starts.push(...Array.from({ length: 6 }, () => 0))
  Waiting.begin(core)
  let kept: ReadonlyArray<HallOfFame.Entry> = []
  const waiting = Waiting.make({ kept: () => kept }, core, patience, ({ rss }) =>
    rss === 0 ? "everywhere" : "nowhere",
  )
  for (;;) {
    const now = step(++core.steps)
    kept = now.kept
    if (waiting.over(now.score, kept[0]?.rss === 0) || core.steps > 1000) return core.steps
  }
}

describe("a restart", () => {
  it("ends its patience after its last find, and half of the steps before that", () => {
    expect(stepsOf((steps) => ({ score: Math.min(steps, 40), kept: [entry(5, 1)] }))).toBe(40 + 120 + 20 + 1)
  })

  it("ends soon after an exact law of which all simpler terms were scored, later after a larger one", () => {
    // A tree of six nodes has the size 7.
    expect(stepsOf(() => ({ score: 9, kept: [entry(7, 0)] }))).toBe(1 + 10 + 1)
    expect(stepsOf(() => ({ score: 9, kept: [entry(8, 0)] }))).toBe(1 + 40 + 1)
    // The smaller one may stand behind another of a higher score.
    expect(stepsOf(() => ({ score: 9, kept: [entry(20, 0), entry(7, 0)] }))).toBe(1 + 10 + 1)
  })

  it("takes a higher score of an exact law for no find, and a smaller exact law for one", () => {
    expect(stepsOf((steps) => ({ score: steps, kept: [entry(20, 0)] }))).toBe(1 + 40 + 1)
    const shrinking = stepsOf((steps) => ({ score: steps, kept: [entry(steps < 30 ? 20 : 15, 0)] }))
    expect(shrinking).toBe(30 + 40 + 1)
  })
})
