import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Path from "effect/Path"
import * as Csv from "../data/Csv.ts"
import * as Jobs from "../jobs/Job.ts"
import type { Queue } from "../jobs/Queue.ts"
import * as Progress from "../report/Progress.ts"
import * as DatabaseFlags from "./batch/DatabaseFlags.ts"
import * as FitJob from "./batch/FitJob.ts"
import * as Manifest from "./batch/Manifest.ts"
import * as Results from "./batch/Results.ts"
import * as WorkerProcess from "./batch/WorkerProcess.ts"
import { Complaint } from "./Complaint.ts"
import { optional, path, positive, present, text, whole } from "./Flags.ts"
import * as Folder from "./Folder.ts"
import { Interrupt } from "./Interrupt.ts"
import { Invocation } from "./Invocation.ts"
import { Screen } from "./Screen.ts"
import * as Source from "./Source.ts"
import * as Table from "./Table.ts"

const parameters = {
  list: Argument.String("MANIFEST").pipe(
    Argument.withDescription(
      'The data sets: JSON lines such as {"data": "a.csv", "target": "y", "effort": 20000}, or a CSV file whose header has these names; paths are from its folder',
    ),
  ),
  out: optional(
    path(
      "out",
      "DIR",
      "Write NAME.json for each data set, and results.csv, into this directory (default: print the table)",
    ),
  ),
  databaseUrl: DatabaseFlags.optionalAddress,
  ...DatabaseFlags.working,
  target: optional(
    text("target", "NAME", "The column to explain, where the list does not say it (default none)"),
  ),
  effort: optional(
    whole(
      "effort",
      "N",
      "The effort of each fit, where the list does not say it (default no limit)",
      1,
      Number.MAX_SAFE_INTEGER,
    ),
  ),
  time: optional(
    positive(
      "time",
      "SECONDS",
      "The time limit of each fit in seconds, where the list does not say it (default 60; with an effort no limit)",
    ),
  ),
  retry: present("retry", "Try again what has failed before"),
} as const

/** A result of the list with its job, or with the complaint about it. */
type Asked = Pick<Manifest.Entry, "name" | "data"> &
  ({ readonly job: Jobs.Job } | { readonly job: undefined; readonly error: string })

/** Milliseconds between two looks for results while jobs are done here. */
const look = 200
/** Seconds after which somebody is told that nobody does the jobs. */
const idle = 10

/** `vasst batch MANIFEST`: laws of many tables. */
export const batchCommand = Command.make("batch", parameters, (input) =>
  Effect.gen(function* () {
    const { list, out, target, effort, time, databaseUrl, retry, ...working } = input
    const screen = yield* Screen
    const { version } = yield* Invocation
    const paths = yield* Path.Path
    const { name, text } = yield* Source.read(list)
    const entries = yield* Manifest.read(name, text, {
      ...(target !== undefined && { target }),
      ...(effort !== undefined && { effort }),
      ...(time !== undefined && { time }),
    })
    if (out !== undefined) yield* Folder.prepare(out, true)
    const url = DatabaseFlags.given(databaseUrl)
    const { queue } = yield* DatabaseFlags.open(
      url ?? `sqlite:${out === undefined ? ":memory:" : paths.join(out, "jobs.sqlite")}`,
    )
    const asked: Array<Asked> = []
    for (const entry of entries) {
      const { data } = entry
      const made = yield* Effect.result(
        jobsOf(queue, version, entry, list === "-" ? "." : paths.dirname(list)),
      )
      if (made._tag === "Success") for (const job of made.success) asked.push({ name: job.name, data, job })
      else if (made.failure._tag === "QueueError")
        return yield* new Complaint({ message: made.failure.message })
      else
        for (const { name } of Manifest.wanted(entry))
          asked.push({ name, data, job: undefined, error: made.failure.message })
    }
    const jobs = asked.flatMap(({ job }) => job ?? [])
    yield* told(queue.add(jobs))
    if (retry) yield* told(queue.retry(jobs.map(({ id }) => id)))
    const outcomes = yield* results(queue, jobs, {
      ...working,
      // Where a database is named, workers are elsewhere.
      workers: working.workers ?? (url === undefined ? undefined : 0),
    })
    const found = asked.map((one): Results.Outcome => ({
      name: one.name,
      data: one.data,
      ...(one.job === undefined
        ? { result: null, error: one.error }
        : (outcomes.get(one.job.id) ?? { result: null, error: null })),
    }))
    const table = Results.table(found)
    if (out === undefined) screen.out(table)
    else {
      for (const { name: own, result } of found)
        if (result !== null) yield* Folder.writeFile(paths.join(out, `${own}.json`), `${result}\n`, true)
      yield* Folder.writeFile(paths.join(out, "results.csv"), table, true)
    }
    const done = found.filter(({ result }) => result !== null).length
    const failed = found.filter(({ error }) => error !== null).length
    const rest = found.length - done - failed
    const counted = `${Csv.count(found.length, "data set")}: ${done} done${failed > 0 ? `, ${failed} failed` : ""}${rest > 0 ? `, ${rest} not done yet` : ""}`
    if (out !== undefined) screen.out(`${counted}; ${paths.join(out, "results.csv")}\n`)
    if (rest > 0)
      return yield* new Complaint({
        message: `stopped; ${counted}; the same command goes on with the others`,
      })
    const first = found.find(({ error }) => error !== null)
    if (first !== undefined)
      return yield* new Complaint({
        message: `${failed} of ${Csv.count(found.length, "data set")} failed, the first is ${first.name}: ${first.error ?? ""}`,
      })
    return undefined
  }).pipe(Effect.scoped),
).pipe(
  Command.withDescription("Find laws in many tables, here or on many machines"),
  Command.withExamples([
    {
      command: "vasst batch list.jsonl --effort 100000 --out results/",
      description:
        "Every data set of a list, on the cores of this machine; the same command goes on after an interruption",
    },
    {
      command: "vasst batch list.csv --out results/ --database-url postgres://me@db/jobs?sslmode=verify-full",
      description: "The same by the workers of a database (vasst worker)",
    },
  ]),
)

const told = <A, R>(effect: Effect.Effect<A, { readonly message: string }, R>) =>
  Effect.mapError(effect, ({ message }) => new Complaint({ message }))

/** The jobs of a data set, in the order of its results; its data are in the store then. */
const jobsOf = (queue: Queue, version: string, entry: Manifest.Entry, folder: string) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const { name, target, features, settings } = entry
    const screen = yield* Screen
    const { data } = yield* Table.read({
      data: paths.resolve(folder, entry.data),
      inputFormat: undefined,
      decimal: undefined,
      target,
      features,
      error: settings.error ?? undefined,
      weights: settings.weights ?? undefined,
    }).pipe(
      // Remarks about a table have its name.
      Effect.provideService(Screen, { ...screen, err: (text) => screen.err(`${name}: ${text}`) }),
    )
    const units = { ...data.units, ...settings.units }
    const hash = yield* queue.store(FitJob.bytesOf(data))
    return Manifest.wanted(entry).map(({ name: own, replica }) => {
      const payload: FitJob.Fit = {
        task: "fit",
        settings: Object.keys(units).length === 0 ? settings : { ...settings, units },
        ...(replica !== undefined && { replica }),
      }
      return Jobs.make({ name: own, version, payload, data: hash })
    })
  })

/** The results of jobs by their ids: of all of them, or of those that had ended when the program was asked to stop. */
const results = (
  queue: Queue,
  jobs: ReadonlyArray<Jobs.Job>,
  { workers, memory, lease, poll }: Pick<WorkerProcess.Settings, "workers" | "memory" | "lease" | "poll">,
) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const interrupt = yield* Interrupt
    const width = screen.columns.err
    const line = width === undefined ? undefined : Progress.line({ write: screen.err, columns: width })
    const found = new Map<string, Jobs.Outcome>()
    const ids = [...new Set(jobs.map(({ id }) => id))]
    const started = performance.now()
    const seconds = (): number => (performance.now() - started) / 1000
    const pause = workers === 0 ? 1000 * (poll ?? 1) : look
    let alone = workers === 0
    const wait = (stopped: () => boolean) =>
      Effect.gen(function* () {
        for (;;) {
          for (const one of yield* told(queue.outcomes(ids.filter((id) => !found.has(id)))))
            found.set(one.id, one)
          line?.update({
            seconds: seconds(),
            due: true,
            text: () => `${found.size} of ${ids.length} jobs done, ${Math.round(seconds())} s`,
          })
          if (found.size === ids.length || stopped()) return
          if (alone && seconds() > idle) {
            alone = false
            if ((yield* told(queue.busy)).length === 0)
              screen.err("no worker has a job; start one with the same --database-url: vasst worker\n")
          }
          yield* Effect.sleep(pause)
        }
      })
    yield* interrupt
      .during(
        () => {
          line?.clear()
          screen.err("stopping; jobs are given back (Ctrl-C again to leave at once)\n")
        },
        (signal) => {
          const over = (): boolean => signal.aborted || found.size === ids.length
          const work =
            workers === 0
              ? Effect.void
              : WorkerProcess.work(queue, {
                  workers,
                  memory,
                  lease,
                  poll,
                  drain: false,
                  stopped: over,
                  tell: () => undefined,
                })
          return Effect.all([wait(() => signal.aborted), work], { concurrency: 2, discard: true })
        },
      )
      .pipe(Effect.ensuring(Effect.sync(() => line?.clear())))
    return found
  })
