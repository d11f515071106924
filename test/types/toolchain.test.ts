// The worked example of a type test: `diagnose` for what must not compile, `expectTypeOf` (which
// `npm run typecheck` checks) for what must.
import { expect, expectTypeOf, it } from "vitest"
import { cores } from "vasst/workers/Workers"
import { diagnose } from "../support/compile.ts"

const errors = diagnose({
  fits: `
    import * as Effect from "effect/Effect"
    export const one: Effect.Effect<number> = Effect.succeed(1)`,
  "an argument too many": `
    import { cores } from "vasst/workers/Workers"
    cores(1)`,
  "an explicit undefined": `export const options: { seed?: number } = { seed: undefined }`,
  "a requirement without a provider": `
    import * as Context from "effect/Context"
    import * as Effect from "effect/Effect"
    class Seed extends Context.Service<Seed, number>()("Seed") {}
    void Effect.runPromise(Effect.gen(function* () { return yield* Seed }))`,
})

it("accepts what fits", () => {
  expect(errors["fits"]).toEqual([])
  expectTypeOf(cores).toEqualTypeOf<() => number>()
})

it("pins line, code and words of an error", () => {
  expect(errors["an argument too many"]).toEqual([
    { code: "TS2554", line: 3, text: "Expected 0 arguments, but got 1." },
  ])
})

it("checks under the project's strict options, with the lines that explain an error", () => {
  expect(errors["an explicit undefined"][0]?.text).toContain("with 'exactOptionalPropertyTypes: true'")
  expect(errors["a requirement without a provider"][0]?.text).toMatch(
    /Type 'Seed' is not assignable to type 'never'/,
  )
})
