import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Checkpoint from "../../src/infer/Checkpoint.ts"
import { text } from "../../src/serve/Request.ts"
import { change, damage, damaged, places, replaced } from "./changes.ts"
import { odd } from "./corpus.ts"

/** States of any shape that a checkpoint may have. */
const state = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(
      fc.double(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.constant(undefined),
      fc.float64Array({ maxLength: 12 }),
      fc.int32Array({ maxLength: 5 }),
      fc.array(fc.double(), { minLength: 9, maxLength: 20 }),
    ),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...odd)), tie("any"), { maxKeys: 4 }),
    fc.array(fc.tuple(fc.string(), tie("any")), { maxLength: 3 }).map((entries) => new Map(entries)),
  ),
})).any

describe("any bytes as a checkpoint", () => {
  it("are a state or are refused, in one line (5,000 cases)", () =>
    fc.assert(
      fc.property(state, fc.array(damage, { minLength: 1, maxLength: 4 }), (value, changes) => {
        const bytes = changes.reduce(damaged, Checkpoint.write(value))
        try {
          Checkpoint.read(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(Checkpoint.CheckpointError)
          expect((error as Error).message).toMatch(/^[^\n]*checkpoint[^\n]*$/)
        }
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
      { numRuns: 5000 },
    ))

  it.each([
    ["an array of a length that no memory has", ["typed", "Float64Array", 0, 1e15]],
    ["a negative length", ["typed", "Float64Array", 0, -1]],
    ["a length that is no number", ["numbers", 0, "many"]],
    ["a place before the beginning", ["number", -100]],
    ["an array of no type", ["typed", "__proto__", 0, 1]],
    ["a type that is a method", ["typed", "toString", 0, 1]],
    ["a record that is no list", ["record", { length: 1e9 }]],
    ["an object that is not there", ["again", 0.5]],
  ])("have %s and are refused", (_, encoded) => {
    const json = new TextEncoder().encode(JSON.stringify(encoded))
    const start = Math.ceil((8 + json.length) / 8) * 8
    const bytes = new Uint8Array(start + 16)
    bytes.set(Checkpoint.write(1).subarray(0, 4))
    new DataView(bytes.buffer).setUint32(4, json.length, true)
    bytes.set(json, 8)
    expect(() => Checkpoint.read(bytes)).toThrow(Checkpoint.CheckpointError)
  })

  it("that nest deeply are refused", () => {
    const json = new TextEncoder().encode(`${'["array",['.repeat(100_000)}1${"]]".repeat(100_000)}`)
    const bytes = new Uint8Array(Math.ceil((8 + json.length) / 8) * 8)
    bytes.set(Checkpoint.write(1).subarray(0, 4))
    new DataView(bytes.buffer).setUint32(4, json.length, true)
    bytes.set(json, 8)
    expect(() => Checkpoint.read(bytes)).toThrow(Checkpoint.CheckpointError)
  })
})

const numbers = text(Float64Array.of(1, 2, 3, 4))
const data = { features: ["x"], columns: numbers, rows: 4 }
const law = {
  formula: "a*x",
  numbers: [{ name: "a", value: 2, error: 0.1 }],
  covariance: [[0.01]],
  noise: { deviation: "1", residual: "difference", degrees: null, sigma: 0.1, freedom: 3 },
}
const requests: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  { method: "values", id: 1, data, expression: "x^2 + 1" },
  { method: "predict", id: 1, data, laws: [{ law, probability: 1 }], bands: [0.5], errors: null },
  {
    method: "fit",
    id: 1,
    data,
    target: "y",
    y: text(Float64Array.of(1, 1, 1, 1)),
    progress: false,
    settings: { effort: 50, workers: 1, operators: ["add"], depth: 2 },
  },
]

const request = fc
  .tuple(fc.constantFrom(...requests), fc.array(change, { minLength: 1, maxLength: 2 }))
  .map(([valid, changes]) =>
    JSON.stringify(
      changes.reduce<unknown>((value, [place, by]) => {
        const all = places(value)
        return replaced(value, all[place % all.length]!, by)
      }, valid),
    ),
  )
const line = fc.oneof(
  { weight: 8, arbitrary: request },
  {
    weight: 1,
    arbitrary: fc.tuple(request, fc.nat(200)).map(([one, end]) => one.slice(0, end)),
  },
  { weight: 1, arbitrary: fc.string().map((one) => one.replaceAll(/[\r\n\u2028\u2029]/g, " ")) },
)

describe("any request to the program that other languages talk to", () => {
  it("has one answer, a result or an error of one line (1,500 cases), and the program goes on", async () => {
    const lines = fc.sample(line, { numRuns: 1500, seed: 1 }).filter((one) => !/"method": ?"stop"/.test(one))
    const program = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "src/serve/main.ts"])
    let errors = ""
    program.stderr.on("data", (part: Buffer) => (errors += part.toString()))
    const answers: Array<string> = []
    const reader = createInterface({ input: program.stdout })
    const done = new Promise<void>((resolve) => {
      reader.on("line", (answer) => {
        answers.push(answer)
        if (answers.length === lines.length + 1) resolve()
      })
      reader.on("close", resolve)
    })
    program.stdin.write(`${lines.join("\n")}\n${JSON.stringify(requests[0])}\n`)
    await done
    const ended = new Promise<number | null>((resolve) => program.on("exit", resolve))
    program.stdin.end()
    expect(await ended).toBe(0)
    expect(errors).toBe("")
    expect(answers).toHaveLength(lines.length + 1)
    const bad = answers.filter((answer) => {
      const { error, result } = JSON.parse(answer) as {
        readonly error?: { readonly tag: string; readonly message: string }
        readonly result?: unknown
      }
      return error === undefined
        ? result === undefined
        : error.tag === "InternalError" ||
            /\n|undefined|\bat .*:\d+:\d+/.test(error.message) ||
            error.message === ""
    })
    expect([...new Set(bad)]).toEqual([])
  }, 60_000)
})
