import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"

it("runs on the Node that vasst supports", () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  expect(major * 100 + minor).toBeGreaterThanOrEqual(2219)
})

it.effect("runs effects", () =>
  Effect.gen(function* () {
    expect(yield* Effect.succeed(1)).toBe(1)
  }),
)
