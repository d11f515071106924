// Messages of the queue of jobs as nobody should send them: rows of its tables, payloads, data and states.
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Checkpoint from "../../src/infer/Checkpoint.ts"
import * as Database from "../../src/jobs/Database.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Queue from "../../src/jobs/Queue.ts"
import * as Runner from "../../src/jobs/Runner.ts"
import { damage, damaged } from "./changes.ts"
import { changed, done, flat, oneLine, refusal, table } from "./jobs.ts"

const payloads: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  {
    task: "fit",
    settings: {
      effort: 50,
      trees: 1,
      depth: 2,
      seed: 1,
      operators: ["add", "mul"],
      noise: ["additive"],
      units: { x: "m" },
      atMost: { add: 2 },
      forbid: [["sin", "sin"]],
      over: { sin: ["x"] },
      exponents: [-2, 2],
    },
  },
  { task: "restart", seed: 3, start: { restart: 2, rows: 20 } },
]
const search = { spec: { trees: 1, depth: 2 }, data: flat }

describe("the payload of a job", () => {
  it.each(payloads)("is one, but for its table: %j", async (payload) => {
    const data = Checkpoint.write(payload["task"] === "fit" ? flat : search)
    const { error } = await done({ payload: JSON.stringify(payload), data })
    expect(error?.message).toMatch(refusal)
  })

  it("that is another is refused in a line that names the field (1,000 cases)", async () => {
    await fc.assert(
      fc.asyncProperty(changed(fc.constantFrom(...payloads)), async (value) => {
        const data = Checkpoint.write(
          typeof value === "object" && value !== null && "task" in value && value.task === "restart"
            ? search
            : flat,
        )
        const { error } = await done({ payload: JSON.stringify(value) ?? "", data })
        expect(error?._tag).toMatch(/^(DataError|CompileError)$/)
        oneLine(error?.message ?? "")
      }),
      { numRuns: 1000 },
    )
  })

  it.each(
    ["effort", "operators", "units", "forbid", "exponents", "trees"].flatMap((field) =>
      [true, -1e300, [[]], { __proto__: null, a: 1 }].map((by) => [field, by] as const),
    ),
  )("names the field %s that is %j", async (field, by) => {
    const payload = JSON.stringify({ task: "fit", settings: { [field]: by } })
    const { error } = await done({ payload, data: Checkpoint.write(flat) })
    oneLine(error?.message ?? "")
    expect(error?.message).toContain(field)
  })

  it("that is cut off, or has other letters, is refused (500 cases)", async () => {
    const texts = payloads.map((one) => new TextEncoder().encode(JSON.stringify(one)))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), damage, async (bytes, how) => {
        const payload = new TextDecoder().decode(damaged(bytes, how))
        const data = Checkpoint.write(payload.includes("restart") ? search : flat)
        const { error } = await done({ payload, data })
        expect(error?._tag).toMatch(/^(DataError|CompileError)$/)
        oneLine(error?.message ?? "")
      }),
      { numRuns: 500 },
    )
  })
})

describe("the data of a job", () => {
  it("of another shape are refused in a line that names the field (600 cases)", async () => {
    await fc.assert(
      fc.asyncProperty(changed(fc.constantFrom<object>(flat, search)), async (value) => {
        const restart = typeof value === "object" && value !== null && "spec" in value
        const payload = JSON.stringify(payloads[restart ? 1 : 0])
        const { error } = await done({ payload, data: Checkpoint.write(value) })
        expect(error?._tag).toBe("DataError")
        oneLine(error?.message ?? "")
      }),
      { numRuns: 600 },
    )
  })

  it("whose bytes have changed are refused (400 cases)", async () => {
    const bytes = Checkpoint.write(flat)
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (changes) => {
        const data = changes.reduce(damaged, bytes)
        const sql = await readBack(bytes, data)
        if (Buffer.compare(bytes, data) === 0) expect(sql).toBe("")
        else expect(sql).toMatch(/: the data [0-9a-f]{12} are damaged; run vasst batch again$/)
      }),
      { numRuns: 400 },
    )
  })
})

/** What the queue says of data that are others than those that were stored. */
const readBack = (before: Uint8Array, after: Uint8Array): Promise<string> =>
  using((queue, { sql, run }) =>
    Effect.gen(function* () {
      const hash = yield* queue.store(before)
      yield* run(sql`UPDATE vasst_data SET bytes = ${after}`)
      return yield* Effect.match(queue.stored(hash), {
        onFailure: ({ message }) => message,
        onSuccess: () => "",
      })
    }),
  )

const using = <A>(
  use: (queue: Queue.Queue, database: Database.Database) => Effect.Effect<A, { readonly message: string }>,
): Promise<A> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const database = yield* Database.open("sqlite::memory:", { patience: 1, onTrouble: () => undefined })
        return yield* use(yield* Queue.make(database), database)
      }),
    ),
  )

describe("the state of a job", () => {
  it("that is damaged is none: the result is that of a job from its beginning (30 cases)", async () => {
    const payload = JSON.stringify({ task: "fit", settings: { effort: 60, trees: 1, depth: 2 } })
    const data = Checkpoint.write(table)
    const { result } = await done({ payload, data })
    expect(result).toMatch(/^\{/)
    const bytes = gzipSync(Checkpoint.write(new Map([["search", Uint8Array.of(1, 2, 3)]])))
    const other = fc.oneof(
      fc.array(damage, { minLength: 1, maxLength: 3 }).map((changes) => changes.reduce(damaged, bytes)),
      fc
        .constantFrom<unknown>(null, 7, [], {}, new Map([[1, 2]]))
        .map((one) => gzipSync(Checkpoint.write(one))),
      fc.uint8Array({ maxLength: 40 }),
    )
    await fc.assert(
      fc.asyncProperty(other, async (checkpoint) => {
        const again = await done({ payload, data, checkpoint })
        if (again.error !== undefined) oneLine(again.error.message)
        else expect(again.result).toBe(result)
      }),
      { numRuns: 30 },
    )
  }, 300_000)
})

describe("a row of the table of jobs", () => {
  const columns = ["id", "name", "payload", "data", "token", "attempts", "checkpoint"] as const
  const values = fc.oneof(
    fc.constantFrom<string | number | Uint8Array>(
      -1,
      0.5,
      1e300,
      2 ** 40,
      "",
      "x",
      "__proto__",
      Uint8Array.of(1),
    ),
    fc.string(),
    fc.uint8Array({ maxLength: 9 }),
  )

  it("that was changed is refused, or its job fails in one line; no other job is done (400 cases)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...columns), values, async (column, by) => {
        const seen: Array<Runner.Posted> = []
        const { message, outcomes } = await using((queue, { sql, run }) =>
          Effect.gen(function* () {
            const payload = { task: "restart", seed: 3, start: { restart: 2, rows: 20 } }
            const data = yield* queue.store(Uint8Array.of(1))
            yield* queue.add([Job.make({ name: "a", version: "1", payload, data })])
            // The place of a column that refers to others is checked by the database.
            yield* Effect.ignore(run(sql`PRAGMA foreign_keys = OFF`))
            yield* run(sql`UPDATE vasst_jobs SET ${sql(column)} = ${by}`)
            const pool = {
              size: 1,
              map: (posted: ReadonlyArray<Runner.Posted>) =>
                Effect.sync(() => {
                  seen.push(...posted)
                  return ["done"]
                }),
            }
            const settings = {
              worker: "w",
              version: "1",
              threads: 1,
              lease: 600,
              poll: 0.01,
              drain: true,
              stopped: () => false,
              tell: () => undefined,
            }
            const message = yield* Runner.run(queue, pool, settings).pipe(
              Effect.scoped,
              Effect.match({ onFailure: (error) => error.message, onSuccess: () => "" }),
            )
            const outcomes = yield* run(sql`SELECT result, error FROM vasst_jobs`)
            return { message, outcomes }
          }),
        )
        const [{ result = null, error = null } = {}] = outcomes as ReadonlyArray<{
          readonly result?: string | null
          readonly error?: string | null
        }>
        if (message !== "") {
          oneLine(message)
          expect(message).toContain(column)
        }
        if (error !== null) oneLine(error)
        // What was done is what was asked for.
        for (const { payload } of seen)
          expect(JSON.parse(payload)).toEqual({ task: "restart", seed: 3, start: { restart: 2, rows: 20 } })
        if (result !== null) expect(["name", "token", "attempts", "checkpoint"]).toContain(column)
        expect(message !== "" || error !== null || result !== null).toBe(true)
      }),
      { numRuns: 400 },
    )
  }, 120_000)
})
