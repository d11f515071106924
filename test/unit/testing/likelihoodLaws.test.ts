import { describe, expect, it } from "vitest"
import type { Density, Values } from "../../../src/evidence/likelihood/Density.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Laws from "../../../src/testing/likelihoodLaws.ts"

// The shipped likelihoods keep the laws, and the laws fail where a likelihood is wrong.

const shipped: ReadonlyArray<readonly [Density, Values]> = [
  [Likelihood.normal(), { eta: 2, sigma: 0.5 }],
  [Likelihood.normalError("dy"), { eta: -1, dy: 0.3 }],
  [Likelihood.studentT(), { eta: 2, sigma: 0.4 }],
  [Likelihood.logNormal(), { eta: 3, sigma: 0.3 }],
  [Likelihood.proportional(), { eta: 3, sigma: 0.1 }],
  [Likelihood.bernoulli, { eta: 0.6 }],
  [Likelihood.poisson, { eta: 1.4 }],
  [Likelihood.negativeBinomial(), { eta: 1.5, size: 3 }],
]

describe.each(shipped.map(([density, at]) => ({ name: density.name, density, at })))(
  "the likelihood $name",
  ({ density, at }) => {
    it.each(Laws.all)("$name", ({ check }) => {
      expect(check(density, at)).toEqual([])
    })
  },
)

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
