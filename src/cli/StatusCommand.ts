import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Table from "../report/Table.ts"
import * as DatabaseFlags from "./batch/DatabaseFlags.ts"
import { Complaint } from "./Complaint.ts"
import { present } from "./Flags.ts"
import { Invocation } from "./Invocation.ts"
import { lines, Screen } from "./Screen.ts"

const parameters = {
  databaseUrl: DatabaseFlags.optionalAddress,
  json: present("json", "Print one JSON document instead of the table"),
} as const

const titles = ["version", "waiting", "running", "lost", "done", "failed", "in the last minute"] as const

/** `vasst status`: how the jobs of a database stand. */
export const statusCommand = Command.make("status", parameters, ({ databaseUrl, json }) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const { version } = yield* Invocation
    const { queue } = yield* DatabaseFlags.open(yield* DatabaseFlags.required(databaseUrl))
    const { jobs, workers } = yield* Effect.all({ jobs: queue.standings, workers: queue.busy }).pipe(
      Effect.mapError(({ message }) => new Complaint({ message })),
    )
    if (json) return screen.out(`${JSON.stringify({ jobs, workers })}\n`)
    if (jobs.length === 0) return screen.out("there are no jobs\n")
    const rows = jobs.map((one) => [
      one.version === version ? one.version : `${one.version} (not this one)`,
      ...[one.waiting, one.running, one.lost, one.done, one.failed, one.lately].map(String),
    ])
    const workerRows = workers.map(({ worker, jobs: own }) => [worker, String(own)])
    return screen.out(
      lines([
        ...Table.render(
          titles.map((title, k) => ({ title, align: k === 0 ? "left" : "right" })),
          rows,
        ),
        "",
        ...(workers.length === 0
          ? ["no worker has a job"]
          : Table.render(
              [
                { title: "worker", align: "left" },
                { title: "jobs", align: "right" },
              ],
              workerRows,
            )),
      ]),
    )
  }).pipe(Effect.scoped),
).pipe(
  Command.withDescription("How the jobs of a database stand, and which workers have some"),
  Command.withExamples([
    {
      command: "vasst status --database-url sqlite:results/jobs.sqlite",
      description: "What a batch with --out results/ has done so far",
    },
  ]),
)
