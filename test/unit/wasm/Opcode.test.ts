import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as X from "../../../src/wasm/Expr.ts"
import * as F from "../../../src/wasm/Func.ts"
import type { Operation, ValueType } from "../../../src/wasm/Opcode.ts"
import { targets } from "../../support/lanes.ts"
import { read, start, write } from "../../support/wasm.ts"

/** Sixteen bytes, read as lanes. Scalars lie in the first. */
interface Lanes {
  readonly f32: Float32Array
  readonly f64: Float64Array
  readonly i32: Int32Array
  readonly i64: BigInt64Array
}

const lanesOf = (buffer: ArrayBuffer, offset: number): Lanes => ({
  f32: new Float32Array(buffer, offset, 4),
  f64: new Float64Array(buffer, offset, 2),
  i32: new Int32Array(buffer, offset, 4),
  i64: new BigInt64Array(buffer, offset, 2),
})

type Kind = keyof Lanes
/** What an operation gives, as lanes of a kind; NaN stands for NaN of any bits. */
type Expected = readonly [Kind, ReadonlyArray<number | bigint>]
type Semantics = (a: Lanes, b: Lanes, c: Lanes) => Expected

const i32 =
  (f: (a: number, b: number) => number): Semantics =>
  (a, b) => ["i32", [f(a.i32[0]!, b.i32[0]!) | 0]]
const truth = (f: (a: number, b: number) => boolean): Semantics => i32((a, b) => Number(f(a, b)))
const f64 =
  (f: (a: number, b: number) => number): Semantics =>
  (a, b) => ["f64", [f(a.f64[0]!, b.f64[0]!)]]
const i32x4 =
  (f: (a: number, b: number) => number): Semantics =>
  (a, b) => ["i32", Array.from(a.i32, (value, i) => f(value, b.i32[i]!) | 0)]
const i64x2 =
  (f: (a: bigint, b: bigint) => bigint): Semantics =>
  (a, b) => ["i64", Array.from(a.i64, (value, i) => BigInt.asIntN(64, f(value, b.i64[i]!)))]
const f32x4 =
  (f: (a: number, b: number) => number): Semantics =>
  (a, b) => ["f32", Array.from(a.f32, (value, i) => Math.fround(f(value, b.f32[i]!)))]
const f64x2 =
  (f: (a: number, b: number) => number): Semantics =>
  (a, b) => ["f64", Array.from(a.f64, (value, i) => f(value, b.f64[i]!))]
const masks32 =
  (f: (a: number, b: number) => boolean): Semantics =>
  (a, b) => ["i32", Array.from(a.f32, (value, i) => (f(value, b.f32[i]!) ? -1 : 0))]
const masks64 =
  (f: (a: number, b: number) => boolean): Semantics =>
  (a, b) => ["i64", Array.from(a.f64, (value, i) => (f(value, b.f64[i]!) ? -1n : 0n))]
const shift64 =
  (f: (a: bigint, by: bigint) => bigint): Semantics =>
  (a, b) => ["i64", Array.from(a.i64, (value) => BigInt.asIntN(64, f(value, BigInt(b.i32[0]! & 63))))]
const shift32 =
  (f: (a: number, by: number) => number): Semantics =>
  (a, b) => ["i32", Array.from(a.i32, (value) => f(value, b.i32[0]!) | 0)]

/** Halves go to the even neighbour; the sign of 0 is kept. */
const nearest = (x: number): number => {
  const down = Math.floor(x)
  const to = x - down < 0.5 ? down : x - down > 0.5 ? down + 1 : down % 2 === 0 ? down : down + 1
  return Number.isFinite(x) ? (to === 0 && (x < 0 || Object.is(x, -0)) ? -0 : to) : x
}
const saturated = (x: number): number =>
  Number.isNaN(x) ? 0 : Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.trunc(x))) | 0

/** What every operation means: the compiler asks for each. */
const semantics: Readonly<Record<Operation, Semantics>> = {
  "i32.eqz": truth((a) => a === 0),
  "i32.eq": truth((a, b) => a === b),
  "i32.ne": truth((a, b) => a !== b),
  "i32.lt_u": truth((a, b) => a >>> 0 < b >>> 0),
  "i32.gt_u": truth((a, b) => a >>> 0 > b >>> 0),
  "i32.le_u": truth((a, b) => a >>> 0 <= b >>> 0),
  "i32.ge_u": truth((a, b) => a >>> 0 >= b >>> 0),
  "i32.lt_s": truth((a, b) => a < b),
  "i32.gt_s": truth((a, b) => a > b),
  "i32.add": i32((a, b) => a + b),
  "i32.sub": i32((a, b) => a - b),
  "i32.mul": i32(Math.imul),
  "i32.rem_u": i32((a, b) => (a >>> 0) % (b >>> 0)),
  "i32.and": i32((a, b) => a & b),
  "i32.or": i32((a, b) => a | b),
  "i32.xor": i32((a, b) => a ^ b),
  "i32.shl": i32((a, b) => a << b),
  "i32.shr_s": i32((a, b) => a >> b),
  "i32.shr_u": i32((a, b) => a >>> b),
  "f32.demote_f64": (a) => ["f32", [Math.fround(a.f64[0]!)]],
  "f64.promote_f32": (a) => ["f64", [a.f32[0]!]],
  "f64.convert_i32_s": (a) => ["f64", [a.i32[0]!]],
  "f64.abs": f64(Math.abs),
  "f64.sqrt": f64(Math.sqrt),
  "f64.add": f64((a, b) => a + b),
  "f64.sub": f64((a, b) => a - b),
  "f64.mul": f64((a, b) => a * b),
  "f64.div": f64((a, b) => a / b),
  "f64.lt": (a, b) => ["i32", [Number(a.f64[0]! < b.f64[0]!)]],
  "i32x4.splat": (a) => ["i32", Array.from(a.i32, () => a.i32[0]!)],
  "f32x4.splat": (a) => ["f32", Array.from(a.f32, () => a.f32[0]!)],
  "f64x2.splat": (a) => ["f64", Array.from(a.f64, () => a.f64[0]!)],
  "i32x4.eq": i32x4((a, b) => -Number(a === b)),
  "i32x4.lt_s": i32x4((a, b) => -Number(a < b)),
  "i32x4.gt_s": i32x4((a, b) => -Number(a > b)),
  "f32x4.eq": masks32((a, b) => a === b),
  "f32x4.ne": masks32((a, b) => a !== b),
  "f32x4.lt": masks32((a, b) => a < b),
  "f32x4.gt": masks32((a, b) => a > b),
  "f32x4.le": masks32((a, b) => a <= b),
  "f32x4.ge": masks32((a, b) => a >= b),
  "f64x2.eq": masks64((a, b) => a === b),
  "f64x2.ne": masks64((a, b) => a !== b),
  "f64x2.lt": masks64((a, b) => a < b),
  "f64x2.gt": masks64((a, b) => a > b),
  "f64x2.le": masks64((a, b) => a <= b),
  "f64x2.ge": masks64((a, b) => a >= b),
  "v128.not": i32x4((a) => ~a),
  "v128.and": i32x4((a, b) => a & b),
  "v128.andnot": i32x4((a, b) => a & ~b),
  "v128.or": i32x4((a, b) => a | b),
  "v128.xor": i32x4((a, b) => a ^ b),
  "v128.bitselect": (a, b, c) => [
    "i32",
    Array.from(a.i32, (value, i) => (value & c.i32[i]!) | (b.i32[i]! & ~c.i32[i]!)),
  ],
  "v128.any_true": (a) => ["i32", [Number(a.i32.some((value) => value !== 0))]],
  "f32x4.demote_f64x2_zero": (a) => ["f32", [...Array.from(a.f64, Math.fround), 0, 0]],
  "f64x2.promote_low_f32x4": (a) => ["f64", [a.f32[0]!, a.f32[1]!]],
  "f32x4.ceil": f32x4(Math.ceil),
  "f32x4.floor": f32x4(Math.floor),
  "f32x4.trunc": f32x4(Math.trunc),
  "f32x4.nearest": f32x4(nearest),
  "f64x2.floor": f64x2(Math.floor),
  "f64x2.nearest": f64x2(nearest),
  "i32x4.neg": i32x4((a) => -a),
  "i32x4.all_true": (a) => ["i32", [Number(a.i32.every((value) => value !== 0))]],
  "i32x4.bitmask": (a) => ["i32", [a.i32.reduce((bits, value, i) => bits | (Number(value < 0) << i), 0)]],
  "i32x4.shl": shift32((a, by) => a << by),
  "i32x4.shr_s": shift32((a, by) => a >> by),
  "i32x4.shr_u": shift32((a, by) => a >>> by),
  "i32x4.add": i32x4((a, b) => a + b),
  "i32x4.sub": i32x4((a, b) => a - b),
  "i64x2.shl": shift64((a, by) => a << by),
  "i64x2.shr_u": shift64((a, by) => BigInt.asUintN(64, a) >> by),
  "i64x2.shr_s": shift64((a, by) => BigInt.asIntN(64, a) >> by),
  "i64x2.add": i64x2((a, b) => a + b),
  "i64x2.sub": i64x2((a, b) => a - b),
  "f32x4.abs": f32x4(Math.abs),
  "f32x4.neg": f32x4((a) => -a),
  "f32x4.sqrt": f32x4(Math.sqrt),
  "f32x4.add": f32x4((a, b) => a + b),
  "f32x4.sub": f32x4((a, b) => a - b),
  "f32x4.mul": f32x4((a, b) => a * b),
  "f32x4.div": f32x4((a, b) => a / b),
  "f32x4.min": f32x4(Math.min),
  "f32x4.max": f32x4(Math.max),
  "f32x4.pmin": f32x4((a, b) => (b < a ? b : a)),
  "f32x4.pmax": f32x4((a, b) => (a < b ? b : a)),
  "f64x2.abs": f64x2(Math.abs),
  "f64x2.neg": f64x2((a) => -a),
  "f64x2.sqrt": f64x2(Math.sqrt),
  "f64x2.add": f64x2((a, b) => a + b),
  "f64x2.sub": f64x2((a, b) => a - b),
  "f64x2.mul": f64x2((a, b) => a * b),
  "f64x2.div": f64x2((a, b) => a / b),
  "f64x2.min": f64x2(Math.min),
  "f64x2.max": f64x2(Math.max),
  "f64x2.pmin": f64x2((a, b) => (b < a ? b : a)),
  "f64x2.pmax": f64x2((a, b) => (a < b ? b : a)),
  "i32x4.trunc_sat_f32x4_s": (a) => ["i32", Array.from(a.f32, saturated)],
  "f32x4.convert_i32x4_s": (a) => ["f32", Array.from(a.i32, Math.fround)],
  "i32x4.trunc_sat_f64x2_s_zero": (a) => ["i32", [...Array.from(a.f64, saturated), 0, 0]],
  "f64x2.convert_low_i32x4_s": (a) => ["f64", [a.i32[0]!, a.i32[1]!]],
  "f64x2.convert_low_i32x4_u": (a) => ["f64", [a.i32[0]! >>> 0, a.i32[1]! >>> 0]],
  // Where both roundings agree; see below.
  "f32x4.relaxed_madd": (a, b, c) => [
    "f32",
    Array.from(a.f32, (v, i) => Math.fround(v * b.f32[i]! + c.f32[i]!)),
  ],
  "f32x4.relaxed_nmadd": (a, b, c) => [
    "f32",
    Array.from(a.f32, (v, i) => Math.fround(-(v * b.f32[i]!) + c.f32[i]!)),
  ],
  "f64x2.relaxed_madd": (a, b, c) => ["f64", Array.from(a.f64, (v, i) => v * b.f64[i]! + c.f64[i]!)],
  "f64x2.relaxed_nmadd": (a, b, c) => ["f64", Array.from(a.f64, (v, i) => -(v * b.f64[i]!) + c.f64[i]!)],
}

const floats = [0, -0, 1, -1.5, 2.5, -2.5, 0.5, 3e9, -3e9, 1e-40, Infinity, -Infinity, Number.NaN, 7e8]
const integers = [0, 1, -1, 5, 31, 32, 33, 2 ** 31 - 1, -(2 ** 31), 0x3f800000]
const small = [0, 1, -1, 3, -7, 0.5, 64, -0.25]

/** Sixteen bytes as float32, float64, int32, or any bits. */
const bytes: fc.Arbitrary<Uint8Array> = fc
  .oneof(
    fc.array(fc.constantFrom(...floats), { minLength: 4, maxLength: 4 }).map((v) => Float32Array.from(v)),
    fc.array(fc.constantFrom(...floats), { minLength: 2, maxLength: 2 }).map((v) => Float64Array.from(v)),
    fc.array(fc.constantFrom(...integers), { minLength: 4, maxLength: 4 }).map((v) => Int32Array.from(v)),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
  )
  .map(({ buffer }) => new Uint8Array(buffer))

const exactBytes = (wide: boolean): fc.Arbitrary<Uint8Array> =>
  fc
    .array(fc.constantFrom(...small), { minLength: 4, maxLength: 4 })
    .map((v) => (wide ? Float64Array.from(v.slice(0, 2)) : Float32Array.from(v)))
    .map(({ buffer }) => new Uint8Array(buffer))

/** Argument types by name, from how the operation is written there. */
const argumentsOf = (operation: Operation): ReadonlyArray<ValueType> => {
  const [type = "", name = ""] = operation.split(".")
  if (operation === "v128.bitselect" || name.startsWith("relaxed")) return ["v128", "v128", "v128"]
  if (operation === "f32.demote_f64") return ["f64"]
  if (operation === "f64.promote_f32") return ["f32"]
  if (operation === "f64.convert_i32_s") return ["i32"]
  if (name === "splat") return [type === "i32x4" ? "i32" : type === "f32x4" ? "f32" : "f64"]
  if (/^(shl|shr_.)$/.test(name) && type !== "i32") return ["v128", "i32"]
  const one =
    /^(eqz|abs|sqrt|neg|not|ceil|floor|trunc|nearest|bitmask|a.._true|.*_zero|promote.*|convert.*|trunc_.*)$/
  const value: ValueType = type === "i32" ? "i32" : type === "f64" ? "f64" : "v128"
  return one.test(name) ? [value] : [value, value]
}

// Relaxed operations are not there on every machine.
const relaxed = targets.some(({ target }) => target.fma)
const operations = (Object.keys(semantics) as ReadonlyArray<Operation>).filter(
  (operation) => relaxed || !operation.includes("relaxed"),
)

describe("an operation", () => {
  it.each(operations)("%s does what the specification says", (operation) => {
    const types = argumentsOf(operation)
    // The table types arguments operation by operation; here they come from a list.
    const apply = X.op as (operation: Operation, ...args: ReadonlyArray<X.Expr>) => X.Expr
    const value = apply(operation, ...types.map((type, i) => read(type, 16 * i)))
    const { memory, run } = start(F.procedure("one", [], [write(value, 48)]))
    const views = [0, 16, 32, 48].map((offset) => lanesOf(memory, offset))
    const all = new Uint8Array(memory)
    const argument = operation.includes("relaxed") ? exactBytes(operation.startsWith("f64")) : bytes
    fc.assert(
      fc.property(argument, argument, argument, (a, b, c) => {
        ;[a, b, c].forEach((part, i) => all.set(part, 16 * i))
        // A remainder by 0 traps.
        if (operation === "i32.rem_u") views[1]!.i32[0] ||= 7
        all.fill(0xaa, 48, 64)
        run()
        const [kind, expected] = semantics[operation](views[0]!, views[1]!, views[2]!)
        expect(Array.from<number | bigint>(views[3]![kind]).slice(0, expected.length)).toEqual(expected)
        // A scalar is as wide as its type.
        const width = expected.length * (kind === "f64" || kind === "i64" ? 8 : 4)
        expect(all.subarray(48 + width, 64).every((byte) => byte === 0xaa)).toBe(true)
      }),
      { numRuns: 200, seed: 5 },
    )
  })
})
