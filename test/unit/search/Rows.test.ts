import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { sympy } from "../../../src/expr/text/sympy.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import { patience, some, wanted } from "../../../src/search/Rows.ts"
import * as Search from "../../../src/search/Search.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Law from "../../../src/models/law.ts"
import * as Data from "../../../src/data/Data.ts"
import * as Rng from "../../../src/random/Rng.ts"

describe("the rows that a search looks at", () => {
  it("are enough where they tell expressions apart", () => {
    expect(wanted(512, 0.01)).toBeUndefined()
    expect(wanted(512, 0.3)).toBeUndefined()
    expect(wanted(100, 1e-9)).toBeUndefined()
  })

  it("are to bring a thousand nats where they do not, and are twice as many at least", () => {
    const rows = wanted(512, 0.8)!
    expect(rows * 0.5 * Math.log(1 / 0.8)).toBeCloseTo(1000, 0)
    expect(wanted(64, 0.001)).toBe(Math.ceil(1000 / (0.5 * Math.log(1000))))
    expect(wanted(100, 0.0026)).toBe(Math.ceil(1000 / (0.5 * Math.log(1 / 0.0026))))
    // Where nothing is explained no number is enough.
    expect(wanted(512, 1)).toBeGreaterThan(1e9)
    for (const share of [0.32, 0.5, 0.9, 0.999]) expect(wanted(512, share)).toBeGreaterThanOrEqual(1024)
  })
})

describe("some rows by chance", () => {
  it("are those with the smallest of as many random numbers, in the order of the table", () => {
    const X = Array.from({ length: 3000 }, (_, i) => [i])
    const data = Effect.runSync(Data.fromRows({ X, y: X.map(([i]) => i!) }))
    for (const [seed, rows] of [
      [1, 1],
      [2, 40],
      [3, 2999],
    ] as const) {
      const order = Rng.uniform(Rng.key(seed), new Float64Array(3000))
      const expected = X.map(([i]) => i!)
        .sort((a, b) => order[a]! - order[b]!)
        .slice(0, rows)
        .sort((a, b) => a - b)
      const chosen = some(data, rows, Rng.key(seed))
      expect([...chosen.y]).toEqual(expected)
      expect([...chosen.numbers!]).toEqual(expected.map((i) => i + 1))
    }
    expect(some(data, 3000, Rng.key(4))).toBe(data)
  })
})

describe("the patience of a restart", () => {
  it("is whole on many rows, a quarter on a few, and grows with them between", () => {
    expect([1, 9, 16].map(patience)).toEqual([0.25, 0.25, 0.25])
    expect([32, 48].map(patience)).toEqual([0.5, 0.75])
    expect([64, 512, 1e6].map(patience)).toEqual([1, 1, 1])
  })
})

describe("a search on few rows of noisy data", () => {
  const generator = Rng.generator(Rng.key(5))
  const X = Array.from({ length: 1500 }, () => Array.from({ length: 4 }, () => 1 + 2 * generator.next()))
  // The signal has a standard deviation of about 0.6.
  const y = X.map(([a, b, c]) => (a! * b!) / c! ** 2 + 1.5 * generator.normal())
  const grammar = Grammar.make({
    features: ["a", "b", "c", "d"],
    operators: [Operator.add, Operator.sub, Operator.mul, Operator.div, Operator.square, Operator.sin],
  })
  const model = Law.model(grammar, { trees: 2, depth: 4, links: [Link.identity] })

  it.live("takes more of them, keeps what it has found, and finds the law", () =>
    Effect.gen(function* () {
      const data = yield* Data.fromRows({ X, y, features: ["a", "b", "c", "d"] })
      const seen: Array<number> = []
      const posterior = yield* Search.fit(model, data, { library: 400, rows: 64 }, ({ objective }) =>
        seen.push(objective),
      ).pipe(Effect.provide([Stop.layer({ steps: 150 }), Fit.seed(1)]))
      const ranking = yield* Law.rank({ train: data })(posterior)
      expect(sympy(ranking.models[0]!.expression)).toBe("a*b/c**2")
      // Scores on more rows are others, but from the first ensemble on there always is one.
      const first = seen.findIndex(Number.isFinite)
      expect(seen.slice(first).every(Number.isFinite)).toBe(true)
      expect(Math.max(...seen.slice(first, first + 10))).toBeGreaterThan(seen.at(-1)!)
      expect(posterior.archive.scored).toBeGreaterThan(100_000)
    }),
  )

  it.live("keeps what it has found when it is stopped among its first steps on more", () =>
    Effect.gen(function* () {
      const data = yield* Data.fromRows({ X, y, features: ["a", "b", "c", "d"] })
      for (const steps of [26, 28, 30, 32]) {
        const posterior = yield* Search.fit(model, data, { library: 400, rows: 64 }).pipe(
          Effect.provide([Stop.layer({ steps }), Fit.seed(1)]),
        )
        expect(posterior.archive.ensembles.length).toBeGreaterThan(10)
      }
    }),
  )
})

describe("a search of data whose law shows on few rows", () => {
  const few = (share: number) => {
    const generator = Rng.generator(Rng.key(8))
    const X = Array.from({ length: 3000 }, () => [
      generator.next() < share ? 1 + generator.next() : 0,
      1 + 4 * generator.next(),
      generator.next(),
    ])
    return Data.fromRows({ X, y: X.map(([a, b]) => a! * b!), features: ["a", "b", "c"] })
  }
  const grammar = Grammar.make({
    features: ["a", "b", "c"],
    operators: [Operator.add, Operator.mul, Operator.square, Operator.sin],
  })
  const model = Law.model(grammar, { trees: 2, depth: 3, links: [Link.identity] })

  // About one row in 500 says anything: none of 64 rows does, or so few that many laws explain all of them.
  it.live.each([0.002, 0.02])("does not believe those it looked at first, %d", (share) =>
    Effect.gen(function* () {
      const data = yield* few(share)
      const posterior = yield* Search.fit(model, data, {
        library: 400,
        rows: 64 * (share < 0.01 ? 3 : 1),
        patience: 100,
      }).pipe(Effect.provide([Stop.layer({ steps: 400 }), Fit.seed(1)]))
      expect(posterior.stopReason).toBe("converged")
      const ranking = yield* Law.rank({ train: data })(posterior)
      expect(sympy(ranking.models[0]!.expression)).toBe("a*b")
    }),
  )
})
