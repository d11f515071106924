import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import type { Dataset } from "../../../src/data/Data.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Law from "../../../src/models/law.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Search from "../../../src/search/Search.ts"
import type * as State from "../../../src/search/State.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"

const generator = Rng.generator(Rng.key(4))
const draw = (count: number): Float64Array => Float64Array.from({ length: count }, () => 1 + generator.next())

/** Rows of a law with noise. */
const table = (count: number, noise: number, law: (a: number, b: number) => number): Dataset => {
  const [a, b] = [draw(count), draw(count)]
  const y = a.map((value, i) => law(value, b[i]!) + noise * generator.normal())
  return { features: ["a", "b"], columns: [a, b], target: "y", y, rows: count }
}

const grammar = (constants: Grammar.Constants = {}) =>
  Grammar.make({
    features: ["a", "b"],
    operators: [Operator.add, Operator.mul, Operator.div, Operator.sin, Operator.exp],
    constants,
  })

const fitted = { c: Constant.fitted(Dist.normal(0, 3)) }

interface End {
  /** the result of a restart */
  readonly outcome: State.Outcome
  /** how many fits of constants the search has counted in it: they say when constants are fitted next */
  readonly fittings: number
}

/** A restart by itself, from the state before it, to its end. */
const alone = (search: Search.Search, from: State.State): End => {
  let state = from
  for (;;) {
    const [next, { converged }] = search.step(state)
    state = next
    if (converged) return { outcome: search.outcome(state), fittings: state.core.fittings }
  }
}

/** The state after each of the first restarts of a search, and how many fits of constants were counted in it. */
const inOrder = (
  search: Search.Search,
  restarts: number,
): ReadonlyArray<{ readonly end: State.State; readonly fittings: number }> => {
  let state = search.init(Rng.key(3))
  const ends: Array<{ readonly end: State.State; readonly fittings: number }> = []
  while (ends.length < restarts) {
    const [next] = search.step(state)
    // The core is written into: the next restart sets the number to nought when it begins.
    if (next.restart > state.restart) ends.push({ end: next, fittings: next.core.fittings })
    state = next
  }
  return ends
}

const cases = {
  "a link that takes working responses": [table(50, 0.05, (a, b) => Math.sqrt(a * b + a)), grammar(), 40, 12],
  "fitted constants": [table(40, 0.02, (a, b) => Math.exp(-0.7 * a) + b), grammar(fitted), 40, 12],
  "forms beside many ensembles": [
    table(40, 0.3, (a, b) => b * Math.sin(3 * a) + a / b),
    grammar(fitted),
    40,
    60,
  ],
  "rows that are added": [table(400, 2, (a, b) => a * Math.sin(b)), grammar(), 30, 12],
} as const

describe("a restart of a search depends on its key, its number and its rows alone, with", () => {
  it.each(Object.keys(cases) as ReadonlyArray<keyof typeof cases>)("%s", async (name) => {
    const [data, own, rows, patience] = cases[name]
    const law = Law.model(own, { trees: 2, depth: 3, links: [Link.identity, Link.square] })
    const settings = { library: 150, patience, rows }
    const make = (restarts: boolean): Promise<Search.Search> =>
      Effect.runPromise(Search.algorithm(law, data, { ...settings, restarts }))
    const search = await make(true)
    const ends = inOrder(search, 3)
    const others = await make(false)
    // Each restart by itself, the last one first, in a search that has made other restarts and in a new one.
    const first = search.init(Rng.key(3))
    let state: State.State = first
    for (const [restart, { end, fittings }] of ends.entries()) {
      const found = alone(others, others.before(Rng.key(3), { restart, rows: state.rows }))
      const fresh = await make(false)
      expect(alone(fresh, fresh.before(Rng.key(3), { restart, rows: state.rows }))).toEqual(found)
      const [next] = search.after(state, found.outcome)
      expect(next.past).toEqual(end.past)
      expect(found.fittings).toBe(fittings)
      expect([next.rows, next.restart]).toEqual([end.rows, end.restart])
      state = next
    }
    expect(state.past.ensembles.length).toBeGreaterThan(20)
  })
})
