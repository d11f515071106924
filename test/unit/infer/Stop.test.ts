import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Rng from "../../../src/random/Rng.ts"

const progress = (changed: Partial<Stop.Progress>): Stop.Progress => ({
  step: 1,
  seconds: 0,
  trace: [],
  failures: 0,
  scored: 0,
  ...changed,
})

describe("a rule", () => {
  it("stops after steps", () => {
    const rule = Stop.afterSteps(10)
    expect([9, 10, 11].map((step) => rule(progress({ step })))).toEqual([undefined, "steps", "steps"])
  })

  it("stops after seconds", () => {
    const rule = Stop.afterSeconds(0.5)
    expect([0.4, 0.5].map((seconds) => rule(progress({ seconds })))).toEqual([undefined, "time"])
  })

  it("stops after failures in a row", () => {
    const rule = Stop.whenDiverged(3)
    expect([2, 3].map((failures) => rule(progress({ failures })))).toEqual([undefined, "diverged"])
  })

  it("gives the reason of the first of several that has one", () => {
    const rule = Stop.first(Stop.afterSeconds(1), Stop.whenDiverged(2), Stop.afterSteps(5))
    expect(rule(progress({ step: 4, seconds: 0.9, failures: 1 }))).toBeUndefined()
    expect(rule(progress({ step: 5, seconds: 1, failures: 2 }))).toBe("time")
    expect(rule(progress({ step: 5, failures: 2 }))).toBe("diverged")
    expect(Stop.first()(progress({ step: 5 }))).toBeUndefined()
  })
})

describe("convergence", () => {
  const window = 50
  const rule = Stop.whenConverged({ window, tolerance: 1 })
  const noise = Rng.normal(Rng.key(3), new Float64Array(20 * window))
  const rising = (slope: number) => Array.from(noise, (z, i) => slope * i + z)

  it("is looked for once a window, when there are two to compare", () => {
    const flat = Array.from({ length: 3 * window }, () => -1)
    const reasons = Array.from({ length: flat.length + 1 }, (_, n) =>
      rule(progress({ trace: flat.slice(0, n) })),
    )
    expect(reasons.flatMap((reason, n) => (reason === undefined ? [] : [n]))).toEqual([
      2 * window,
      3 * window,
    ])
  })

  it("is not declared while the objective rises faster than its noise, and is soon after it stopped", () => {
    const steep = rising(0.1)
    const atEach = (trace: ReadonlyArray<number>) =>
      Array.from({ length: 19 }, (_, k) => rule(progress({ trace: trace.slice(0, (k + 2) * window) })))
    expect(atEach(steep)).toEqual(Array.from({ length: 19 }, () => undefined))
    expect(atEach(rising(0)).filter((reason) => reason === "converged").length).toBeGreaterThan(12)
    // A fall is no rise.
    expect(atEach(rising(-0.1))).toEqual(Array.from({ length: 19 }, () => "converged"))
  })

  it("compares the last two windows only", () => {
    const rose = [
      ...rising(1).slice(0, 4 * window),
      ...Array.from(noise, (z) => 200 + z).slice(0, 2 * window),
    ]
    expect(rule(progress({ trace: rose.slice(0, 5 * window) }))).toBeUndefined()
    expect(rule(progress({ trace: rose }))).toBe("converged")
  })

  it("asks for a steeper rise where the tolerance is larger", () => {
    const trace = rising(0.004).slice(0, 2 * window)
    const mean = (values: ReadonlyArray<number>) => values.reduce((a, b) => a + b, 0) / values.length
    const variance = (values: ReadonlyArray<number>) =>
      values.reduce((sum, x) => sum + (x - mean(values)) ** 2, 0) / (values.length - 1)
    const [before, last] = [trace.slice(0, window), trace.slice(window)]
    const ratio = (mean(last) - mean(before)) / Math.sqrt((variance(before) + variance(last)) / window)
    expect(Stop.whenConverged({ window, tolerance: ratio - 0.01 })(progress({ trace }))).toBeUndefined()
    expect(Stop.whenConverged({ window, tolerance: ratio + 0.01 })(progress({ trace }))).toBe("converged")
  })
})

describe("the layer", () => {
  it.effect("ends after its steps, on divergence, and by further rules, which come first", () =>
    Effect.gen(function* () {
      const { rule, steps } = yield* Stop.Stop
      expect(steps).toBe(10)
      expect(rule(progress({ step: 9, failures: 99 }))).toBeUndefined()
      expect(rule(progress({ step: 10 }))).toBe("steps")
      expect(rule(progress({ step: 10, failures: 100 }))).toBe("diverged")
      expect(rule(progress({ step: 10, failures: 100, seconds: 3 }))).toBe("time")
    }).pipe(Effect.provide(Stop.layer({ steps: 10, rules: [Stop.afterSeconds(2)] }))),
  )
})
