import * as Effect from "effect/Effect"
import { Fitter } from "../../src/cli/Fitter.ts"
import * as LibraryFitter from "../../src/cli/LibraryFitter.ts"

/** The fit of the command line, for `run` of `support/cli.ts`. */
export const { fit } = Effect.runSync(
  Effect.provide(
    Effect.map(Fitter, (service) => service),
    LibraryFitter.layer,
  ),
)
