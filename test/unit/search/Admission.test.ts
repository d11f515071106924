// A search under restrictions: what it makes, scores and keeps, links and fitted numbers included.
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as TreePrior from "../../../src/evidence/treePrior.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Law from "../../../src/models/law.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Restriction from "../../../src/prob/tree/Restriction.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Move from "../../../src/search/Move.ts"
import * as Moves from "../../../src/search/Moves.ts"

const random = Rng.generator(Rng.key(12))
const X = Array.from({ length: 60 }, () => [0.5 + 2 * random.next(), 0.5 + 2 * random.next()] as const)
const y = X.map(([a, b]) => Math.exp(0.4 * a) + Math.sin(b) ** 2 + 0.05 * random.normal())
const links = [Link.identity, Link.log, Link.square]

const may = [
  Tree.notInside("exp", "exp"),
  Tree.over("log", ["a"]),
  Tree.inLaw(Tree.atMostUses("sin", 1)),
  Tree.inLaw(Tree.atMostNodes(9)),
  Tree.exponents(-2, 2),
]

const fit = async (restrictions: ReadonlyArray<Tree.Restriction>) => {
  let nodes = 0
  const wrong: Array<string> = []
  const grammar = Law.grammar(["a", "b"])
  const { log } = Restriction.compile(grammar, restrictions)
  const law = TreePrior.ofLaw({ grammar, restrictions }, links)!
  const spy = Move.make<{ readonly from: number }>({
    name: "spy",
    begin: () => ({ from: 0 }),
    step: ({ space, frontiers, links: places, scoring }, { from }) => {
      const { dag, attributes } = space
      attributes.update()
      for (let id = from; id < dag.size(); id++) {
        // Leaves that are no expressions have no prior.
        if (attributes.size(id) === 1) continue
        nodes++
        if (!(log(space.tree(id)) > -Infinity)) wrong.push(Tree.key(space.tree(id)))
      }
      for (const { strata, response } of frontiers)
        for (const entry of strata.flat())
          if (scoring.isComplete(entry) && !(law(places[response]!, entry.trees.map(space.tree)) > -Infinity))
            wrong.push(entry.trees.map((id) => Tree.key(space.tree(id))).join(" "))
      return { from: dag.size() }
    },
  })
  const fitted = await Effect.runPromise(
    Law.fit(
      { X, y, features: ["a", "b"] },
      {
        links,
        restrictions,
        effort: 60_000,
        workers: 1,
        search: { library: 1000, moves: [...Moves.all, spy] },
      },
    ).pipe(Effect.provide(Fit.seed(5))),
  )
  return {
    fitted,
    nodes,
    wrong,
    isLaw: (link: number, trees: ReadonlyArray<Tree.Tree>) =>
      trees.every((tree) => log(tree) > -Infinity) && law(link, trees) > -Infinity,
  }
}

describe("a search under restrictions", () => {
  it("makes no expression with an excluded part, and keeps no excluded law", async () => {
    const { fitted, nodes, wrong, isLaw } = await fit(may)
    expect(nodes).toBeGreaterThan(2000)
    expect(wrong).toEqual([])
    expect(fitted.models.length).toBeGreaterThan(2)
    for (const { ensemble } of fitted.models) expect(isLaw(ensemble.link, ensemble.trees)).toBe(true)
  })

  it("keeps laws with all that they must contain, though no term of the library has it all", async () => {
    const { fitted, wrong, isLaw } = await fit([
      ...may,
      Tree.contains("a"),
      Tree.contains("b"),
      Tree.contains("sin"),
    ])
    expect(wrong).toEqual([])
    expect(fitted.models.length).toBeGreaterThan(2)
    for (const { ensemble } of fitted.models) expect(isLaw(ensemble.link, ensemble.trees)).toBe(true)
  })
})
