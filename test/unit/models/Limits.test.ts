import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import * as Limits from "../../../src/models/Limits.ts"
import { Stop } from "../../../src/infer/Stop.ts"

/** The seconds after which a search of so many rows that begins now is stopped, to a hundredth; undefined where none are. */
const searches = (clock: Limits.Clock, rows = 50): number | undefined => {
  const { rule } = Effect.runSync(Effect.provide(Effect.service(Stop), clock.rules(rows)))
  for (let hundredths = 0; hundredths < 10_000; hundredths++)
    if (rule({ step: 1, seconds: hundredths / 100, trace: [], failures: 0, scored: 1 }) === "time")
      return hundredths / 100
  return undefined
}

describe("the clock of a fit", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }))
  afterEach(() => vi.useRealTimers())

  it("keeps a tenth of the time and a little more for the ranking, and four seconds at most", () => {
    expect(searches(Limits.start({ time: 10 }, 60))).toBe(8.64)
    expect(searches(Limits.start({ time: 2 }, 60))).toBe(1.44)
    expect(searches(Limits.start({}, 60))).toBe(55.99)
  })

  it("keeps more for the scores of each row, and a quarter at most beside the usual", () => {
    expect(searches(Limits.start({ time: 10 }, 60), 10_000)).toBe(6.65)
    expect(searches(Limits.start({ time: 2 }, 60), 20_000)).toBe(0.95)
  })

  it("keeps more where there are many rows, and a quarter at most", () => {
    expect(searches(Limits.start({ time: 10 }, 60), 200_000)).toBe(8)
    expect(searches(Limits.start({ time: 10 }, 60), 1e6)).toBe(7.5)
    expect(searches(Limits.start({ time: 60 }, 60), 1e6)).toBe(50)
    expect(searches(Limits.start({ time: 2 }, 60), 1e6)).toBe(1.35)
  })

  it("counts what was spent before the search", () => {
    const clock = Limits.start({ time: 10, spent: 2 }, 60)
    vi.advanceTimersByTime(1000)
    expect(clock.seconds()).toBe(1)
    expect(searches(clock)).toBe(5.64)
  })

  it("leaves the search a tenth where reading took too long", () => {
    expect(searches(Limits.start({ time: 10, spent: 30 }, 60))).toBe(1)
  })

  it("has time for a ranking up to a little before the limit", () => {
    const clock = Limits.start({ time: 10, spent: 2 }, 60)
    vi.advanceTimersByTime(7000)
    expect(clock.deadline.left()).toBeCloseTo(0.65)
    const going = clock.work()
    vi.advanceTimersByTime(400)
    expect([going(0.4), going(0.7)]).toEqual([false, true])
    vi.advanceTimersByTime(600)
    expect(clock.deadline.left()).toBeCloseTo(-0.35)
    expect(going(1)).toBe(false)
  })

  it("of an effort has no limit", () => {
    const clock = Limits.start({ effort: 1000 }, 60)
    vi.advanceTimersByTime(1e6)
    expect(clock.deadline.left()).toBe(Infinity)
    expect(clock.work()(1)).toBe(true)
    expect(searches(clock)).toBeUndefined()
  })
})
