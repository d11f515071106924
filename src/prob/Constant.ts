import { logSumExp, normalised } from "../numeric/logSum.ts"
import type { Dist } from "./Dist.ts"
import { derivativesOf } from "./dist/derivatives.ts"
import * as Term from "../expr/Term.ts"

/**
 * A number inside of a law that is learned from the data: a terminal of a grammar like a feature or a fixed constant,
 * but each of its occurrences has a value of its own (`Leaf.value`). Occurrences with equal values are one number.
 */
export interface Learned<S extends "real" | "positive" = "real" | "positive"> {
  readonly _tag: "Learned"
  /** of one number by itself */
  readonly prior: Dist<S>
  /** The scale that all numbers of the constant in a law share, where they do. */
  readonly scale?: Scale<S> | undefined
}

/** A latent scale of numbers: what they are given it, and where it may lie. */
export interface Scale<S extends "real" | "positive" = "real" | "positive"> {
  readonly given: (scale: number) => Dist<S>
  /** a quadrature of the scale's prior: points, and the logarithms of weights whose sum is 1 */
  readonly points: ReadonlyArray<{ readonly given: Dist<S>; readonly logWeight: number }>
}

/** The value of an occurrence that has not been learned: it changes nothing that it multiplies. */
export const start = 1

/**
 * A constant to be learned, with its prior. The prior is that of one number by itself, in units of what it stands for: a
 * number beyond some standard deviations has to be paid for, and a wide prior pays for every number.
 *
 * *When to use* which: `Dist.normal` where the size of numbers is known; `Dist.laplace` and `Dist.studentT` where a few may be
 * much larger than the others, `Dist.uniform` where only their bounds are known, `Dist.logNormal` for positive numbers whose
 * order of magnitude is known.
 *
 * @example
 * Grammar.make({ features: ["x"], operators: [Operator.mul, Operator.exp], constants: { c: Constant.learned(Dist.normal(0, 10)) } })
 */
export const learned = <S extends "real" | "positive">(prior: Dist<S>): Learned<S> => ({
  _tag: "Learned",
  prior,
})

/** Points of a quadrature over log s: the trapezoidal rule, whose error falls exponentially for smooth densities. */
const step = 1 / 8
/** Scales beyond e^60 are left out, and those whose density is below e^-80 of the greatest: numbers may lie far out. */
const [left, widest] = [80, 60]

const quadrature = (scale: Dist<"positive">): ReadonlyArray<readonly [scale: number, logWeight: number]> => {
  const points = Array.from({ length: 1 + (2 * widest) / step }, (_, i) => {
    const t = i * step - widest
    // The density of t = log s.
    return [Math.exp(t), scale.logDensity([Math.exp(t)]) + t] as const
  })
  const most = points.reduce((top, [, log]) => Math.max(top, log), -Infinity)
  const kept = points.filter(([, log]) => log > most - left)
  const total = kept.reduce((sum, [, log]) => sum + Math.exp(log - most), 0)
  return kept.map(([s, log]) => [s, log - most - Math.log(total)])
}

/** The distribution of one number whose scale is integrated out. */
const mixture = <S extends "real" | "positive">(
  { points, given }: Scale<S>,
  scale: Dist<"positive">,
): Dist<S> => {
  const { name, support } = given(1)
  const average = (of: (one: Dist<S>) => number): number =>
    points.reduce((sum, { given: one, logWeight }) => sum + Math.exp(logWeight) * of(one), 0)
  const logs = (x: number): ReadonlyArray<number> =>
    points.map(({ given: one, logWeight }) => logWeight + one.logDensity([x]))
  return {
    _tag: "Dist",
    name: `${name} with a ${scale.name} scale`,
    support,
    parameters: scale.parameters,
    size: 1,
    axis: 1,
    logDensity: ([x = NaN]) => logSumExp(logs(x)),
    draw: (source, out, offset) => {
      scale.draw(source, out, offset)
      given(out[offset]!).draw(source, out, offset)
    },
    mean: () => [average((one) => one.mean()[0]!)],
    variance: () => {
      const mean = average((one) => one.mean()[0]!)
      return [average((one) => one.variance()[0]! + (one.mean()[0]! - mean) ** 2)]
    },
    derivatives: (x) => {
      const shares = normalised(logs(x))
      let [slope, square, curvature] = [0, 0, 0]
      points.forEach(({ given: one }, m) => {
        const own = derivativesOf(one, x)
        slope += shares[m]! * own.slope
        square += shares[m]! * own.slope ** 2
        curvature += shares[m]! * own.curvature
      })
      return { log: logSumExp(logs(x)), slope, curvature: curvature + square - slope ** 2 }
    },
  }
}

/**
 * A constant to be learned, whose numbers share a scale that is latent:
 *
 *     s ~ scale,   c_1, c_2, ... | s ~ given(s) independently
 *
 * The ranking integrates s out by quadrature, together for all numbers of the constant in a law: several numbers of one size are
 * more likely than numbers of different sizes. *When to use*: when the order of magnitude of numbers is not known but common to
 * them. The search takes each number by itself. Relaxed trees with latent values need a prior without a latent scale.
 *
 * @param prior.scale of s, best without much mass near 0, where the density of numbers near 0 has no bound: log-normal, or
 *   inverse gamma
 * @param prior.given the distribution of numbers given s
 *
 * @example
 * Constant.hierarchical({ scale: Dist.logNormal(0, 2), given: (s) => Dist.normal(0, s) })
 */
export const hierarchical = <S extends "real" | "positive">(prior: {
  readonly scale: Dist<"positive">
  readonly given: (scale: number) => Dist<S>
}): Learned<S> => {
  const { given } = prior
  const points = quadrature(prior.scale).map(([s, logWeight]) => ({ given: given(s), logWeight }))
  const scale = { given, points }
  return { _tag: "Learned", prior: mixture(scale, prior.scale), scale }
}

/**
 * Where an occurrence begins to be learned: at 1 where its prior has it, else at the prior's mean, or in the middle of its bounds.
 */
export const startOf = ({ prior }: Learned): number => {
  const inside = (value: number | undefined): value is number =>
    value !== undefined && Number.isFinite(value) && prior.logDensity([value]) > -Infinity
  const { bounds } = prior
  const candidates = [start, prior.mean()[0], bounds === undefined ? undefined : (bounds[0] + bounds[1]) / 2]
  return candidates.find(inside) ?? start
}

/** What stands for the terminal where nothing is known of values. */
export const term: Term.Term<never> = Term.constant(start)
