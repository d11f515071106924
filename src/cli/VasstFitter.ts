import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Fitter } from "./Fitter.ts"

/** The library's fit. Tensors are loaded when the first fit starts, so that everything else answers at once. */
export const layer: Layer.Layer<Fitter> = Layer.succeed(Fitter, {
  fit: () => Effect.die(new Error("not wired yet")),
})
