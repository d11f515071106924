import { mkdtemp, writeFile } from "node:fs/promises"
import os from "node:os"
import path from "node:path"
import { describe, expect, it } from "vitest"
import * as Units from "../../../src/expr/Units.ts"
import type { Settings } from "../../../src/cli/Fitter.ts"
import { fake, run } from "../../support/cli.ts"

const table = (header: string): string =>
  `${header}\n${[1, 2, 3, 4].map((i) => `${i},${i * i},${3 * i}`).join("\n")}\n`

/** The settings of a fit by arguments over a table, and the message where there is none. */
const settings = async (header: string, ...args: ReadonlyArray<string>) => {
  let seen: Settings | undefined
  const { stderr } = await run(["fit", "-", "--target", "E", ...args], {
    stdin: table(header),
    fit: (data, asked, hooks) => {
      seen = asked
      return fake()(data, asked, hooks)
    },
  })
  return { units: seen?.objective === "inclusive" ? seen.units : undefined, stderr }
}

const file = async (text: string): Promise<string> => {
  const to = path.join(await mkdtemp(path.join(os.tmpdir(), "units-")), "units.csv")
  await writeFile(to, text)
  return to
}

describe("units on the command line", () => {
  it("stand in the header, behind the names", async () => {
    const { units } = await settings("m [kg],v [m/s],E [J]", "--numbers", "dimensionless")
    expect(units).toEqual(Units.of({ m: "kg", v: "m/s", E: "J" }, { numbers: "dimensionless" }))
    expect((await settings("m,v [m/s],E")).units).toEqual(Units.of({ v: "m/s" }))
    expect((await settings("m,v,E")).units).toBeUndefined()
  })

  it("of columns that are not read may be any, so that a column in K can be made of one in degrees", async () => {
    const header = "t [°C],v [m/s],E [J]"
    expect((await settings(header)).stderr).toContain('the unit "degC" has another zero than K')
    const kelvin = ["--column", "T [K]=t+273.15", "--features", "T,v"]
    const { units, stderr } = await settings(header, ...kelvin)
    expect(stderr).not.toContain("degC")
    expect(units).toEqual(Units.of({ T: "K", v: "m/s", E: "J" }))
  })

  it("stand in a file, which has the last word", async () => {
    const { units } = await settings("m [g],v,E", "--units", await file("column,unit\nm,kg\nE,J\n"))
    expect(units).toEqual(Units.of({ m: "kg", E: "J" }))
  })

  it("are refused with the column and the remedy", async () => {
    expect((await settings("m [kilgram],v,E")).stderr).toBe(
      'vasst: column "m": there is no unit "kilgram"; did you mean "kilogram"?\n',
    )
    const wrong = await file("column,unit\nmas,kg\n")
    expect((await settings("mass,v,E", "--units", wrong)).stderr).toBe(
      `vasst: ${wrong}: row 1 (line 2): there is no column "mas"; did you mean "mass"?\n`,
    )
    const other = await file("name;unit\nm;kg\n")
    expect((await settings("m,v,E", "--units", other)).stderr).toBe(
      `vasst: ${other}: the units of columns are a table with the header column,unit; this one has name, unit\n`,
    )
    expect((await settings("m,v,E", "--numbers", "free")).stderr).toBe(
      "vasst: --numbers is for columns with units; give them with --units, or in the header as in mass [kg]\n",
    )
  })
})
