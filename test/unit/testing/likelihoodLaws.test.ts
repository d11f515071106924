import fs from "node:fs"
import { describe, expect, it } from "vitest"
import type { Density, Values } from "../../../src/evidence/likelihood/Density.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Laws from "../../../src/testing/likelihoodLaws.ts"
import { zeroInflated } from "../../support/zeroInflated.ts"

// The shipped likelihoods, and the one of docs/how-to/likelihood.md, keep the laws, and the laws fail where a likelihood is wrong.

const shipped: ReadonlyArray<readonly [Density, Values]> = [
  [Likelihood.normal(), { eta: 2, sigma: 0.5 }],
  [Likelihood.normalError("dy"), { eta: -1, dy: 0.3 }],
  [Likelihood.studentT(), { eta: 2, sigma: 0.4 }],
  [Likelihood.logNormal(), { eta: 3, sigma: 0.3 }],
  [Likelihood.proportional(), { eta: 3, sigma: 0.1 }],
  [Likelihood.bernoulli, { eta: 0.6 }],
  [Likelihood.poisson, { eta: 1.4 }],
  [Likelihood.negativeBinomial(), { eta: 1.5, size: 3 }],
  [zeroInflated, { eta: 1.4, never: 0.3 }],
]

describe.each(shipped.map(([density, at]) => ({ name: density.name, density, at })))(
  "the likelihood $name",
  ({ density, at }) => {
    it.each(Laws.all)("$name", ({ check }) => {
      expect(check(density, at)).toEqual([])
    })
  },
)

// A weighted density is that of no single response: it is not normalised over y, and has no draws.
describe("Student's t with weights of rows", () => {
  const density = Likelihood.weighted(Likelihood.studentT(), "weight")
  it.each([
    { law: Laws.derivatives, weight: 0.25 },
    { law: Laws.derivatives, weight: 3 },
    // The law's tolerance is Laplace's error for 40 rows. A weight of 1/4 makes them 10, whose error is larger.
    { law: Laws.evidence, weight: 1.5 },
    { law: Laws.evidence, weight: 3 },
  ])("$law.name, weight $weight", ({ law, weight }) => {
    expect(law.check(density, { eta: 2, sigma: 0.4, weight })).toEqual([])
  })
})

it("are of the likelihood that the page shows", () => {
  const read = (file: string) => fs.readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8")
  expect(read("docs/how-to/likelihood.md")).toContain(read("test/support/zeroInflated.ts"))
  expect(read("test/support/zeroInflated.ts").split("\n").length).toBeLessThan(40)
})

describe("the laws fail", () => {
  const wrong = Likelihood.make("a normal without its constant", {
    support: "real",
    logDensity: ({ y, eta }) => Term.mul(-0.5, Term.square(Term.sub(y, eta))),
    mean: ({ eta }) => Term.add(eta, 0.01),
    sample: ({ eta = NaN }, source) => eta + 1.1 * source.normal(),
  })
  it.each([Laws.normalised, Laws.mean, Laws.sampler])("$name", ({ check }) => {
    expect(check(wrong, { eta: 1 })).not.toEqual([])
  })
})
