import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Connection from "../../../src/workers/Connection.ts"
import { change, places, replaced } from "../../robustness/changes.ts"

/** What comes of a call to a worker that is ready and answers with these messages. */
const called = (messages: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const news: Array<unknown> = []
    const { call } = yield* Connection.make(({ message }) => {
      queueMicrotask(() => message({ _tag: "Ready" }))
      return {
        post: () => queueMicrotask(() => messages.forEach(message)),
        close: () => Promise.resolve(),
      }
    })
    const answer = yield* call("job", (one) => news.push(one)).pipe(
      Effect.match({ onFailure: (silence) => silence, onSuccess: (found) => found }),
    )
    return { answer, news }
  }).pipe(Effect.scoped, Effect.runPromise)

const answers = [
  { _tag: "Done", output: { at: 1 } },
  { _tag: "Failed", error: "DataError", message: "no" },
  { _tag: "Threw", message: "no", stack: undefined },
] as const

describe("the messages of a worker", () => {
  it.each(answers)("are read: %j", async (answer) => {
    expect(await called([{ _tag: "News", news: [1] }, answer])).toEqual({ answer, news: [[1]] })
  })

  it("that are none end the connection in one line that names the field (500 cases)", async () => {
    const columns = Float64Array.of(1, 2)
    expect((await called([{ _tag: "Done", output: columns }])).answer).toMatchObject({ output: columns })
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...answers), change, async (valid, [place, by]) => {
        const all = places(valid)
        const value = replaced(valid, all[place % all.length]!, by)
        // After an answer that is read there is no other.
        const { answer } = await called([value, { _tag: "Done", output: "late" }])
        if ("_tag" in answer) expect(answer).toEqual(value)
        else {
          refused++
          expect(answer.reason).toBe("crashed")
          expect(answer.message).toMatch(/^its message cannot be read: [^\n]+$/)
        }
      }),
      { numRuns: 500 },
    )
    expect(refused).toBeGreaterThan(100)
  })
})
