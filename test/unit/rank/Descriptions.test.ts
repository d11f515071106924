import { describe, expect, it } from "vitest"
import * as Constants from "../../../src/evidence/exact/Constants.ts"
import type { ConstantSelection } from "../../../src/evidence/exact/ConstantSelection.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Descriptions from "../../../src/rank/Descriptions.ts"
import { model, sample, scorer } from "../../support/laws.ts"

const any = model(scorer(sample((a) => a, { noise: 0.1, rows: 20 })), "identity", "a")
const selected = any.exact!(Constants.defaults)!

/** The one number of a tree, which is its value. */
const numberOf = (trees: ReadonlyArray<Tree.Tree>): number => {
  const [tree] = trees
  if (tree?._tag !== "Leaf" || tree.value === undefined) throw new Error("not a number")
  return tree.value
}

/**
 * Descriptions of a model of one number c whose misfit is a function, and which asks for steps of its own. They count how often a hypothesis was
 * searched for, and how often one was asked again.
 */
const made = (misfit: (c: number) => number, step: (c: number) => number, begin: number) => {
  const asked = { searched: 0, again: 0 }
  const at = (c: number): Descriptions.Descriptions => ({
    model: { ...any, ensemble: { ...any.ensemble, trees: [Tree.leaf(1, c)] } },
    exactly: (_, hypothesis) => {
      asked[hypothesis === undefined ? "searched" : "again"]++
      const by = step(c)
      return {
        model: { ...selected, lmpse: -misfit(c) },
        logThreshold: 0,
        // Only the sum of squares of a hypothesis is looked at.
        selection: { rss: misfit(c) } as ConstantSelection,
        moved: (share = 1) => (Math.abs(by) < 1e-6 ? undefined : [Tree.leaf(1, c + share * by)]),
      }
    },
  })
  const settle = () => Descriptions.settled(at(begin), [Constants.defaults], (trees) => at(numberOf(trees)))
  return { settle, asked }
}

describe("a hypothesis about constants", () => {
  it("is followed to where the numbers inside of terms rest, and searched for once more there", () => {
    const { settle, asked } = made(
      (c) => (c - 3) ** 2,
      (c) => 3 - c,
      2.5,
    )
    expect(settle()!.model.lmpse).toBe(-0)
    expect(asked).toEqual({ searched: 2, again: 1 })
  })

  it("takes half of a step that makes the fit worse", () => {
    // The second step goes from 1 to 5, which is as far on the other side of 3 and worse by the cubic part.
    const misfit = (c: number) => (c - 3) ** 2 + 0.01 * (c - 1) ** 3
    const step = (c: number) => (c === 0 ? 1 : c === 1 ? 4 : 0)
    const { settle, asked } = made(misfit, step, 0)
    expect(settle()!.model.lmpse).toBe(-misfit(3))
    expect(asked).toEqual({ searched: 2, again: 3 })
  })

  it("is none where the numbers do not rest", () => {
    const { settle, asked } = made(
      (c) => -c,
      () => 1,
      0,
    )
    expect(settle()).toBeUndefined()
    expect(asked.searched + asked.again).toBeLessThan(10)
    const worse = made(
      (c) => (c === 0 ? 9 : Math.abs(c)),
      () => 1,
      0,
    )
    expect(worse.settle()).toBeUndefined()
  })

  it("is the most probable by more than its exact numbers need", () => {
    const one = (lmpse: number, logThreshold: number) => ({
      model: { ...selected, lmpse },
      logThreshold,
      moved: undefined,
    })
    expect(Descriptions.best([undefined, one(3, 2), one(2, 0.5), undefined])!.model.lmpse).toBe(2)
    expect(Descriptions.best([undefined])).toBeUndefined()
  })
})
