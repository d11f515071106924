// Functions of float32 lanes over arrays, and how far their results are from float64's.
import * as Lane from "../../src/wasm/Lane.ts"
import type { Vector } from "../../src/wasm/math/arithmetic.ts"
import * as Target from "../../src/wasm/Target.ts"
import { get, i32, load, local, op } from "../../src/wasm/Expr.ts"
import { procedure, repeat, set, store } from "../../src/wasm/Func.ts"
import { instantiate } from "../../src/wasm/Machine.ts"
import { assemble } from "../../src/wasm/Module.ts"

/** Both ways in which kernels are generated, as far as this machine runs them. */
export const targets: ReadonlyArray<{ readonly name: string; readonly target: Target.Target }> = [
  { name: "multiplies and adds", target: { fma: false } },
  ...(Target.detect()?.fma === true ? [{ name: "fused multiply-add", target: { fma: true } }] : []),
]

/** A function of four float32, and perhaps of four more, as an expression. */
export type LaneFunction = (lane: Lane.Lane) => (x: Vector, y: Vector) => Vector

/** A clip to a limit, from arguments and to values in plain units, or its square; see `math/tanh`. */
export const squashed =
  (
    limit: number,
    own: boolean,
    range: "any" | "near" | "nearer",
    part: "value" | "square" = "value",
  ): LaneFunction =>
  (lane) =>
  (x) => {
    const { before, after, ...functions } = lane.squash(limit, own)
    const found = functions[range](lane.binary.mul(x, lane.literal(before)))[part]
    return part === "square" ? found : lane.binary.mul(found, lane.literal(1 / after))
  }

/** A function over arrays of equal lengths; `y` may be left out where it is not read. */
export type Mapped = (x: Float32Array, y?: Float32Array) => Float32Array

/** How many values a call of a kernel takes: its three arrays stay in the cache. */
const chunk = 8192

/** Compiles functions into one module. */
export const compile = <const Name extends string>(
  target: Target.Target,
  functions: Readonly<Record<Name, LaneFunction>>,
): Readonly<Record<Name, Mapped>> => {
  const lane = Lane.make(target)
  const kernel = (name: string, f: LaneFunction) => {
    const end = local("i32", "end")
    const [x, y, out] = [local("i32", "x"), local("i32", "y"), local("i32", "out")]
    const step = [x, y, out].map((pointer) => set(pointer, op("i32.add", get(pointer), i32(16))))
    const value = f(lane)(load("v128.load", get(x)), load("v128.load", get(y)))
    return procedure(
      name,
      [x, y, out, end],
      [repeat([store("v128.store", get(out), value), ...step], op("i32.lt_u", get(x), get(end)))],
    )
  }
  const entries = Object.entries<LaneFunction>(functions)
  const exports = Object.fromEntries(entries.map(([name, f]) => [name, kernel(name, f)]))
  const bytes = 4 * chunk
  const { memory, call } = instantiate(assemble({ exports, memory: { shared: false } }), 3 * bytes)
  const [first, second, third] = [0, 1, 2].map((i) => new Float32Array(memory.buffer, i * bytes, chunk))
  const mapped =
    (name: string): Mapped =>
    (x, y) => {
      const out = new Float32Array(x.length)
      for (let start = 0; start < x.length; start += chunk) {
        const length = Math.min(chunk, x.length - start)
        first!.fill(0).set(x.subarray(start, start + length))
        if (y !== undefined) second!.fill(0).set(y.subarray(start, start + length))
        call(name, 0, bytes, 2 * bytes, 4 * length)
        out.set(third!.subarray(0, length), start)
      }
      return out
    }
  // The cast: `Object.fromEntries` loses the names.
  return Object.fromEntries(entries.map(([name]) => [name, mapped(name)])) as Record<Name, Mapped>
}

const wide = new Float64Array(1)
const words = new Uint32Array(wide.buffer)

/** Units in the last place of the binades of float32, from the smallest number's on. */
const units = Float64Array.from({ length: 2048 }, (_, biased) => 2 ** (Math.max(biased - 1023, -126) - 23))

/** The distance between neighbouring float32 where a number lies. */
const unitAt = (value: number): number => {
  wide[0] = value
  return units[(words[1]! >>> 20) & 0x7ff]!
}

/** The least that rounds to infinity, and what infinity counts as. */
const overflow = 2 ** 128

/**
 * The distance of a float32 from the exact value in units of its last place: half a unit is the best that there is.
 * Infinity counts as 2^128; a NaN where the other is none is infinitely far.
 */
export const ulps = (found: number, exact: number): number => {
  if (found !== found || exact !== exact) return found !== found && exact !== exact ? 0 : Infinity
  const [a, b] = [bounded(found), bounded(exact)]
  return a === b ? 0 : Math.abs(a - b) / Math.min(unitAt(b), 2 ** 104)
}

const bounded = (value: number): number => Math.max(-overflow, Math.min(overflow, value))

/** In how many places two arrays have different bits. */
export const differences = (one: Float32Array, other: Float32Array): number => {
  const [a, b] = [one, other].map(({ buffer, length }) => new Uint32Array(buffer, 0, length))
  return a!.reduce((count, pattern, i) => count + (pattern === b![i] ? 0 : 1), 0)
}

const bits = new Uint32Array(1)
const single = new Float32Array(bits.buffer)

/** The float32 with some bits. */
export const fromBits = (pattern: number): number => {
  bits[0] = pattern
  return single[0]!
}

/** Numbers with every `stride`-th pattern of bits: all exponents alike, both signs, subnormal numbers, infinities, NaN. */
export const allOver = (stride: number): Float32Array => {
  const found = new Float32Array(Math.floor(2 ** 32 / stride))
  new Uint32Array(found.buffer).forEach((_, i, patterns) => (patterns[i] = i * stride))
  return found
}

/** Numbers evenly over an interval, its ends included. */
export const evenly = (from: number, to: number, count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1))

/** Some float32, and `reach` neighbours of each on both sides: where ranges meet. */
export const around = (centres: ReadonlyArray<number>, reach: number): Float32Array =>
  Float32Array.from(
    centres.flatMap((centre) => {
      single[0] = centre
      const middle = bits[0]!
      return Array.from({ length: 2 * reach + 1 }, (_, i) => fromBits(middle + i - reach))
    }),
  )

export const concat = (...parts: ReadonlyArray<Float32Array>): Float32Array => {
  const all = new Float32Array(parts.reduce((length, part) => length + part.length, 0))
  parts.reduce((offset, part) => (all.set(part, offset), offset + part.length), 0)
  return all
}
