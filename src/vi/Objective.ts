import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { ObjectiveForm } from "./engines/Engine.ts"
import * as Setting from "../errors/Setting.ts"
import * as Schedule from "./Schedule.ts"
import type * as Session from "../search/Session.ts"

/** An objective over relaxed trees, followed by its gradient. */
export interface Relaxed {
  readonly _tag: "Relaxed"
  readonly form: ObjectiveForm
  /** weight of the divergence at each step */
  readonly divergenceWeight: Schedule.Schedule
}

/** An objective over hard trees, which are searched. */
export interface Inclusive extends Session.Settings {
  readonly _tag: "Inclusive"
}

/** What a fit maximises. */
export class Objective extends Context.Service<Objective, Relaxed | Inclusive>()("vasst/vi/Objective") {}

/**
 * The evidence lower bound with a Monte Carlo mean over relaxed draws and the analytic divergence
 * (Eq. elbo-1 and Algorithm "ApproxELBO" of the paper):
 *
 *     (1/S) sum_s log p(y | T_soft^(s)) - w_t KL(q || prior)
 *
 * @param settings.samples S
 * @param settings.divergenceWeight w_t; 1 if left out. A warm-up, such as `Schedule.warmUp(300)`, lets the likelihood
 *   speak first.
 * @throws SettingError when `samples` is not a whole number from 1 on
 */
export const elbo = (settings: {
  readonly samples: number
  readonly divergenceWeight?: Schedule.Schedule
}): Layer.Layer<Objective> =>
  Layer.succeed(Objective, {
    _tag: "Relaxed",
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

/**
 * The inclusive divergence KL(p || q) from the posterior over hard ensembles to the family. No tree is relaxed: ensembles
 * are scored exactly, their coefficients integrated out, while one tree at a time is replaced by draws from q, by
 * changes of what is best so far and by small expressions; q moves towards the weighted ensembles that were found. What
 * was scored is kept in the posterior's archive, which is what is ranked. Needs no optimiser and no relaxation; those
 * that are provided have no effect. A step is a piece of work of some milliseconds.
 *
 * @param settings.bank how many small expressions are held in readiness as parts of larger ones; 20,000 by default
 * @param settings.patience a start ends when so many steps, and half as many as led to its best ensemble, brought no
 *   better one; 250 by default. A fit ends when two starts end at the same, and soon after an exact fit
 * @param settings.rows how many rows, drawn by chance, the search looks at, and more, 16 times as many at most, where noise
 *   is most of y and these say too little; what it finds is ranked on all; 512 by default
 * @param settings.moves what the search does beside replacing subtrees; all by default. See `docs/feynman.md` for what each
 *   brings
 * @param settings.share the share of the work that goes into trees drawn from the family; 0.1 by default
 * @throws SettingError when a number is not allowed
 */
export const inclusive = (settings: Partial<Session.Settings> = {}): Layer.Layer<Objective> => {
  const { bank = 20_000, patience = 250, rows = 512, share } = settings
  if (share !== undefined) Setting.share("the share of draws", share)
  return Layer.succeed(Objective, {
    ...settings,
    _tag: "Inclusive",
    bank: Setting.whole("the size of the bank", bank, 1),
    patience: Setting.whole("the patience of a search", patience, 1),
    rows: Setting.wholeOrAll("the number of rows that a search looks at first", rows, 1),
  })
}
