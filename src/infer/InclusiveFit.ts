import * as Effect from "effect/Effect"
import type * as Plan from "../compile/Plan.ts"
import type { Dataset } from "../runtime/Data.ts"
import type { CompileError } from "../runtime/Errors.ts"
import * as Rng from "../runtime/Rng.ts"
import * as Inclusives from "./inclusive/Inclusive.ts"
import type { Inclusive } from "./Objective.ts"
import * as Optimizer from "./Optimizer.ts"
import { beginning, historyOf, Interrupt, Seed, type Steps } from "./Steps.ts"
import { Stop } from "./Stop.ts"

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
    const session = yield* Inclusives.prepare(plan, data, objective, initial.parameters, searchKey)
    const { elbo, seconds: elapsed, restart } = historyOf()
    const advance: Steps["advance"] = (state) => {
      const step = state.step + 1
      const { best, logEvidence, settled, ...moved } = session.advance(state.parameters)
      const seconds = elapsed()
      elbo.push(best)
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
          divergence: logEvidence - best,
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
    return { plan, seed: value, elbo, initial, restart, advance, archive: session.archive }
  })
