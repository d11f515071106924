import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { describe, expect, it } from "vitest"
import * as Database from "../../../src/jobs/Database.ts"

const settings = { patience: 0.1, onTrouble: () => undefined }
const complaint = (address: string): Promise<string> =>
  Effect.runPromise(
    Effect.scoped(Database.open(address, settings)).pipe(
      Effect.as(""),
      Effect.catch(({ message }) => Effect.succeed(message)),
    ),
  )

describe("the address of a database", () => {
  it("is refused without its password", async () => {
    for (const address of [
      "mysql://me:secret@db/jobs",
      "postgres://me:secret@127.0.0.1:1/jobs",
      "postgres://me:secret@127.0.0.1:99999/jobs",
      "postgres://me:secret@127.0.0.1:1/jobs?sslmode=secret",
      "postgres://me:secret%@127.0.0.1:1/jobs",
    ]) {
      const message = await complaint(address)
      expect(message).not.toBe("")
      expect(message.replace("sslmode", "")).not.toContain("secret@")
    }
    expect(await complaint("postgres://me:secret%@127.0.0.1:1/jobs")).toBe(
      "postgres://me@127.0.0.1:1/jobs: the address has a % that begins no character; write %25 for it",
    )
    expect(await complaint("mysql://me:secret@db/jobs")).toBe(
      "mysql://me@db/jobs: the address of a database is postgres://USER@HOST/NAME or sqlite:FILE",
    )
    expect(await complaint("postgres://me:secret@127.0.0.1:1/jobs")).toMatch(
      /^postgres:\/\/me@127.0.0.1:1\/jobs: .*ECONNREFUSED/,
    )
  })

  it("names a file that cannot be opened", async () => {
    expect(await complaint("sqlite:/no/such/folder/jobs.sqlite")).toBe(
      "/no/such/folder/jobs.sqlite cannot be opened as a database of SQLite: unable to open database file",
    )
    expect(await complaint("sqlite:package.json")).toBe(
      "package.json cannot be opened as a database of SQLite: file is not a database",
    )
  })

  it("tells a mistake in a statement at once", async () => {
    const exit = await Effect.runPromiseExit(
      Effect.scoped(
        Effect.flatMap(Database.open("sqlite::memory:", settings), ({ sql, run }) =>
          run(sql`SELECT * FROM nothing`),
        ),
      ),
    )
    expect(Exit.isFailure(exit)).toBe(true)
  })
})
