import * as Effect from "effect/Effect"
import type { Dataset } from "../../data/Data.ts"
import type { CompileError } from "../../errors/Errors.ts"
import type { Relaxed } from "../../prob/Observation.ts"
import type { Bound } from "./bound.ts"

export const make = (
  _bound: (data: Dataset) => Effect.Effect<Bound, CompileError>,
  _trees: number,
): Relaxed | undefined => undefined
