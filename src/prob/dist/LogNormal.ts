import { exp } from "../../numeric/Elementary.ts"
import type { Algebra } from "../../numeric/Algebra.ts"
import * as Nd from "../../numeric/Nd.ts"
import { finite, positive } from "./DistError.ts"
import * as Normal from "./Normal.ts"
import type { Operations } from "./Operations.ts"
import { keepPositive } from "./Operations.ts"

/** exp(N(location, scale^2)) on (0, infinity): `location` and `scale` are those of log X. */
export interface LogNormal {
  readonly _tag: "LogNormal"
  readonly support: "positive"
  readonly location: number
  readonly scale: number
}

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly location: T
  readonly scale: T
}

export const make = (location: number, scale: number): LogNormal => ({
  _tag: "LogNormal",
  support: "positive",
  location: finite("LogNormal", "location", location),
  scale: positive("LogNormal", "scale", scale),
})

const ofLog = <T>(p: Parameters<T>): Normal.Parameters<T> => ({ mean: p.location, sd: p.scale })

/** log N(log x; location, scale^2) - log x, x > 0. */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T => {
    const logX = A.unary.log(x)
    return A.binary.sub(Normal.logDensity(A)(logX, ofLog(p)), logX)
  }

/** location + log scale + (1 + log(2 pi)) / 2. */
export const entropy =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    A.binary.add(p.location, Normal.entropy(A)(ofLog(p)))

/** The divergence between the distributions of log X: it does not change under the exponential. */
export const kl =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T =>
    Normal.kl(A)(ofLog(q), ofLog(p))

/** exp(location + scale z): the reparameterised draw from standard normal noise. */
export const draw =
  <T>(A: Algebra<T>) =>
  (noise: T, p: Parameters<T>): T =>
    A.unary.exp(Normal.draw(A)(noise, ofLog(p)))

const lift = (dist: LogNormal): Parameters<Nd.Nd> => ({
  location: Nd.scalar(dist.location),
  scale: Nd.scalar(dist.scale),
})

export const operations = (dist: LogNormal): Operations => {
  const { location, scale } = dist
  const mean = Math.exp(location + (scale * scale) / 2)
  return {
    size: 1,
    logDensity: ([x = Number.NaN]) =>
      x > 0 && x < Infinity ? Nd.toNumber(logDensity(Nd.algebra)(Nd.scalar(x), lift(dist))) : -Infinity,
    entropy: () => Nd.toNumber(entropy(Nd.algebra)(lift(dist))),
    mean: () => [mean],
    variance: () => [mean * mean * Math.expm1(scale * scale)],
    draw: (source, out, offset) => {
      out[offset] = keepPositive(exp(location + scale * source.normal()))
    },
  }
}

export const divergence = (q: LogNormal, p: LogNormal): number =>
  Nd.toNumber(kl(Nd.algebra)(lift(q), lift(p)))
