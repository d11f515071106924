import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import * as Limits from "../../../src/models/Limits.ts"
import { Stop } from "../../../src/infer/Stop.ts"

/** The seconds after which a search that begins now is stopped, to a tenth; undefined where none are. */
const searches = (clock: Limits.Clock): number | undefined => {
  const { rule } = Effect.runSync(Effect.provide(Effect.service(Stop), clock.rules()))
  for (let tenths = 0; tenths < 1000; tenths++)
    if (rule({ step: 1, seconds: tenths / 10, trace: [], failures: 0, scored: 1 }) === "time")
      return tenths / 10
  return undefined
}

describe("the clock of a fit", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }))
  afterEach(() => vi.useRealTimers())

  it("keeps a tenth of the time for the ranking, and three seconds at most", () => {
    expect(searches(Limits.start({ time: 10 }, 60))).toBe(9)
    expect(searches(Limits.start({}, 60))).toBe(57)
  })

  it("counts what was spent before the search", () => {
    const clock = Limits.start({ time: 10, spent: 2 }, 60)
    vi.advanceTimersByTime(1000)
    expect(clock.seconds()).toBe(1)
    expect(searches(clock)).toBe(6)
  })

  it("leaves the search a quarter where reading took too long", () => {
    expect(searches(Limits.start({ time: 10, spent: 30 }, 60))).toBe(2.5)
  })

  it("is late at the limit and not before", () => {
    const clock = Limits.start({ time: 10, spent: 2 }, 60)
    vi.advanceTimersByTime(7900)
    expect(clock.late()).toBe(false)
    vi.advanceTimersByTime(200)
    expect(clock.late()).toBe(true)
  })

  it("of an effort has no limit", () => {
    const clock = Limits.start({ effort: 1000 }, 60)
    vi.advanceTimersByTime(1e6)
    expect(clock.late()).toBe(false)
    expect(searches(clock)).toBeUndefined()
  })
})
