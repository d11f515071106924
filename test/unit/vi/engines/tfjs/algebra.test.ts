import * as tf from "@tensorflow/tfjs-core"
import { beforeAll, describe, expect, it } from "vitest"
import { algebra } from "../../../../../src/vi/engines/tfjs/algebra.ts"
import { registerGradients } from "../../../../../src/vi/engines/tfjs/gradients.ts"
import type { BinaryPrimitive, UnaryPrimitive } from "../../../../../src/numeric/Algebra.ts"
import * as Nd from "../../../../../src/numeric/Nd.ts"
import { trigamma } from "../../../../../src/numeric/Special.ts"
import { availableBackends } from "../../../../support/backends.ts"
import { activate } from "../../../../support/ensembles.ts"

// The tensor algebra against the float64 one, primitive by primitive, on every backend.

// As the engine does: the Node build of tfjs-core has no gradients.
registerGradients()

const names = <K extends string>(record: Readonly<Record<K, unknown>>): ReadonlyArray<K> =>
  // `Object.keys` forgets the literal names.
  Object.keys(record) as ReadonlyArray<string> as ReadonlyArray<K>
const unary: ReadonlyArray<UnaryPrimitive> = names(algebra.unary)
const binary: ReadonlyArray<BinaryPrimitive> = names(algebra.binary)

/** One unit in the last place of a float32. */
const ulp = 2 ** -23
/** A tolerance of 4 units; wasm's sine and cosine have an absolute error of up to 4e-7 instead. */
const tolerance = (name: string, value: number): number =>
  4 * ulp * Math.abs(value) + (name === "sin" || name === "cos" ? 4e-7 : 2 ** -125)

const grid = Float32Array.from(
  [1e-9, 1e-7, 1e-3, 1, 3, 10, 80, 1e4].flatMap((scale) =>
    Array.from({ length: 41 }, (_, i) => ((i - 20) / 20) * scale),
  ),
)
const close = (name: string, ours: ArrayLike<number>, theirs: Float64Array): void => {
  const wrong = Array.from(theirs, (expected, i) => ({ element: i, expected, found: ours[i]! })).filter(
    ({ expected, found }) => {
      if (Number.isNaN(expected)) return !Number.isNaN(found)
      // Float32 has no numbers beyond this.
      return Math.abs(expected) < 3e38 && !(Math.abs(found - expected) <= tolerance(name, expected))
    },
  )
  expect(wrong).toEqual([])
}

const tensor = (x: Nd.Nd): tf.Tensor => tf.tensor(Float32Array.from(x.data), [...x.shape], "float32")

const gradient = (f: (x: tf.Tensor) => tf.Tensor, x: ArrayLike<number>): ArrayLike<number> =>
  tf
    .grad((t: tf.Tensor) => tf.sum(f(t)))(tf.tensor1d(Float32Array.from(x)))
    .dataSync()

describe.each(availableBackends().map((backend) => ({ backend })))("algebra on $backend", ({ backend }) => {
  beforeAll(() => activate(backend))

  it.each(unary)("%s is the float64 primitive to 4 units in the last place", (name) => {
    close(
      name,
      algebra.unary[name](tf.tensor1d(grid)).dataSync(),
      Nd.algebra.unary[name](Nd.vector(grid)).data,
    )
  })

  it.each(binary)("%s is the float64 primitive to 4 units in the last place", (name) => {
    const [rows, columns] = [Nd.of([grid.length, 1], grid), Nd.vector(grid.slice(40))]
    const ours = algebra.binary[name](tensor(rows), tensor(columns)).dataSync()
    close(name, ours, Nd.algebra.binary[name](rows, columns).data)
  })

  it("has the sign of every normal number", () => {
    const small = [1.2e-38, 1e-8, -1e-8, -1.2e-38, 0]
    expect(Array.from(algebra.unary.sign(tf.tensor1d(small)).dataSync())).toEqual([1, 1, -1, -1, 0])
  })

  it.each(unary)("differentiates %s", (name) => {
    const points = name === "asin" || name === "acos" ? [-0.9, -0.3, 0.4] : [-1.4, -0.6, 0.3, 0.9, 2.1]
    const domain = name === "log" || name === "sqrt" ? points.filter((x) => x > 0) : points
    const found = gradient(algebra.unary[name], domain)
    const f = (x: number): number => Nd.toNumber(Nd.algebra.unary[name](Nd.scalar(x)))
    domain.forEach((x, i) => {
      const expected = (f(Math.fround(x) + 1e-5) - f(Math.fround(x) - 1e-5)) / 2e-5
      expect(found[i]).toBeCloseTo(expected, 4)
    })
  })

  it.each(binary)("differentiates %s by both arguments", (name) => {
    const [x, y] = [Math.fround(1.3), Math.fround(0.7)]
    const f = (a: number, b: number): number =>
      Nd.toNumber(Nd.algebra.binary[name](Nd.scalar(a), Nd.scalar(b)))
    const [dx, dy] = tf.grads((a, b) => algebra.binary[name](a, b))([tf.scalar(x), tf.scalar(y)])
    expect(dx!.dataSync()[0]).toBeCloseTo((f(x + 1e-5, y) - f(x - 1e-5, y)) / 2e-5, 4)
    expect(dy!.dataSync()[0]).toBeCloseTo((f(x, y + 1e-5) - f(x, y - 1e-5)) / 2e-5, 4)
  })

  it("has one slope at each kink, which Term.derivative states", () => {
    expect(Array.from(gradient(algebra.unary.abs, [0]))).toEqual([-1])
    expect(Array.from(gradient(algebra.unary.sign, [0, 1]))).toEqual([0, 0])
    expect(Array.from(gradient(algebra.unary.guard, [0, 5e-7, -5e-7, 1e-5, -1e-5]))).toEqual([0, 0, 0, 1, 1])
    for (const name of ["min", "max"] as const) {
      const [left, right] = tf.grads((a, b) => algebra.binary[name](a, b))([tf.scalar(2), tf.scalar(2)])
      expect([left!.dataSync()[0], right!.dataSync()[0]]).toEqual([1, 0])
    }
  })

  it("computes special functions and their derivatives", () => {
    const points = [1e-3, 0.3, 1, 2.5, 20, 100].map(Math.fround)
    const x = Nd.vector(points)
    for (const name of ["softplus", "sigmoid", "lgamma", "digamma"] as const) {
      const expected = Nd.algebra[name](x).data
      algebra[name](tensor(x))
        .dataSync()
        .forEach((value, i) => {
          expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(4 * ulp * (1 + Math.abs(expected[i]!)))
        })
    }
    const slopes = {
      softplus: Nd.algebra.sigmoid(x).data,
      sigmoid: Nd.algebra.sigmoid(x).data.map((s) => s * (1 - s)),
      lgamma: Nd.algebra.digamma(x).data,
      digamma: x.data.map(trigamma),
    }
    for (const name of ["softplus", "sigmoid", "lgamma", "digamma"] as const) {
      const found = gradient(algebra[name], points)
      slopes[name].forEach((slope, i) => {
        expect(Math.abs(found[i]! - slope)).toBeLessThanOrEqual(8 * ulp * (1 + Math.abs(slope)))
      })
    }
    // Where naive forms overflow, and where training starts.
    expect(Array.from(algebra.softplus(tf.tensor1d([-200, 200])).dataSync())).toEqual([0, 200])
    expect(gradient(algebra.softplus, [0])[0]).toBeCloseTo(0.5, 6)
  })

  it("clamps with slope 1 inside and at the borders, 0 outside", () => {
    const clamp = (x: tf.Tensor): tf.Tensor => algebra.clamp(x, -10, 10)
    const points = [-11, -10, 0.25, 10, 12]
    expect(Array.from(clamp(tf.tensor1d(points)).dataSync())).toEqual([-10, -10, 0.25, 10, 10])
    expect(Array.from(Nd.algebra.clamp(Nd.vector(points), -10, 10).data)).toEqual([-10, -10, 0.25, 10, 10])
    expect(Array.from(gradient(clamp, points))).toEqual([0, 1, 1, 1, 0])
  })

  it("reduces and normalises along the event axis", () => {
    const x = Nd.of([2, 3], [1, -2, 0.5, 30, 31, -40].map(Math.fround))
    for (const name of ["sumLast", "sumAll", "expandLast", "softmaxLast", "logSoftmaxLast"] as const) {
      const expected = Nd.algebra[name](x)
      const found = algebra[name](tensor(x))
      expect(found.shape).toEqual(expected.shape)
      found.dataSync().forEach((value, i) => {
        expect(Math.abs(value - expected.data[i]!)).toBeLessThanOrEqual(
          8 * ulp * (1 + Math.abs(expected.data[i]!)),
        )
      })
    }
  })

  // A wrong operand may be lost on the way to a value, but never by a protected operation: their literal stands right.
  it("keeps NaN but in some signs, in pow of 1, and on the right of wasm's min and max", () => {
    const of = (f: (x: tf.Tensor) => tf.Tensor): number => f(tf.tensor1d([Number.NaN])).dataSync()[0]!
    const lost = unary.filter((name) => !Number.isNaN(of(algebra.unary[name])))
    expect(lost).toEqual(backend === "tensorflow" ? [] : ["sign"])
    const two = tf.scalar(2)
    expect(binary.filter((name) => !Number.isNaN(of((x) => algebra.binary[name](x, two))))).toEqual([])
    const right = binary.filter((name) => !Number.isNaN(of((x) => algebra.binary[name](two, x))))
    expect(right).toEqual(backend === "wasm" ? ["min", "max"] : [])
    const power = of((x) => algebra.binary.pow(tf.scalar(1), x))
    if (backend === "cpu") expect(power).toBeNaN()
    else expect(power).toBe(1)
  })
})
