// Variational factors run in float64, and the integrals that check them.
import { expect } from "vitest"
import type { Draws, Factor, FactorSite, Moments } from "../../src/prob/Factor.ts"
import * as Nd from "../../src/numeric/Nd.ts"
import type { Prior } from "../../src/prob/Prior.ts"
import type { Support } from "../../src/prob/Support.ts"

/** A site with a prior that all of its elements share, or with one for each element of its innermost axis. */
export const siteOf = <S extends Support>(
  support: S,
  prior: Prior<S>,
  shape: ReadonlyArray<number> = [],
  size = 1,
): FactorSite<S> => ({ name: "site", support, shape, size, prior })

const slots = (factor: Factor, parameters: ReadonlyArray<ArrayLike<number>>): ReadonlyArray<Nd.Nd> =>
  factor.parameters.map(({ shape }, index) => Nd.of(shape, parameters[index] ?? []))

const noParent = (site: string): never => {
  throw new Error(`asked for the moments of "${site}"`)
}

/** KL(q || prior) in float64. */
export const divergence = (
  factor: Factor,
  parameters: ReadonlyArray<ArrayLike<number>>,
  parent: (site: string) => Moments<Nd.Nd> = noParent,
  draws?: Draws<Nd.Nd>,
): number =>
  Nd.toNumber(
    factor.divergence(
      Nd.algebra,
      (values, shape) => Nd.of(shape, values),
      slots(factor, parameters),
      parent,
      draws,
    ),
  )

/** What the factor tells others, in float64. */
export const moments = (factor: Factor, parameters: ReadonlyArray<ArrayLike<number>>): Moments<Nd.Nd> =>
  factor.moments(Nd.algebra, slots(factor, parameters))

/** The trapezoidal rule, which converges exponentially for smooth integrands that vanish at both ends. */
export const integrate = (f: (x: number) => number, low: number, high: number, points = 400): number => {
  const step = (high - low) / points
  let sum = 0
  for (let i = 0; i <= points; i++) sum += f(low + i * step)
  return sum * step
}

/** E[f(Z)] of a standard normal Z. */
export const normalExpectation = (f: (z: number) => number): number =>
  integrate((z) => (f(z) * Math.exp(-0.5 * z * z)) / Math.sqrt(2 * Math.PI), -12, 12)

/** The prior that all elements of a site share. */
export const shared = <P>(dist: P) => ({ _tag: "Shared", dist }) as const
export const sum = (values: ReadonlyArray<number>): number => values.reduce((a, b) => a + b, 0)
export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))
export const softmax = (x: ReadonlyArray<number>): ReadonlyArray<number> => {
  const total = sum(x.map(Math.exp))
  return x.map((z) => Math.exp(z) / total)
}

/** Relative to the sizes that cancel: a divergence may be 1e-12 of its terms. */
export const near = (found: number, expected: number, scale = 1): void =>
  expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-9 * (scale + Math.abs(expected)))
