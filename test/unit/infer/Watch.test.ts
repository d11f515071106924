import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Tracer from "effect/Tracer"
import { describe, expect, it } from "vitest"
import type { Algorithm, Info } from "../../../src/infer/Algorithm.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Watch from "../../../src/infer/Watch.ts"

/** Counts to a number, and scores ten ensembles a step. */
const counting = (end: number): Algorithm<number, Info, { readonly last: number }> => ({
  init: () => 0,
  step: (at) => [at + 1, { objective: at + 1, converged: at + 1 === end, scored: 10 * (at + 1) }],
  posterior: (last) => ({ last }),
})

const watched = async (steps: number, from?: Fit.State<number>) => {
  const told: Array<Watch.Steps> = []
  const { state } = await Fit.last(counting(steps), undefined, from).pipe(
    Effect.provide(Stop.layer({})),
    Effect.provideService(
      Watch.Current,
      Effect.succeed((some) => void told.push(some)),
    ),
    Effect.runPromise,
  )
  return { state, told }
}

describe("the steps of a fit", () => {
  it("are all told once, in order, with what they scored", async () => {
    const { told } = await watched(2000)
    expect(told.reduce((sum, { scored }) => sum + scored, 0)).toBe(20_000)
    expect(told[0]?.first).toBe(1)
    for (const [at, { first, last, began, seconds }] of told.entries()) {
      const before = told[at - 1]
      expect(first).toBe((before?.last ?? 0) + 1)
      expect(last).toBeGreaterThanOrEqual(first)
      if (before !== undefined) expect(began).toBeCloseTo(before.began + 1000 * before.seconds, 3)
      expect(seconds).toBeGreaterThanOrEqual(0)
    }
    expect(told.at(-1)).toMatchObject({ last: 2000, objective: 2000 })
  })

  it("before a state that a fit goes on from are not told again", async () => {
    const { state } = await watched(30)
    const { told } = await watched(50, state)
    expect(told[0]?.first).toBe(31)
    expect(told.reduce((sum, { scored }) => sum + scored, 0)).toBe(200)
  })

  it("are spans below the current one, and metrics", async () => {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      },
    })
    const metrics = await Effect.gen(function* () {
      yield* Fit.last(counting(100)).pipe(Effect.withSpan("whole"))
      return yield* Metric.snapshot
    }).pipe(
      Effect.provide(Layer.mergeAll(Stop.layer({}), Fit.watched, Layer.succeed(Tracer.Tracer, tracer))),
      Effect.runPromise,
    )
    const [whole, ...steps] = spans
    expect(whole?.name).toBe("whole")
    expect(steps.length).toBeGreaterThan(0)
    for (const { name, parent, status } of steps) {
      expect(name).toBe("vasst.steps")
      expect(parent).toMatchObject({ _tag: "Some", value: { spanId: whole?.spanId } })
      expect(status).toMatchObject({ _tag: "Ended", exit: Exit.void })
    }
    expect(steps.at(-1)?.attributes.get("last")).toBe(100)
    const named = (id: string) => metrics.find((one) => one.id === id)?.state
    expect(named("vasst.scored")).toMatchObject({ count: 1000 })
    expect(named("vasst.scored.rate")).toMatchObject({ value: expect.any(Number) })
  })
})
