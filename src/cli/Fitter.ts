import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ShippedName } from "../declare/Operator.ts"
import type { Fitted } from "../report/Document.ts"
import type { Dataset } from "../runtime/Data.ts"
import type { BackendError, CompileError, DataError, FitError } from "../runtime/Errors.ts"
import type { Step } from "../runtime/Progress.ts"

/** The backends that can be asked for. */
export const backends = ["auto", "simd", "tensorflow", "wasm", "cpu"] as const

/** What a fit can be told on the command line. */
export interface Options {
  readonly operators: ReadonlyArray<ShippedName> | undefined
  readonly trees: number
  readonly depth: number
  readonly steps: number
  readonly draws: number
  readonly learningRate: number
  readonly testFraction: number
  readonly time: number | undefined
  readonly seed: number | undefined
  readonly backend: (typeof backends)[number]
  /** told which backend the fit runs on before it starts, and why a faster one was passed over */
  readonly onBackend: (name: string, note: string | undefined) => void
  readonly onStep: ((step: Step) => void) | undefined
  /** aborted when the fit should stop early and rank what it has */
  readonly stop: AbortSignal
}

/** What the command line needs of the library; tests put a fake in its place that needs no tensors. */
export class Fitter extends Context.Service<
  Fitter,
  {
    readonly fit: (
      data: Dataset,
      options: Options,
    ) => Effect.Effect<Fitted, DataError | CompileError | BackendError | FitError>
  }
>()("vasst/cli/Fitter") {}
