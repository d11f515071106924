import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { Fitter } from "./Fitter.ts"
import * as LawFitter from "./LawFitter.ts"
import * as TemplateFitter from "./TemplateFitter.ts"
import * as VasstFitter from "./VasstFitter.ts"

const unseen = Metric.gauge("vasst.unseen", {
  description: "the probability that the law is none of those found, of the last fit",
})

/** The library's fits, each in a span, with logs of its begin and end. */
export const layer: Layer.Layer<Fitter> = Layer.succeed(Fitter, {
  fit: (data, settings, hooks) => {
    const { rows, features } = data
    const { objective, seed = 0 } = settings
    const about = { rows, features: features.length, objective, seed }
    return Effect.gen(function* () {
      yield* Effect.annotateLogs(Effect.logInfo("a fit begins"), about)
      const fitted = yield* settings.objective === "elbo"
        ? VasstFitter.fit(data, settings, hooks)
        : settings.objective === "template"
          ? TemplateFitter.fit(data, settings, hooks)
          : LawFitter.fit(data, settings, hooks)
      const { unseen: mass, stopReason, steps, models } = fitted
      if (mass !== undefined) yield* Metric.update(unseen, mass.probability)
      const came = { ended: stopReason, steps, models: models.length, unseen: mass?.probability }
      yield* Effect.annotateLogs(Effect.logInfo("a fit has ended"), came)
      return { ...fitted, time: settings.time }
    }).pipe(Effect.withSpan("vasst.fit", { attributes: about }))
  },
})
