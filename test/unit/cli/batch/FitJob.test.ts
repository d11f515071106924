import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as FitJob from "../../../../src/cli/batch/FitJob.ts"

const rows = 40
const x = Float64Array.from({ length: rows }, (_, i) => 1 + i / 20)
const z = x.map((_, i) => 1 + ((7 * i) % 11) / 5)
const y = x.map((value, i) => Math.sin(3 * value) * z[i]! * (1 + 0.05 * Math.sin(37 * i)))
const data = FitJob.bytesOf({ features: ["x", "z"], columns: [x, z], target: "y", y, rows })
const payload = (settings: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ task: "fit", settings })
const asked = payload({ effort: 6000, trees: 2, depth: 3 })

const run = async (checkpoint?: Uint8Array) => {
  const states: Array<Uint8Array> = []
  const job = { payload: asked, data, checkpoint, every: 1e-6, watched: false }
  const result = await Effect.runPromise(
    FitJob.run(job, (news) => void (news._tag === "State" && states.push(news.state))),
  )
  return { result, states }
}

const complaint = (job: { readonly payload?: string; readonly data?: Uint8Array }): Promise<string> =>
  Effect.runPromise(
    FitJob.run(
      { payload: asked, data, checkpoint: undefined, every: 10, watched: false, ...job },
      () => undefined,
    ).pipe(
      Effect.as(""),
      Effect.catch(({ message }) => Effect.succeed(message)),
    ),
  )

describe("the fit of a data set as a job", () => {
  it("goes on from any state, with the same bytes", async () => {
    const { result, states } = await run()
    expect(states.length).toBeGreaterThan(3)
    for (const at of [0, Math.floor(states.length / 2), states.length - 1]) {
      const again = await run(states[at])
      expect(again.result).toBe(result)
      // From its last state the search takes no further step.
      if (at === states.length - 1) expect(again.states.length).toBeLessThan(3)
    }
    // A state that cannot be read is none.
    expect((await run(Uint8Array.of(1, 2, 3))).result).toBe(result)
  })

  it("is that of a bootstrap replica where it has a number, with its own rows", async () => {
    const replica = (number: number) =>
      Effect.runPromise(
        FitJob.run(
          {
            payload: JSON.stringify({
              task: "fit",
              settings: { effort: 500, trees: 1, depth: 2 },
              replica: number,
            }),
            data,
            checkpoint: undefined,
            every: 600,
            watched: false,
          },
          () => undefined,
        ),
      )
    const [one, two] = [await replica(1), await replica(2)]
    expect(await replica(1)).toBe(one)
    expect(JSON.parse(one)).toMatchObject({ replica: 1, data: { rows } })
    expect(JSON.parse(two)).toMatchObject({ replica: 2 })
    const columns = (text: string): unknown => JSON.parse(text).data.columns
    expect(columns(one)).not.toEqual(columns(two))
  })

  it("says so where a replica has one value of the target alone", async () => {
    const twoValues = FitJob.bytesOf({
      features: ["x"],
      columns: [x.slice(0, 2)],
      target: "y",
      y: y.slice(0, 2),
      rows: 2,
    })
    const complaints = await Promise.all(
      Array.from({ length: 12 }, (_, k) =>
        complaint({
          payload: JSON.stringify({ task: "fit", settings: { effort: 1, trees: 1 }, replica: k + 1 }),
          data: twoValues,
        }),
      ),
    )
    // Half of the replicas of two rows.
    expect(
      complaints.filter((text) => text.includes("in all 2 rows; there is nothing to explain")).length,
    ).toBeGreaterThan(0)
  })

  it("refuses messages that are none, in one line", async () => {
    expect(await complaint({ payload: "{" })).toMatch(/^the settings of the job cannot be read: /)
    expect(await complaint({ payload: '{"task": "evaluate", "code": "1"}' })).toMatch(/cannot be read/)
    expect(await complaint({ payload: payload({ effort: 1, surprise: 2 }) })).toMatch(/cannot be read/)
    for (const replica of [0, 1.5, "1"])
      expect(await complaint({ payload: JSON.stringify({ task: "fit", settings: {}, replica }) })).toMatch(
        /^the settings of the job cannot be read: /,
      )
    expect(await complaint({ payload: payload({ operators: ["no"] }) })).toMatch(/there is no operator "no"/)
    expect(await complaint({ data: Uint8Array.of(1) })).toMatch(/^the data of the job cannot be read: /)
    const short = FitJob.bytesOf({ features: ["x"], columns: [x.slice(1)], target: "y", y, rows })
    expect(await complaint({ data: short })).toMatch(/they must agree/)
  })
})
