import { whole } from "../../../src/internal/whole.ts"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import * as Columns from "../../../src/evidence/columns.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Law from "../../../src/models/law.ts"
import * as LawGrammar from "../../../src/models/LawGrammar.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as ConstantGrid from "../../../src/search/ConstantGrid.ts"
import * as FormLibrary from "../../../src/search/FormLibrary.ts"
import * as Search from "../../../src/search/Search.ts"
import * as SearchSpace from "../../../src/search/SearchSpace.ts"
import { laws } from "../../../src/testing/algorithmLaws.ts"
import { dataset } from "../../support/selected.ts"

const rows = 60

/** A table of some features, of a law of the first two with noise. */
const table = (features: number) => {
  const key = Rng.key(31)
  const columns = Array.from({ length: features }, (_, j) =>
    Rng.uniform(Rng.fold(key, j), new Float64Array(rows)).map((value) => 1 + 4 * value),
  )
  const noise = Rng.normal(Rng.fold(key, "noise"), new Float64Array(rows))
  return dataset(
    Object.fromEntries(columns.map((column, j) => [`x${j}`, column])),
    noise.map((error, i) => Math.exp(-0.7 * columns[0]![i]!) + 0.3 * columns[1]![i]! + 0.01 * error),
  )
}

/** The making of a library over a table, and how often an operator has been applied. */
const making = (features: number) => {
  const data = table(features)
  const grammar = LawGrammar.make(data.features)
  const uniform = (count: number) => Array.from({ length: count }, () => -Math.log(count))
  const weights = {
    depth: 5,
    split: { alpha: 0.95, delta: 1 },
    operators: uniform(grammar.operators.length),
    terminals: uniform(grammar.terminals.length),
  }
  const space = Effect.runSync(SearchSpace.make(grammar, weights, data, 1, Rng.key(4)))
  const columns = Effect.runSync(Columns.make(grammar, data))
  let applied = 0
  const counting = {
    ...space,
    apply: (...args: Parameters<typeof space.apply>) => {
      applied++
      return space.apply(...args)
    },
  }
  const terminal = Grammar.fittedPlace(grammar)
  const grid = ConstantGrid.of(Rng.key(2), 0)
  const ids = Int32Array.from({ length: features }, (_, id) => id)
  return {
    made: FormLibrary.make(counting, columns, terminal, { ids: Array.from(ids) }, grid),
    applied: () => applied,
    /** the text and the values of a node */
    shown: (id: number) => {
      const tree = space.tree(id)
      return { text: infix(Tree.toTerm(grammar, tree)), ...columns.column(tree) }
    },
  }
}

describe("a library of forms", () => {
  it.each([2, 40, 300])("of %i columns is made in pieces, none of which is long", (features) => {
    const { made, applied } = making(features)
    const pieces: Array<number> = []
    for (let before = 0, ended = false; !ended; before = applied()) {
      ended = made.next().done === true
      pieces.push(applied() - before)
    }
    // A form of the library is three operators at most; the forms of one column are made together.
    expect(Math.max(...pieces)).toBeLessThan(5000)
    expect(pieces.length).toBeGreaterThan(features < 10 ? 1 : 10)
  })

  it("has powers, roots and logarithms of c - x where x + c is negative, which none of these may be", () => {
    const { made, shown } = making(2)
    const forms = Array.from(whole(made).ids, shown)
    // exp(a log(c - x)) is a power of c - x.
    for (const form of [
      /^sqrt\([\d.]+ - x0\)$/,
      /^log\([\d.]+ - x0\)$/,
      /^exp\(-?[\d.]+\*log\([\d.]+ - x0\)\)$/,
    ]) {
      const own = forms.filter(({ text }) => form.test(text))
      expect(own.length).toBeGreaterThan(2)
      expect(own.every(({ admissible }) => admissible)).toBe(true)
    }
  })

  it("has the most nodes where the columns are many, each once", () => {
    const { ids } = whole(making(40).made)
    expect(ids).toHaveLength(12_000)
    expect(new Set(ids).size).toBe(12_000)
  })
})

describe("a search", () => {
  const data = table(12)
  const model = Law.model(LawGrammar.make(data.features), { trees: 2, depth: 3 })
  const algorithm = () => Effect.runPromise(Search.algorithm(model, data, { library: 60, patience: 8 }))

  it("makes the library in parts of a step, which are counted once", async () => {
    const limited = Effect.provide(Stop.layer({ steps: 40 }))
    const seeded = Effect.provideService(Fit.Seed, 1)
    // A stream of steps has the parts; who is told of steps is told of whole ones.
    const running = await Effect.runPromise(Fit.run(await algorithm()).pipe(limited, seeded))
    const infos = (await Effect.runPromise(Stream.runCollect(running.steps))).map(({ info }) => info)
    const told: Array<Search.Step> = []
    const fit = Fit.fit(await algorithm(), (info) => told.push(info))
    const { steps, trace } = await Effect.runPromise(fit.pipe(limited, seeded))
    expect(told).toHaveLength(steps)
    const parts = infos.flatMap(({ unfinished }, i) => (unfinished === true ? [i] : []))
    expect(parts.length).toBeGreaterThan(3)
    for (const i of parts) {
      expect(infos[i]!.step).toBe(infos[i - 1]!.step)
    }
    expect(steps).toBe(infos.length - parts.length)
    expect(trace).toHaveLength(
      infos.filter(({ objective, unfinished }) => unfinished !== true && Number.isFinite(objective)).length,
    )
  })

  it("is a function of its state within such a step, too", async () => {
    const search = await algorithm()
    const unfinished: Array<number> = []
    let state = search.init(Rng.key(1))
    const steps = 30
    for (let taken = 0; taken < steps; taken++) {
      const [next, info] = search.step(state)
      if (info.unfinished === true) unfinished.push(taken + 1)
      state = next
    }
    expect(unfinished.length).toBeGreaterThan(3)
    const verdicts = laws(await algorithm(), { steps, splits: unfinished.slice(1, 4) })
    expect(verdicts.filter(({ holds }) => !holds)).toEqual([])
  })
})
