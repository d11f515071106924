// The command line in a process of its own, with a fit that goes on until it is asked to stop, and then takes its
// time to rank if the seed is 1.
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Fitter } from "../../src/cli/Fitter.ts"
import * as Interrupt from "../../src/cli/Interrupt.ts"
import { program } from "../../src/cli/Program.ts"
import * as Screen from "../../src/cli/Screen.ts"
import { fitted } from "./cli.ts"

const fitter = Layer.succeed(Fitter, {
  fit: (data, { seed }, { stop }) =>
    Effect.gen(function* () {
      process.stderr.write("started\n")
      while (!stop.aborted) yield* Effect.sleep(5)
      if (seed === 1) yield* Effect.sleep(60_000)
      return fitted(data, { stopReason: "interrupted" })
    }),
})

process.exitCode = await Effect.runPromise(
  Effect.provide(
    program(process.argv.slice(2), { version: "1.2.3", debug: false }),
    Layer.mergeAll(Screen.layer, Interrupt.layer, fitter, NodeServices.layer),
  ),
)
