import { describe, expect, it } from "vitest"
import type { Lane } from "../../../../src/wasm/Lane.ts"
import type { Vector } from "../../../../src/wasm/math/arithmetic.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import * as L from "../../../support/lanes.ts"

// Arithmetic of float32 lanes: to the bit what float64 rounded to float32 gives, powers within half a unit and a little.

const count = 1 << 20
const random = Rng.generator(Rng.key(7))
const anyFloat = (): number => L.fromBits(random.integer(2 ** 32))
const x = Float32Array.from({ length: count }, anyFloat)
// Exponents of all sizes, whole ones, and such that the power stays in the range of float32.
const y = Float32Array.from({ length: count }, (_, i) => {
  if (i % 4 === 0) return anyFloat()
  if (i % 4 === 1) return random.integer(41) - 20
  return (random.next() * 300 - 160) / Math.log2(Math.abs(x[i]!))
})

const numbers = [
  [0, 1, 2, 3, 4, 0.5, 1.5, 2 ** -149, 2 ** -126, 2 ** 23 + 1, 2 ** 24, 2 ** 24 + 2, 1e9, Infinity],
  [3.4028234663852886e38, 0.9999999403953552, 1.0000001192092896, 1e-6, 9.99e-7],
]
  .flat()
  .flatMap((value) => [value, -value])
const special = [Number.NaN, ...numbers]
const first = Float32Array.from(special.flatMap((a) => special.map(() => a)))
const second = Float32Array.from(special.flatMap(() => special))

/** Float64 arithmetic on float32 numbers, rounded once more, rounds like float32's. */
const exactly: Readonly<Record<string, readonly [L.LaneFunction, (a: number, b: number) => number]>> = {
  add: [(lane) => lane.binary.add, (a, b) => a + b],
  sub: [(lane) => lane.binary.sub, (a, b) => a - b],
  mul: [(lane) => lane.binary.mul, (a, b) => a * b],
  div: [(lane) => lane.binary.div, (a, b) => a / b],
  min: [(lane) => lane.binary.min, Math.min],
  max: [(lane) => lane.binary.max, Math.max],
  neg: [(lane) => lane.unary.neg, (a) => -a],
  abs: [(lane) => lane.unary.abs, Math.abs],
  sign: [(lane) => lane.unary.sign, Math.sign],
  square: [(lane) => lane.unary.square, (a) => a * a],
  sqrt: [(lane) => lane.unary.sqrt, Math.sqrt],
  guard: [(lane) => lane.unary.guard, (a) => (a >= 0 ? Math.max(a, 1e-6) : Math.min(a, -1e-6))],
}

describe.each(L.targets)("arithmetic of float32 lanes with $name", ({ target }) => {
  const functions = L.compile(
    target,
    Object.fromEntries(Object.entries(exactly).map(([name, [lane]]) => [name, lane])),
  )

  it.each(Object.entries(exactly))("%s is exact, signed zeros included", (name, [, exact]) => {
    const wrong = (a: Float32Array, b: Float32Array): number =>
      functions[name]!(a, b).findIndex((found, i) => !Object.is(found, Math.fround(exact(a[i]!, b[i]!))))
    expect(wrong(first, second)).toBe(-1)
    expect(wrong(x, y)).toBe(-1)
  })

  const { pow } = L.compile(target, { pow: (lane) => lane.binary.pow })

  it("powers are within 0.51 units in the last place, over a million pairs", () => {
    const found = pow(x, y)
    let most = { ulps: 0, i: 0 }
    let finite = 0
    for (let i = 0; i < count; i++) {
      const exact = x[i]! ** y[i]!
      const ulps = L.ulps(found[i]!, exact)
      if (ulps > most.ulps) most = { ulps, i }
      if (found[i] !== 0 && Number.isFinite(found[i]!)) finite += 1
    }
    expect(most.ulps, `${x[most.i]} ^ ${y[most.i]}`).toBeLessThanOrEqual(0.51)
    expect(finite).toBeGreaterThan(count / 3)
  })

  it("powers of zeros, infinities and NaN are those of JavaScript", () => {
    const found = pow(first, second)
    found.forEach((value, i) => {
      const expected = Math.fround(first[i]! ** second[i]!)
      if (expected === 0 || !Number.isFinite(expected))
        expect(value, `${first[i]} ^ ${second[i]}`).toBe(expected)
      else expect(L.ulps(value, expected), `${first[i]} ^ ${second[i]}`).toBeLessThanOrEqual(1)
    })
  })

  it("powers of fixed small exponents are within two units in the last place", () => {
    const exponents = [-2, -1, 0, 1, 2, 3, 4]
    const fixed = L.compile(
      target,
      Object.fromEntries(
        exponents.map((exponent) => [exponent, (lane) => (a) => lane.binary.pow(a, lane.literal(exponent))]),
      ),
    )
    for (const exponent of exponents) {
      const found = fixed[exponent]!(x)
      let most = { ulps: 0, i: 0 }
      for (let i = 0; i < count; i++) {
        const ulps = L.ulps(found[i]!, x[i]! ** exponent)
        if (ulps > most.ulps) most = { ulps, i }
      }
      expect(most.ulps, `${x[most.i]} ^ ${exponent} = ${found[most.i]}`).toBeLessThanOrEqual(2)
      // Signs of zeros, infinities, NaN^0.
      const edges = Float32Array.from(special)
      fixed[exponent]!(edges).forEach((value, i) => {
        const expected = Math.fround(edges[i]! ** exponent)
        if (expected === 0 || !Number.isFinite(expected)) expect(value).toBe(expected)
      })
    }
  })

  it("literals are folded without a change of bits", () => {
    const operations = ["add", "sub", "mul", "div"] as const
    const cases = special.flatMap((value, index) =>
      operations.flatMap((name): ReadonlyArray<readonly [string, L.LaneFunction, L.LaneFunction]> => {
        const literal = (lane: Lane): Vector => lane.literal(value)
        const binary = (lane: Lane) => lane.binary[name]
        return [
          [`${name} ${index} right`, (lane) => (a) => binary(lane)(a, literal(lane)), binary],
          [`${name} ${index} left`, (lane) => (a) => binary(lane)(literal(lane), a), binary],
        ]
      }),
    )
    const folded = L.compile(target, Object.fromEntries(cases.map(([name, lane]) => [name, lane])))
    const xs = Float32Array.from(special)
    special.forEach((value, index) => {
      const other = new Float32Array(xs.length).fill(value)
      for (const name of operations) {
        // NaN has many bits, one value.
        expect(folded[`${name} ${index} right`]!(xs), `x ${name} ${value}`).toEqual(
          functions[name]!(xs, other),
        )
        expect(folded[`${name} ${index} left`]!(xs), `${value} ${name} x`).toEqual(
          functions[name]!(other, xs),
        )
      }
    })
  })

  it("a multiply-add rounds at most twice, with literals as without", () => {
    const values = [0, -0, 1, -1, 0.3, 7, Number.NaN, Infinity]
    const at = (lane: Lane, value: number | "x" | "y", a: Vector, b: Vector): Vector =>
      value === "x" ? a : value === "y" ? b : lane.literal(value)
    const operands = [...values, "x", "y"] as const
    const triples = operands.flatMap((a) => operands.flatMap((b) => operands.map((c) => [a, b, c] as const)))
    const kernels = L.compile(
      target,
      Object.fromEntries(
        triples.flatMap(([a, b, c]) =>
          (["madd", "nmadd"] as const).map((name): [string, L.LaneFunction] => [
            `${name} ${Object.is(a, -0) ? "-0" : a} ${Object.is(b, -0) ? "-0" : b} ${Object.is(c, -0) ? "-0" : c}`,
            (lane) => (u, v) => lane[name](at(lane, a, u, v), at(lane, b, u, v), at(lane, c, u, v)),
          ]),
        ),
      ),
    )
    const xs = Float32Array.of(1.7, -3e-5, 0, -0)
    const ys = Float32Array.of(-0.2, 1e6, -0, Number.NaN)
    const number = (text: string, i: number): number =>
      Math.fround(text === "x" ? xs[i]! : text === "y" ? ys[i]! : Number(text))
    for (const [key, kernel] of Object.entries(kernels)) {
      const [name, ...texts] = key.split(" ")
      kernel(xs, ys).forEach((found, i) => {
        const [a, b, c] = texts.map((text) => number(text, i))
        const product = name === "madd" ? a! * b! : -(a! * b!)
        const once = Math.fround(product + c!)
        const twice = Math.fround(Math.fround(product) + c!)
        const known = [once, twice].some((value) => Object.is(value, found))
        expect(known, `${key} = ${found} at ${xs[i]}, ${ys[i]}`).toBe(true)
      })
    }
  })
})
