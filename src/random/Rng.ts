import { type Doubles, doubles, doublesOf, exp, log, logs, normalQuantile } from "../numeric/Elementary.ts"
import { type Noise, noise } from "./Noise.ts"
import { threefry, words } from "./Threefry.ts"

/**
 * Splittable, counter-based randomness. A {@link Key} is a value: the same key gives the same draws, whatever the
 * machine, the engine or the number of workers. Derive new keys by {@link split} and {@link fold} instead of drawing
 * twice from one.
 *
 * @example
 * ```ts
 * const [noise, draws] = Rng.split(Rng.key(42), 2)
 * Rng.gumbel(noise, new Float32Array(1024))
 * ```
 */
export interface Key {
  readonly _tag: "Key"
  /** The two uint32 halves, public so that a checkpoint can store a key as JSON; not meant to be computed with. */
  readonly high: number
  readonly low: number
}

/** A target of the fills. */
export type Floats = Float32Array | Float64Array

const TWO_32 = 2 ** 32
const ONE_BELOW_IN_FLOAT32 = 1 - 2 ** -24

// The second counter word carries the purpose of the counter, so that words, children and folds of one key never
// coincide (in JAX, `split(key)` and `bits(key)` do).
const WORDS = 0
const SPLIT = 1 << 28
const FOLD = 2 << 28
const FOLD_TEXT = 3 << 28

const unchecked = (high: number, low: number): Key => ({ _tag: "Key", high, low })

const requireInteger = (what: string, n: number, low: number, high: number): void => {
  if (!Number.isSafeInteger(n) || n < low || n > high) {
    throw new RangeError(`Rng: ${what} must be an integer in [${low}, ${high}], got ${n}`)
  }
}

const derive = (parent: Key, c0: number, c1: number): Key => {
  threefry(parent.high, parent.low, c0, c1)
  return unchecked(words[0] ?? 0, words[1] ?? 0)
}

/** The key of an integer seed in [0, 2^53). Throws a `RangeError` for anything else. */
export const key = (seed: number): Key => {
  requireInteger("seed", seed, 0, Number.MAX_SAFE_INTEGER)
  return unchecked(Math.floor(seed / TWO_32), seed >>> 0)
}

/**
 * `n` independent child keys. A prefix property holds: the first keys do not depend on `n`.
 *
 * The result is a tuple when `n` is a literal up to 4, so that it can be destructured.
 */
export function split(parent: Key, n: 2): readonly [Key, Key]
export function split(parent: Key, n: 3): readonly [Key, Key, Key]
export function split(parent: Key, n: 4): readonly [Key, Key, Key, Key]
export function split(parent: Key, n: number): ReadonlyArray<Key>
export function split(parent: Key, n: number): ReadonlyArray<Key> {
  requireInteger("number of keys", n, 0, TWO_32 - 1)
  return Array.from({ length: n }, (_, i) => derive(parent, i, SPLIT))
}

/**
 * The child key that belongs to `data`, an integer in [0, 2^53) (a step, a restart, a worker) or a text (a site's
 * name). Different data give independent keys.
 */
export const fold = (parent: Key, data: number | string): Key => {
  if (typeof data === "number") {
    requireInteger("folded number", data, 0, Number.MAX_SAFE_INTEGER)
    return derive(parent, data >>> 0, FOLD | Math.floor(data / TWO_32))
  }
  let child = derive(parent, data.length, FOLD_TEXT)
  for (let i = 0; i < data.length; i++) child = derive(child, data.charCodeAt(i), FOLD_TEXT)
  return child
}

// The fills work on this number of elements at a time: short loops over small arrays are several times faster than a call for
// each element. A power of two, so that the blocks of a chunk have one upper counter word.
const CHUNK = 512
const encrypted = new Uint32Array(CHUNK)
const complements = doubles(CHUNK)

/** Replaces the first `count` numbers, uniforms (k + 0.5) / 2^32 of words k, by the draws that they encode. */
type Transform = (numbers: Doubles, count: number, lanes: Noise | undefined) => void

/** The chunk, and the WebAssembly functions that fill it, if the machine has any; made at the first draw. */
interface Source {
  readonly numbers: Doubles
  readonly lanes: Noise | undefined
}
let made: Source | undefined
const source = (): Source => {
  if (made !== undefined) return made
  const lanes = noise(CHUNK)
  made = { lanes, numbers: lanes === undefined ? doubles(CHUNK) : doublesOf(lanes.values) }
  return made
}

const fill = <A extends Floats>({ high, low }: Key, out: A, transform: Transform): A => {
  const { numbers, lanes } = source()
  const { values } = numbers
  for (let start = 0; start < out.length; start += CHUNK) {
    const count = Math.min(CHUNK, out.length - start)
    const block = start / 2
    const upper = WORDS | Math.floor(block / TWO_32)
    if (lanes === undefined) {
      threefry(high, low, block >>> 0, upper, encrypted, count)
      for (let i = 0; i < count; i++) values[i] = (encrypted[i]! + 0.5) / TWO_32
    } else lanes.uniform(high, low, block >>> 0, upper, count)
    transform(numbers, count, lanes)
    if (lanes !== undefined && out instanceof Float32Array) {
      lanes.round(count)
      out.set(count < CHUNK ? lanes.singles.subarray(0, count) : lanes.singles, start)
    } else for (let i = 0; i < count; i++) out[start + i] = values[i]!
  }
  return out
}

/**
 * Fills with uniforms strictly inside (0, 1), one 32-bit word `k` each: (k + 0.5) / 2^32 in float64, and its float32
 * rounding, kept at or below 1 - 2^-24, in float32. So `log(u)` and `log(1 - u)` are finite in both.
 *
 * The fills return `out`. Element `i` depends on the key and `i` only, not on the length.
 */
export const uniform = <A extends Floats>(source: Key, out: A): A =>
  fill(source, out, out instanceof Float32Array ? belowOne : unchanged)

const unchanged: Transform = () => undefined

const belowOne: Transform = ({ values }, count) => {
  for (let i = 0; i < count; i++) if (values[i]! > ONE_BELOW_IN_FLOAT32) values[i] = ONE_BELOW_IN_FLOAT32
}

/** Fills with standard normals, by the quantile function of one 32-bit uniform each (so |z| < 6.4). */
export const normal = <A extends Floats>(source: Key, out: A): A => fill(source, out, quantiles)

const quantiles: Transform = ({ values }, count) => {
  for (let i = 0; i < count; i++) values[i] = normalQuantile(values[i]!)
}

/** Fills with standard Gumbel noise, -log(-log u): the noise of the Gumbel-Softmax relaxation. */
export const gumbel = <A extends Floats>(source: Key, out: A): A => fill(source, out, doubleLogs)

const doubleLogs: Transform = (numbers, count, lanes) => {
  if (lanes !== undefined) return lanes.gumbel(count)
  logs(numbers, count, -1)
  logs(numbers, count, -1)
}

/** Fills with standard logistic noise, log u - log(1 - u): the noise of the Binary-Concrete relaxation. */
export const logistic = <A extends Floats>(source: Key, out: A): A => fill(source, out, logOdds)

const logOdds: Transform = (numbers, count, lanes) => {
  if (lanes !== undefined) return lanes.logistic(count)
  const { values } = numbers
  const { values: others } = complements
  for (let i = 0; i < count; i++) others[i] = 1 - values[i]!
  logs(numbers, count, 1)
  logs(complements, count, 1)
  for (let i = 0; i < count; i++) values[i] = values[i]! - others[i]!
}

/** A mutable source of draws for loops whose number of draws is not known beforehand (rejection, shuffles). */
export interface Generator {
  /** A uniform of 52 bits, strictly inside (0, 1). */
  readonly next: () => number
  /** An unbiased integer in [0, n), 1 <= n <= 2^32. */
  readonly integer: (n: number) => number
  /** A standard normal. */
  readonly normal: () => number
  /** A Gamma(shape, rate 1) draw, shape > 0; at least `Number.MIN_VALUE`. */
  readonly gamma: (shape: number) => number
  /** The logarithm of a Gamma(shape, rate 1) draw: finite also where the draw itself underflows (shape < 0.01). */
  readonly logGamma: (shape: number) => number
  /** A uniformly distributed order of 0, ..., n - 1. */
  readonly permutation: (n: number) => Uint32Array
  /** How many words of 32 bits were drawn: `generator(key, position)` goes on from here. */
  readonly position: () => number
}

/**
 * The sequential generator of a key. Two generators of one key give the same sequence.
 *
 * @param from the position to go on from, 0 at the beginning
 */
export const generator = (source: Key, from = 0): Generator => {
  const { high, low } = source
  // A block has two words, of which the second waits.
  let block = Math.floor(from / 2)
  let pending = -1

  const word = (): number => {
    if (pending >= 0) {
      const w = pending
      pending = -1
      return w
    }
    threefry(high, low, block >>> 0, WORDS | Math.floor(block / TWO_32))
    block += 1
    pending = words[1] ?? 0
    return words[0] ?? 0
  }

  if (from % 2 === 1) word()

  // 26 + 26 bits; the 53rd is the half, so that every value is exact and 0 and 1 cannot occur.
  const next = (): number => ((word() >>> 6) * 2 ** 26 + (word() >>> 6) + 0.5) / 2 ** 52

  const integer = (n: number): number => {
    requireInteger("bound", n, 1, TWO_32)
    // Words above the last whole multiple of n would favour small remainders.
    const limit = TWO_32 - (TWO_32 % n)
    let w = word()
    while (w >= limit) w = word()
    return w % n
  }

  const standardNormal = (): number => normalQuantile(next())

  // Marsaglia and Tsang, A simple method for generating gamma variables, ACM TOMS 26 (2000), for shape >= 1.
  const logGammaAboveOne = (shape: number): number => {
    const d = shape - 1 / 3
    const c = 1 / Math.sqrt(9 * d)
    for (;;) {
      const x = standardNormal()
      const root = 1 + c * x
      if (root <= 0) continue
      const logV = 3 * log(root)
      const v = root * root * root
      if (log(next()) < 0.5 * x * x + d * (1 - v + logV)) return log(d) + logV
    }
  }

  const logGamma = (shape: number): number => {
    if (!(shape > 0 && shape < Infinity))
      throw new RangeError(`Rng: gamma shape must be positive, got ${shape}`)
    // If G is Gamma(shape + 1) and U uniform, then G U^(1 / shape) is Gamma(shape).
    return shape >= 1 ? logGammaAboveOne(shape) : logGammaAboveOne(shape + 1) + log(next()) / shape
  }

  const permutation = (n: number): Uint32Array => {
    const order = Uint32Array.from({ length: n }, (_, i) => i)
    for (let i = n - 1; i > 0; i--) {
      const j = integer(i + 1)
      const moved = order[i] ?? 0
      order[i] = order[j] ?? 0
      order[j] = moved
    }
    return order
  }

  return {
    next,
    integer,
    normal: standardNormal,
    gamma: (shape) => Math.max(exp(logGamma(shape)), Number.MIN_VALUE),
    logGamma,
    permutation,
    position: () => 2 * block - (pending >= 0 ? 1 : 0),
  }
}
