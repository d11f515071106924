import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { describe, expect, it } from "vitest"
import { numbers, text } from "../../../src/serve/Request.ts"

type Answer = Readonly<Record<string, unknown>>

const arrays = (...columns: ReadonlyArray<ReadonlyArray<number>>): string =>
  text(Float64Array.from(columns.flat()))
const x = Array.from({ length: 30 }, (_, i) => 1 + i / 10)
const z = x.map((_, i) => 2 + ((7 * i) % 11) / 5)
const data = { features: ["x", "z"], columns: arrays(x, z), rows: 30 }
const y = arrays(x.map((value, i) => 3 * value * z[i]!))
const fit = {
  method: "fit",
  id: 1,
  data,
  target: "y",
  y,
  progress: false,
  settings: { effort: 2000, workers: 1 },
}

/** Talks with the program; it is given its input's end afterwards, and its code is returned too. */
const talk = async <A>(
  use: (say: (line: unknown) => void, next: () => Promise<Answer>) => Promise<A>,
): Promise<{ readonly found: A; readonly code: number | null; readonly errors: string }> => {
  const program = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "src/serve/main.ts"])
  let errors = ""
  program.stderr.on("data", (part: Buffer) => (errors += part.toString()))
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]()
  const found = await use(
    (line) => program.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`),
    // Every answer is an object.
    async () => JSON.parse((await lines.next()).value as string) as Answer,
  )
  const ended = new Promise<number | null>((resolve) => program.on("exit", resolve))
  program.stdin.end()
  return { found, code: await ended, errors }
}

describe("the program that other languages talk to", () => {
  it("fits, predicts by the laws of the fit, and evaluates them", async () => {
    const { found, code, errors } = await talk(async (say, next) => {
      say(fit)
      // The document of a fit, of which the fields below are read.
      const { result } = (await next()) as {
        readonly result: {
          readonly best: { readonly expression: string }
          readonly models: ReadonlyArray<{ readonly law: unknown; readonly posterior: number }>
        }
      }
      const laws = result.models.flatMap(({ law, posterior }) =>
        law === null ? [] : [{ law, probability: posterior }],
      )
      const rows = { features: ["z", "x"], columns: arrays([2, 4], [1, 3]), rows: 2 }
      say({ method: "predict", id: 2, data: rows, laws, bands: [0.5, 0.9], errors: null })
      const predicted = await next()
      say({ method: "values", id: 3, data: rows, expression: result.best.expression })
      return { expression: result.best.expression, predicted, values: await next() }
    })
    expect(found.expression).toBe("3*x*z")
    expect(found.values).toEqual({ id: 3, result: arrays([6, 36]) })
    const { mean, bands } = found.predicted["result"] as {
      readonly mean: string
      readonly bands: ReadonlyArray<Readonly<Record<string, string>>>
    }
    expect([...numbers(mean)].map(Math.round)).toEqual([6, 36])
    expect(bands).toHaveLength(2)
    const [low, high] = [bands[1]!["predictiveLow"]!, bands[1]!["predictiveHigh"]!].map(
      (one) => numbers(one)[0]!,
    )
    expect(low).toBeLessThanOrEqual(high!)
    expect([code, errors]).toEqual([0, ""])
  })

  it("says what is wrong in one line, and goes on", async () => {
    const { found } = await talk(async (say, next) => {
      const answers: Array<Answer> = []
      for (const line of [
        "{",
        { ...fit, settings: { trees: "many" } },
        { ...fit, settings: { operators: ["sine"] } },
        { ...fit, settings: { units: { x: "metrex" } } },
        { ...fit, settings: { effort: 0 } },
        { ...fit, y: arrays(x.slice(1)) },
        { method: "values", id: 7, data, expression: "x +" },
        { method: "values", id: 8, data, expression: "x + z" },
      ]) {
        say(line)
        answers.push(await next())
      }
      return answers
    })
    const last = found.at(-1)!
    expect(last["id"]).toBe(8)
    expect(last["error"]).toBeUndefined()
    const errors = found
      .slice(0, -1)
      .map(({ error }) => error as { readonly tag: string; readonly message: string })
    for (const { tag, message } of errors) {
      expect(tag).not.toBe("InternalError")
      expect(message).not.toMatch(/\n|\.ts/)
    }
    expect(errors[1]!.message).toBe("trees must be of the type number")
    expect(errors[2]!.message).toMatch(/^there is no operator "sine"; did you mean "sin"\?/)
    expect(errors[5]!.message).toBe('the column "x" has 30 values, but "y" has 29; they must agree')
  })

  it("tells progress, and ends a fit early with the laws found so far", async () => {
    const rough = x.map((_, i) => Math.sin(13 * i * i) + 5)
    const { found } = await talk(async (say, next) => {
      say({ ...fit, y: arrays(rough), progress: true, settings: { time: 200, workers: 2 } })
      const first = await next()
      say({ method: "stop", fit: 1 })
      say({ method: "stop", fit: 99 })
      let answer = first
      while ("progress" in answer) answer = await next()
      return { first, answer }
    })
    expect(found.first["progress"]).toMatch(/^(0 s, at most )?3 min 20 s left +searching/)
    expect(found.answer["result"]).toMatchObject({ stopReason: "interrupted" })
  })
})
