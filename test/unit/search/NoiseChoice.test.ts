import { describe, expect, it } from "vitest"
import * as NoiseChoice from "../../../src/search/NoiseChoice.ts"
import * as HardTree from "../../../src/prob/tree/HardTree.ts"
import * as Rng from "../../../src/random/Rng.ts"

const weights = (by: number) => ({ by: Float64Array.of(by), count: 1, logDensity: 0 })

/** A choice whose laws of tree t have the evidence and the weight that `evidences` has for t, and the calls that it made. */
const counted = (evidences: ReadonlyArray<number | undefined>) => {
  const asked: Array<string> = []
  const choice = NoiseChoice.make(
    (link, trees) => {
      const [tree] = trees
      if (tree?._tag !== "Leaf") throw new Error("a leaf is assessed")
      asked.push(`${link}:${HardTree.key(tree)}`)
      const logEvidence = evidences[tree.terminal]
      return logEvidence === undefined
        ? undefined
        : { logEvidence, noise: { weights: () => weights(tree.terminal) } }
    },
    [5, 6],
    (id) => HardTree.leaf(id),
  )
  return { asked, choice }
}

const candidate = (tree: number, size: number, response = 0): NoiseChoice.Candidate => ({
  response,
  trees: [tree],
  size,
  score: -10,
  logEvidence: -8,
})

describe("NoiseChoice.make", () => {
  it("takes the weights of the law that is most probable under all kinds of noise", () => {
    const { choice, asked } = counted([3, 7, undefined, 5])
    const chosen = choice.best([candidate(0, 1), candidate(1, 2, 1), candidate(2, 3), candidate(3, 4)])
    // The score of the search has another evidence in it, which this one replaces.
    expect(chosen?.height).toBe(7 - 10 + 8)
    expect([...(chosen?.weights?.by ?? [])]).toEqual([1])
    expect(asked).toEqual(["5:t0", "6:t1", "5:t2", "5:t3"])
  })

  it("has none where no law has a probability", () => {
    expect(counted([undefined]).choice.best([candidate(0, 1)])).toBeUndefined()
    expect(counted([]).choice.best([])).toBeUndefined()
  })

  it("assesses the best three and the best of each of eight sizes", () => {
    const { choice, asked } = counted(Array.from({ length: 40 }, () => 1))
    choice.best(Array.from({ length: 40 }, (_, i) => candidate(i, i < 5 ? 20 : Math.floor(i / 2))))
    expect(asked).toHaveLength(11)
    expect(asked.slice(0, 3)).toEqual(["5:t0", "5:t1", "5:t2"])
  })

  it("does not assess a law again that the choice before has assessed, under another response it does", () => {
    const { choice, asked } = counted([3, 7, 5])
    const first = choice.best([candidate(0, 1), candidate(1, 2)])
    const again = choice.best([candidate(1, 2), candidate(2, 3), candidate(0, 1, 1)])
    expect(again).toEqual(first)
    expect(asked).toEqual(["5:t0", "5:t1", "5:t2", "6:t0"])
    // That of tree 0 under the first response was not of the latest choice: it is not kept for ever.
    choice.best([candidate(0, 1)])
    expect(asked.at(-1)).toBe("5:t0")
  })
})

describe("the sizes of y", () => {
  const even = Float64Array.from({ length: 101 }, (_, i) => 5 + i / 100)
  const exponential = (rate: number): Float64Array =>
    Float64Array.from({ length: 101 }, (_, i) => Math.exp((rate * i) / 100))

  it("are uneven where the standard deviation is far above the usual size, or a value far outside", () => {
    expect(NoiseChoice.isUneven(even)).toBe(false)
    expect(NoiseChoice.isUneven(exponential(5))).toBe(true)
    expect(NoiseChoice.isUneven(even.with(50, 200))).toBe(true)
  })
})

describe("what a law misses", () => {
  const rows = 400
  const random = Rng.generator(Rng.key(9))
  const mean = Float64Array.from({ length: rows }, (_, i) => Math.exp((6 * i) / rows))
  const errors = mean.map(() => random.normal())
  const added = (sizes: (value: number) => number): Float64Array =>
    mean.map((value, i) => value + sizes(value) * errors[i]!)

  it("is even where small values are missed by as much as large ones, and not where by a share of each", () => {
    const additive = added(() => 1)
    expect(NoiseChoice.isEven(additive, mean)).toBe(true)
    const relative = added((value) => 0.05 * value)
    expect(NoiseChoice.isEven(relative, mean)).toBe(false)
  })

  it("says nothing of the noise without a law, or by one that explains little", () => {
    const y = added(() => 1)
    expect(NoiseChoice.isEven(y, undefined)).toBe(false)
    expect(NoiseChoice.isEven(y, new Float64Array(rows).fill(50))).toBe(false)
  })
})
