import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Engine } from "../../../src/vi/engines/Engine.ts"
import { Interrupt } from "../../../src/infer/Fit.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import { data, everything, model } from "../../support/smallFit.ts"

/** An engine that takes no time: the objective is a plane whose slopes are the noise. */
const plane: Engine = {
  name: "plane",
  compile: () => {
    const value = (parameters: Float64Array, noise: Float32Array) => {
      const evidence = parameters.reduce((sum, parameter, i) => sum + parameter * noise[i]!, 0)
      return { objective: evidence - 1, evidence, divergence: 1 }
    }
    return Effect.succeed({
      value,
      valueAndGradient: (parameters, noise, _, gradient) => {
        gradient.set(noise.subarray(0, gradient.length))
        return value(parameters, noise)
      },
    })
  },
}

const fast = (steps: number) =>
  [
    Effect.provide(Infer.engine(plane)),
    Effect.provide(everything({ backend: "cpu", steps, samples: 4 })),
  ] as const

// Seconds of steps, where the tests need milliseconds.
const many = 300_000

describe("a fit whose steps take no time", () => {
  it.live("takes the steps of the stream", () =>
    Effect.gen(function* () {
      const infos: Array<Infer.Step> = []
      const posterior = yield* Infer.fit(model, data, (info) => infos.push(info)).pipe(...fast(500))
      const told = yield* Effect.scoped(
        Effect.flatMap(Infer.run(model, data), ({ steps }) => Stream.runCollect(steps)),
      ).pipe(...fast(500))
      expect(infos).toHaveLength(500)
      const timeless = (info: Infer.Step) => ({ ...info, seconds: 0 })
      expect(infos.map(timeless)).toEqual(told.map(({ info }) => timeless(info)))
      expect(posterior.parameters).toEqual(told.at(-1)!.state.algorithm.parameters)
    }),
  )

  it.live("takes no step of the stream that is not pulled", () =>
    Effect.gen(function* () {
      const { steps } = yield* Infer.run(model, data)
      const lengths = yield* steps.pipe(
        Stream.map(({ state }) => state.trace.length),
        Stream.takeUntil((length) => length >= 30),
        Stream.runCollect,
      )
      expect(lengths).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
    }).pipe(Effect.scoped, ...fast(many)),
  )

  it.live("hears timers between steps: it is asked to stop", () => {
    /** A wish to stop that a timer makes, set at the first step. */
    const asker = () => {
      let requested = false
      const onStep = ({ step }: Infer.Step) => {
        if (step === 1) setTimeout(() => (requested = true), 1)
      }
      return { onStep, interrupt: Effect.provideService(Interrupt, { requested: () => requested }) }
    }
    return Effect.gen(function* () {
      const one = asker()
      const posterior = yield* Infer.fit(model, data, one.onStep).pipe(one.interrupt, ...fast(many))
      expect(posterior.stopReason).toBe("interrupted")
      const other = asker()
      const last = yield* Effect.flatMap(Infer.run(model, data), ({ steps }) =>
        steps.pipe(
          Stream.tap(({ info }) => Effect.sync(() => other.onStep(info))),
          Stream.runLast,
        ),
      ).pipe(Effect.scoped, other.interrupt, ...fast(many))
      expect(Option.getOrThrow(last).state.reason).toBe("interrupted")
    })
  })

  it.live("can be interrupted", () =>
    Effect.gen(function* () {
      let told = 0
      const count = () => {
        told += 1
      }
      const streamed = Effect.flatMap(Infer.run(model, data), ({ steps }) =>
        Stream.runForEach(steps, () => Effect.sync(count)),
      )
      for (const fit of [Infer.fit(model, data, count), Effect.scoped(streamed)]) {
        told = 0
        const fiber = yield* Effect.forkChild(fit.pipe(...fast(many)))
        yield* Effect.repeat(Effect.sleep(1), { until: () => told > 0 })
        yield* Fiber.interrupt(fiber)
        const seen = told
        yield* Effect.sleep(20)
        expect(told).toBe(seen)
        expect(told).toBeLessThan(many)
      }
    }),
  )
})
