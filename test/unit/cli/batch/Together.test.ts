import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../../../support/cli.ts"
import * as Needed from "../../../support/needed.ts"
import * as Postgres from "../../../support/postgres.ts"

const folder = mkdtempSync(join(tmpdir(), "vasst-together-"))
const at = (name: string): string => join(folder, name)
const fit = ["fit", at("data.csv"), "--target", "y", "--log-format", "json", "--log-level", "debug"]

beforeAll(() => writeFileSync(at("data.csv"), "x,y\n1,3.4\n2,5.6\n3,7.5\n4,9.6\n5,11.4\n"))
afterAll(() => rmSync(folder, { recursive: true }))

/** All that stands in the files of a folder. */
const texts = (name: string): string =>
  readdirSync(at(name))
    .map((file) => readFileSync(at(join(name, file)), "utf8"))
    .join("\n")

const missing = Needed.skipped("the password of a database", Postgres.missing)

describe("the password of a database", () => {
  // Installed by apt-get install postgresql.
  it.skipIf(missing)(
    "is in no file and no line of a fit, however it is given",
    { timeout: 1_200_000 },
    async () => {
      const postgres = await Postgres.make()
      try {
        const url = `${postgres.url}?sslmode=prefer`
        const forms = [["--database-url", url], [`--database-url=${url}`]]
        for (const [k, form] of forms.entries()) {
          const [out, page] = [`out${k}`, at(`law${k}.html`)]
          const { code, stdout, stderr } = await run([
            ...fit,
            "--cluster",
            ...form,
            "--out",
            at(out),
            "--report",
            page,
          ])
          expect([code, stderr]).toEqual([0, expect.stringContaining("backend: fake")])
          const shown = postgres.url.replace(/:s3cret%25word/, "")
          const { command } = JSON.parse(readFileSync(at(join(out, "record.json")), "utf8"))
          expect(command).toContain(form.length === 1 ? `--database-url=${shown}` : shown)
          const report = readFileSync(page, "utf8")
          expect(report.replaceAll(/<span class="word">|<\/span>/g, "")).toMatch(
            /--cluster --database-url[ =]postgres:/,
          )
          expect((await run(["report", at(out)])).code).toBe(0)
          for (const text of [stdout, stderr, texts(out), report]) expect(text).not.toContain("s3cret")
        }
      } finally {
        postgres.remove()
      }
    },
  )

  it("is in no folder of a run: a fit over a database has none", async () => {
    for (const form of [["--database-url", "postgres://me:s3cret@db/jobs"], ["--database-url=me:s3cret"]])
      for (const cluster of [["--cluster"], []]) {
        const { code, stderr } = await run([...fit, ...form, ...cluster, "--run", at("run")])
        expect([code, stderr]).toEqual([1, expect.stringMatching(/leave (--run|it) out/)])
        expect(stderr).not.toContain("s3cret")
        expect(existsSync(at("run"))).toBe(false)
      }
  })
})
