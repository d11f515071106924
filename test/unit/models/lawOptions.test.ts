// The likelihood and the restrictions of trees as options of a fit in one call.
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Law from "../../../src/models/law.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"

const random = Rng.generator(Rng.key(3))
const X = Array.from({ length: 200 }, () => [0.5 + 1.5 * random.next(), 0.5 + 1.5 * random.next()] as const)
const count = (rate: number): number => {
  let events = 0
  for (let t = -Math.log(random.next()); t < rate; t -= Math.log(random.next())) events++
  return events
}
const small: Law.Options = {
  operators: ["mul", "div", "square"],
  depth: 2,
  search: { patience: 20, library: 500 },
}
const features = ["a", "b"]

describe("Law.fit", () => {
  it("takes a likelihood: the rate of counts is a law", async () => {
    const y = X.map(([a, b]) => count(Math.exp(0.5 + a * b)))
    const { best } = await Effect.runPromise(
      Law.fit({ X, y, features }, { ...small, likelihood: Likelihood.poisson }),
    )
    expect(best.terms.map((term) => infix(term))).toEqual(["a*b"])
    expect(infix(best.expression)).toMatch(/^.*exp\(.*a\*b.*\)$/)
    expect(best.coefficients[1]).toBeCloseTo(1, 1)
  })

  it("takes restrictions: no law has an excluded tree", async () => {
    const y = X.map(([a, b]) => a / b)
    const fit = (restrictions: ReadonlyArray<Tree.Restriction>) =>
      Effect.runPromise(Law.fit({ X, y, features }, { ...small, links: [Link.identity], restrictions }))
    const uses = (tree: Tree.Tree): boolean =>
      tree._tag === "Branch" && (tree.operator === 1 || tree.children.some(uses))
    const free = await fit([])
    expect(free.best.ensemble.trees.some(uses)).toBe(true)
    const { models } = await fit([Tree.atMostUses("div", 0)])
    expect(models.length).toBeGreaterThan(0)
    expect(models.some(({ ensemble }) => ensemble.trees.some(uses))).toBe(false)
  })

  it("refuses a likelihood beside links, which it has itself", async () => {
    const y = X.map(([a, b]) => count(a * b))
    const options = { ...small, links: [Link.identity], likelihood: Likelihood.poisson }
    const error = await Effect.runPromise(Effect.flip(Law.fit({ X, y, features }, options)))
    expect(error.message).toContain('the likelihood "Poisson" has a link and noise of its own')
  })
})
