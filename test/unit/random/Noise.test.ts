import { describe, expect, it } from "vitest"
import { doubles, logs } from "../../../src/numeric/Elementary.ts"
import { noise } from "../../../src/random/Noise.ts"
import { threefry } from "../../../src/random/Threefry.ts"

// The fills of `Rng` have two ways, WebAssembly and plain loops, with the same bits. `rngBits` holds the one that this
// machine takes; here each is held against the other.

const LENGTH = 512
const lanes = noise(LENGTH)

const counters = [
  [0, 0, 0, 0],
  [1, 2, 3, 4],
  [2 ** 32 - 1, 2 ** 31, 2 ** 32 - 3, 1 << 28],
  [0x12345678, 0x9abcdef0, 2 ** 31 - 2, 7],
] as const

/** The uniforms of the plain loops. */
const plain = ([k0, k1, c0, c1]: (typeof counters)[number]): Float64Array => {
  const words = new Uint32Array(LENGTH)
  threefry(k0, k1, c0, c1, words, LENGTH)
  return Float64Array.from(words, (word) => (word + 0.5) / 2 ** 32)
}

describe.runIf(lanes !== undefined).each(counters)("the noise of (%i, %i, %i, %i)", (...counter) => {
  const { values, singles, uniform, gumbel, logistic, round } = lanes!
  it("has the uniforms of the plain loops", () => {
    uniform(...counter, LENGTH)
    expect(values.slice(0, LENGTH)).toEqual(plain(counter))
  })
  it("has their double logarithms", () => {
    uniform(...counter, LENGTH)
    gumbel(LENGTH)
    const expected = doubles(LENGTH)
    expected.values.set(plain(counter))
    logs(expected, LENGTH, -1)
    logs(expected, LENGTH, -1)
    expect(values.slice(0, LENGTH)).toEqual(expected.values)
  })
  it("has their log odds, and their roundings", () => {
    uniform(...counter, LENGTH)
    logistic(LENGTH)
    round(LENGTH)
    const [one, other] = [doubles(LENGTH), doubles(LENGTH)]
    one.values.set(plain(counter))
    other.values.set(one.values.map((u) => 1 - u))
    logs(one, LENGTH, 1)
    logs(other, LENGTH, 1)
    const expected = one.values.map((value, i) => value - other.values[i]!)
    expect(values.slice(0, LENGTH)).toEqual(expected)
    expect(singles.slice(0, LENGTH)).toEqual(Float32Array.from(expected))
  })
})
