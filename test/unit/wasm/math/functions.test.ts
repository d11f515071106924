import { near, nearer } from "../../../../src/wasm/math/tanh.ts"
import { describe, expect, it } from "vitest"
import * as L from "../../../support/lanes.ts"

// The elementary functions of float32 lanes against float64: each over a million float32 of all exponents, half a million
// more where its arguments usually are, and every neighbourhood in which it changes its way of computing. The bounds
// are those measured over 70 million arguments, rounded up.

interface Row {
  readonly name: string
  readonly lane: L.LaneFunction
  readonly exact: (x: number) => number
  /** the most units in the last place that a result may be off; half a unit is the best that there is */
  readonly ulps: number
  /** usual arguments; outside of them the bound holds as well */
  readonly usual: readonly [number, number]
  /** the least magnitude of an argument for which it does; 0 if it always does */
  readonly least: number
}

const unary = (name: UnaryName, ulps: number, usual: Row["usual"]): Row => ({
  name,
  lane: (lane) => lane.unary[name],
  exact: Math[name],
  ulps,
  usual,
  least: 0,
})
type UnaryName = "exp" | "log" | "sin" | "cos" | "tan" | "tanh" | "asin" | "acos" | "atan" | "sqrt"

const clip = (limit: number, own: boolean): Row => ({
  name: `clip to ${limit}${own ? " in units of its own" : ""}`,
  lane: L.squashed(limit, own, "any"),
  exact: (x) => limit * Math.tanh(x / limit),
  ulps: 5,
  usual: [-3 * limit, 3 * limit],
  least: 2 ** -100 * Math.max(1, limit),
})

const rows = [
  unary("exp", 2, [-105, 89]),
  unary("log", 1.25, [0, 8]),
  unary("sin", 2.5, [-40, 40]),
  unary("cos", 2.5, [-40, 40]),
  unary("tan", 3.5, [-40, 40]),
  unary("tanh", 3.5, [-10, 10]),
  unary("asin", 3, [-1, 1]),
  unary("acos", 1.75, [-1, 1]),
  unary("atan", 2.25, [-8, 8]),
  unary("sqrt", 0.5, [0, 8]),
  ...[200, 3, 1e-5, 1e6].map((limit) => clip(limit, false)),
  ...[200, 3].map((limit) => clip(limit, true)),
]
const elementary = rows.filter(({ name }) => !name.startsWith("clip"))

const times = (unit: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, k) => k * unit)

/** Where ranges end. */
const ends = [8192, 4e8, 2 ** 27 * Math.PI, 88.722839, 87.336548, 103.97208, 103.27893, 104, 105, 89, 9.1]

/** Where some function goes another way, or its result leaves float32; with both signs. */
const edges = L.around(
  [
    // sin, cos and tan: zeros, and where quadrants meet, up to the limit of the reduction in float32
    ...times(Math.PI / 4, 10_500),
    // exp and tanh: where the power of two changes
    ...times(Math.LN2 / 4, 620),
    // log: where the power of two changes
    ...Array.from({ length: 277 }, (_, k) => (2 / 3) * 2 ** (k - 149)),
    // powers of two
    ...Array.from({ length: 277 }, (_, k) => 2 ** (k - 149)),
    ...ends,
    ...[200, 3, 1e-5, 1e6].flatMap((limit) => [limit / 4, 9.1 * limit]),
  ].flatMap((x) => [x, -x]),
  12,
)
const everywhere = L.concat(L.allOver(4093), edges)
/** The worst of many results, for comparison with a bound. */
const worst = (
  found: Float32Array,
  exact: (i: number) => number,
): { readonly ulps: number; readonly i: number } => {
  let most = { ulps: 0, i: 0 }
  for (let i = 0; i < found.length; i++) {
    const off = L.ulps(found[i]!, exact(i))
    if (off > most.ulps) most = { ulps: off, i }
  }
  return most
}

const compiled = L.targets.map(({ name, target }) => ({
  name,
  functions: L.compile(target, Object.fromEntries(rows.map((row) => [row.name, row.lane]))),
}))

describe("elementary functions of float32 lanes", () => {
  it.each(rows)("$name is within $ulps units in the last place", (row) => {
    // NaN is not below.
    const xs = L.concat(everywhere, L.evenly(...row.usual, 1 << 19)).filter((x) => !(Math.abs(x) < row.least))
    const exact = new Float64Array(xs.length)
    for (let i = 0; i < xs.length; i++) exact[i] = row.exact(xs[i]!)
    expect(xs.length).toBeGreaterThan(1.9e6)
    for (const { name, functions } of compiled) {
      const found = functions[row.name]!(xs)
      const { ulps, i } = worst(found, (index) => exact[index]!)
      expect(ulps, `${row.name}(${xs[i]}) = ${found[i]}, not ${exact[i]}, with ${name}`).toBeLessThanOrEqual(
        row.ulps,
      )
    }
  })

  const special = Float32Array.from(
    [
      [Number.NaN, 0, -0, Infinity, -Infinity, 1, -1, 2 ** -149, -(2 ** -149), 2 ** -126],
      [88.72283, 88.72284, -103.972, -103.973, 3.4028235e38, -3.4028235e38, 1.0000001, -1.0000001],
    ].flat(),
  )
  const unsigned = ["sin", "tan", "tanh"]
  it.each(elementary)("$name has the zeros, infinities and NaN of Math", ({ name, exact }) => {
    for (const { functions } of compiled) {
      const found = functions[name]!(special)
      special.forEach((x, i) => {
        const expected = Math.fround(exact(x))
        // The sign of -0 is lost in some.
        if (x === 0 && unsigned.includes(name)) expect(Math.abs(found[i]!)).toBe(0)
        else if (expected === 0 || !Number.isFinite(expected)) expect(found[i], `${x}`).toBe(expected)
        else expect(found[i], `${x}`).toSatisfy((y) => Number.isFinite(y) && y !== 0)
      })
    }
  })

  it("a lane does not depend on the other lanes", () => {
    const odd = [1e-40, 9000, 1e10, Infinity, Number.NaN, 100, -3, 0]
    const xs = L.evenly(-2, 2, 512).map((x, i) => (i % 4 === 0 ? odd[(i / 4) % odd.length]! : x))
    for (const { functions } of compiled)
      for (const { name } of rows) {
        const f = functions[name]!
        const alone = Float32Array.from(xs, (x) => f(Float32Array.of(x, x, x, x))[0]!)
        // The two ways of computing these agree to their bounds only.
        const ulps = /sin$|cos$|tan$|clip/.test(name) ? 6 : 0
        expect(worst(f(xs), (i) => alone[i]!).ulps, `of ${name}`).toBeLessThanOrEqual(ulps)
      }
  })
})

describe("functions of arguments that are known to be bounded", () => {
  const limits = [200, 3, 1e-5, 1e6]
  const ranges = [
    { range: "near", reach: near },
    { range: "nearer", reach: nearer },
  ] as const
  const xs = L.concat(
    everywhere.filter((x) => Math.abs(x) <= 8192),
    L.evenly(-8192, 8192, 1 << 19),
    L.evenly(-40, 40, 1 << 19),
  )
  const made = L.targets.map(({ name, target }) => ({
    name,
    waves: L.compile(target, {
      sin: (lane) => lane.bounded(8192).sin,
      cos: (lane) => lane.bounded(8192).cos,
      tan: (lane) => lane.bounded(8192).tan,
      anyTan: (lane) => lane.unary.tan,
    }),
    clips: ranges.map(({ range }) =>
      [false, true].map((own) =>
        (["value", "square"] as const).map((part) =>
          L.compile(
            target,
            Object.fromEntries(limits.map((limit) => [limit, L.squashed(limit, own, range, part)])),
          ),
        ),
      ),
    ),
  }))

  it.each(["sin", "cos"] as const)("%s is right for an argument within a unit in its last place", (name) => {
    for (const { name: way, waves } of made) {
      const found = waves[name](xs)
      // What the reduction takes for x, relative to x, and the error of the polynomials.
      const [moved, own] = [2 ** -23.25, 2 ** -22.5]
      let most = { share: 0, i: 0 }
      for (let i = 0; i < xs.length; i++) {
        const share = Math.abs(found[i]! - Math[name](xs[i]!)) / (Math.abs(xs[i]!) * moved + own)
        if (share > most.share) most = { share, i }
      }
      expect(most.share, `${name}(${xs[most.i]}) = ${found[most.i]} with ${way}`).toBeLessThanOrEqual(1)
    }
  })

  it("sin keeps small arguments, relative to them", () => {
    const small = xs.filter((x) => Math.abs(x) < 1.57)
    for (const { waves } of made)
      expect(worst(waves.sin(small), (i) => Math.sin(small[i]!)).ulps).toBeLessThanOrEqual(3)
  })

  it("tan is the same to the bit", () => {
    for (const { waves } of made) expect(L.differences(waves.tan(xs), waves.anyTan(xs))).toBe(0)
  })

  it.each(limits)("the clip to %d and its slope are right as far as their series reach", (limit) => {
    for (const { clips } of made)
      ranges.forEach(({ reach: part }, i) => {
        const reach = limit * part
        const xs = L.concat(
          L.evenly(-reach, reach, 1 << 19),
          everywhere.filter((x) => Math.abs(x) <= reach && Math.abs(x) > 2 ** -80),
        )
        for (const [value, square] of clips[i]!) {
          const found = value![limit]!(xs)
          expect(worst(found, (j) => limit * Math.tanh(xs[j]! / limit)).ulps).toBeLessThanOrEqual(3.5)
          const off = square![limit]!(xs).map((z, j) => Math.abs(z - Math.tanh(xs[j]! / limit) ** 2))
          expect(off.reduce((most, error) => Math.max(most, error), 0)).toBeLessThanOrEqual(2 ** -23)
        }
      })
  })
})
