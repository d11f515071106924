import { describe, expect, it } from "@effect/vitest"
import { vi } from "vitest"
import * as tf from "@tensorflow/tfjs-core"
import * as Effect from "effect/Effect"
import * as Machine from "../../../src/wasm/Machine.ts"
import * as Backend from "../../../src/vi/Backend.ts"
import { BackendError } from "../../../src/errors/Errors.ts"
import { availableBackends } from "../../support/backends.ts"

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

  it.effect("takes simd where the machine has it, and loads no tensors for it", () =>
    Effect.gen(function* () {
      const before = tf.getBackend()
      expect(yield* Backend.select("auto")).toEqual({ name: "simd", note: undefined })
      expect(yield* Backend.select("simd")).toEqual({ name: "simd", note: undefined })
      expect(tf.getBackend()).toBe(before)
    }),
  )

  it.effect("says what is missing where WebAssembly has no SIMD, and falls back to tfjs", () =>
    Effect.gen(function* () {
      vi.spyOn(Machine.machine()!, "validate").mockReturnValue(false)
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.restoreAllMocks()))
      const { name, note } = yield* Backend.select("auto")
      // Whatever `VASST_BACKENDS` selects for tests, this asks the machine.
      const native = yield* Effect.result(Backend.select("tensorflow"))
      expect(name).toBe(native._tag === "Success" ? "tensorflow" : "wasm")
      expect(note).toContain("this machine has no WebAssembly SIMD")
      const asked = yield* Effect.flip(Backend.select("simd"))
      expect(asked).toBeInstanceOf(BackendError)
      expect(asked.message).toBe(
        'the backend "simd" does not work here: this machine has no WebAssembly SIMD',
      )
    }).pipe(Effect.scoped),
  )

  it.effect("says in one line why a backend of tfjs does not load", () =>
    Effect.gen(function* () {
      const native = yield* Effect.result(Backend.select("tensorflow"))
      if (native._tag === "Success") return expect(native.success.name).toBe("tensorflow")
      expect(native.failure).toBeInstanceOf(BackendError)
      expect(native.failure.message).toMatch(
        /^the tfjs backend "tensorflow" (does not load: \S|is not installed; run: npm install @tensorflow\/tfjs-core @tensorflow\/tfjs-node )[^\n]*$/,
      )
    }),
  )
})
