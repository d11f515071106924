import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as SharedData from "../../../src/data/SharedData.ts"
import { restarts } from "../../../src/models/lawRestarts.ts"
import type { Job } from "../../../src/search/Ahead.ts"
import type * as Law from "../../../src/models/law.ts"
import { data, options } from "../../support/restarts.ts"

const job = (): Job<Law.Options> => ({
  spec: options,
  data: SharedData.share(data),
  seed: 3,
  start: { restart: 2, rows: 30 },
  // Ends at once.
  stop: Int32Array.of(1),
})

const made = (message: object) =>
  // What a thread is posted has any form.
  Effect.runPromise(Effect.result(restarts.run({ ...job(), ...message }, () => undefined)))

describe("the message about a restart", () => {
  it("is read", async () => {
    expect(await made({})).toMatchObject({ _tag: "Success", success: { ended: false, infos: [] } })
  })

  it.each([
    ["seed", { seed: -1 }],
    ["restart", { start: { restart: "2", rows: 30 } }],
    ["rows", { start: { restart: 2, rows: 0.5 } }],
    ["stop", { stop: [0] }],
    ["stop", { stop: new Int32Array(0) }],
    ["features", { data: { ...SharedData.share(data), features: "a" } }],
    ["memory", { data: { ...SharedData.share(data), memory: undefined } }],
    [
      "columns have 8 bytes, and not 1440",
      { data: { ...SharedData.share(data), memory: new ArrayBuffer(8) } },
    ],
  ])("is refused by its field: %s in %j", async (field, message) => {
    const result = await made(message)
    expect(result).toMatchObject({ _tag: "Failure", failure: { _tag: "DataError" } })
    const told = result._tag === "Failure" ? result.failure.message : ""
    expect(told).toMatch(/^the message about a restart cannot be read: [^\n]+$/)
    expect(told).toContain(field)
  })
})
