// Links of the playground: what they hold, and what they give back. No browser is needed.
import * as fc from "fast-check"
import { expect, it } from "vitest"
import * as Noise from "../../src/evidence/Noise.ts"
import { choices } from "../../playground/src/Operators.ts"
import * as Settings from "../../playground/src/Settings.ts"

const known = choices.map(({ name }) => name)
const read = (fragment: string): Settings.Settings => Settings.fromFragment(fragment, known)

const name = fc.string({ minLength: 1, unit: "binary" })
const settings: fc.Arbitrary<Settings.Settings> = fc.record({
  example: fc.option(name, { nil: undefined }),
  target: fc.option(name, { nil: undefined }),
  features: fc.uniqueArray(name, { maxLength: 4 }),
  error: fc.option(name, { nil: undefined }),
  weights: fc.option(name, { nil: undefined }),
  group: fc.option(name, { nil: undefined }),
  noise: fc.option(fc.constantFrom(...Settings.noises), { nil: undefined }),
  contains: fc.uniqueArray(name, { maxLength: 2 }),
  without: fc.uniqueArray(name, { maxLength: 2 }),
  size: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
  units: fc.dictionary(name, name, { maxKeys: 3, noNullPrototype: true }),
  operators: fc.option(fc.subarray(known, { minLength: 1 }), { nil: undefined }),
  time: fc.integer({ min: 1, max: 3600 }),
  effort: fc.option(fc.integer({ min: 1, max: 1e12 }), { nil: undefined }),
  seed: fc.nat(),
})

it("a link gives back the settings that it was made of", () => {
  fc.assert(
    fc.property(settings, (given) => {
      expect(read(Settings.toFragment(given))).toEqual(given)
    }),
  )
})

it("a link that is wrong gives the defaults in place of wrong fields", () => {
  const { defaults } = Settings
  expect(read("")).toEqual(defaults)
  expect(read("#time=-3&effort=0.5&seed=x&noise=loud&size=0&operators=nothing,eval&unknown=1")).toEqual(
    defaults,
  )
  expect(read("#time=1e9&effort=&seed=1.5")).toEqual(defaults)
  expect(read("#operators=exp,log,rm")).toEqual({ ...defaults, operators: ["exp", "log"] })
  expect(Settings.toFragment(defaults)).toBe("")
})

it("the kinds of noise are those of the library", () => {
  expect(Settings.noises).toEqual(Noise.names)
})

it("a column has one role, and a table one target", () => {
  const table: Settings.Settings = { ...Settings.defaults, target: "y", features: ["a", "b"], error: "s" }
  const turned = Settings.withRole(table, "a", "target")
  expect(turned).toMatchObject({ target: "a", features: ["b", "y"], error: "s" })
  expect(Settings.withRole(table, "b", "error")).toMatchObject({ features: ["a"], error: "b" })
  expect(Settings.withRole(table, "y", "none").target).toBeUndefined()
  for (const role of ["target", "feature", "error", "weights", "group", "none"] as const)
    expect(Settings.roleOf(Settings.withRole(table, "a", role), "a")).toBe(role)
})
