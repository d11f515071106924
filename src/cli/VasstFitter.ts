import * as Effect from "effect/Effect"
import type { Step } from "../vi/Infer.ts"
import * as Progress from "../report/Progress.ts"
import type { Elbo, Fit } from "./Fitter.ts"
import * as OwnOperators from "./rows/OwnOperators.ts"
import * as Outcome from "../report/Outcome.ts"
import * as Recorder from "./Recorder.ts"
import * as Requests from "./Requests.ts"

/** The paper's fit. The library is loaded when it starts, so that everything else answers at once. */
export const fit: Fit<Elbo> = (data, settings, { onBackend, onProgress, spent, stop }) =>
  Effect.gen(function* () {
    const [Vasst, Infer, Backend] = yield* Effect.promise(() =>
      Promise.all([import("../models/vasst.ts"), import("../infer/Fit.ts"), import("../vi/Backend.ts")]),
    )
    const { time, seed, backend: request = "auto", objective, operators, own, ...options } = settings
    const backend = yield* Backend.select(request)
    onBackend(backend.name, backend.note)
    const fitted = yield* Vasst.fit(
      data,
      {
        ...options,
        operators: OwnOperators.withDefaults({ operators, own }, Vasst.defaultOperators),
        time,
        spent,
      },
      onProgress === undefined ? undefined : reporter(onProgress, time),
    ).pipe(
      Effect.provideService(Backend.Backend, backend),
      seed === undefined ? (effect) => effect : Effect.provideService(Infer.Seed, seed),
      Effect.provideService(Infer.Interrupt, Requests.of(stop)),
    )
    return {
      ...Outcome.of(objective, fitted.backend.name, fitted),
      trained: {
        asked: { steps: settings.steps ?? Vasst.paper.steps, draws: settings.draws ?? Vasst.paper.draws },
        draws: fitted.ranking.draws,
      },
      trace: Recorder.ofSteps(fitted.posterior.trace),
    }
  })

/** Tells of steps with the noise of the ELBO's estimate smoothed away. */
const reporter = (
  onProgress: (report: Progress.Report) => void,
  limit: number | undefined,
): ((info: Step) => void) => {
  const trend = Progress.trend(50)
  return ({ step, steps = step, objective, finite, seconds }) =>
    onProgress(Progress.ofStep({ step, steps, seconds, ...trend(finite ? objective : undefined) }, limit))
}
