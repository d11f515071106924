import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { ObjectiveForm } from "./engines/Engine.ts"
import * as Setting from "../errors/Setting.ts"
import * as Schedule from "./Schedule.ts"

/** An objective over relaxed trees, followed by its gradient. */
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
