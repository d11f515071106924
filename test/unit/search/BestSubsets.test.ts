import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Operator from "../../../src/expr/Operator.ts"
import { leastSquares } from "../../../src/numeric/leastSquares.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as BestSubsets from "../../../src/search/BestSubsets.ts"
import * as SearchSpace from "../../../src/search/SearchSpace.ts"
import type { Workbench } from "../../../src/search/Workbench.ts"
import * as Spaces from "../../support/spaces.ts"

/** The part of a workbench that makes nodes, without a library. */
const making = ({ space, grammar }: Pick<Spaces.Spaces, "space" | "grammar">) => ({
  space,
  columns: () => new Int32Array(0),
  possible: (ids: Iterable<number>) => {
    space.attributes.update()
    return Int32Array.from(new Set(ids)).filter((id) => id >= 0)
  },
  apply: (name: string, ...operands: [number, number?]) =>
    space.apply(
      grammar.operators.findIndex((operator) => operator.name === name),
      ...operands,
    ),
})

describe("best subsets of simple columns", () => {
  const spaces = Spaces.make(([a, b]) => a! * b!, { depth: 7 })
  const { data } = spaces
  const one = new Float64Array(data.rows).fill(1)
  const [first, second] = data.columns
  const law = first!.map((a, i) => a ** 4 - a ** 3 + second![i]! ** 2 / 2)
  const asked: Array<Int32Array> = []
  const columnOf = (id: number): Float64Array => Spaces.column(spaces, id)
  const left = (trees: ReadonlyArray<number>): number => leastSquares([one, ...trees.map(columnOf)], law).rss

  const workbench = (most: number): Workbench =>
    ({
      ...making(spaces),
      most,
      scoring: {
        survey: (_: unknown, base: ReadonlyArray<number>, ids: Int32Array) => {
          asked.push(ids)
          return Float64Array.from(ids, (id) => -left([...base, id]))
        },
      },
      // What the search of subsets uses of a workbench.
    }) as unknown as Workbench
  const find = (
    most: number,
    piece?: { readonly part: number; readonly parts: number },
  ): ReadonlyArray<ReadonlyArray<number>> => {
    asked.length = 0
    const bench = workbench(most)
    return BestSubsets.of(bench, undefined as never, BestSubsets.columns(bench), piece)
  }

  it("are those of an exhaustive search", () => {
    const [best] = find(3)
    const ids = [...asked[0]!]
    const all = ids.flatMap((a, i) =>
      ids.slice(i + 1).flatMap((b, j) => [[a, b], ...ids.slice(i + j + 2).map((c) => [a, b, c])]),
    )
    const least = Math.min(...all.map(left))
    expect(left(best!)).toBe(least)
    expect(least).toBeLessThan(1e-18)
    expect(best).toHaveLength(3)
  })

  it("of ensembles of many trees are those of six, of as many columns as there is time for: of fifty there were 2^50", () => {
    const columns = BestSubsets.columns(workbench(50))
    expect(columns.length).toBeLessThan(20)
    let looks = 0
    const scoring = {
      survey: (_: unknown, __: unknown, ids: Int32Array) => (looks++, new Float64Array(ids.length)),
    }
    // All that it uses of a workbench.
    const bench = { most: 50, scoring } as unknown as Workbench
    const found = BestSubsets.of(bench, undefined as never, columns)
    expect(Math.max(...found.map((trees) => trees.length))).toBeLessThanOrEqual(6)
    expect(looks).toBeLessThan(10_000)
  })

  it("are found in parts as in one", () => {
    const whole = find(3)[0]!
    const parts = [0, 1, 2].flatMap((part) => find(3, { part, parts: 3 }))
    expect(Math.min(...parts.map(left))).toBe(left(whole))
  })

  it("have products of powers, each column once", () => {
    find(2)
    const columns = [...asked[0]!].map(columnOf)
    const has = (values: Float64Array): boolean =>
      columns.some((column) => leastSquares([one, column], values).rss < 1e-18)
    expect(has(first!.map((a) => a ** 5))).toBe(true)
    expect(has(first!.map((a, i) => a ** 3 * second![i]!))).toBe(true)
    const rests = columns.flatMap((column, i) =>
      columns
        .slice(0, i)
        .map((other) => leastSquares([one, other], column).rss / leastSquares([one], column).rss),
    )
    expect(Math.min(...rests)).toBeGreaterThan(1e-18)
  })

  it("are of few of many features, those of the best laws first", () => {
    const features = Array.from({ length: 300 }, (_, k) => `x${k}`)
    const grammar = Grammar.make({ features, operators: [Operator.add, Operator.sub, Operator.mul] })
    const uniform = (name: string) => Rng.uniform(Rng.fold(Rng.key(5), name), new Float64Array(50))
    const wide = { features, columns: features.map(uniform), target: "y", y: uniform("y"), rows: 50 }
    const weights = {
      depth: 7,
      split: { alpha: 0.95, delta: 1 },
      operators: grammar.operators.map(() => -1),
      terminals: grammar.terminals.map(() => -1),
    }
    const space = Effect.runSync(SearchSpace.make(grammar, weights, wide, 1, Rng.key(6)))
    const bench = {
      ...making({ space, grammar }),
      most: 3,
      kept: () => [{ trees: [250, 7] }],
      // What the choice of columns uses of a workbench.
    } as unknown as Workbench
    expect([...BestSubsets.columns(bench)].slice(0, 4)).toEqual([250, 7, 0, 1])
    // 60 features have some ten thousand products, 300 have 270,000.
    expect(space.dag.size()).toBeLessThan(25_000)
  })
})
