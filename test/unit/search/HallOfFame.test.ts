import { describe, expect, it } from "vitest"
import * as Frontier from "../../../src/search/Frontier.ts"
import * as HallOfFame from "../../../src/search/HallOfFame.ts"

const entry = (
  trees: ReadonlyArray<number>,
  signatures: ReadonlyArray<number>,
  { size, score, found = 0 }: { readonly size: number; readonly score: number; readonly found?: number },
): HallOfFame.Entry => ({
  response: 0,
  trees: [...trees],
  signatures: [...signatures],
  rss: 0,
  logEvidence: score,
  score,
  size,
  numbers: 0,
  searched: new Int32Array(trees.length + 1),
  found,
})

describe("the ensembles that are kept", () => {
  it("are the ten best of each size", () => {
    const list = HallOfFame.make(0)
    const kept = Array.from({ length: 30 }, (_, i) =>
      list.insert(entry([i], [i], { size: 4, score: (7 * i) % 30 })),
    )
    expect(list.strata[4]!.map(({ score }) => score)).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20])
    expect(list.leader()!.score).toBe(29)
    expect(kept.every(Boolean)).toBe(false)
  })

  it("lose none to a better one of the same values for which there is no room", () => {
    const list = HallOfFame.make(0)
    for (let i = 0; i < 10; i++) list.insert(entry([100 + i], [100 + i], { size: 6, score: 20 + i }))
    const short = entry([1], [1], { size: 5, score: 10 })
    list.insert(short)
    expect(list.insert(entry([2], [1], { size: 6, score: 10.5 }))).toBe(false)
    expect(list.strata[5]).toEqual([short])
  })

  it("take over what was searched around each tree, whatever their order, and when the values came", () => {
    const list = HallOfFame.make(0)
    const first = entry([1, 2], [11, 22], { size: 5, score: 10, found: 3 })
    first.searched.set([3, 1, 2])
    list.insert(first)
    const better = entry([4, 5], [22, 11], { size: 5, score: 11, found: 8 })
    expect(list.insert(better)).toBe(true)
    expect(list.strata[5]).toEqual([better])
    expect([...better.searched]).toEqual([1, 3, 2])
    expect(better.found).toBe(3)
  })

  it("know when their values first came, also from before a restart", () => {
    const agenda = Frontier.make(0)
    agenda.insert(entry([1], [1], { size: 3, score: 5, found: 2 }))
    Frontier.save(agenda)
    Frontier.forget(agenda)
    agenda.insert(entry([2], [1], { size: 2, score: 6, found: 9 }))
    agenda.insert(entry([3], [3], { size: 2, score: 4, found: 10 }))
    const all = Frontier.everything(agenda)
    expect(all.map(({ trees, found }) => [trees, found])).toEqual([
      [[2], 2],
      [[3], 10],
    ])
    Frontier.save(agenda)
    expect(agenda.champion).toMatchObject({ trees: [2], found: 2 })
  })
})
