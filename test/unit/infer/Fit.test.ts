import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Algorithm, Info } from "../../../src/infer/Algorithm.ts"
import * as Checkpoint from "../../../src/infer/Checkpoint.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Rng from "../../../src/random/Rng.ts"

interface Walk {
  readonly key: Rng.Key
  readonly position: number
  readonly at: number
}

/** A random walk, which fails at each seventh step and has converged beyond a bound. */
const walk = (bound: number): Algorithm<Walk, Info & { readonly at: number }, { readonly at: number }> => ({
  init: (key) => ({ key, position: 0, at: 0 }),
  step: ({ key, position, at }) => {
    const generator = Rng.generator(key, position)
    const next = at + generator.next()
    const info = {
      objective: (position / 2) % 7 === 6 ? Number.NaN : next,
      converged: next > bound,
      at: next,
    }
    return [{ key, position: generator.position(), at: next }, info]
  },
  posterior: ({ at }) => ({ at }),
})

const forSteps = (steps: number) => Effect.provide([Stop.layer({ steps }), Fit.seed(5)])

describe("a fit of any algorithm", () => {
  it.effect("tells each step, keeps the finite objectives, and ends with its reason", () =>
    Effect.gen(function* () {
      const told: Array<Fit.Step<Info & { readonly at: number }>> = []
      const found = yield* Fit.fit(walk(1000), (info) => told.push(info)).pipe(forSteps(20))
      expect(told.map(({ step }) => step)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
      expect(told.every(({ steps }) => steps === 20)).toBe(true)
      expect(found).toMatchObject({ stopReason: "steps", steps: 20, seed: 5, at: told.at(-1)!.at })
      expect(found.trace).toEqual(
        told.map(({ objective }) => objective).filter((one) => Number.isFinite(one)),
      )
      expect(found.trace).toHaveLength(18)
    }),
  )

  it.effect(
    "has the best objective so far over what was scored, to the end, where a later step is worse",
    () =>
      Effect.gen(function* () {
        const objectives = [-5, -7, -3, -3, -9, -8]
        const search: Algorithm<number, Info, object> = {
          init: () => 0,
          step: (at) => [at + 1, { objective: objectives[at]!, scored: 10 * (at + 1), converged: false }],
          posterior: () => ({}),
        }
        const course = (steps: number) =>
          Effect.map(Fit.fit(search).pipe(forSteps(steps)), (fit) => fit.course)
        expect(yield* course(6)).toEqual([
          [10, -5],
          [30, -3],
          [60, -3],
        ])
        expect(yield* course(3)).toEqual([
          [10, -5],
          [30, -3],
        ])
      }),
  )

  it.effect("ends when the algorithm has converged", () =>
    Effect.gen(function* () {
      const found = yield* Fit.fit(walk(3)).pipe(forSteps(100))
      expect(found.stopReason).toBe("converged")
      expect(found.at).toBeGreaterThan(3)
      expect(found.at).toBeLessThan(4)
    }),
  )

  it.effect("goes on from a checkpoint as if it had not stopped", () =>
    Effect.gen(function* () {
      const algorithm = walk(1000)
      const whole = yield* Fit.fit(algorithm).pipe(forSteps(40))
      const { state, seed } = yield* Fit.last(algorithm).pipe(forSteps(17))
      expect(state.reason).toBe("steps")
      const { steps } = yield* Fit.run(
        algorithm,
        Checkpoint.read<typeof state>(Checkpoint.write(state)),
      ).pipe(forSteps(40))
      const rest = yield* Stream.runCollect(steps)
      expect(rest.map(({ info }) => info.step)).toEqual(Array.from({ length: 23 }, (_, i) => i + 18))
      const resumed = Fit.summarise(algorithm, rest.at(-1)!.state, seed)
      expect({ ...resumed, seconds: 0 }).toEqual({ ...whole, seconds: 0 })
      // Time that was spent before counts.
      expect(resumed.seconds).toBeGreaterThanOrEqual(state.seconds)
    }),
  )

  it.effect("that is left early counts as interrupted", () =>
    Effect.gen(function* () {
      const algorithm = walk(1000)
      const { steps } = yield* Fit.run(algorithm)
      const some = yield* Stream.runCollect(Stream.take(steps, 3))
      expect(Fit.summarise(algorithm, some.at(-1)!.state, 5)).toMatchObject({
        stopReason: "interrupted",
        steps: 3,
      })
    }).pipe(forSteps(10)),
  )
})
