/** The program `vasst`: the command line with this process around it. Loaded by `bin/vasst.mjs`. */
import { readFileSync } from "node:fs"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { reasonOf } from "../internal/systemCode.ts"
import * as Complaint from "./Complaint.ts"
import * as Interrupt from "./Interrupt.ts"
import { program } from "./Program.ts"
import * as Screen from "./Screen.ts"
import * as LibraryFitter from "./LibraryFitter.ts"

const debug = process.env["VASST_DEBUG"] === "1"

/** The exit code of a program whose output could not be written. */
let unwritten = 0
// The program ends by itself after either, so that no file, run or job is left as it is. The reader of the output may close it early
// (`vasst operators | head -3`); that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || unwritten !== 0) return
  unwritten = 1
  process.stderr.write(
    Complaint.render(`standard output cannot be written: ${reasonOf(error) ?? error.message}`),
  )
})
// Results matter more than progress messages.
process.stderr.on("error", () => undefined)

// Errors thrown outside of every fiber, by a callback of a library.
process.on("uncaughtException", (error) => {
  process.stderr.write(Complaint.renderDefect(Cause.die(error), debug))
  process.exit(1)
})

// The package's own manifest.
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly version: string
}

// Loaded where a collector is named: everything else starts at once.
const telemetry =
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] === undefined
    ? Layer.empty
    : (await import("./Telemetry.ts")).layer(version)

const code = await Effect.runPromise(
  // The clock of this process began with it.
  program(process.argv.slice(2), { version, debug, begun: 0 }).pipe(
    Effect.provide(
      Layer.mergeAll(Screen.layer, Interrupt.layer, LibraryFitter.layer, NodeServices.layer, telemetry),
    ),
  ),
)

// Ends the process although tensor backends may keep threads, but not before everything is written.
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write("", () => resolve())
  })
await Promise.all([written(process.stdout), written(process.stderr)])
process.exit(code === 0 ? unwritten : code)
