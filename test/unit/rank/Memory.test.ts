import { describe, expect, it } from "vitest"
import * as Noise from "../../../src/evidence/Noise.ts"
import type { Model } from "../../../src/rank/Model.ts"
import * as Memory from "../../../src/rank/Memory.ts"
import * as Rng from "../../../src/random/Rng.ts"

const normal = (n: number, seed: number): Float64Array =>
  Rng.normal(Rng.fold(Rng.key(seed), "memory"), new Float64Array(n))

const walk = (n: number, seed: number): Float64Array => {
  let sum = 0
  return normal(n, seed).map((step) => (sum += step))
}

/** A law whose residuals are a random walk, under some noise. */
const wandering = (form: Noise.Kind, more: { readonly exact?: boolean; readonly knownErrors?: boolean }) =>
  // A test's model has the fields that the function reads.
  ({
    logEvidence: -900,
    lmpse: -900,
    residuals: () => walk(100, 3),
    noise: { kind: form.name, form, exact: false, knownErrors: false, ...more },
  }) as unknown as Model

describe("noise with memory", () => {
  it("changes the evidence of independent noise by less than a nat, failure rate 1e-3 for each of 100", () => {
    const gains = Array.from({ length: 100 }, (_, seed) => Memory.gain(normal(200, seed)))
    // n r^2 is chi-squared: a nat needs r sqrt(n) above 4.5.
    expect(gains.filter((gain) => gain > 1).length).toBeLessThanOrEqual(1)
    expect(Math.min(...gains)).toBeGreaterThanOrEqual(Math.log(0.95))
  })

  it("is the likelihood ratio of autoregressive noise, in large tables", () => {
    const residuals = walk(500, 3)
    const mean = residuals.reduce((sum, value) => sum + value, 0) / 500
    const centred = residuals.map((value) => value - mean)
    const steps = centred.subarray(1).map((value, i) => value - centred[i]!)
    const square = (values: Float64Array): number => values.reduce((sum, value) => sum + value * value, 0)
    const ratio = (500 / 2) * Math.log(square(centred) / square(steps))
    expect(Memory.gain(centred)).toBeGreaterThan(0.9 * ratio - 10)
    expect(Memory.gain(centred)).toBeLessThan(1.1 * ratio + 10)
  })

  it("leaves few rows alone", () => {
    expect(Memory.gain(walk(29, 1))).toBe(0)
    expect(Memory.gain(walk(60, 1).fill(Infinity, 3))).toBe(0)
    expect(Memory.gain(walk(60, 1))).toBeGreaterThan(10)
  })

  it("is normal and of one scale on all rows, whatever the name of its kind", () => {
    const rise = (form: Noise.Kind, more = {}): number => {
      const law = wandering(form, more)
      return Memory.under(law, wandering(form, more), 1).logEvidence - law.logEvidence
    }
    const plain = rise(Noise.additive)
    expect(plain).toBeGreaterThan(10)
    expect(rise(Noise.make("mine"))).toBe(plain)
    for (const kind of [Noise.proportional, Noise.logarithmic, Noise.heavy]) expect(rise(kind)).toBe(0)
    expect(rise(Noise.additive, { knownErrors: true })).toBe(0)
    expect(rise(Noise.additive, { exact: true })).toBe(0)
  })
})
