import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as DatabaseFlags from "./batch/DatabaseFlags.ts"
import * as QueueDepth from "./batch/QueueDepth.ts"
import * as WorkerProcess from "./batch/WorkerProcess.ts"
import { Complaint } from "./Complaint.ts"
import { present } from "./Flags.ts"
import { Interrupt } from "./Interrupt.ts"
import { Invocation } from "./Invocation.ts"
import * as Logs from "./Logs.ts"
import { Screen } from "./Screen.ts"

const parameters = {
  databaseUrl: DatabaseFlags.optionalAddress,
  ...DatabaseFlags.working,
  drain: present("drain", "End when no job is to be done, and do not wait for others"),
} as const

const ends = {
  done: "done",
  failed: "failed",
  left: "no longer this worker's: another has it, as this one was not heard of in time, or it is not needed any more",
  returned: "given back",
} as const

/** `vasst worker`: does the jobs of a database. */
export const workerCommand = Command.make("worker", parameters, ({ databaseUrl, drain, ...settings }) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const interrupt = yield* Interrupt
    const { version } = yield* Invocation
    const { format } = yield* Logs.Current
    const { queue, name } = yield* DatabaseFlags.open(yield* DatabaseFlags.required(databaseUrl))
    const standings = yield* Effect.mapError(queue.standings, ({ message }) => new Complaint({ message }))
    screen.err(`worker of vasst ${version} at ${name}\n`)
    for (const one of standings)
      if (one.version !== version && one.waiting + one.lost > 0)
        screen.err(
          `${one.waiting + one.lost} jobs wait for vasst ${one.version}; this worker leaves them alone\n`,
        )
    yield* Effect.forkScoped(Effect.withTracerEnabled(QueueDepth.measured(queue), false))
    yield* interrupt.during(
      () => screen.err("stopping; jobs are given back (Ctrl-C again to leave at once)\n"),
      (signal) =>
        WorkerProcess.work(queue, {
          ...settings,
          drain,
          stopped: () => signal.aborted,
          // Logs have it, with the job's id.
          tell: ({ name: job, end, message }) =>
            format === "json" ||
            screen.err(`${job}: ${ends[end]}${message === undefined ? "" : ` (${message})`}\n`),
        }),
    )
  }).pipe(Effect.scoped),
).pipe(
  Command.withDescription("Do the jobs of a database, until it is interrupted"),
  Command.withExamples([
    {
      command: "vasst worker --database-url postgres://me@db/jobs?sslmode=verify-full",
      description: "A job on each core of this machine",
    },
  ]),
)
