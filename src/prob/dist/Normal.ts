import type { Algebra } from "../../numeric/Algebra.ts"
import * as Real from "../../numeric/Real.ts"
import type { Moments } from "../Moments.ts"
import { evaluate, make } from "./Definition.ts"
import { finite, positive } from "./DistError.ts"
import type { Expected } from "./Distribution.ts"

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly mean: T
  readonly sd: T
}

const HALF_LOG_TWO_PI = 0.5 * Real.log(2 * Math.PI)

/** -(x - mean)^2 / (2 sd^2) - log sd - log(2 pi) / 2. */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T => {
    const { div, mul, sub } = A.binary
    const z = div(sub(x, p.mean), p.sd)
    return sub(
      mul(A.literal(-0.5), A.unary.square(z)),
      A.binary.add(A.unary.log(p.sd), A.literal(HALF_LOG_TWO_PI)),
    )
  }

/** log sd + (1 + log(2 pi)) / 2. */
export const entropy =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    A.binary.add(A.unary.log(p.sd), A.literal(HALF_LOG_TWO_PI + 0.5))

/** (r^2 - 1) / 2 - log r + (mean_q - mean_p)^2 / (2 sd_p^2), with r = sd_q / sd_p. */
export const kl =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T => {
    const { add, div, mul, sub } = A.binary
    const r = div(q.sd, p.sd)
    const shift = div(sub(q.mean, p.mean), p.sd)
    const squares = add(sub(A.unary.square(r), A.literal(1)), A.unary.square(shift))
    return sub(mul(A.literal(0.5), squares), A.unary.log(r))
  }

/** mean + sd z: the reparameterised draw from standard normal noise. */
export const draw =
  <T>(A: Algebra<T>) =>
  (noise: T, p: Parameters<T>): T =>
    A.binary.add(p.mean, A.binary.mul(p.sd, noise))

/** log sd + (m - mean)^2 / (2 sd^2) + log(2 pi) / 2, averaged over q and over the parameters. */
const crossEntropy =
  <T>(A: Algebra<T>) =>
  (q: Moments<T>, p: Expected<T, Known>): T | undefined => {
    const { add, mul, sub } = A.binary
    const mean = p.moments("mean")
    const sd = p.moments("sd")
    if (q.square === undefined || mean.square === undefined) return undefined
    if (sd.log === undefined || sd.inverseSquare === undefined) return undefined
    // E[(x - m)^2] = E[x^2] - 2 E[x] E[m] + E[m^2], x and m being independent under q.
    const distance = add(sub(q.square, mul(A.literal(2), mul(q.mean, mean.mean))), mean.square)
    return add(A.literal(HALF_LOG_TWO_PI), add(sd.log, mul(A.literal(0.5), mul(distance, sd.inverseSquare))))
  }

type Known = { readonly mean: number; readonly sd: number }

/** N(mean, sd^2) on the real line. */
export const of = make<"real", Known>({
  name: "Normal",
  support: "real",
  parameters: { mean: finite, sd: positive },
  logDensity: (A, x, p) => logDensity(A)(x, p),
  draw: ({ mean, sd }, source) => mean + sd * source.normal(),
  mean: ({ mean }) => mean,
  variance: ({ sd }) => sd * sd,
  entropy: (p) => evaluate<Known>(entropy, p),
  crossEntropy: (A, q, p) => crossEntropy(A)(q, p),
  kl: (A, q, p) => kl(A)(q, p),
  derivatives: (x, { mean, sd }) => ({ slope: (mean - x) / sd ** 2, curvature: -1 / sd ** 2 }),
})
