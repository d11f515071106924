import * as Result from "effect/Result"
import { logSumExp, normalised } from "../numeric/logSum.ts"
import { nodes } from "../numeric/quadrature.ts"
import * as Real from "../numeric/Real.ts"
import { exponential } from "../numeric/substitution.ts"
import * as Dist from "./Dist.ts"
import * as Sym from "./Sym.ts"
import { derivativesOf } from "./dist/derivatives.ts"
import * as Term from "../expr/Term.ts"

/**
 * A number inside of a law whose value is fitted to the data. It is a terminal of a grammar, as features and fixed
 * constants are, and each occurrence has its own value (`Leaf.value`). Occurrences with equal values are one number.
 */
export interface Fitted<S extends "real" | "positive" = "real" | "positive"> {
  readonly _tag: "Fitted"
  /** the prior of a single value */
  readonly prior: Dist.Dist<S>
  /** The latent scale that all values of the constant in a law share; undefined without one. */
  readonly scale?: Scale<S> | undefined
  /**
   * Whether a likelihood that has a g-prior of coefficients gives it to the constant as well (`scaleFree`): the prior of
   * its value then follows from its effect on the law.
   */
  readonly asCoefficient?: boolean | undefined
}

/** A latent scale: its prior, the distribution of values given it, and a quadrature of its prior. */
export interface Scale<S extends "real" | "positive" = "real" | "positive"> {
  readonly prior: Dist.Dist<"positive">
  readonly given: (scale: number) => Dist.Dist<S>
  /** the prior of values given the site of their scale; undefined where `given` computes with the number */
  readonly latent?: ((scale: Sym.Sym<"positive">) => Dist.Conditional<S>) | undefined
  /** points of the quadrature, and the logarithms of their weights, whose sum is 1 */
  readonly points: ReadonlyArray<{ readonly given: Dist.Dist<S>; readonly logWeight: number }>
}

/** A constant whose values share a latent scale. */
export interface Hierarchical<S extends "real" | "positive" = "real" | "positive"> extends Fitted<S> {
  readonly scale: Scale<S>
}

/** The value of an occurrence before learning: 1 leaves products unchanged. */
export const start = 1

/**
 * A constant to be fitted, with its prior. The prior is that of a single value, in the value's own units. Values far
 * out in its tails have low evidence, and a wide prior lowers the evidence of all values.
 *
 * *When to use*: for numbers inside of functions, as c in sin(c x). Coefficients of terms need none: the likelihood has
 * them.
 *
 * Priors: `Dist.normal` where the size of numbers is known; `Dist.laplace` and `Dist.studentT` where a few may be much
 * larger than the others, `Dist.uniform` where only their bounds are known, `Dist.logNormal` for positive numbers whose
 * order of magnitude is known.
 *
 * @example
 * Grammar.make({ features: ["x"], operators: [Operator.mul, Operator.exp], constants: { c: Constant.fitted(Dist.normal(0, 10)) } })
 */
export const fitted = <S extends "real" | "positive">(prior: Dist.Dist<S>): Fitted<S> => ({
  _tag: "Fitted",
  prior,
})

/**
 * A fitted constant without a scale to choose. Under a likelihood with a g-prior (`Likelihood.selectedLinear`) a
 * law y = f(x, c) has the evidence of its linearisation at the fitted values: the column df / dc counts as that of one
 * more coefficient. This is the unit-information view of a nonlinear model (Kass and Wasserman 1995), and does not depend on
 * the units of data or on how the constant is written: c x, x / c and e^c x have one evidence. Under other
 * likelihoods, and in relaxed trees, the prior is a wide Student's t.
 *
 * *When to use*: the default of laws from data, whose constants may have any size; `fitted` where the sizes are known.
 */
export const scaleFree: Fitted<"real"> = {
  _tag: "Fitted",
  prior: Dist.studentT(1, 0, 10),
  asCoefficient: true,
}

/**
 * The step of the quadrature over log s by the trapezoidal rule, whose error falls exponentially for smooth densities.
 */
const step = 1 / 8
/** Scales are left out below e^-60 and above e^60, and where the density of log s is below e^-80 of its maximum. */
const [left, widest] = [80, 60]

const quadrature = (
  scale: Dist.Dist<"positive">,
): ReadonlyArray<readonly [scale: number, logWeight: number]> => {
  const { points, logWeights } = nodes(exponential, step, widest / step)
  const logs = Array.from(points, (s, i) => [s, scale.logDensity([s]) + logWeights[i]!] as const)
  const most = logs.reduce((top, [, log]) => Math.max(top, log), -Infinity)
  const kept = logs.filter(([, log]) => log > most - left)
  const total = logSumExp(kept.map(([, log]) => log))
  return kept.map(([s, log]) => [s, log - total])
}

/** The distribution of one number whose scale is integrated out. */
const mixture = <S extends "real" | "positive">({ points, given, prior: scale }: Scale<S>): Dist.Dist<S> => {
  const { name, support } = given(1)
  const average = (of: (one: Dist.Dist<S>) => number): number =>
    points.reduce((sum, { given: one, logWeight }) => sum + Real.exp(logWeight) * of(one), 0)
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
 * A constant to be fitted, whose values share a latent scale (a hierarchical prior):
 *
 *     s ~ scale,   c_1, c_2, ... | s ~ given(s) independently
 *
 * The ranking integrates s out by quadrature, jointly for all values of the constant in a law: values of one size are
 * more probable than values of different sizes. The search uses the marginal prior of each value. In relaxed trees with latent values s is
 * the site `scale.NAME` beside `value.NAME`, one for all trees; that needs a `given` that takes the value of a site, as the constructors of
 * `Dist` do, and not one that computes with a number.
 *
 * *When to use*: when the values share an order of magnitude that is not known.
 *
 * @param prior.scale the prior of s, with little mass near 0, where densities of values have no bound: log-normal, or
 *   inverse gamma
 * @param prior.given the distribution of values given s
 *
 * @example
 * Constant.hierarchical({ scale: Dist.logNormal(0, 2), given: (s) => Dist.normal(0, s) })
 */
export const hierarchical = <S extends "real" | "positive">(prior: {
  readonly scale: Dist.Dist<"positive">
  readonly given: (scale: number) => Dist.Dist<S>
}): Hierarchical<S> => {
  const { given } = prior
  const points = quadrature(prior.scale).map(([s, logWeight]) => ({ given: given(s), logWeight }))
  const scale = { prior: prior.scale, given, points, latent: latentOf(given) }
  return { _tag: "Fitted", prior: mixture(scale), scale }
}

/**
 * The same function of the site of a scale, where it passes the scale on to a constructor of `Dist`, which takes sites as well as numbers; one that
 * computes with the number makes a parameter that is no number of a site, and is refused by the constructor.
 */
const latentOf = <S extends "real" | "positive">(
  given: (scale: number) => Dist.Dist<S>,
): Scale<S>["latent"] => {
  // The type says numbers, so that functions that compute with these compile.
  const of = given as unknown as (scale: Sym.Sym<"positive">) => Dist.Prior<S>
  const tried = Result.try(() => of(Sym.make("scale", "positive", [])))
  if (Result.isFailure(tried) || tried.success._tag === "Dist") return undefined
  // It is conditional on the site, as has just been seen.
  return of as (scale: Sym.Sym<"positive">) => Dist.Conditional<S>
}

/**
 * The initial value of an occurrence: 1 where its prior is positive, else the prior's mean, or the middle of its
 * bounds.
 */
export const startOf = ({ prior }: Fitted): number => {
  const inside = (value: number | undefined): value is number =>
    value !== undefined && Number.isFinite(value) && prior.logDensity([value]) > -Infinity
  const { bounds } = prior
  const candidates = [start, prior.mean()[0], bounds === undefined ? undefined : (bounds[0] + bounds[1]) / 2]
  return candidates.find(inside) ?? start
}

/** The terminal's term where values are not known. */
export const term: Term.Term<never> = Term.constant(start)
