import { describe, expect, it } from "vitest"
import * as Checkpoint from "../../../src/infer/Checkpoint.ts"
import * as HallOfFame from "../../../src/search/HallOfFame.ts"

const entry = (
  trees: ReadonlyArray<number>,
  signatures: ReadonlyArray<number>,
  {
    size,
    score,
    found = 0,
    logEvidence = 0,
    hasUnit = true,
  }: {
    readonly size: number
    readonly score: number
    readonly found?: number
    readonly logEvidence?: number
    readonly hasUnit?: boolean
  },
): HallOfFame.Entry => ({
  response: 0,
  trees: [...trees],
  signatures: [...signatures],
  rss: 0,
  logEvidence,
  score,
  size,
  hasUnit,
  numbers: 0,
  searched: new Int32Array(trees.length + 1),
  found,
})

describe("the ensembles that are kept", () => {
  it("are the ten best of each size", () => {
    const list = HallOfFame.make(HallOfFame.nothing(0))
    const kept = Array.from({ length: 30 }, (_, i) =>
      list.insert(entry([i], [i], { size: 4, score: (7 * i) % 30 })),
    )
    expect(list.strata[4]!.map(({ score }) => score)).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20])
    expect(list.leader()!.score).toBe(29)
    expect(kept.every(Boolean)).toBe(false)
  })

  it("lose none to a better one of the same values for which there is no room", () => {
    const list = HallOfFame.make(HallOfFame.nothing(0))
    for (let i = 0; i < 10; i++) list.insert(entry([100 + i], [100 + i], { size: 6, score: 20 + i }))
    const short = entry([1], [1], { size: 5, score: 10 })
    list.insert(short)
    expect(list.insert(entry([2], [1], { size: 6, score: 10.5 }))).toBe(false)
    expect(list.strata[5]).toEqual([short])
  })

  it("are the likelier of two of the same values by the prior, whatever rounding leaves of an exact law", () => {
    const list = HallOfFame.make(HallOfFame.nothing(0))
    const short = entry([1], [1], { size: 3, score: 95, logEvidence: 100 })
    list.insert(short)
    expect(list.insert(entry([2], [1], { size: 5, score: 103, logEvidence: 110 }))).toBe(false)
    expect(list.insert(entry([3], [1], { size: 3, score: 88, logEvidence: 90 }))).toBe(true)
  })

  it("keep their places whatever better ones of other units there are, and give way to none of the same values", () => {
    const list = HallOfFame.make(HallOfFame.nothing(0))
    const law = entry([1], [1], { size: 4, score: -5 })
    list.insert(law)
    for (let i = 2; i < 30; i++) list.insert(entry([i], [i], { size: 4, score: i, hasUnit: false }))
    expect(list.strata[4]).toHaveLength(11)
    expect(list.threshold(4, false, false)).toBe(20)
    expect(list.threshold(4, false, true)).toBe(-Infinity)
    expect(list.lawful()).toBe(law)
    expect(list.leader()!.score).toBe(29)
    expect(list.insert(entry([40], [1], { size: 4, score: 50, hasUnit: false }))).toBe(false)
    expect(list.insert(entry([41], [29], { size: 4, score: 10 }))).toBe(true)
    expect(list.strata[4]!.some(({ trees }) => trees[0] === 29)).toBe(false)
  })

  it("take over what was searched around each tree, whatever their order, and when the values came", () => {
    const list = HallOfFame.make(HallOfFame.nothing(0))
    const first = entry([1, 2], [11, 22], { size: 5, score: 10, found: 3 })
    first.searched.set([3, 1, 2])
    list.insert(first)
    const better = entry([4, 5], [22, 11], { size: 5, score: 11, found: 8 })
    expect(list.insert(better)).toBe(true)
    expect(list.strata[5]).toEqual([better])
    expect([...better.searched]).toEqual([1, 3, 2])
    expect(better.found).toBe(3)
  })

  it("go on from what was kept: limits, values and their order", () => {
    const data = HallOfFame.nothing(0)
    const list = HallOfFame.make(data)
    for (let i = 0; i < 30; i++) list.insert(entry([i], [i], { size: 4, score: (7 * i) % 30 }))
    const again = HallOfFame.make(Checkpoint.copy(data))
    for (const one of [list, again]) {
      expect(one.insert(entry([50], [50], { size: 4, score: 19.5 }))).toBe(false)
      expect(one.insert(entry([51], [51], { size: 4, score: 20.5 }))).toBe(true)
      // The same values as the best has.
      expect(one.insert(entry([52], [one.leader()!.signatures[0]!], { size: 4, score: 40 }))).toBe(true)
    }
    expect(again.strata).toEqual(list.strata)
  })
})
