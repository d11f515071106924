import { Session } from "node:inspector"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import * as Law from "../../../src/models/law.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"
import * as Shortlist from "../../../src/rank/Shortlist.ts"
import { table } from "../../support/streamed.ts"

/** Bytes of columns after garbage was collected. */
const held = Effect.gen(function* () {
  const session = new Session()
  session.connect()
  let bytes = Infinity
  // V8 gives the memory of columns back in a thread of its own: looks until three in turn find nothing less.
  for (let same = 0; same < 3;) {
    session.post("HeapProfiler.collectGarbage")
    yield* Effect.sleep(50)
    const now = process.memoryUsage().arrayBuffers
    same = now < bytes ? 0 : same + 1
    bytes = Math.min(bytes, now)
  }
  session.disconnect()
  return bytes
})

it("a model keeps the columns of one kind of noise, not of all that explain its rows", async () => {
  const rows = 4000
  // Noise that grows with the law: several kinds of noise explain it.
  const clean = table(rows, (x0, x1, x2) => (x0 * x1) / x2)
  const data = { ...clean, y: clean.y.map((value, i) => value * (1 + 0.1 * Math.sin(i * i))) }
  const models = await Effect.runPromise(
    Effect.gen(function* () {
      const { posterior } = yield* Law.fit(data, { effort: 3000, workers: 1 })
      const scorer = yield* Scorer.make(posterior.plan, { train: data })
      const drawn = Shortlist.of(posterior.plan.likelihood, posterior.archive, 40)
      // What the scorer itself keeps, such as columns of terms, is there before.
      for (const one of drawn) scorer.score(one.ensemble)
      const before = yield* held
      const found = drawn.flatMap((one) => scorer.model(one) ?? [])
      return { found, columns: ((yield* held) - before) / (8 * rows) }
    }),
  )
  expect(models.found.length).toBeGreaterThan(20)
  // 6, and 41 where those of all kinds were kept.
  expect(models.columns / models.found.length).toBeLessThan(20)
})
