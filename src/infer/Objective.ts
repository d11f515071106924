import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { ObjectiveForm } from "../compile/Engine.ts"
import * as Schedule from "../relax/Schedule.ts"

/** What a fit maximises. */
export class Objective extends Context.Service<
  Objective,
  {
    readonly form: ObjectiveForm
    /** weight of the divergence at each step */
    readonly divergenceWeight: Schedule.Schedule
  }
>()("vasst/infer/Objective") {}

/**
 * The evidence lower bound with a Monte Carlo mean over relaxed draws and the analytic divergence
 * (Eq. elbo-1 and Algorithm "ApproxELBO" of the paper):
 *
 *     (1/S) sum_s log p(y | T_soft^(s)) - w_t KL(q || prior)
 *
 * @param settings.samples S
 * @param settings.divergenceWeight w_t; 1 if left out. A warm-up, such as `Schedule.warmUp(300)`, lets the likelihood
 *   speak first.
 */
export const elbo = (settings: {
  readonly samples: number
  readonly divergenceWeight?: Schedule.Schedule
}): Layer.Layer<Objective> =>
  Layer.succeed(Objective, {
    divergenceWeight: settings.divergenceWeight ?? Schedule.constant(1),
    form: {
      samples: settings.samples,
      combine: (A, evidence, divergence, weight) =>
        A.binary.sub(
          A.binary.div(A.sumAll(evidence), A.literal(settings.samples)),
          A.binary.mul(weight, divergence),
        ),
    },
  })
