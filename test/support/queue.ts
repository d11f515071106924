import * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"
import * as Database from "../../src/jobs/Database.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Queue from "../../src/jobs/Queue.ts"
import * as Needed from "./needed.ts"
import * as Postgres from "./postgres.ts"

/** A database that queues are tried in. */
export interface Kind {
  readonly kind: string
  /** whether its tests are skipped */
  readonly missing: boolean
  /** Runs a program on an empty queue of such a database. */
  readonly using: <A, E>(
    use: (queue: Queue.Queue, database: Database.Database) => Effect.Effect<A, E>,
  ) => Promise<A>
}

/** SQLite in memory, and a PostgreSQL server that the tests of the present file share. */
export const kinds = (): ReadonlyArray<Kind> => {
  let postgres: Postgres.Postgres | undefined
  beforeAll(async () => {
    if (Postgres.missing === undefined) postgres = await Postgres.make()
  })
  afterAll(() => postgres?.remove())
  return ["SQLite", "PostgreSQL"].map((kind) => ({
    kind,
    missing: kind === "PostgreSQL" && Needed.skipped("a queue in PostgreSQL", Postgres.missing),
    using: (use) =>
      Effect.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const address = kind === "SQLite" ? "sqlite::memory:" : (postgres?.url ?? "")
            const database = yield* Database.open(address, { patience: 1, onTrouble: () => undefined })
            if (kind === "PostgreSQL")
              yield* database.run(database.sql`DROP TABLE IF EXISTS vasst_jobs, vasst_data`)
            return yield* use(yield* Queue.make(database), database)
          }),
        ),
      ),
  }))
}

/** A job of no meaning. */
export const job = (name: string, data: string, version = "1"): Job.Job =>
  Job.make({ name, version, payload: { seed: 1, task: name }, data })
