import { describe, expect, it } from "vitest"
import type { Archived } from "../../../src/infer/Archive.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Shortlist from "../../../src/rank/Shortlist.ts"

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.shipped.add] })
const model = { forest: { grammar } }

/** A sum of so many leaves: its complexity grows with it. */
const sum = (leaves: number): Tree.Tree =>
  leaves === 1 ? Tree.leaf(0) : Tree.branch(0, [Tree.leaf(1), sum(leaves - 1)])

const archived = (leaves: number, score: number): Archived => ({
  link: 0,
  trees: [sum(leaves)],
  score,
  found: 1,
})

/** Leaves of the ensembles that are chosen of some, given best first. */
const chosen = (ensembles: ReadonlyArray<Archived>, count: number): ReadonlyArray<number> =>
  Shortlist.archived(model, { scored: 1, ensembles }, count).flatMap(({ trees }) =>
    trees.map((tree) => (Tree.complexity(grammar, tree) + 1) / 2),
  )

describe("the ensembles of an archive that are scored exactly", () => {
  // Forty sizes of variants of the law of three leaves, each better than it on a sample, and one worse than a simpler one.
  const variants = Array.from({ length: 40 }, (_, k) => archived(10 + k, 100 - k))
  const law = archived(3, 50)
  const simple = archived(2, 10)
  const worse = archived(4, 5)

  it("have the law whose every complexity has a better variant", () =>
    expect(chosen([...variants, law, simple, worse], 4)).toEqual([10, 3, 2, 11]))

  it("have the best of each complexity after the front, then the best of all", () => {
    const twins = variants.slice(0, 2).flatMap((one) => [one, one, one, one])
    expect(chosen([...twins, law], 8)).toEqual([10, 3, 11, 10, 11, 10, 11, 10])
  })

  it("have the best of other links as rivals of the best, where they are near", () => {
    const under = (link: number, score: number) => ({ ...archived(3, score), link })
    const rivals = (ensembles: ReadonlyArray<Archived>) =>
      Shortlist.rivals(model, { scored: 1, ensembles }).map(({ ensemble }) => ensemble.link)
    const all = [
      under(2, 90),
      under(2, 89),
      under(0, 80),
      under(0, 79),
      under(1, 70),
      under(4, 60),
      under(3, 50),
    ]
    expect(rivals(all)).toEqual([0, 1, 4])
    expect(rivals([under(1, 500), under(0, 450), under(2, 300)])).toEqual([0])
    expect(rivals([])).toEqual([])
  })

  it("have the constant law second, also of an archive of nothing", () => {
    expect(Shortlist.archived(model, { scored: 0, ensembles: [] })).toEqual([{ link: 0, trees: [] }])
    const [, second] = Shortlist.archived(model, { scored: 1, ensembles: [law] })
    expect(second!.trees).toEqual([])
  })
})
