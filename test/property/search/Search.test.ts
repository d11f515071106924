import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Data from "../../../src/data/Data.ts"
import * as Units from "../../../src/expr/Units.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Law from "../../../src/models/law.ts"
import * as Dimensions from "../../../src/prob/Dimensions.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Search from "../../../src/search/Search.ts"
import { runs } from "../../support/property.ts"

const features = ["m", "v", "r", "s"]
const unit = fc.constantFrom("kg", "m", "s", "m/s", "N", "1")

describe("a search with units", () => {
  it("has no inconsistent law in its archive, and no term that the target's unit rules out", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(unit, unit, unit, unit, unit),
        fc.constantFrom<Units.Units["numbers"]>("free", "dimensionless"),
        fc.nat(1000),
        async ([m, v, r, s, y], numbers, seed) => {
          const units = Units.of({ m, v, r, s, y }, { numbers })
          const generator = Rng.generator(Rng.key(seed))
          const X = Array.from({ length: 40 }, () => features.map(() => 1 + generator.next()))
          // A law that is inconsistent in nearly all of these units: the search is tempted.
          const data = Effect.runSync(
            Data.fromRows({ X, y: X.map(([a, b, c, d]) => a! * b! + Math.exp(c! - d!)), features }),
          )
          const target = { ...units, target: data.target }
          try {
            Dimensions.requireReach(features, target)
          } catch {
            return
          }
          const program = Law.programOf(data, { units, trees: 2, depth: 4 })
          const { archive, plan } = await Effect.runPromise(
            Search.fit(program, data, { library: 400, restarts: false }).pipe(
              Effect.provide(Stop.layer({ rules: [Stop.afterEffort(30_000)] })),
              Effect.provide(Fit.seed(seed)),
            ),
          )
          const { forest } = plan.likelihood
          const { of, suits } = Dimensions.make(forest.grammar, target, Link.shipped)
          for (const { link, trees } of archive.ensembles)
            for (const tree of trees) expect(suits(link, of(tree))).toBe(true)
        },
      ),
      runs(6),
    )
  })
})
