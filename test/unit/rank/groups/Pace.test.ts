// Work in shares of the time that is left.
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Turn from "../../../../src/infer/Turn.ts"
import * as Deadline from "../../../../src/rank/Deadline.ts"
import * as Pace from "../../../../src/rank/groups/Pace.ts"

/** A deadline in ten seconds, and a worker that takes a second for each unit of work. */
const begun = () => {
  let clock = 0
  const pace = Pace.make({ left: () => 10 - clock })
  const worker = pace.kind()
  const done = (works: ReadonlyArray<number>, share: number, always = false): ReadonlyArray<number> =>
    Effect.runSync(
      worker(
        works.map((work) => ({ work })),
        share,
        always,
        ({ work }) => {
          clock += work
          return work
        },
      ),
    )
  return { pace, done }
}

describe("Pace", () => {
  it("ends at a share of the time", () => {
    const { pace, done } = begun()
    expect(done([1, 1, 1, 1, 1, 1], 0.4)).toEqual([1, 1, 1])
    expect([pace.within(0.3), pace.within(0.31)]).toEqual([false, true])
    expect(done([1, 1, 1, 1, 1, 1], 1)).toEqual([1, 1, 1, 1, 1, 1])
    expect(done([1], 1)).toEqual([])
  })

  it("leaves out what would take too long, and goes on with what is short", () => {
    const { done } = begun()
    expect(done([1, 6, 1, 2, 1], 0.5)).toEqual([1, 1, 2])
  })

  it("has one result where there must be one, which need not be the first", () => {
    const late = Pace.make({ left: () => -1 }).kind()
    const odd = (list: ReadonlyArray<number>, always: boolean): ReadonlyArray<number> =>
      Effect.runSync(
        late(
          list.map((work) => ({ work })),
          1,
          always,
          ({ work }) => (work % 2 === 1 ? work : undefined),
        ),
      )
    expect(odd([2, 3, 5], true)).toEqual([3])
    expect(odd([2, 3, 5], false)).toEqual([])
  })

  it("leaves nothing out without a limit", () => {
    const free = Pace.make(Deadline.none).kind()
    const works = [1, 1e9, 1].map((work) => ({ work }))
    expect(Effect.runSync(free(works, 0, false, ({ work }) => work))).toEqual([])
    expect(Effect.runSync(free(works, 0.01, false, ({ work }) => work))).toEqual([1, 1e9, 1])
  })

  it("pauses before each", () => {
    const events: Array<string> = []
    const note = (event: string): void => void events.push(event)
    const work = Pace.make(Deadline.none).kind()([{ work: 1 }, { work: 2 }], 1, false, ({ work }) =>
      note(`work ${work}`),
    )
    Effect.runSync(
      Effect.provideService(
        work,
        Turn.Pause,
        Effect.sync(() => note("pause")),
      ),
    )
    expect(events).toEqual(["pause", "work 1", "pause", "work 2"])
  })
})
