import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Infer from "../../../src/vi/Infer.ts"
import { availableBackends } from "../../support/backends.ts"
import { data, everything, model } from "../../support/smallFit.ts"
import type { BackendName } from "../../../src/vi/Backend.ts"

const steps = 200

const fitOn = (backend: BackendName) =>
  Infer.fit(model, data).pipe(Effect.provide(everything({ backend, steps, learningRate: 0.01 })))

// Float32 rounds differently on each engine, and what differs is carried on by the optimiser: 200 steps of 0.01 move
// parameters by up to 2, and must agree to a thousandth of that.
const tolerance = 2e-3

describe("a fit on simd", () => {
  for (const backend of availableBackends())
    it.effect(`takes the steps of tfjs on ${backend}`, () =>
      Effect.gen(function* () {
        const ours = yield* fitOn("simd")
        const theirs = yield* fitOn(backend)
        expect(ours.steps).toBe(steps)
        expect(theirs.steps).toBe(steps)
        expect(ours.skipped).toBe(theirs.skipped)
        const apart = ours.parameters.map((x, i) => Math.abs(x - theirs.parameters[i]!))
        expect(Math.max(...apart)).toBeLessThan(tolerance)
        const elbo = ours.trace.map((x, i) => Math.abs(x - theirs.trace[i]!) / (1 + Math.abs(x)))
        expect(Math.max(...elbo)).toBeLessThan(tolerance)
        // They did move.
        expect(Math.max(...ours.parameters.map(Math.abs))).toBeGreaterThan(0.5)
      }),
    )

  it.effect("is the same bit by bit when run again", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* fitOn("simd"), yield* fitOn("simd")]
      expect(two.parameters).toEqual(one.parameters)
      expect(two.trace).toEqual(one.trace)
    }),
  )
})
