import { inPlace, mul, sub } from "../wasm/Doubles.ts"
import { ofParts } from "../wasm/double/log.ts"
import * as Target from "../wasm/Target.ts"
import * as Expr from "../wasm/Expr.ts"
import * as Func from "../wasm/Func.ts"
import * as Machine from "../wasm/Machine.ts"
import * as Module from "../wasm/Module.ts"

type Vector = Expr.Expr<"v128">
const { get, op, f64x2, i64x2, local } = Expr

/**
 * The fills of `Rng` in WebAssembly SIMD, with the same bits: integer operations, and float64 operations that IEEE 754
 * fixes, in the same order, on two numbers at a time. Half the time of the loops that they stand for.
 */
export interface Noise {
  /** the memory that the functions write to and read from */
  readonly values: Float64Array
  /** uniforms (k + 0.5) / 2^32 of the first `count` words of a key and a counter */
  readonly uniform: (k0: number, k1: number, c0: number, c1: number, count: number) => void
  /** -log(-log u) of the first `count` values */
  readonly gumbel: (count: number) => void
  /** log u - log(1 - u) of the first `count` values */
  readonly logistic: (count: number) => void
  /** the first `count` values rounded to float32 into `singles` */
  readonly round: (count: number) => void
  readonly singles: Float32Array
}

const rotations = [13, 15, 26, 6, 17, 29, 16, 24] as const

/** The two words of four counters; see `Threefry`. */
const encrypt = (
  keys: readonly [Vector, Vector, Vector],
  c0: Vector,
  c1: Vector,
): readonly [Vector, Vector] => {
  const add = (a: Vector, b: Vector): Vector => op("i32x4.add", a, b)
  const turn = (a: Vector, bits: number): Vector =>
    op("v128.or", op("i32x4.shl", a, Expr.i32(bits)), op("i32x4.shr_u", a, Expr.i32(32 - bits)))
  let x = add(c0, keys[0])
  let y = add(c1, keys[1])
  for (let round = 0; round < 20; round++) {
    x = add(x, y)
    y = op("v128.xor", turn(y, rotations[round % 8]!), x)
    if (round % 4 !== 3) continue
    const injection = (round + 1) / 4
    x = add(x, keys[injection % 3]!)
    y = add(add(y, keys[(injection + 1) % 3]!), Expr.i32x4(injection))
  }
  return [x, y]
}

/** The logarithm of positive normal numbers below 2^1023, by the operations of `Elementary.log`. */
const log = (x: Vector): Vector => {
  // 1023 + k, where x = 2^k (1 + f) with sqrt(2) / 2 < 1 + f < sqrt(2).
  const biased = op("i64x2.shr_u", op("i64x2.add", x, i64x2(0x95f64n << 32n)), Expr.i32(52))
  const power = op("i64x2.shl", op("i64x2.sub", i64x2(2046n), biased), Expr.i32(52))
  // The low bits of 2^52 + k are those of the whole number k.
  const k = sub(op("v128.or", biased, f64x2(2 ** 52)), f64x2(2 ** 52 + 1023))
  const f = sub(mul(x, power), f64x2(1))
  return ofParts(k, f)
}

const build = (length: number): Noise | undefined => {
  if (Target.detect() === undefined) return undefined
  const at = local("i32", "at")
  const end = local("i32", "end")
  const k0 = local("i32", "k0")
  const k1 = local("i32", "k1")
  const c0 = local("i32", "c0")
  const c1 = local("i32", "c1")
  const count = local("i32", "count")
  const counter = local("v128", "counter")
  const splat = (x: Expr.Expr<"i32">): Vector => op("i32x4.splat", x)
  const bytes = op("i32.shl", get(count), Expr.i32(3))
  const again = op("i32.lt_u", get(at), get(end))
  const parity = op("i32.xor", op("i32.xor", get(k0), get(k1)), Expr.i32(0x1bd11bda))
  const [x, y] = encrypt([splat(get(k0)), splat(get(k1)), splat(parity)], get(counter), splat(get(c1)))
  const uniforms = (words: Vector): Vector =>
    op("f64x2.mul", op("f64x2.add", op("f64x2.convert_low_i32x4_u", words), f64x2(0.5)), f64x2(2 ** -32))
  // Two words of each counter, the counters one after the other.
  const pairs = [
    Expr.shuffle(x, y, [0, 4, 0, 4]),
    Expr.shuffle(x, y, [1, 5, 1, 5]),
    Expr.shuffle(x, y, [2, 6, 2, 6]),
    Expr.shuffle(x, y, [3, 7, 3, 7]),
  ]
  const uniform = Func.procedure(
    "uniform",
    [k0, k1, c0, c1, count],
    [
      Func.set(at, Expr.i32(0)),
      Func.set(end, bytes),
      Func.set(counter, op("i32x4.add", splat(get(c0)), Expr.i32Lanes(0, 1, 2, 3))),
      Func.repeat(
        [
          ...pairs.map((pair, i) => Func.store("v128.store", get(at), uniforms(pair), 16 * i)),
          Func.set(counter, op("i32x4.add", get(counter), Expr.i32x4(4))),
          Func.set(at, op("i32.add", get(at), Expr.i32(64))),
        ],
        again,
      ),
    ],
  )
  const negative = (v: Vector): Vector => op("f64x2.neg", v)
  const gumbel = inPlace("gumbel", (u) => negative(log(negative(log(u)))))
  const logistic = inPlace("logistic", (u) => sub(log(u), log(sub(f64x2(1), u))))
  const to = local("i32", "to")
  const narrow = (offset: number): Vector =>
    op("f32x4.demote_f64x2_zero", Expr.load("v128.load", get(at), offset))
  const round = Func.procedure(
    "round",
    [count],
    [
      Func.set(at, Expr.i32(0)),
      Func.set(end, bytes),
      Func.set(to, Expr.i32(8 * length)),
      Func.repeat(
        [
          Func.store("v128.store", get(to), Expr.shuffle(narrow(0), narrow(16), [0, 1, 4, 5])),
          Func.set(at, op("i32.add", get(at), Expr.i32(32))),
          Func.set(to, op("i32.add", get(to), Expr.i32(16))),
        ],
        again,
      ),
    ],
  )
  const module = Module.assemble({ exports: { uniform, gumbel, logistic, round }, memory: { shared: false } })
  const { memory, call } = Machine.instantiate(module, 12 * length)
  return {
    values: new Float64Array(memory.buffer, 0, length),
    uniform: (...args) => call("uniform", ...args),
    gumbel: (n) => call("gumbel", n),
    logistic: (n) => call("logistic", n),
    round: (n) => call("round", n),
    singles: new Float32Array(memory.buffer, 8 * length, length),
  }
}

let made: { readonly noise: Noise | undefined } | undefined

/**
 * The fills for up to `length` values, a multiple of 8, at a time; made when first asked for, with that length.
 *
 * @returns undefined where there is no WebAssembly SIMD
 */
export const noise = (length: number): Noise | undefined => {
  made ??= { noise: build(length) }
  return made.noise
}
