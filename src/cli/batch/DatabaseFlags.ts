import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Complaint } from "../Complaint.ts"
import { optional, positive, size, text, whole } from "../Flags.ts"
import { Screen } from "../Screen.ts"
import type * as Database from "../../jobs/Database.ts"
import type { Queue } from "../../jobs/Queue.ts"

/** The flag that names the database. */
const address = text(
  "database-url",
  "URL",
  "The database of jobs: postgres://USER@HOST/NAME?sslmode=verify-full, or sqlite:FILE; also in VASST_DATABASE_URL, where no other user sees it (default: that variable)",
)

/** The same where it may be left out. */
export const optionalAddress = optional(address)

/** The flags of a worker. */
export const working = {
  workers: optional(
    whole("workers", "N", "Jobs at a time, each with a core of its own (default one for each core)", 0, 1024),
  ),
  memory: optional(
    size(
      "memory",
      "SIZE",
      "The most resident memory of the process, such as 500MB or 2GB: fewer jobs at a time, and where it is reached jobs are given back with their states (default no limit)",
    ),
  ),
  lease: optional(
    positive(
      "lease",
      "SECONDS",
      "After this time without a sign of life from its worker, a job is given to another (default 10)",
    ),
  ),
  poll: optional(
    positive(
      "poll",
      "SECONDS",
      "Time between two looks at the database where nothing is to be done (default 1)",
    ),
  ),
}

/** The address that is given, by the flag or the environment. */
export const given = (flag: string | undefined): string | undefined => {
  const found = flag ?? process.env["VASST_DATABASE_URL"]
  return found === "" ? undefined : found
}

/** The address that is given. @errors Complaint where there is none */
export const required = (flag: string | undefined): Effect.Effect<string, Complaint> => {
  const url = given(flag)
  return url === undefined
    ? new Complaint({ message: "name the database of jobs with --database-url, or in VASST_DATABASE_URL" })
    : Effect.succeed(url)
}

/** The queue of a database, until the scope closes. Its modules are loaded when they are used. */
export const open = (
  url: string,
): Effect.Effect<{ readonly queue: Queue; readonly name: string }, Complaint, Scope.Scope | Screen> =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const [databases, queues]: readonly [typeof Database, typeof import("../../jobs/Queue.ts")] =
      yield* Effect.promise(() =>
        Promise.all([import("../../jobs/Database.ts"), import("../../jobs/Queue.ts")]),
      )
    const database = yield* databases.open(url, {
      patience: 300,
      onTrouble: (message) => screen.err(`${message}\n`),
    })
    return { queue: yield* queues.make(database), name: database.name }
  }).pipe(Effect.catchTag("QueueError", ({ message }) => Effect.fail(new Complaint({ message }))))
