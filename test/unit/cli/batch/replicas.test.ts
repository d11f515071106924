// Bootstrap replicas, and grammars of one table, as jobs of a list. The command is a process, and its database is the file of the folder.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, describe, expect, it } from "vitest"
import { endAll, limit, vasst } from "../../../support/processes.ts"

const folder = mkdtempSync(join(tmpdir(), "vasst-replicas-"))
afterAll(() => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
})

const rows = Array.from({ length: 40 }, (_, i) => {
  const [x, z] = [1 + i / 20, 1 + ((7 * i) % 11) / 5]
  return `${x},${z},${x * z + Math.sin(z) + 0.05 * Math.sin(37 * i)}`
})
writeFileSync(join(folder, "t.csv"), ["x,z,y", ...rows, ""].join("\n"))

const line = { data: "t.csv", target: "y", trees: 1, depth: 2, effort: 2000 }

interface Document {
  readonly replica?: number
  readonly data: { readonly columns: ReadonlyArray<{ readonly name: string; readonly fingerprint: string }> }
  readonly models: ReadonlyArray<{ readonly expression: string }>
}

/** Works a list off into a folder. @returns the texts of its documents by their files */
const batch = async (
  lines: ReadonlyArray<object>,
  name: string,
  workers: string,
): Promise<ReadonlyMap<string, string>> => {
  const list = join(folder, `${name}.jsonl`)
  writeFileSync(list, lines.map((one) => JSON.stringify(one)).join("\n"))
  const out = join(folder, name)
  expect(await vasst("batch", list, "--out", out, "--workers", workers).ended).toMatchObject({
    code: 0,
    err: "",
  })
  return new Map(
    readdirSync(out)
      .filter((file) => file.endsWith(".json"))
      .toSorted()
      .map((file) => [file, readFileSync(join(out, file), "utf8")]),
  )
}

// A document of vasst.
const read = (text: string): Document => JSON.parse(text) as Document

/** How often each job of a folder was given to a worker, of jobs that are done. */
const tokens = (name: string): ReadonlyArray<unknown> => {
  const database = new DatabaseSync(join(folder, name, "jobs.sqlite"))
  const found = database.prepare("SELECT token FROM vasst_jobs WHERE result IS NOT NULL").all()
  database.close()
  return found.map(({ token }) => token)
}

describe("a line with bootstrap", { timeout: limit }, () => {
  it("is a job for each replica, whose bytes are those of its seed and number", async () => {
    const replicas = await batch([{ ...line, bootstrap: 3 }], "two", "2")
    expect([...replicas.keys()]).toEqual([1, 2, 3].map((k) => `t-replica-${k}.json`))
    const documents = [...replicas.values()].map(read)
    expect(documents.map(({ replica }) => replica)).toEqual([1, 2, 3])
    // Other rows, and so other columns.
    expect(new Set(documents.map(({ data }) => data.columns[0]!.fingerprint)).size).toBe(3)
    expect(tokens("two")).toEqual([1, 1, 1])
    // The same list goes on: nothing is done again.
    expect(await batch([{ ...line, bootstrap: 3 }], "two", "2")).toEqual(replicas)
    expect(tokens("two")).toEqual([1, 1, 1])
    // Replicas do not depend on how many there are, or on who makes them, beside the table itself.
    const others = await batch(
      [{ ...line, bootstrap: 2 }, line, { ...line, bootstrap: 1, seed: 9 }],
      "one",
      "1",
    )
    expect([...others.keys()]).toEqual([
      "t-2-replica-1.json",
      "t-replica-1.json",
      "t-replica-2.json",
      "t.json",
    ])
    for (const file of ["t-replica-1.json", "t-replica-2.json"])
      expect(others.get(file)).toBe(replicas.get(file))
    expect(read(others.get("t.json")!)).not.toHaveProperty("replica")
    // Another seed has other replicas.
    const first = ({ data }: Document): string => data.columns[0]!.fingerprint
    expect(first(read(others.get("t-2-replica-1.json")!))).not.toBe(first(documents[0]!))
  })
})

describe("a table under several grammars", { timeout: limit }, () => {
  it("is a job for each, with laws of its operators, all of the same stored data", async () => {
    const grammars = [["add", "mul"], ["sin"], ["mul", "sin"]]
    const documents = await batch(
      grammars.map((operators) => ({ ...line, effort: 300, operators })),
      "grammars",
      "2",
    )
    expect([...documents.keys()]).toEqual(["t-2.json", "t-3.json", "t.json"])
    expect(tokens("grammars")).toEqual([1, 1, 1])
    const database = new DatabaseSync(join(folder, "grammars", "jobs.sqlite"))
    expect(database.prepare("SELECT count(*) AS data FROM vasst_data").get()).toEqual({ data: 1 })
    database.close()
    const [polynomials = [], waves = [], both = []] = ["t.json", "t-2.json", "t-3.json"].map((file) =>
      read(documents.get(file)!).models.map(({ expression }) => expression),
    )
    const [product, wave] = [/x\*z|z\*x/, /sin\(/]
    expect(polynomials.some((law) => product.test(law))).toBe(true)
    expect(polynomials.filter((law) => wave.test(law))).toEqual([])
    expect(waves.some((law) => wave.test(law))).toBe(true)
    expect(waves.filter((law) => product.test(law))).toEqual([])
    expect(both.some((law) => product.test(law))).toBe(true)
  })
})
