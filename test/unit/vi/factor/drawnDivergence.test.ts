import { describe, expect, it } from "vitest"
import * as Nd from "../../../../src/numeric/Nd.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import type { Factor, Moments } from "../../../../src/prob/Factor.ts"
import * as Family from "../../../../src/vi/Family.ts"
import { divergence, shared, sigmoid, siteOf, softmax } from "../../../support/factors.ts"

// The expectation of log q - log p over the draws of q is KL(q || prior): by quadrature for numbers, over all hard draws for
// discrete sites.

const { factors } = Family
const A = Nd.algebra
const noParent = (): never => {
  throw new Error("asked for moments")
}

const drawn = (
  factor: Factor,
  parameters: ReadonlyArray<ReadonlyArray<number>>,
  noise: ReadonlyArray<number>,
  x: Nd.Nd | undefined,
  parent: (site: string) => Moments<Nd.Nd> = noParent,
): ReadonlyArray<number> => {
  const slots = factor.parameters.map(({ shape }, i) => Nd.of(shape, parameters[i]!))
  const z = Nd.of([noise.length, 1], noise)
  const none = { binary: (): never => noParent(), categorical: (): never => noParent() }
  const draw = x ?? factor.draw!(A, slots, [z], none, Nd.scalar(1))
  const array = (values: ReadonlyArray<number>, shape: ReadonlyArray<number>) => Nd.of(shape, values)
  const draws = { samples: noise.length, of: () => draw }
  return [...factor.drawnDivergence!(A, array, slots, [z], parent, draws).data]
}

const step = 0.05
const nodes = Array.from({ length: 401 }, (_, i) => (i - 200) * step)
const weights = nodes.map((z) => (step * Math.exp(-0.5 * z * z)) / Math.sqrt(2 * Math.PI))

describe("the mean over draws of log q - log p", () => {
  it.each<readonly [string, Factor]>([
    ["a normal", factors.normal().make(siteOf("real", shared(Dist.normal(0.5, 2)), [1]))],
    ["a log-normal", factors.logNormal().make(siteOf("positive", shared(Dist.gamma(2, 3)), [1]))],
    ["a bounded number", factors.bounded("real").make(siteOf("real", shared(Dist.uniform(-1, 3)), [1]))],
    ["a share", factors.bounded("unit").make(siteOf("unit", shared(Dist.beta(2, 3)), [1]))],
  ])("is the divergence of %s", (_, factor) => {
    const parameters = [[0.4], [-0.3]]
    const each = drawn(factor, parameters, nodes, undefined)
    const mean = each.reduce((sum, value, i) => sum + weights[i]! * value, 0)
    expect(mean).toBeCloseTo(divergence(factor, parameters), 6)
    expect(divergence(factor, parameters)).toBeGreaterThan(0.05)
  })

  it("is the divergence of a binary site", () => {
    const factor = factors.bernoulli().make(siteOf("binary", shared(Dist.bernoulli(0.3)), [1]))
    const [no, yes] = drawn(factor, [[0.8]], [0, 0], Nd.of([2, 1], [0, 1]))
    const p = sigmoid(0.8)
    expect((1 - p) * no! + p * yes!).toBeCloseTo(divergence(factor, [[0.8]]), 12)
  })

  it("is the divergence of a categorical site, with weights that are known or another site's", () => {
    const a = [0.8, -0.3, 0.1]
    const hard = Nd.of([3, 1, 3], [1, 0, 0, 0, 1, 0, 0, 0, 1])
    const log = [-0.5, -1.5, -2]
    const parent = (): Moments<Nd.Nd> => ({ mean: Nd.vector([0.5, 0.3, 0.2]), log: Nd.vector(log) })
    const weights = { _tag: "Sym", site: "w", support: "simplex", shape: [], size: 3 } as const
    for (const dist of [Dist.categorical([0.2, 0.3, 0.5]), Dist.categorical(weights)]) {
      const factor = factors.categorical().make(siteOf("categorical", shared(dist), [1], 3))
      const each = drawn(factor, [a], [0, 0, 0], hard, parent)
      const mean = softmax(a).reduce((sum, q, k) => sum + q * each[k]!, 0)
      expect(mean).toBeCloseTo(divergence(factor, [a], parent), 12)
    }
  })
})
