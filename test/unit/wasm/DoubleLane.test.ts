import { describe, expect, it } from "vitest"
import { pow } from "../../../src/numeric/Power.ts"
import { lane } from "../../../src/wasm/DoubleLane.ts"
import { get, i32, load, local, op, type Expr } from "../../../src/wasm/Expr.ts"
import { procedure, repeat, set, store } from "../../../src/wasm/Func.ts"
import { instantiate } from "../../../src/wasm/Machine.ts"
import { assemble } from "../../../src/wasm/Module.ts"
import * as Rng from "../../../src/random/Rng.ts"

type Vector = Expr<"v128">
const count = 40_000
const bytes = 8 * count

/** A function over arrays of `count` float64. */
const compile = (f: (x: Vector, y: Vector) => Vector) => {
  const [x, y, out, end] = [local("i32", "x"), local("i32", "y"), local("i32", "out"), local("i32", "end")]
  const step = [x, y, out].map((pointer) => set(pointer, op("i32.add", get(pointer), i32(16))))
  const value = f(load("v128.load", get(x)), load("v128.load", get(y)))
  const run = procedure(
    "run",
    [x, y, out, end],
    [repeat([store("v128.store", get(out), value), ...step], op("i32.lt_u", get(x), get(end)))],
  )
  const { memory, call } = instantiate(assemble({ exports: { run }, memory: { shared: false } }), 3 * bytes)
  const [first, second, third] = [0, 1, 2].map((i) => new Float64Array(memory.buffer, i * bytes, count))
  return (a: Float64Array, b = new Float64Array(count)) => {
    first!.set(a)
    second!.set(b)
    call("run", 0, bytes, 2 * bytes, bytes)
    return third!.slice()
  }
}

const special = [
  0,
  -0,
  1,
  -1,
  0.5,
  2,
  Infinity,
  -Infinity,
  Number.NaN,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MIN_VALUE,
  2 ** -1022,
  -(2 ** -1030),
  1e-300,
  1e300,
  709.7,
  709.9,
  -745.1,
  -745.2,
  1e-34,
  6.62607015e-34,
  1e30,
  1.7e9,
  1e22,
  Math.PI,
  -Math.PI / 2,
  1.6e6,
  1.7e6,
  0.17,
  -0.17,
  20,
  -20,
]
const random = Rng.uniform(Rng.key(7), new Float64Array(count))
/** Magnitudes over some decades around 1, both signs, then special values. */
const spread = (decades: number): Float64Array =>
  Float64Array.from(random, (u, i) =>
    i < special.length ? special[i]! : (i % 2 === 0 ? 1 : -1) * 10 ** (decades * (2 * u - 1)),
  )

/** The distance from the exact value, as a multiple of its last place, or of the least normal number below. */
const distance = (found: number, exact: number): number => {
  if (Object.is(found, exact) || found === exact) return 0
  if (Number.isNaN(found) || Number.isNaN(exact)) return Infinity
  return Math.abs(found - exact) / (2 ** -52 * Math.max(Math.abs(exact), 2 ** -1022))
}

describe("functions of two float64", () => {
  it.each([
    ["exp", Math.exp, [3, 0, 30]],
    ["log", Math.log, [3, 0.1, 300]],
    ["sin", Math.sin, [3, 1, 300]],
    ["cos", Math.cos, [3, 1, 300]],
    ["tan", Math.tan, [3, 1, 300]],
    ["tanh", Math.tanh, [3, 1, 300]],
    ["asin", Math.asin, [1]],
    ["acos", Math.acos, [1]],
    ["atan", Math.atan, [3, 300]],
    ["sqrt", Math.sqrt, [300]],
    ["sign", Math.sign, [300]],
    ["neg", (x: number) => -x, [300]],
    ["abs", Math.abs, [300]],
    ["square", (x: number) => x * x, [100]],
    ["guard", (x: number) => (x >= 0 ? Math.max(x, 1e-6) : Math.min(x, -1e-6)), [10]],
  ] as const)("%s is that of the host to some units in the last place", (name, exact, ranges) => {
    const run = compile((x) => lane.unary[name](x))
    for (const decades of ranges) {
      const x = spread(decades)
      const found = run(x)
      let worst = 0
      let at = Number.NaN
      x.forEach((value, i) => {
        const off = distance(found[i]!, exact(value))
        if (off > worst) [worst, at] = [off, value]
      })
      expect({ name, decades, at, worst }).toSatisfy(({ worst }: { worst: number }) => worst <= 4.5)
    }
  })

  it.each([
    ["div", (x: number, y: number) => x / y],
    ["pow", pow],
    ["min", Math.min],
    ["max", Math.max],
  ] as const)("%s of two is that of one", (name, exact) => {
    const run = compile((x, y) => lane.binary[name](x, y))
    const x = spread(20)
    const y = spread(1).toReversed()
    const pairs = special.flatMap((a) => special.map((b) => [a, b] as const))
    pairs.forEach(([a, b], i) => {
      x[i] = a
      y[i] = b
    })
    run(x, y).forEach((value, i) => expect([x[i], y[i], value]).toEqual([x[i], y[i], exact(x[i]!, y[i]!)]))
  })
})
