import type { Algebra } from "../../numeric/Algebra.ts"
import * as Nd from "../../numeric/Nd.ts"
import { finite, positive } from "./DistError.ts"
import type { Operations } from "./Operations.ts"

/** N(mean, sd^2) on the real line. */
export interface Normal {
  readonly _tag: "Normal"
  readonly support: "real"
  readonly mean: number
  readonly sd: number
}

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly mean: T
  readonly sd: T
}

export const make = (mean: number, sd: number): Normal => ({
  _tag: "Normal",
  support: "real",
  mean: finite("Normal", "mean", mean),
  sd: positive("Normal", "sd", sd),
})

const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI)

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

const lift = (dist: Normal): Parameters<Nd.Nd> => ({ mean: Nd.scalar(dist.mean), sd: Nd.scalar(dist.sd) })

export const operations = (dist: Normal): Operations => ({
  size: 1,
  logDensity: ([x = Number.NaN]) =>
    Number.isFinite(x) ? Nd.toNumber(logDensity(Nd.algebra)(Nd.scalar(x), lift(dist))) : -Infinity,
  entropy: () => Nd.toNumber(entropy(Nd.algebra)(lift(dist))),
  mean: () => [dist.mean],
  variance: () => [dist.sd * dist.sd],
  draw: (source, out, offset) => {
    out[offset] = dist.mean + dist.sd * source.normal()
  },
})

export const divergence = (q: Normal, p: Normal): number => Nd.toNumber(kl(Nd.algebra)(lift(q), lift(p)))
