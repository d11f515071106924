import * as Layer from "effect/Layer"
import { Fitter } from "./Fitter.ts"
import * as LawFitter from "./LawFitter.ts"
import * as VasstFitter from "./VasstFitter.ts"

/** The library's fits. */
export const layer: Layer.Layer<Fitter> = Layer.succeed(Fitter, {
  fit: (data, settings, hooks) =>
    settings.objective === "elbo"
      ? VasstFitter.fit(data, settings, hooks)
      : LawFitter.fit(data, settings, hooks),
})
