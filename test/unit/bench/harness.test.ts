import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { gzipSync } from "node:zlib"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { caseFile } from "../../../bench/harness/caseFile.ts"
import { each } from "../../../bench/harness/jobs.ts"
import { lines } from "../../../bench/harness/lines.ts"
import { run } from "../../../bench/harness/process.ts"
import { pinned } from "../../../bench/harness/processors.ts"

// What all benchmarks share: results that can be resumed, several jobs at a time, and processes that are killed when they are late.

let folder = ""
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "vasst-"))
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

describe("a file of cases", () => {
  interface Line {
    readonly name: string
    readonly result?: number
  }
  const open = () =>
    caseFile<string, Line>(path.join(folder, "deep", "results.jsonl"), {
      ofCase: (name) => name,
      ofLine: ({ name }) => name,
      complete: ({ result }) => result !== undefined,
    })

  it("goes on with the cases that have no result, in a later process too", () => {
    const file = open()
    expect(file.open(["a", "b", "c"])).toEqual(["a", "b", "c"])
    file.add({ name: "b", result: 2 })
    file.add({ name: "a" })
    expect(file.open(["a", "b", "c"])).toEqual(["a", "c"])
    expect(open().open(["a", "b", "c"])).toEqual(["a", "c"])
    expect(open().done(["c", "b"])).toEqual([{ case: "b", line: { name: "b", result: 2 } }])
  })

  it("takes the last line of a case that was run twice", () => {
    const file = open()
    for (const result of [1, 2]) file.add({ name: "a", result })
    expect(file.done(["a"]).map(({ line }) => line.result)).toEqual([2])
    file.add({ name: "a" })
    expect(file.open(["a"])).toEqual(["a"])
    expect(file.lines()).toHaveLength(3)
  })
})

it("lines of a compressed file are those of the file", () => {
  const file = path.join(folder, "archive.jsonl.gz")
  fs.writeFileSync(file, gzipSync('{"a":1}\n{"a":2}\n{"a"'))
  expect(lines(file)).toEqual([{ a: 1 }, { a: 2 }])
})

describe("processors", () => {
  it("are as many as were asked for, and others for another slot where there are others", () => {
    const ofSlot = (slot: number, width: number): ReadonlyArray<string> => {
      const [program, parameters] = pinned("node", ["script"], slot, width)
      // Where the system cannot pin, the program is started as it is.
      if (program === "node") return Array.from({ length: width }, (_, i) => String(slot * width + i))
      expect([program, parameters[0], ...parameters.slice(2)]).toEqual(["taskset", "-c", "node", "script"])
      return parameters[1]!.split(",")
    }
    expect(ofSlot(0, 1)).toHaveLength(1)
    expect(ofSlot(0, 2)).toHaveLength(2)
    expect([...ofSlot(0, 1), ...ofSlot(1, 1)]).toEqual(ofSlot(0, 2))
    expect([...ofSlot(2, 1), ...ofSlot(3, 1)]).toEqual(ofSlot(1, 2))
  })
})

describe("jobs", () => {
  it("are done once each, no more at a time than there are processors, and told", async () => {
    const told: Array<string> = []
    const busy = new Set<number>()
    const done: Array<number> = []
    await each(
      [1, 2, 3, 4, 5],
      { jobs: 2, title: "squares", say: (text) => told.push(text) },
      async (n, slot) => {
        expect(busy).not.toContain(slot)
        expect([0, 1]).toContain(slot)
        busy.add(slot)
        await new Promise((resolve) => setTimeout(resolve, 2))
        busy.delete(slot)
        done.push(n)
        return `${n * n}`
      },
    )
    expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
    expect(told).toHaveLength(5)
    expect(told[4]).toMatch(/^squares 5\/5 \(0\.0 min left\) \d+$/)
  })

  it("fail where one fails", async () => {
    const work = (n: number) => (n === 2 ? Promise.reject(new Error("no two")) : Promise.resolve(""))
    await expect(each([1, 2, 3], { jobs: 2, title: "", say: () => undefined }, work)).rejects.toThrow(
      "no two",
    )
  })
})

describe("a process", () => {
  const node = (code: string) => ({ program: process.execPath, parameters: ["-e", code] })

  it("gives its lines, and is told by the line that names its error", async () => {
    const said: Array<string> = []
    const code =
      'console.log("one\\ntwo"); console.error("at first\\nTypeError: no\\nat last"); process.exit(3)'
    const { killed, end } = await run(node(code), "", 0, 60, (line) => said.push(line))
    expect(said).toEqual(["one", "two"])
    expect({ killed, end }).toEqual({ killed: false, end: "ended with 3: TypeError: no" })
  })

  it("reads its input to the end", async () => {
    const said: Array<string> = []
    await run(node("process.stdin.pipe(process.stdout)"), "a\nb\n", 0, 60, (line) => said.push(line))
    expect(said).toEqual(["a", "b"])
  })

  it("is killed when it is late; what it had said counts", async () => {
    const said: Array<string> = []
    const code = 'console.log("early"); setInterval(() => 0, 1000)'
    const { killed } = await run(node(code), "", 0, 4, (line) => said.push(line))
    expect(killed).toBe(true)
    expect(said).toEqual(["early"])
  })

  it("that does not exist is an error", async () => {
    const absent = { program: path.join(folder, "absent"), parameters: [] }
    const outcome = run(absent, "", 0, 60, () => undefined).then(
      ({ end }) => end,
      (error: unknown) => String(error),
    )
    // `taskset` starts, and says that there is no such program; without it, there is nothing to start.
    expect(await outcome).toMatch(/No such file|ENOENT/)
  })
})
