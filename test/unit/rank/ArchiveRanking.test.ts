import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Link from "../../../src/prob/Link.ts"
import * as Law from "../../../src/models/law.ts"
import * as ArchiveRanking from "../../../src/rank/ArchiveRanking.ts"
import * as UnseenText from "../../../src/report/UnseenText.ts"
import { table } from "../../support/streamed.ts"

// A ranking that has little time looks at fewer rows, and says so.
describe("the ranking of a table of many rows", () => {
  const data = table(30_000, (x0, x1, x2) => (x0 * x1) / x2)
  const ranked = Effect.gen(function* () {
    const { posterior } = yield* Law.fit(data, {
      effort: 3000,
      workers: 1,
      links: [Link.identity],
      noise: "additive",
      operators: ["mul", "div"],
    })
    const ranker = yield* ArchiveRanking.make(posterior.plan, { train: data })
    return yield* Effect.forEach([Infinity, 0], (left) =>
      ranker.ranking(posterior.archive, { left: () => left }),
    )
  })

  it("is of all rows without a limit, and of a sample where there is no time", async () => {
    const [all, hasty] = await Effect.runPromise(ranked)
    expect(all?.models[0]?.residuals()).toHaveLength(30_000)
    expect(all?.unseen?.signs.scoredOn).toBeUndefined()
    expect(hasty?.models[0]?.residuals()).toHaveLength(4000)
    expect(hasty?.unseen?.signs).toMatchObject({ scoredOn: 4000, table: 30_000 })
    expect(UnseenText.lines(hasty!.unseen!, "time", "y")).toContain(
      "scored on 4000 of 30000 rows by chance: the limit of time ended before all of them were",
    )
    expect(UnseenText.lines(all!.unseen!, "time", "y").join()).not.toContain("by chance")
  })
})
