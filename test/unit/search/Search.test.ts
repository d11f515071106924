import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import type { Dataset } from "../../../src/data/Data.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import type { Density } from "../../../src/evidence/likelihood/Density.ts"
import * as Law from "../../../src/models/law.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Search from "../../../src/search/Search.ts"
import { dataOf, searched, shipped } from "../../support/densities.ts"

// A search looks at some of the rows. Its errors are about the data that it was given.
const counts = shipped.find(({ density }) => density.name === "Poisson")!
const data = dataOf(counts, 3000)
const complaint = (density: Density, given: Dataset): string =>
  Effect.runSync(Effect.flip(Search.algorithm(searched(density), given, { rows: 100 }))).message

describe("a search of a likelihood", () => {
  it("names the row of the data, not of its sample, whose response the likelihood cannot have made", () => {
    expect(complaint(Likelihood.poisson, { ...data, y: data.y.with(2998, 1.5) })).toContain(
      "row 2999 has 1.5",
    )
  })

  it("names a column that the data lack", () => {
    expect(complaint(Likelihood.normalError("sigma_y"), data)).toContain('reads the column "sigma_y"')
  })

  it("names the features where restrictions leave out all of them, and does not search for nothing", () => {
    const table = { ...data, columns: data.columns.map((column) => column.map((value) => value + 2)) }
    const without = (names: ReadonlyArray<string>) =>
      Law.programOf(table, { restrictions: names.map((name) => Tree.inLaw(Tree.atMostUses(name, 0))) })
    const program = without(table.features)
    expect(Effect.runSync(Effect.flip(Search.algorithm(program, table))).message).toBe(
      `no law can be found: the restrictions leave out every column that may explain ${table.target}; allow ${table.features.join(" or ")}`,
    )
    // What must contain an operator is no column alone, but columns are parts of it.
    const contains = Law.programOf(table, { restrictions: [Tree.contains("sin")] })
    expect(Effect.runSync(Search.algorithm(contains, table))).toHaveProperty("step")
  })

  it("names the links that the data rule out where none is left, by rows of the data, and does not restart for ever", () => {
    const table = { ...data, y: data.y.map((_, i) => (i % 2 === 1 ? -1 : 1 + (i % 7))) }
    const program = Law.programOf(table, { links: [Link.log] })
    expect(Effect.runSync(Effect.flip(Search.algorithm(program, table, { rows: 100 }))).message).toBe(
      'the data rule out all links of the model: the link "log" cannot be undone on row 2 and 1499 more, where the response is -1. Add the identity to the links',
    )
  })

  it("names a feature that the data lack", () => {
    const [a] = data.columns
    const alone = { ...data, features: data.features.slice(0, 1), columns: [a!] }
    expect(complaint(Likelihood.normal(), alone)).toContain("the grammar uses the feature")
  })
})
