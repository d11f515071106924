import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Ensemble from "../../../src/rank/Ensemble.ts"
import { arbitraryGrammar, arbitrarySkeleton } from "../../../src/testing/arbitraryModel.ts"
import { runs } from "../../support/property.ts"

/** Draws of ensembles in which trees and ensembles come again: few skeletons, drawn many times. */
const drawn = fc
  .record({
    grammar: arbitraryGrammar({ forbidden: 3 }),
    depth: fc.integer({ min: 0, max: 3 }),
    trees: fc.integer({ min: 1, max: 3 }),
  })
  .chain(({ grammar, depth, trees }) => {
    return fc
      .record({
        skeletons: fc.array(arbitrarySkeleton(grammar, depth), { minLength: 1, maxLength: 4 }),
        places: fc.array(fc.nat(3), { minLength: 8 * trees, maxLength: 8 * trees }),
        included: fc.array(fc.nat(1), { minLength: 8 * trees, maxLength: 8 * trees }),
        link: fc.array(fc.nat(1), { minLength: 8, maxLength: 8 }),
        sets: fc.boolean(),
      })
      .map(({ skeletons, places, ...rest }) => {
        const of = places.map((place) => skeletons[place % skeletons.length]!)
        return { grammar, depth, trees, of, ...rest }
      })
  })

describe("Ensemble.fromDraws", () => {
  it("counts the canonical forms of pruned draws, in order of their first", () => {
    fc.assert(
      fc.property(drawn, ({ grammar, depth, trees, of, included, link, sets }) => {
        const form = sets ? Ensemble.ofSet : Ensemble.make
        const expected = new Map<string, Ensemble.Drawn>()
        for (let h = 0; h < 8; h++) {
          const places = Array.from({ length: trees }, (_, k) => h * trees + k)
          const pruned = places
            .filter((place) => included[place] === 1)
            .map((place) => Tree.prune(grammar, depth, of[place]!))
          const ensemble = form(grammar, pruned, link[h])
          const draws = 1 + (expected.get(ensemble.key)?.draws ?? 0)
          expected.set(ensemble.key, { ensemble, draws })
        }
        const draws = {
          split: of.flatMap(({ split }) => Array.from(split)),
          operator: of.flatMap(({ operator }) => Array.from(operator)),
          terminal: of.flatMap(({ terminal }) => Array.from(terminal)),
          included,
          link,
        }
        const found = Ensemble.fromDraws({ grammar, depth, trees }, draws, { sets })
        expect(found).toEqual([...expected.values()])
        for (const { ensemble } of found)
          expect(ensemble.key.replace(/^g1 ?/, "")).toBe(ensemble.trees.map(Tree.key).join(" "))
      }),
      runs(300),
    )
  })

  it("has one object for all trees that are equal", () => {
    fc.assert(
      fc.property(drawn, ({ grammar, depth, trees, of }) => {
        const draws = {
          split: of.flatMap(({ split }) => Array.from(split)),
          operator: of.flatMap(({ operator }) => Array.from(operator)),
          terminal: of.flatMap(({ terminal }) => Array.from(terminal)),
        }
        const all = Ensemble.fromDraws({ grammar, depth, trees }, draws).flatMap(
          ({ ensemble }) => ensemble.trees,
        )
        expect(new Set(all).size).toBe(new Set(all.map(Tree.key)).size)
      }),
      runs(100),
    )
  })
})
