import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import * as AppearanceFlags from "../../../src/cli/AppearanceFlags.ts"
import type { Settings } from "../../../src/cli/Fitter.ts"
import { fake, run } from "../../support/cli.ts"

const boyle = ["fit", "examples/data/boyle.csv", "--target", "pressure"]

const asked = async (...flags: ReadonlyArray<string>) => {
  const seen: Array<Settings> = []
  const own = fake()
  const { stderr } = await run([...boyle, ...flags], {
    fit: (data, settings, hooks) => {
      seen.push(settings)
      return own(data, settings, hooks)
    },
  })
  const [settings] = seen
  const appearance = settings?.objective === "inclusive" ? settings.appearance : undefined
  return { stderr, appearance }
}
const names = async (...flags: ReadonlyArray<string>) => {
  const { appearance } = await asked(...flags)
  const restrictions = await Effect.runPromise(AppearanceFlags.restrictions(appearance!))
  return restrictions?.map(({ name }) => name)
}

describe("the flags about what may appear", () => {
  it("are restrictions", async () => {
    expect((await asked()).appearance).toBeUndefined()
    expect(await names("--contains", "volume", "--without", "sin,cos")).toEqual([
      '"volume" occurs in a law',
      'no "sin" in a law',
      'no "cos" in a law',
    ])
    expect(await names("--at-most", "exp=1, volume=2", "--size", "9")).toEqual([
      'at most 1 of "exp" in a law',
      'at most 2 of "volume" in a law',
      "at most 9 nodes in a law",
    ])
    expect(await names("--forbid", "sin(sin),exp(a, b)", "--over", "log=p,V; sin=t")).toEqual([
      'no "sin" inside of "sin"',
      'no "a, b" inside of "exp"',
      '"log" over p, V only',
      '"sin" over t only',
    ])
    expect(await names("--exponents", "3")).toEqual(["exponents from -3 to 3"])
    expect(await names("--exponents=-1,2.5")).toEqual(["exponents from -1 to 2.5"])
  })

  it("say what they expect", async () => {
    expect((await asked("--at-most", "sin")).stderr).toContain(
      '--at-most must be names with numbers, such as sin=1,t=2, not "sin"',
    )
    expect((await asked("--forbid", "sin")).stderr).toContain(
      "--forbid must be nestings such as sin(sin),log(t)",
    )
    expect((await asked("--over", "log")).stderr).toContain("--over must be operators with columns")
    expect((await asked("--exponents", "2,3")).stderr).toContain("with 1 between them")
    expect((await asked("--objective", "elbo", "--size", "9")).stderr).toContain(
      "--size is for --objective inclusive",
    )
  })
})
