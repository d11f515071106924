import * as Effect from "effect/Effect"
import type * as Plan from "../prob/Plan.ts"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Rng from "../random/Rng.ts"
import * as Inclusives from "../search/Inclusive.ts"
import type { Inclusive } from "../vi/Objective.ts"
import * as Optimizer from "../vi/Optimizer.ts"
import { beginning, historyOf, Interrupt, Seed, type Steps } from "../infer/Steps.ts"
import { Stop } from "../infer/Stop.ts"

/** A fit whose steps are pieces of a search over hard ensembles. */
export const make = (
  plan: Plan.Plan,
  data: Dataset,
  objective: Inclusive,
): Effect.Effect<Steps, CompileError, Optimizer.Optimizer | Stop> =>
  Effect.gen(function* () {
    const optimizer = yield* Optimizer.Optimizer
    const stop = yield* Stop
    const interrupt = yield* Interrupt
    const value = yield* Seed
    const [initialKey, searchKey] = Rng.split(Rng.key(value), 2)
    const initial = beginning(plan, optimizer.start(plan.parameterCount), initialKey)
    const prepare = Inclusives.prepare(plan, data, objective, initial.parameters, searchKey)
    let session = yield* prepare
    let begun = false
    const history = historyOf()
    const { elbo, seconds: elapsed } = history
    const restart: Steps["restart"] = () => {
      // What could be prepared once can be again.
      if (begun) session = Effect.runSync(Effect.orDie(prepare))
      begun = false
      history.restart()
    }
    const advance: Steps["advance"] = (state) => {
      begun = true
      const step = state.step + 1
      const { best, logEvidence, settled, ...moved } = session.advance(state.parameters)
      const seconds = elapsed()
      if (Number.isFinite(best)) elbo.push(best)
      const reason = interrupt.requested()
        ? "interrupted"
        : settled
          ? "converged"
          : stop.rule({ step, seconds, elbo, failures: 0 })
      const { parameters, temperature } = reason === undefined ? moved : session.settle(moved.parameters)
      return {
        info: {
          step,
          steps: stop.steps,
          evidence: logEvidence,
          // Before there is an ensemble neither is known.
          divergence: Number.isFinite(best) ? logEvidence - best : Infinity,
          elbo: best,
          gradientNorm: 0,
          temperature,
          finite: Number.isFinite(best),
          skipped: 0,
          seconds,
        },
        state: { ...state, step, parameters, reason },
      }
    }
    return {
      plan,
      seed: value,
      elbo,
      initial: { ...initial, reason: stop.rule({ step: 0, seconds: 0, elbo, failures: 0 }) },
      restart,
      advance,
      archive: { scored: () => session.archive.scored(), ensembles: () => session.archive.ensembles() },
    }
  })
