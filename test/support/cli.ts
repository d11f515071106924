import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { Fitter, type Hooks, type Settings } from "../../src/cli/Fitter.ts"
import { Interrupt } from "../../src/cli/Interrupt.ts"
import { program } from "../../src/cli/Program.ts"
import { Screen } from "../../src/cli/Screen.ts"
import * as Link from "../../src/prob/Link.ts"
import * as Term from "../../src/expr/Term.ts"
import type { Fitted, Ranked } from "../../src/report/Document.ts"
import type { Dataset } from "../../src/data/Data.ts"

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Setting {
  readonly stdin?: string | Uint8Array
  /** the width of the terminal that both streams go to; none by default */
  readonly columns?: number
  readonly debug?: boolean
  readonly fit?: Fitter["Service"]["fit"]
  /** called with a way to press Ctrl-C, when the fit starts */
  readonly onFit?: (interrupt: () => void) => void
}

/** Runs the command line in this process, with a fit that needs no tensors. */
export const run = (args: ReadonlyArray<string>, setting: Setting = {}): Promise<Outcome> => {
  const { stdin = "", columns, debug = false, fit = fake() } = setting
  let stdout = ""
  let stderr = ""
  const layers = Layer.mergeAll(
    Layer.succeed(Screen, {
      out: (text) => void (stdout += text),
      err: (text) => void (stderr += text),
      columns: { out: columns, err: columns },
    }),
    Layer.succeed(Fitter, { fit }),
    Layer.succeed(Interrupt, {
      during: (onInterrupt, use) => {
        const controller = new AbortController()
        setting.onFit?.(() => {
          onInterrupt()
          controller.abort()
        })
        return use(controller.signal)
      },
    }),
    Layer.provideMerge(
      Stdio.layerTest({
        stdin: Stream.make(typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin),
      }),
      NodeServices.layer,
    ),
  )
  return Effect.runPromise(
    Effect.map(Effect.provide(program(args, { version: "1.2.3", debug }), layers), (code): Outcome => ({
      code,
      stdout,
      stderr,
    })),
  )
}

/** A ranked model that says y = intercept + slope x for the first feature. */
export const ranked = (data: Dataset, changes: Partial<Ranked> = {}): Ranked => ({
  link: Link.identity,
  expression: Term.add(1.5, Term.mul(2, Term.variable(data.features[0] ?? "x"))),
  terms: [Term.variable(data.features[0] ?? "x")],
  coefficients: Float64Array.of(1.5, 2),
  numbers: [{ value: 1.5, error: 0.004, effect: 80 }],
  lmpse: -12.345,
  logEvidence: -10,
  logPrior: -2.345,
  posterior: 0.75,
  complexity: 3,
  rmseTrain: 0.0123456,
  rmseTest: 0.5,
  rmseLoo: 0.015,
  ...changes,
})

export const fitted = (data: Dataset, changes: Partial<Fitted> = {}): Fitted => ({
  models: [ranked(data), ranked(data, { lmpse: -13, posterior: 0.25, complexity: 5 })],
  objective: "fake",
  backend: "fake",
  seed: 7,
  stopReason: "steps",
  seconds: 1.5,
  steps: 2000,
  ...changes,
})

/** A fit that succeeds at once; `seen` is given what it was asked for. */
export const fake =
  (
    changes: Partial<Fitted> = {},
    seen?: (data: Dataset, settings: Settings, hooks: Hooks) => void,
  ): Fitter["Service"]["fit"] =>
  (data, settings, hooks) =>
    Effect.sync(() => {
      seen?.(data, settings, hooks)
      hooks.onBackend("fake", undefined)
      return fitted(data, changes)
    })
