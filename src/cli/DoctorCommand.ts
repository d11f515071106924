import { readFileSync } from "node:fs"
import { availableParallelism, freemem, totalmem } from "node:os"
import { getHeapStatistics } from "node:v8"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { infix } from "../expr/text/infix.ts"
import * as Table from "../report/Table.ts"
import { Complaint } from "./Complaint.ts"
import { present } from "./Flags.ts"
import { lines, Screen } from "./Screen.ts"

/** The result of a check: `missing` is a part that can be done without, `fails` is not. */
interface Check {
  readonly name: string
  readonly state: "ok" | "missing" | "fails"
  readonly text: string
}

// The package's own manifest, two levels above this file in the sources and in the bundle.
const manifest = (): { readonly version: string } =>
  // Every manifest of npm has a version.
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly version: string
  }

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`

/** The least heap that a fit of a small table is sure to have. */
const leastHeap = 256 * 2 ** 20

const machine = (): ReadonlyArray<Check> => {
  const heap = getHeapStatistics().heap_size_limit
  const cores = availableParallelism()
  return [
    { name: "vasst", state: "ok", text: manifest().version },
    { name: "Node", state: "ok", text: `${process.version}, ${process.platform} ${process.arch}` },
    {
      name: "cores",
      state: "ok",
      text:
        cores === 1
          ? "1; a search has one thread"
          : `${cores}; a search has as many threads, unless --workers says fewer`,
    },
    {
      name: "memory",
      state: heap < leastHeap ? "fails" : "ok",
      text:
        heap < leastHeap
          ? `Node has ${megabytes(heap)}; set NODE_OPTIONS=--max-old-space-size=1024`
          : `${megabytes(totalmem())}, ${megabytes(freemem())} free; Node has ${megabytes(heap)} for tables`,
    },
  ]
}

/** Backends by their names, with what each is for. */
const backends = [
  ["simd", "finds laws, and the paper's method"],
  ["tensorflow", "native tensors for the paper's method; npm install @tensorflow/tfjs-node"],
  ["wasm", "tensors for the paper's method; npm install @tensorflow/tfjs-core @tensorflow/tfjs-backend-wasm"],
  ["cpu", "tensors for the paper's method; npm install @tensorflow/tfjs-core @tensorflow/tfjs-backend-cpu"],
] as const

const engines: Effect.Effect<ReadonlyArray<Check>> = Effect.gen(function* () {
  const Backend = yield* Effect.promise(() => import("../vi/Backend.ts"))
  return yield* Effect.forEach(backends, ([name, use]) =>
    Effect.map(Effect.result(Backend.select(name)), (found): Check => {
      const [purpose = "", install] = use.split("; ")
      if (found._tag === "Success") return { name: `engine ${name}`, state: "ok", text: purpose }
      return name === "simd"
        ? {
            name: `engine ${name}`,
            state: "fails",
            text: `${found.failure.message}; no law can be found without it`,
          }
        : {
            name: `engine ${name}`,
            state: "missing",
            text: `not needed for vasst fit; ${purpose}: ${install}`,
          }
    }),
  )
})

/** The table of the self-test: y = 3ab - 1. */
const known = [
  [1, 2],
  [2, 3],
  [3, 1],
  [4, 4],
  [5, 2],
  [6, 7],
  [7, 1],
  [8, 3],
] as const

/** Ensembles that the self-test scores: a second on a slow machine. */
const effort = 5000

const selfTest: Effect.Effect<Check> = Effect.gen(function* () {
  const started = performance.now()
  const Law = yield* Effect.promise(() => import("../models/law.ts"))
  const fit = yield* Law.fit(
    { X: known, y: known.map(([a, b]) => 3 * a * b - 1), features: ["a", "b"] },
    { effort, workers: 1 },
  )
  const predicted = fit.predict([[10, 11]])[0] ?? Number.NaN
  const law = `y = ${infix(fit.best.expression, { precision: 6 })}`
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return Math.abs(predicted - 329) < 1e-3
    ? ({ name: "self-test", state: "ok", text: `${law}, found in ${seconds} s` } as const)
    : ({
        name: "self-test",
        state: "fails",
        text: `found ${law} in place of y = 3*a*b - 1; please report it`,
      } as const)
}).pipe(
  Effect.catch((error) =>
    Effect.succeed<Check>({ name: "self-test", state: "fails", text: `${error.message}; please report it` }),
  ),
)

/** `vasst doctor`: what this machine has, and whether a known law is found. */
export const doctorCommand = Command.make(
  "doctor",
  { json: present("json", "Print one JSON document instead of the table") },
  ({ json }) =>
    Effect.gen(function* () {
      const screen = yield* Screen
      const checks = [...machine(), ...(yield* engines), yield* selfTest]
      screen.out(
        json
          ? `${JSON.stringify({ checks })}\n`
          : lines(
              Table.render(
                [
                  { title: "part", align: "left" },
                  { title: "state", align: "left" },
                  { title: "", align: "left" },
                ],
                checks.map(({ name, state, text }) => [name, state, text]),
              ),
            ),
      )
      const wrong = checks.filter(({ state }) => state === "fails")
      return wrong.length === 0
        ? undefined
        : yield* new Complaint({
            message: `${wrong.map(({ name }) => name).join(" and ")} ${wrong.length === 1 ? "does" : "do"} not work here: ${wrong[0]!.text}`,
          })
    }),
).pipe(
  Command.withDescription(
    "Check this installation: versions, cores, memory, engines, and a law that is known",
  ),
  Command.withExamples([
    { command: "vasst doctor", description: "What works here, and what to do about the rest" },
  ]),
)
