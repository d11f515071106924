import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { ObjectiveForm } from "./engines/Engine.ts"
import * as Setting from "../errors/Setting.ts"
import type { Algebra } from "../numeric/Algebra.ts"
import * as Real from "../numeric/Real.ts"
import * as Schedule from "./Schedule.ts"

/** An objective over relaxed trees (`Infer.fit`) or hard ones (`ScoreFunction.fit`), followed by its gradient. */
export interface ObjectiveTerm {
  readonly form: ObjectiveForm
  /** weight of the divergence at each step */
  readonly divergenceWeight: Schedule.Schedule
}

/** The objective that a fit maximises. */
export class Objective extends Context.Service<Objective, ObjectiveTerm>()("vasst/vi/Objective") {}

/**
 * The evidence lower bound with a Monte Carlo mean over relaxed draws and the analytic divergence (Eq. elbo-1 and
 * Algorithm "ApproxELBO" of the paper), in nats:
 *
 *     (1/S) sum_s log p(y | T_soft^(s)) - w_t KL(q || prior)
 *
 * @param settings.samples S
 * @param settings.divergenceWeight w_t; 1 if left out. With a warm-up, such as `Schedule.warmUp(300)`, the first steps
 *   follow the likelihood alone.
 * @throws SettingError when `samples` is not a whole number from 1 on
 */
export const elbo = (settings: {
  readonly samples: number
  readonly divergenceWeight?: Schedule.Schedule
}): Layer.Layer<Objective> =>
  Layer.succeed(Objective, {
    divergenceWeight: settings.divergenceWeight ?? Schedule.constant(1),
    form: {
      samples: Setting.whole("the number of samples", settings.samples, 1),
      combine: (A, evidence, divergence, weight) =>
        A.binary.sub(
          A.binary.div(A.sumAll(evidence), A.literal(settings.samples)),
          A.binary.mul(weight, divergence),
        ),
    },
  })

/** Settings of bounds over S draws. */
export interface BoundSettings {
  /** S, a whole number from 1 on */
  readonly samples: number
  /** weight of log q - log p in each draw, 1 if left out; with another weight the value is no bound of log p(y) */
  readonly divergenceWeight?: Schedule.Schedule
}

/** log sum_s exp(x_s), without overflow: x_s - logSoftmax(x)_s is the same number for every s. */
const logSum = <T>(A: Algebra<T>, x: T): T => {
  // The sum weighted by softmax, because single terms lose digits where their weight is small.
  const terms = A.binary.sub(x, A.logSoftmaxLast(x))
  return A.sumLast(A.binary.mul(A.softmaxLast(x), terms))
}

/**
 * The importance-weighted bound (Burda, Grosse and Salakhutdinov 2016), in nats: with S = 1 an estimate of the ELBO, rising
 * with S, and log p(y) in the limit where the draws are hard (`ScoreFunction.fit`):
 *
 *     log (1/S) sum_s w_s,   w_s = p(y | T_s) p(T_s) / q(T_s)
 *
 * *When to use*: where the family cannot hold the posterior, and should cover it rather than one of its modes.
 *
 * @throws SettingError when `samples` is not a whole number from 1 on
 */
export const importanceWeighted = (settings: BoundSettings): Layer.Layer<Objective> =>
  renyi({ ...settings, alpha: 0 })

/**
 * The variational Renyi bound of order alpha (Li and Turner 2016), in nats:
 *
 *     1 / (1 - alpha) log (1/S) sum_s w_s^(1 - alpha)
 *
 * The importance-weighted bound for alpha = 0, the ELBO for alpha = 1. From alpha = 0 to 1 it is a lower bound of log p(y)
 * in expectation; beyond 1 it is lower still, and follows the worst draw; below 0 it is no lower bound.
 *
 * @param settings.alpha a finite number
 * @throws SettingError when `samples` is not a whole number from 1 on, or `alpha` is not finite
 */
export const renyi = (settings: BoundSettings & { readonly alpha: number }): Layer.Layer<Objective> => {
  const samples = Setting.whole("the number of samples", settings.samples, 1)
  const order = 1 - Setting.finite("the order alpha", settings.alpha)
  return Layer.succeed(Objective, {
    divergenceWeight: settings.divergenceWeight ?? Schedule.constant(1),
    form: {
      samples,
      divergence: "drawn",
      combine: (A, evidence, divergence, weight) => {
        const log = A.binary.sub(evidence, A.binary.mul(weight, divergence))
        if (order === 0) return A.binary.div(A.sumLast(log), A.literal(samples))
        const sum = logSum(A, A.binary.mul(A.literal(order), log))
        return A.binary.div(A.binary.sub(sum, A.literal(Real.log(samples))), A.literal(order))
      },
    },
  })
}
