import { describe, expect, it, vi } from "vitest"
import * as Effect from "effect/Effect"
import * as Checkpoint from "../../../src/infer/Checkpoint.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Law from "../../../src/models/law.ts"
import { restarts } from "../../../src/models/lawRestarts.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as ParallelSearch from "../../../src/search/ParallelSearch.ts"
import * as Search from "../../../src/search/Search.ts"
import * as MemoryStore from "../../support/memoryStore.ts"
import { data, options } from "../../support/restarts.ts"

/** A search with its rules, by some threads from the first step on. */
const run = (
  workers: number,
  rules: Parameters<typeof Stop.layer>[0],
  interrupt = () => false,
  { store } = MemoryStore.make(),
) =>
  Effect.gen(function* () {
    const search = yield* Search.algorithm(Law.programOf(data, options), data, options.search)
    const help = { task: restarts, spec: options, data, workers, after: 0 }
    const { state, seed } = yield* ParallelSearch.last(search, help)
    return Fit.summarise(search, state, seed)
  }).pipe(
    Effect.provide([Stop.layer(rules), Fit.seed(3), Fit.checkpointed(store)]),
    Effect.provideService(Fit.Interrupt, { requested: interrupt }),
    Effect.runPromise,
  )

/** All of a fit but its plan, which holds functions, and its time: as bytes. */
const bytes = ({ plan: _, seconds, ...rest }: Fit.Fitted<Search.Posterior>): Uint8Array => {
  expect(seconds).toBeGreaterThan(0)
  return Checkpoint.write(rest)
}

describe("a search by several threads", () => {
  it.each([
    ["until restarts agree", "converged", () => ({})],
    ["with a limit of steps within the last restart", "steps", ({ steps }) => ({ steps: steps - 5 })],
    [
      "with a limit of effort within the last restart",
      "effort",
      ({ archive }) => ({ rules: [Stop.afterEffort(Math.round(0.85 * archive.scored))] }),
    ],
  ] satisfies ReadonlyArray<
    readonly [string, string, (whole: Fit.Fitted<Search.Posterior>) => Parameters<typeof Stop.layer>[0]]
  >)("gives the same bytes with 1, 2 and 3, %s", async (_, reason, rulesOf) => {
    const rules = rulesOf(await run(1, {}))
    const one = await run(1, rules)
    expect(one.stopReason).toBe(reason)
    for (const workers of [2, 3]) expect(bytes(await run(workers, rules))).toEqual(bytes(one))
  })

  it("gives the same bytes where threads share no memory", async () => {
    const one = await run(1, {})
    vi.stubGlobal("SharedArrayBuffer", undefined)
    try {
      expect(bytes(await run(3, {}))).toEqual(bytes(one))
      // Restarts that are unfinished at a request are terminated with their threads.
      let asked = 0
      const found = await run(3, {}, () => ++asked > 60)
      expect(found.stopReason).toBe("interrupted")
      expect(found.archive.ensembles.length).toBeGreaterThan(0)
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it("gives the same bytes with 1, 2 and 7 when it is ended again and again, and goes on", async () => {
    const one = await run(1, {})
    const kept = MemoryStore.make()
    const moments = Rng.generator(Rng.key(5))
    const reasons: Array<string> = []
    for (let turn = 0; ; turn++) {
      let left = 25 + moments.integer(30)
      const found = await run([7, 1, 2][turn % 3]!, {}, () => --left < 0, kept)
      reasons.push(found.stopReason)
      if (found.stopReason === "interrupted") continue
      expect(bytes(found)).toEqual(bytes(one))
      break
    }
    expect(reasons.length).toBeGreaterThan(2)
    // Each turn starts up to seven threads, minutes of it on a slow machine.
  }, 900_000)

  it("ends on request with what all threads have found", async () => {
    let asked = 0
    const found = await run(3, {}, () => ++asked > 60)
    expect(found.stopReason).toBe("interrupted")
    expect(found.archive.ensembles.length).toBeGreaterThan(0)
    const scores = found.archive.ensembles.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((x, y) => y - x))
  })
})
