import { describe, expect, it } from "vitest"
import * as Rng from "../../../src/random/Rng.ts"
import { threefry, words } from "../../../src/random/Threefry.ts"

const block = (k0: number, k1: number, c0: number, c1: number): ReadonlyArray<number> => {
  threefry(k0, k1, c0, c1)
  return [...words.subarray(0, 2)]
}

describe("Threefry-2x32-20", () => {
  // Random123, examples/kat_vectors, "threefry2x32 20".
  it.each([
    { counter: [0, 0], key: [0, 0], expected: [0x6b200159, 0x99ba4efe] },
    {
      counter: [0xffffffff, 0xffffffff],
      key: [0xffffffff, 0xffffffff],
      expected: [0x1cb996fc, 0xbb002be7],
    },
    {
      counter: [0x243f6a88, 0x85a308d3],
      key: [0x13198a2e, 0x03707344],
      expected: [0xc4923a9c, 0x483df7a0],
    },
  ])("gives the published words for counter $counter", ({ counter, expected, key }) => {
    expect(block(key[0]!, key[1]!, counter[0]!, counter[1]!)).toEqual(expected)
  })

  it("gives the words of one counter after the other", () => {
    const key = [0x13198a2e, 0xfabcde12] as const
    for (const first of [0, 6, 0x7ffffffe, 0xfffffffc]) {
      const out = new Uint32Array(24)
      threefry(...key, first, 0x85a308d3, out, 18)
      const expected = Array.from({ length: 10 }, (_, i) => block(...key, (first + i) % 2 ** 32, 0x85a308d3))
      expect([...out]).toEqual([...expected.flat(), 0, 0, 0, 0])
    }
  })
})

describe("keys", () => {
  it("carry the bits of the seed", () => {
    expect(Rng.key(0)).toEqual({ _tag: "Key", high: 0, low: 0 })
    expect(Rng.key(2 ** 32 + 7)).toEqual({ _tag: "Key", high: 1, low: 7 })
    expect(Rng.key(Number.MAX_SAFE_INTEGER)).toEqual({ _tag: "Key", high: 2 ** 21 - 1, low: 2 ** 32 - 1 })
  })

  it.each([-1, 0.5, Number.NaN, Infinity, 2 ** 53])("refuse the seed %s", (seed) => {
    expect(() => Rng.key(seed)).toThrow(RangeError)
  })

  it("split into children that do not depend on their number", () => {
    const parent = Rng.key(42)
    expect(Rng.split(parent, 100).slice(0, 3)).toEqual(Rng.split(parent, 3))
    expect(() => Rng.split(parent, -1)).toThrow(RangeError)
  })

  it("are all different: words, children, folds over numbers and texts", () => {
    const parent = Rng.key(3)
    const names = ["", "a", "b", "ab", "ba", "trees.split", "trees.operator", "\u0000", "\u0000\u0000"]
    const numbers = [0, 1, 2, 97, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]
    const keys = [
      parent,
      ...Rng.split(parent, 2000),
      ...names.map((name) => Rng.fold(parent, name)),
      ...numbers.map((n) => Rng.fold(parent, n)),
    ].map(({ high, low }) => `${high} ${low}`)
    expect(new Set(keys).size).toBe(keys.length)
    // A fill must not hand out the bits of a child key.
    const raw = Array.from({ length: 100 }, (_, i) => block(parent.high, parent.low, i, 0).join(" "))
    expect(raw.filter((words) => keys.includes(words))).toEqual([])
    expect(() => Rng.fold(parent, -1)).toThrow(RangeError)
  })

  it("survive JSON, as checkpoints need", () => {
    const key = Rng.fold(Rng.key(1), "w")
    expect(JSON.parse(JSON.stringify(key))).toEqual(key)
  })
})

describe("fills", () => {
  // These values are part of the contract: same seed, same bits, on every engine and in every later version.
  it("are pinned", () => {
    const key = Rng.key(2026)
    expect([...Rng.uniform(key, new Float64Array(3))]).toEqual([
      0.8823726329719648, 0.027898656553588808, 0.7386017957469448,
    ])
    expect([...Rng.normal(key, new Float64Array(3))]).toEqual([
      1.1869312643069938, -1.9126153500756686, 0.6390407718390562,
    ])
    expect([...Rng.gumbel(key, new Float64Array(3))]).toEqual([
      2.0783155691464326, -1.2751328140558438, 1.1940345353216133,
    ])
    expect([...Rng.logistic(key, new Float64Array(3))]).toEqual([
      2.0150927319328025, -3.550881526363553, 1.0387140022619457,
    ])
  })

  const { gumbel, logistic, normal, uniform } = Rng

  it.each([
    ["uniform", uniform],
    ["normal", normal],
    ["gumbel", gumbel],
    ["logistic", logistic],
  ] as const)("%s: an element depends on its index only, and float32 is the rounded float64", (_, fill) => {
    const key = Rng.key(5)
    const long = fill(key, new Float64Array(1001))
    for (const n of [0, 1, 2, 7, 1000]) {
      expect(fill(key, new Float64Array(n))).toEqual(long.slice(0, n))
      expect(fill(key, new Float32Array(n))).toEqual(Float32Array.from(long.slice(0, n)))
    }
  })

  it("return their target", () => {
    const out = new Float32Array(4)
    expect(Rng.normal(Rng.key(0), out)).toBe(out)
  })

  // Found by search: the first words of these seeds are 2^32 - 74, 2^32 - 119 and 22.
  it.each([43287483, 58041651, 109364902])(
    "stay inside (0, 1) and finite at the extremes, seed %i",
    (seed) => {
      const key = Rng.key(seed)
      for (const out of [new Float64Array(2), new Float32Array(2)]) {
        const u = Rng.uniform(key, out)[0]!
        expect(Math.min(u, 1 - u)).toBeLessThan(1e-7)
        expect(u).toBeGreaterThan(0)
        expect(u).toBeLessThan(1)
        for (const fill of [normal, gumbel, logistic]) {
          expect(fill(key, out).every(Number.isFinite)).toBe(true)
        }
      }
    },
  )

  it("uniform has 32 bits: (k + 0.5) / 2^32", () => {
    for (const u of Rng.uniform(Rng.key(8), new Float64Array(100))) {
      expect(Number.isInteger(u * 2 ** 32 - 0.5)).toBe(true)
    }
  })
})

describe("generator", () => {
  it("is pinned", () => {
    const source = Rng.generator(Rng.key(2026))
    expect([source.next(), source.normal(), source.gamma(0.3), source.gamma(7)]).toEqual([
      0.8823726330384413, 0.639040762534988, 0.10162461438081939, 4.901329180455093,
    ])
    expect([source.integer(10), source.integer(2 ** 32), ...source.permutation(5)]).toEqual([
      8, 3783736495, 3, 1, 4, 2, 0,
    ])
  })

  it("starts again from the same key", () => {
    const [a, b] = [Rng.generator(Rng.key(1)), Rng.generator(Rng.key(1))]
    expect([a.next(), a.integer(6), a.gamma(2)]).toEqual([b.next(), b.integer(6), b.gamma(2)])
  })

  it("next has 52 bits strictly inside (0, 1)", () => {
    const source = Rng.generator(Rng.key(9))
    for (let i = 0; i < 1000; i++) {
      const u = source.next()
      expect(Number.isInteger(u * 2 ** 52 - 0.5)).toBe(true)
      expect(u > 0 && u < 1).toBe(true)
    }
  })

  it("gamma stays in (0, infinity) where the draw underflows", () => {
    const source = Rng.generator(Rng.key(4))
    for (let i = 0; i < 100; i++) {
      expect(source.gamma(1e-4)).toBeGreaterThan(0)
      expect(Number.isFinite(source.logGamma(1e-4))).toBe(true)
    }
  })

  it("refuses bounds and shapes that mean nothing", () => {
    const source = Rng.generator(Rng.key(0))
    for (const n of [0, -1, 1.5, 2 ** 32 + 1, Number.NaN]) expect(() => source.integer(n)).toThrow(RangeError)
    for (const shape of [0, -1, Number.NaN, Infinity]) expect(() => source.gamma(shape)).toThrow(RangeError)
  })

  it("permutation has every index once", () => {
    const source = Rng.generator(Rng.key(0))
    expect([...source.permutation(0)]).toEqual([])
    expect([...source.permutation(1)]).toEqual([0])
    expect(source.permutation(100).toSorted()).toEqual(Uint32Array.from({ length: 100 }, (_, i) => i))
  })
})
