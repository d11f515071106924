import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Dist from "../../../../src/prob/Dist.ts"
import type { Factor } from "../../../../src/prob/Factor.ts"
import { product } from "../../../../src/numeric/Nd.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import * as Family from "../../../../src/vi/Family.ts"
import { shared, siteOf } from "../../../support/factors.ts"
import { runs } from "../../../support/property.ts"

// The derivatives of weighted log densities, against central differences of `logDensity`.

const { factors } = Family
const settings = { logitsClip: 10, initialScale: 0 }
const uniform = shared(Dist.categorical([0.3, 0.3, 0.4]))
const made: Readonly<Record<string, Factor>> = {
  bernoulli: factors.bernoulli(settings).make(siteOf("binary", shared(Dist.bernoulli(0.4)), [3])),
  categorical: factors.categorical(settings).make(siteOf("categorical", uniform, [3], 3)),
  parentConditional: factors.parentConditional(settings).make(siteOf("categorical", uniform, [2, 7], 3)),
  normal: factors.normal().make(siteOf("real", shared(Dist.normal(0, 1)), [3])),
  fullRank: factors.fullRank().make(siteOf("real", shared(Dist.normal(0, 1)), [2, 2])),
  logNormal: factors.logNormal().make(siteOf("positive", shared(Dist.logNormal(0, 1)), [3])),
  bounded: factors.bounded("real").make(siteOf("real", shared(Dist.uniform(-1, 2)), [3])),
}

/** Draws in which the nodes below an unknown one are unknown, as of a pruned skeleton. */
const hidden = (values: Float64Array, name: string): Float64Array =>
  values.map((value, i) =>
    name === "parentConditional" ? (i % 7 >= 3 && i % 2 === 0 ? NaN : value) : i % 5 === 0 ? NaN : value,
  )

describe("score", () => {
  it.each(Object.keys(made))("is the slope of the log density of %s", (name) => {
    const factor = made[name]!
    const arbitrary = fc.record({ seed: fc.nat(1e6), scale: fc.double({ min: 0.1, max: 1.5, noNaN: true }) })
    fc.assert(
      fc.property(arbitrary, ({ seed, scale }) => {
        const key = Rng.key(seed)
        const parameters = factor.parameters.map(({ shape }, slot) =>
          Rng.normal(Rng.fold(key, slot), new Float64Array(product(shape))).map((x) => scale * x),
        )
        const values = hidden(factor.sample(Rng.fold(key, "draws"), parameters, 4), name)
        const weights = Rng.normal(Rng.fold(key, "weights"), new Float64Array(4))
        const at = (slot: number, i: number, by: number): number => {
          const moved = parameters.map((own, index) => (index === slot ? own.with(i, own[i]! + by) : own))
          return factor.logDensity!(moved, values).reduce((sum, log, h) => sum + weights[h]! * log, 0)
        }
        factor.score!(parameters, values, weights).forEach((slopes, slot) =>
          slopes.forEach((slope, i) => {
            const found = (at(slot, i, 1e-5) - at(slot, i, -1e-5)) / 2e-5
            expect(Math.abs(slope - found)).toBeLessThan(1e-6 * Math.max(1, Math.abs(found)))
          }),
        )
      }),
      runs(20),
    )
  })
})
