import { describe, expect, it } from "@effect/vitest"
import * as tf from "@tensorflow/tfjs-core"
import * as Effect from "effect/Effect"
import * as Backend from "../../src/runtime/Backend.ts"
import { BackendError } from "../../src/runtime/Errors.ts"
import { availableBackends } from "../support/backends.ts"

const available = availableBackends()

describe("Backend", () => {
  for (const name of available)
    it.effect(`makes ${name} the active backend`, () =>
      Effect.gen(function* () {
        const backend = yield* Backend.Backend
        expect(backend).toEqual({ name, note: undefined })
        expect(tf.getBackend()).toBe(name)
      }).pipe(Effect.provide(Backend.layer(name))),
    )

  it.effect(
    "takes the fastest that loads, and says what is missing where native TensorFlow is not there",
    () =>
      Effect.gen(function* () {
        // Whatever `VASST_BACKENDS` selects for tests, this asks the machine.
        const native = yield* Effect.result(Backend.select("tensorflow"))
        const { name, note } = yield* Backend.select("auto")
        if (native._tag === "Success") expect({ name, note }).toEqual({ name: "tensorflow", note: undefined })
        else {
          expect(name).toBe("wasm")
          expect(note).toContain("npm run setup:native")
          expect(native.failure).toBeInstanceOf(BackendError)
          expect(native.failure.message).toMatch(/^the tfjs backend "tensorflow" does not load: \S/)
          expect(native.failure.message).not.toContain("\n")
        }
      }),
  )
})
