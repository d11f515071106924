import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Data from "../../../src/data/Data.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Looks from "../../../src/infer/Looks.ts"
import * as Law from "../../../src/models/law.ts"
import { fit, type Options, type Progress, VasstError } from "../../../src/promise.ts"
import * as Document from "../../../src/report/Document.ts"

const small = { operators: ["mul", "div", "square"], depth: 3, effort: 3000, workers: 1 } satisfies Options
const count = 40
const length = Array.from({ length: count }, (_, i) => 1 + i / 10)
const width = Float64Array.from({ length: count }, (_, i) => 2 + ((7 * i) % 13) / 5)
const area = length.map((value, i) => 3 * value * width[i]! + 0.01 * Math.sin(99 * i))
const columns = { length, width, area }
/** Far too long for a test that waits for its end. */
const long = { time: 600, workers: 2, search: { restarts: true } } satisfies Options
/** No law that would end a search early. */
const rough = Array.from({ length: 400 }, (_, i) => Math.sin(12.9898 * i * i) + 2)
const endless = { X: rough.map((_, i) => [Math.cos(i * i), Math.sin(3 * i * i), i / 400]), y: rough }

/** What a promise is rejected with. */
const rejected = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "fulfilled",
    (error: unknown) => error,
  )

describe("data", () => {
  const rows = length.map((value, i) => [value, width[i]!])

  it("columns, rows and flat rows give the fit that Law.fit gives", async () => {
    const names = ["length", "width"] as const
    const shape = { y: area, features: names, target: "area" }
    const [ofColumns, ofRows, ofFlat] = await Promise.all([
      fit(columns, { ...small, target: "area", seed: 3 }),
      fit({ X: rows, ...shape }, { ...small, seed: 3 }),
      fit({ X: Float64Array.from(rows.flat()), ...shape }, { ...small, seed: 3 }),
    ])
    const law = await Effect.runPromise(
      Effect.flatMap(Data.fromRows({ X: rows, ...shape }), (data) => Law.fit(data, small)).pipe(
        Effect.provide(Fit.seed(3)),
      ),
    )
    for (const found of [ofColumns, ofRows, ofFlat]) {
      expect(found.features).toEqual(names)
      expect(found.models.map(({ lmpse }) => lmpse)).toEqual(law.models.map(({ lmpse }) => lmpse))
      expect(found.unseen).toEqual(law.unseen)
      expect(found.posterior.seed).toBe(3)
    }
    expect(String(ofColumns)).toBe("area = 3*length*width")
    expect(infix(law.best.expression)).toBe("3*length*width")
    expect(ofColumns.toLaTeX()).toMatch(/3.*length.*width/)
    expect(ofColumns.toSymPy()).toBe(law.toSymPy())
  })

  it("predicts columns in any order, and rows, with bands", async () => {
    const found = await fit(columns, { ...small, target: "area" })
    const expected = [6, 36]
    const byName = found.predict({ width: [2, 4], length: Float32Array.of(1, 3) })
    const byRow = found.predict([[1, 2], Float64Array.of(3, 4)])
    expected.forEach((value, i) => expect(byName[i]).toBeCloseTo(value, 9))
    expect(byRow).toEqual(byName)
    const { mean, bands } = found.predict({ length: [1], width: [2] }, { bands: [0.5, 0.9] })
    expect(mean[0]).toBeCloseTo(6, 1)
    expect(bands[1]!.predictive.high[0]! - bands[1]!.predictive.low[0]!).toBeGreaterThan(
      bands[0]!.predictive.high[0]! - bands[0]!.predictive.low[0]!,
    )
  })

  it("reads units as texts, and columns of errors and weights", async () => {
    const error = length.map(() => 0.01)
    const found = await fit(
      { ...columns, error },
      { ...small, target: "area", error: "error", units: { length: "m", width: "m", area: "m2" } },
    )
    expect(found.features).toEqual(["length", "width"])
    expect(found.predict({ length: [1], width: [2] })[0]).toBeCloseTo(6, 9)
  })

  it("has the document of the command line", async () => {
    const document = (await fit(columns, { ...small, target: "area" })).document()
    expect([document.objective, document.target, document.seconds]).toEqual(["inclusive", "area", null])
    // JSON and back: what a document is for.
    expect(JSON.parse(Document.toJson(document))).toEqual(document)
  })
})

describe("progress", () => {
  it("is told while the fit runs, and once at its end", async () => {
    const running = fit(columns, { ...small, effort: 60_000, target: "area" })
    const told: Array<Progress> = []
    for await (const one of running) told.push(one)
    const { best, unseen } = await running
    expect(told.length).toBeGreaterThan(1)
    const last = told.at(-1)!
    expect(last.law).toBe(String(await running))
    expect([last.logEvidence, last.unseen]).toEqual([best.logEvidence, unseen!.probability])
    told.slice(1).forEach((one, i) => {
      expect(one.evaluations).toBeGreaterThanOrEqual(told[i]!.evaluations)
      expect(one.seconds).toBeGreaterThanOrEqual(told[i]!.seconds)
      // The best law is not looked at in the first seconds.
      expect(one.unseen === undefined).toBe(one.law === undefined)
      expect(one.unseen ?? 1).toBeGreaterThan(0)
      expect(one.unseen ?? 1).toBeLessThanOrEqual(1)
    })
  })

  it("has the best law so far, while the fit goes on", async () => {
    const running = fit(endless, long)
    let seen: Progress | undefined
    for await (const one of running) {
      if (one.law === undefined) continue
      seen = one
      running.stop()
      break
    }
    expect(seen?.seconds).toBeGreaterThanOrEqual(Looks.usual.first)
    expect(seen?.law).toMatch(/^y = /)
    expect(seen?.logEvidence).toBe(seen?.best?.logEvidence)
    expect((await running).posterior.stopReason).toBe("interrupted")
  })

  it("can be left, and asked for late", async () => {
    const running = fit(columns, { ...small, target: "area" })
    for await (const one of running) {
      expect(one.seconds).toBeGreaterThanOrEqual(0)
      break
    }
    const found = await running
    const late: Array<Progress> = []
    for await (const one of running) late.push(one)
    expect(late.map(({ best }) => best)).toEqual([found.best])
  })
})

describe("ends", () => {
  it("stop fulfils with the laws found so far", async () => {
    const running = fit(endless, long)
    for await (const { evaluations } of running) if (evaluations > 0) running.stop()
    expect((await running).posterior.stopReason).toBe("interrupted")
  })

  it("an abort rejects with the reason of the signal, in the loop too", async () => {
    const controller = new AbortController()
    const running = fit(endless, { ...long, signal: controller.signal })
    const loop = rejected(
      (async () => {
        for await (const { seconds } of running) if (seconds > 0) controller.abort()
      })(),
    )
    const error = await rejected(running)
    expect(error).toBe(controller.signal.reason)
    expect(error).toMatchObject({ name: "AbortError" })
    expect(await loop).toBe(error)
  })

  it("a signal that is aborted already starts nothing", async () => {
    const reason = new Error("too late")
    expect(await rejected(fit(endless, { ...long, signal: AbortSignal.abort(reason) }))).toBe(reason)
  })
})

describe("errors", () => {
  const wrong = async (promise: Promise<unknown>): Promise<readonly [string, string]> => {
    const error = await rejected(promise)
    if (!(error instanceof VasstError)) throw new Error(`not a VasstError: ${String(error)}`)
    expect(error.message).not.toMatch(/\n/)
    return [error.tag, error.message]
  }

  it("have a tag and one line", async () => {
    const target = "area"
    expect(await wrong(fit({ ...columns, width: [1] }, { ...small, target }))).toEqual([
      "DataError",
      'the column "width" has 1 values, but "area" has 40; they must agree',
    ])
    // A program without types.
    expect(await wrong(fit(columns, { ...small, target: "aera" as "area" }))).toEqual([
      "DataError",
      'there is no column "aera"; did you mean "area"? the columns are: length, width, area',
    ])
    expect(await wrong(fit({ X: Float64Array.of(1, 2, 3), y: [1, 2] }))).toEqual([
      "DataError",
      "X has 3 values and y has 2; X needs as many for each value of y",
    ])
    expect(await wrong(fit(columns, { ...small, target, seed: -1 }))).toEqual([
      "SettingError",
      "the seed must be a whole number from 0 on, but is -1",
    ])
    expect((await wrong(fit(columns, { ...small, target, units: { width: "metre2x" } })))[0]).toBe(
      "UnitError",
    )
    expect((await wrong(fit(columns, { ...small, target, trees: 0 })))[0]).toBe("CompileError")
  })

  it("of predictions are of the same kind", async () => {
    const found = await fit(columns, { ...small, target: "area" })
    expect(() => found.predict([[1]])).toThrow(VasstError)
    // A program without types.
    expect(() => found.predict({ length: [1] } as never)).toThrow('there is no column "width"')
    expect(() => found.predict([[1, 2]], { bands: [2] })).toThrow(VasstError)
  })

  it("keep what nobody foresaw as their cause", () => {
    const cause = new TypeError("a\n  b")
    const error = VasstError.of(cause)
    expect([error.tag, error.message]).toEqual(["InternalError", "TypeError: a b (please report it)"])
    expect(error.cause).toBe(cause)
    expect(VasstError.of(error)).toBe(error)
  })
})
