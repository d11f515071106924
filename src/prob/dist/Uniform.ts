import type { Algebra } from "../../numeric/Algebra.ts"
import * as Real from "../../numeric/Real.ts"
import { type Constructor, make } from "./Definition.ts"
import { finite, reject } from "./DistError.ts"
import type { Dist } from "./Distribution.ts"

/** The supports in which an interval may lie. */
export type Interval = "real" | "positive" | "unit"

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly low: T
  readonly high: T
}

/** -log(high - low), for every x inside. */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T => {
    const { add, mul, sub } = A.binary
    // The shape is also that of x.
    return sub(mul(A.literal(0), x), add(A.unary.log(sub(p.high, p.low)), A.literal(0)))
  }

type Known = { readonly low: number; readonly high: number }

/** The least and the largest end that an interval of a support may have. */
const ends: Readonly<Record<Interval, readonly [number, number]>> = {
  real: [-Infinity, Infinity],
  positive: [0, Infinity],
  unit: [0, 1],
}

const family = <S extends Interval>(support: S): Constructor<S, Known> =>
  make<S, Known>({
    name: "Uniform",
    support,
    parameters: { low: finite, high: finite },
    together: ({ low, high }) => {
      if (!(low < high) || !Number.isFinite(high - low))
        reject("Uniform", "high", high, `above low, ${low}, and at a finite distance`)
      const [least, most] = ends[support]
      if (low < least) reject("Uniform", "low", low, `${least} or more, for the support "${support}"`)
      if (high > most) reject("Uniform", "high", high, `${most} or less, for the support "${support}"`)
    },
    logDensity: (A, x, p) => logDensity(A)(x, p),
    // u lies strictly inside of (0, 1); rounding may not move the draw out of the interval, or to an end of the support.
    draw: ({ low, high }, source) => {
      const x = low + (high - low) * source.next()
      return x > low && x < high ? x : low + (high - low) / 2
    },
    mean: ({ low, high }) => low + (high - low) / 2,
    variance: ({ low, high }) => (high - low) ** 2 / 12,
    entropy: ({ low, high }) => Real.log(high - low),
    crossEntropy: (_, __, p) => p.constant(({ low, high }) => Real.log(high - low)),
    // Infinite where q lies partly outside of p; else the logarithm of the ratio of the widths.
    kl: (A, q, p) => {
      const { div, sub } = A.binary
      return A.unary.log(div(sub(p.high, p.low), sub(q.high, q.low)))
    },
    exactKl: (q, p) =>
      q.low >= p.low && q.high <= p.high ? Real.log((p.high - p.low) / (q.high - q.low)) : Infinity,
    derivatives: () => ({ slope: 0, curvature: 0 }),
    bounds: ({ low, high }) => [low, high],
  })

const families = { real: family("real"), positive: family("positive"), unit: family("unit") }

/** The uniform distribution on [low, high], an interval inside of a support. */
export function uniform(low: number, high: number): Dist<"real">
export function uniform<S extends Interval>(low: number, high: number, support: S): Dist<S>
export function uniform(low: number, high: number, support: Interval = "real"): Dist<Interval> {
  return families[support]({ low, high })
}
