import type { Algebra } from "../../numeric/Algebra.ts"
import * as Nd from "../../numeric/Nd.ts"
import { positive } from "./DistError.ts"
import * as Normal from "./Normal.ts"
import type { Operations } from "./Operations.ts"
import { keepPositive } from "./Operations.ts"

/** |N(0, sd^2)| on (0, infinity): `sd` is that of the normal before its sign is lost. */
export interface HalfNormal {
  readonly _tag: "HalfNormal"
  readonly support: "positive"
  readonly sd: number
}

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly sd: T
}

export const make = (sd: number): HalfNormal => ({
  _tag: "HalfNormal",
  support: "positive",
  sd: positive("HalfNormal", "sd", sd),
})

const centred = <T>(A: Algebra<T>, p: Parameters<T>): Normal.Parameters<T> => ({
  mean: A.literal(0),
  sd: p.sd,
})

/** log 2 + log N(x; 0, sd^2), x > 0. */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T =>
    A.binary.add(A.literal(Math.LN2), Normal.logDensity(A)(x, centred(A, p)))

/** The entropy of the normal less log 2. */
export const entropy =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    A.binary.sub(Normal.entropy(A)(centred(A, p)), A.literal(Math.LN2))

/** The divergence of the centred normals: the sign, an independent coin in both, adds nothing. */
export const kl =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T =>
    Normal.kl(A)(centred(A, q), centred(A, p))

const lift = (dist: HalfNormal): Parameters<Nd.Nd> => ({ sd: Nd.scalar(dist.sd) })

export const operations = (dist: HalfNormal): Operations => ({
  size: 1,
  logDensity: ([x = Number.NaN]) =>
    x > 0 && x < Infinity ? Nd.toNumber(logDensity(Nd.algebra)(Nd.scalar(x), lift(dist))) : -Infinity,
  entropy: () => Nd.toNumber(entropy(Nd.algebra)(lift(dist))),
  mean: () => [dist.sd * Math.sqrt(2 / Math.PI)],
  variance: () => [dist.sd * dist.sd * (1 - 2 / Math.PI)],
  draw: (source, out, offset) => {
    out[offset] = keepPositive(dist.sd * Math.abs(source.normal()))
  },
})

export const divergence = (q: HalfNormal, p: HalfNormal): number =>
  Nd.toNumber(kl(Nd.algebra)(lift(q), lift(p)))
