import { extremes } from "../numeric/extremes.ts"
import * as Real from "../numeric/Real.ts"
import { schwarz } from "./schwarz.ts"

/** A wave h (a sin(f_1 u_1 + f_2 u_2 + phase)) beside a constant. */
export interface Wave {
  /** radians per unit of each column */
  readonly frequencies: ReadonlyArray<number>
  /** radians */
  readonly phase: number
  /** the criterion of Schwarz, with the number of frequencies that were looked at */
  readonly criterion: number
}

/** The making of waves: it yields after each of some milliseconds. */
export type Making = Generator<void, ReadonlyArray<Wave>>

/**
 * The most periods over the range of a column, and the number of frequencies for each period, of a wave in one column and in two. A fit leads from one
 * frequency to any value before the next.
 */
const grid = { periods: [60, 12], each: [4, 3] } as const
/** Waves with less than this share of a period over the rows are trends. */
const trend = 0.75
/** The waves that are given. */
const given = 3
/** Frequencies of the first column that are looked at in a part. */
const together = 12

/** cos and sin of k times the phase of each of n rows, from place k n on, for k from 0 to `count`, by rotation. */
interface Turns {
  readonly cos: Float64Array
  readonly sin: Float64Array
}

/** Memory for the turns of one periodogram after the other: a search looks at dozens, of a megabyte each. */
export interface Room {
  along: Turns
  across: Turns
}

const none: Turns = { cos: new Float64Array(0), sin: new Float64Array(0) }

export const room = (): Room => ({ along: none, across: none })

/** @param before turns that are not needed any more, whose memory is used where it is of the same size */
const turns = (before: Turns, u: Float64Array, unit: number, count: number): Turns => {
  const n = u.length
  const size = (count + 1) * n
  const { cos, sin } =
    before.cos.length === size ? before : { cos: new Float64Array(size), sin: new Float64Array(size) }
  for (let i = 0; i < n; i++) {
    const c = Real.cos(unit * u[i]!)
    const s = Real.sin(unit * u[i]!)
    let x = 1
    let y = 0
    for (let at = i; at < cos.length; at += n) {
      cos[at] = x
      sin[at] = y
      const next = x * c - y * s
      y = x * s + y * c
      x = next
    }
  }
  return { cos, sin }
}

/** Least squares of z on 1, h cos(p) and h sin(p). */
interface Fit {
  /** the decrease of the sum of squares */
  readonly gain: number
  /** the coefficients of h cos(p) and h sin(p) */
  readonly a: number
  readonly b: number
}

/**
 * @param z less its weighted mean
 * @param v squares of the weights
 */
const fit = (
  z: Float64Array,
  v: Float64Array,
  h: Float64Array,
  total: number,
  cos: Float64Array,
  sin: Float64Array,
): Fit => {
  let [c, s, cc, cs, ss, zc, zs] = [0, 0, 0, 0, 0, 0, 0]
  for (let i = 0; i < z.length; i++) {
    const x = h[i]! * cos[i]!
    const y = h[i]! * sin[i]!
    const wx = v[i]! * x
    const wy = v[i]! * y
    c += wx
    s += wy
    cc += wx * x
    cs += wx * y
    ss += wy * y
    zc += wx * z[i]!
    zs += wy * z[i]!
  }
  cc -= (c * c) / total
  cs -= (c * s) / total
  ss -= (s * s) / total
  const determinant = cc * ss - cs * cs
  // Of columns next to dependent ones the gain is rounding.
  if (!(determinant > 1e-10 * cc * ss)) return { gain: 0, a: 0, b: 0 }
  const [a, b] = [(zc * ss - zs * cs) / determinant, (zs * cc - zc * cs) / determinant]
  return { gain: a * zc + b * zs, a, b }
}

/**
 * The waves in one or two columns that are nearest to z, best first: the peaks of the least-squares periodogram with a constant (Lomb 1976, Scargle 1982;
 * Zechmeister and Kuerster 2009), in two columns over all pairs of frequencies, as of a wave that travels.
 *
 * @param columns u_1, or u_1 and u_2, length n each
 * @param z length n
 * @param w weights of the residuals, length n
 * @param h the height of the wave on each row but for a factor, length n; 1 if left out
 * @param memory that no other periodogram uses until this one has ended
 */
export const of = function* (
  columns: ReadonlyArray<Float64Array>,
  z: Float64Array,
  w: Float64Array,
  h: Float64Array = new Float64Array(z.length).fill(1),
  memory: Room = room(),
): Making {
  const [first, second] = columns
  if (first === undefined) return []
  const ranges = columns.map((column) => {
    const { low, high } = extremes(column) ?? { low: 0, high: 0 }
    return high - low
  })
  if (!ranges.every((range) => range > 0 && range < Infinity)) return []
  const kind = columns.length - 1
  const [periods, each] = [grid.periods[kind]!, grid.each[kind]!]
  // No more periods than rows could show.
  const count = Math.min(periods * each, Math.floor((each * z.length) / 3))
  const units = ranges.map((range) => (2 * Math.PI) / (each * range))
  const v = w.map((value) => value * value)
  const total = v.reduce((sum, value) => sum + value, 0)
  const mean = z.reduce((sum, value, i) => sum + v[i]! * value, 0) / total
  const centred = z.map((value) => value - mean)
  const criterion = schwarz(
    z.map((value, i) => value * w[i]!),
    w,
  )
  const tss = centred.reduce((sum, value, i) => sum + v[i]! * value * value, 0)
  const along = (memory.along = turns(memory.along, first, units[0]!, count))
  const across =
    second === undefined
      ? turns(none, first, 0, 0)
      : (memory.across = turns(memory.across, second, units[1]!, count))
  const n = z.length
  const [cos, sin] = [new Float64Array(n), new Float64Array(n)]
  /** the number of frequencies of the second column, which have both signs */
  const width = second === undefined ? 1 : 2 * count + 1
  /** the fit of each pair of frequencies, those of one frequency of the first column together; undefined of trends, and of pairs with the sign of another */
  const fits: Array<Fit | undefined> = []
  /** The fits of a frequency of the first column: a function of its own, since engines are slow with loops in a generator. */
  const fitAll = (k: number): void => {
    for (let place = 0; place < width; place++) {
      const j = second === undefined ? 0 : place - count
      const isTrend = Math.max(k, Math.abs(j)) < trend * each
      if (isTrend || (k === 0 && j < 0)) {
        fits.push(undefined)
        continue
      }
      const from = k * n
      const beside = Math.abs(j) * n
      const sign = j < 0 ? -1 : 1
      for (let i = 0; i < n; i++) {
        const c = along.cos[from + i]!
        const s = along.sin[from + i]!
        const x = across.cos[beside + i]!
        const y = sign * across.sin[beside + i]!
        cos[i] = c * x - s * y
        sin[i] = s * x + c * y
      }
      fits.push(fit(centred, v, h, total, cos, sin))
    }
  }
  for (let k = 0; k <= count; k++) {
    if (k % together === 0) yield
    fitAll(k)
  }
  const gainAt = (k: number, place: number): number =>
    k < 0 || k > count || place < 0 || place >= width ? -1 : (fits[k * width + place]?.gain ?? -1)
  const isPeak = (at: number): boolean => {
    const [k, place] = [Math.floor(at / width), at % width]
    const own = gainAt(k, place)
    for (let i = -1; i <= 1; i++)
      for (let j = -1; j <= 1; j++) if ((i !== 0 || j !== 0) && gainAt(k + i, place + j) > own) return false
    return own > 0
  }
  const looked = 2 * Real.log(fits.length)
  return [...fits.keys()]
    .filter(isPeak)
    .sort((a, b) => fits[b]!.gain - fits[a]!.gain)
    .slice(0, given)
    .map((at) => {
      const { gain, a, b } = fits[at]!
      const numbers = [Math.floor(at / width), (at % width) - (second === undefined ? 0 : count)]
      return {
        frequencies: columns.map((_, j) => numbers[j]! * units[j]!),
        // a cos(p) + b sin(p) is a multiple of sin(p + phase).
        phase: b === 0 ? Math.PI / 2 : Real.atan(a / b),
        criterion: criterion(Math.max(0, tss - gain), 3 + columns.length) + looked,
      }
    })
}
