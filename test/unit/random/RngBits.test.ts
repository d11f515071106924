import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as Elementary from "../../../src/numeric/Elementary.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { threefry, words } from "../../../src/random/Threefry.ts"

// Every bit of the noise is part of the contract (same seed, same draws, in every later version), however the fills
// come by it. The digests below were taken when each element was one call of a function.

const digest = (parts: ReadonlyArray<Float32Array | Float64Array>): string => {
  const hash = createHash("sha256")
  for (const { buffer, byteOffset, byteLength } of parts)
    hash.update(new Uint8Array(buffer, byteOffset, byteLength))
  return hash.digest("hex").slice(0, 16)
}

const { gumbel, logistic, normal, uniform } = Rng

const lengths = [0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 255, 256, 257, 1000, 2160, 4099]
// Halves of keys above 2^31, and the seeds whose first words are next to 0 and 2^32.
const keys = [
  ...[0, 1, 2026, 2 ** 32 - 1, 2 ** 52 + 2 ** 31 + 12345].map(Rng.key),
  ...[43287483, 58041651, 109364902].map(Rng.key),
  Rng.fold(Rng.key(7), "noise"),
  Rng.fold(Rng.fold(Rng.key(7), 1999), 2),
]

describe("the bits of the noise", () => {
  it.each([
    ["uniform", uniform, "6f0463dfda498047", "03145ef81bc19122"],
    ["normal", normal, "26c82106ef046c7f", "6c8db262a06b869d"],
    ["gumbel", gumbel, "090646ad83ed40da", "4cd5d48182304ab5"],
    ["logistic", logistic, "5ebbd978ce8f1768", "23476fa8a3d2b314"],
  ] as const)("%s: as they have always been", (_, fill, double, single) => {
    const filled = keys.flatMap((key) =>
      lengths.map((n) => [fill(key, new Float64Array(n)), fill(key, new Float32Array(n))] as const),
    )
    expect([digest(filled.map(([d]) => d)), digest(filled.map(([, s]) => s))]).toEqual([double, single])
  })

  const { log, normalQuantile } = Elementary

  it.each([
    ["uniform", uniform, (u: number) => u],
    ["normal", normal, normalQuantile],
    ["gumbel", gumbel, (u: number) => -log(-log(u))],
    ["logistic", logistic, (u: number) => log(u) - log(1 - u)],
  ] as const)("%s: the transform of one word of the key for each element", (_, fill, transform) => {
    for (const { high, low } of keys) {
      const found = fill({ _tag: "Key", high, low }, new Float64Array(3001))
      const expected = found.map((_, i) => {
        threefry(high, low, i >> 1, 0)
        return transform((words[i % 2]! + 0.5) / 2 ** 32)
      })
      expect(digest([found])).toBe(digest([expected]))
    }
  })

  it("fills part of an array and leaves the rest", () => {
    const whole = new Float32Array(40).fill(-7)
    gumbel(Rng.key(3), whole.subarray(5, 18))
    const expected = new Float32Array(40).fill(-7)
    expected.set(gumbel(Rng.key(3), new Float32Array(13)), 5)
    expect(whole).toEqual(expected)
  })
})

describe("the bits of the elementary functions", () => {
  const uniforms = uniform(Rng.key(11), new Float64Array(20_000))
  // Every power of two that a double can be, by exact doubling.
  const powers = new Float64Array(2098)
  for (let i = 0, power = Number.MIN_VALUE; i < powers.length; i++, power *= 2) powers[i] = power
  const spread = (u: number, i: number): number => (1 + u) * powers[i % 2098]!

  it.each([
    ["log", Elementary.log, spread, "b5d05754c1bb2b5a"],
    ["log next to 1", Elementary.log, (u: number) => 0.5 + u, "2e4acb9f1dbe5482"],
    ["exp", Elementary.exp, (u: number) => 1600 * u - 800, "3814a9ac83bcdf54"],
    ["normalQuantile", Elementary.normalQuantile, (u: number) => u, "13179b1a5c1b4201"],
    [
      "normalQuantile in the tail",
      Elementary.normalQuantile,
      (u: number) => Elementary.exp(-700 * u),
      "2f1e03d51f6e21eb",
    ],
  ] as const)("%s", (_, function_, argument, expected) => {
    expect(digest([uniforms.map((u, i) => function_(argument(u, i)))])).toBe(expected)
  })

  it("are the same for many logarithms at once", () => {
    // From the least normal number on; twice what is below 2^1022 is below 2^1023.
    const positive = uniforms.map((u, i) => (1 + u) * powers[52 + (i % 2044)]!)
    for (const sign of [1, -1] as const) {
      const found = Elementary.doubles(positive.length)
      found.values.set(positive)
      Elementary.logs(found, positive.length - 1, sign)
      expect(found.values.at(-1)).toBe(positive.at(-1))
      const expected = positive.map((x, i) => (i + 1 < positive.length ? sign * Elementary.log(x) : x))
      expect(digest([found.values])).toBe(digest([expected]))
    }
  })
})
