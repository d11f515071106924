/** Whether readings of a process are flat. */
import type { Kept } from "../limits/records.ts"
import type { Reading } from "./residency.ts"

/** The median; NaN of nothing. */
const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const half = (sorted.length - 1) / 2
  return ((sorted[Math.floor(half)] ?? NaN) + (sorted[Math.ceil(half)] ?? NaN)) / 2
}

/** The slope of a line through points by Theil and Sen: the median of the slopes of all pairs, which a few peaks do not move. */
export const slope = (points: ReadonlyArray<readonly [number, number]>): number =>
  median(
    points.flatMap(([x, y], i) =>
      points.slice(i + 1).flatMap(([u, v]) => (u === x ? [] : [(v - y) / (u - x)])),
    ),
  )

/**
 * The probability that independent readings without a trend rise in as great a share of their pairs (the one-sided test of Kendall, 1938, exact;
 * pairs of equal readings do not rise). Four readings have 1/24 at the least, so that a few say nothing.
 */
export const trendless = (values: ReadonlyArray<number>): number => {
  const falls = values
    .map((value, i) => values.slice(i + 1).filter((later) => later <= value).length)
    .reduce((sum, more) => sum + more, 0)
  // The n-th reading of a random order falls behind 0 to n - 1 of those before it, each as likely.
  const chances = values.reduce<ReadonlyArray<number>>(
    (shares, _, before) =>
      Array.from({ length: shares.length + before }, (_, falls) =>
        shares
          .slice(Math.max(0, falls - before), falls + 1)
          .reduce((sum, share) => sum + share / (before + 1), 0),
      ),
    [1],
  )
  return chances.slice(0, falls + 1).reduce((sum, chance) => sum + chance, 0)
}
/** A process that is flat is said to grow with this probability at the most. */
const level = 0.01

/** The amounts that must be flat. Code is told beside: it grows where memory does that the program keeps nothing of. */
const amounts = ["rss", "heap", "external", "code"] as const
/** Growth of less than this many MB is that of the readings. */
const least = 5
/** The counts that must not be more at the end than after the warm-up. */
const counts = ["threads", "files", "handles", "tensors", "temporary"] as const

/** A run with a limit of time or memory: the limit and what it took, in seconds or MB. */
export interface Limited {
  readonly limit: number
  readonly took: number
}

/** A limit is kept where a run takes at most this share of it more. */
export const more = { time: 0.05, memory: 0.1 } as const

/** How limits of a kind were kept. */
export const keptOf = (of: keyof typeof more, runs: ReadonlyArray<Limited>): Kept => ({
  runs: runs.length,
  kept: runs.filter(({ limit, took }) => took <= (1 + more[of]) * limit).length,
  most: Math.max(0, ...runs.map(({ limit, took }) => took / limit)),
})

/** The growth of an amount in the time that is measured. */
export interface Growth {
  readonly name: (typeof amounts)[number]
  readonly median: number
  /** by the slope of Theil and Sen, in MB for the time that is measured, and for an hour */
  readonly grown: number
  readonly hourly: number
  readonly allowed: number
}

export interface Verdict {
  readonly growths: ReadonlyArray<Growth>
  /** the amounts that are not flat, a sentence each */
  readonly complaints: ReadonlyArray<string>
}

/**
 * @param readings in the order of time
 * @param share the growth that is allowed in the time that is measured, as a share of the median
 * @param warm the share of readings that are warm-up: code is compiled, caches fill, and memory grows
 */
export const of = (readings: ReadonlyArray<Reading>, share = 0.05, warm = 0.2): Verdict => {
  const measured = readings.slice(Math.ceil(warm * readings.length))
  const [first, last] = [measured[0], measured.at(-1)]
  if (first === undefined || last === undefined || measured.length < 3)
    return { growths: [], complaints: ["there are fewer than three readings after the warm-up"] }
  const seconds = last.seconds - first.seconds
  const growths = amounts.map((name): Growth => {
    const middle = median(measured.map((one) => one[name]))
    const rate = slope(measured.map((one) => [one.seconds, one[name]] as const))
    const allowed = name === "code" ? Infinity : Math.max(least, share * middle)
    return { name, median: middle, grown: rate * seconds, hourly: rate * 3600, allowed }
  })
  // Resident memory is read before garbage is collected, and swings by a third; the others are read after it.
  const swings = ({ name }: Growth): boolean =>
    name === "rss" && trendless(measured.map((one) => one[name])) > level
  const grown = growths
    .filter((one) => one.grown > one.allowed && !swings(one))
    .map(
      (one) =>
        `${one.name} has grown by ${one.grown.toFixed(1)} MB in ${seconds} s, more than the ${one.allowed.toFixed(1)} MB that are allowed`,
    )
  // The end has what every round has: the most of the first rounds is the measure.
  const left = counts
    .map((name) => {
      const most = Math.max(
        ...readings.slice(0, Math.max(3, readings.length - measured.length)).map((one) => one[name]),
      )
      return { name, most, end: last[name] }
    })
    .filter(({ most, end }) => end > most)
    .map(({ name, most, end }) => `${end} ${name} are left at the end, and ${most} after the first rounds`)
  return { growths, complaints: [...grown, ...left] }
}
