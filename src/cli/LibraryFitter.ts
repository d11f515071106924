import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { Fitter } from "./Fitter.ts"
import * as LawFitter from "./LawFitter.ts"
import * as VasstFitter from "./VasstFitter.ts"

const scored = Metric.counter("vasst.scored", {
  description: "ensembles that searches have scored",
  incremental: true,
})
const unseen = Metric.gauge("vasst.unseen", {
  description: "the probability that the law is none of those found, of the last fit",
})

/** The library's fits, each in a span. */
export const layer: Layer.Layer<Fitter> = Layer.succeed(Fitter, {
  fit: (data, settings, hooks) => {
    const { rows, features } = data
    const { objective, seed = 0 } = settings
    return Effect.tap(
      settings.objective === "elbo"
        ? VasstFitter.fit(data, settings, hooks)
        : LawFitter.fit(data, settings, hooks),
      ({ unseen: mass }) =>
        mass === undefined
          ? Effect.void
          : Effect.andThen(Metric.update(scored, mass.signs.scored), Metric.update(unseen, mass.probability)),
    ).pipe(Effect.withSpan("vasst.fit", { attributes: { rows, features: features.length, objective, seed } }))
  },
})
