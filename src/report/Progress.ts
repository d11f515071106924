import { visible } from "./VisibleText.ts"

/** Something to say of where a fit stands. */
export interface Report {
  /** wall-clock seconds since the start */
  readonly seconds: number
  /** Whether it is to be shown however little time has passed since the one before. */
  readonly due: boolean
  /** The text for a line of this number of columns; computed only when it is shown. */
  readonly text: (columns: number) => string
}

/** Where a fit that follows a gradient stands after a step. */
export interface Step {
  readonly step: number
  readonly steps: number
  /** the ELBO, in nats: its mean over the last steps */
  readonly elbo: number
  /** how it has been moving lately, in nats a step */
  readonly elboTrend: number
  /** wall-clock seconds since the start */
  readonly seconds: number
}

/** A line on a terminal that is written over and over. */
export interface Line {
  readonly update: (report: Report) => void
  /** Removes the line, so that the next output starts on an empty one. */
  readonly clear: () => void
}

/**
 * A progress line.
 *
 * @param options.write where the text goes, at once and without a line break
 * @param options.columns the width of the terminal; the line never wraps
 */
export const line = (options: { readonly write: (text: string) => void; readonly columns: number }): Line => {
  let shown = 0
  let last = -Infinity
  const room = Math.max(0, options.columns - 1)
  const show = (text: string): void => {
    const cut = text.slice(0, room)
    // Blanks over the previous text, and not an escape sequence, so that any terminal will do.
    options.write(`\r${cut.padEnd(shown)}`)
    shown = cut.length
  }
  return {
    update: ({ seconds, due, text }) => {
      // Ten times a second is as fluent as eyes can tell; steps may be far faster.
      if (!due && seconds - last < 0.1) return
      last = seconds
      show(text(room))
    },
    clear: () => {
      if (shown === 0) return
      show("")
      options.write("\r")
      shown = 0
    },
  }
}

/**
 * The level and the slope of a noisy sequence, told one value after the other: the mean of the last `window` values,
 * and by how much it exceeds the mean of the `window` values before, a step. Values that are undefined are left out.
 */
export const trend = (
  window: number,
): ((value: number | undefined) => { readonly elbo: number; readonly elboTrend: number }) => {
  const values: Array<number> = []
  return (value) => {
    if (value !== undefined) values.push(value)
    if (values.length > 2 * window) values.shift()
    // Before there are two windows, the two halves of the values so far.
    const half = Math.max(1, Math.floor(values.length / 2))
    const level = mean(values.slice(-half))
    return {
      elbo: level,
      elboTrend: values.length < 2 ? 0 : (level - mean(values.slice(-2 * half, -half))) / half,
    }
  }
}

const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * The text for a step.
 *
 * @param limit the time that the fit may take, in seconds
 */
export const ofStep = (step: Step, limit?: number): Report => ({
  seconds: step.seconds,
  due: step.step >= step.steps,
  text: () => describe(step, limit),
})

/** The best law so far: its log posterior, in nats, the name of what it explains, and its right side. */
export interface Best {
  readonly logPosterior: number
  readonly target: string
  readonly formula: string
  /** the rows that it was scored on, in a word or two; undefined for all rows of a fit that has no parts */
  readonly rows?: string | undefined
  /** the probability that the law is none of those seen so far; undefined where it is not known */
  readonly unseen?: number | undefined
}

/** Where a search stands. */
export interface Search {
  /** wall-clock seconds since the start */
  readonly seconds: number
  /** how long it may take; undefined without a limit */
  readonly limit: number | undefined
  /** ensembles of terms that were scored so far; undefined where that is not counted */
  readonly scored?: number | undefined
  /** The best law so far, if there is any. */
  readonly best: () => Best | undefined
}

/** A rate as people read it: 950, 25 thousand, 1.2 million; with the names of thousands and millions. */
const rate = (value: number, [thousand, million]: readonly [string, string]): string => {
  const [size, name] = value < 1000 ? [1, ""] : value < 1e6 ? [1e3, thousand] : [1e6, million]
  return `${Number((value / size).toPrecision(2))}${name}`
}

/** Fewer characters of a formula say nothing. */
const least = 8

/** A formula in this many characters, cut off where it is longer; undefined where nothing of use would be left. */
const within = (formula: string, columns: number): string | undefined =>
  formula.length <= columns ? formula : columns < least ? undefined : `${formula.slice(0, columns - 1)}…`

/**
 * The text for a search: the time that is left at most, the log posterior of the best law, the mass of the unseen, the
 * law, and the number of ensembles scored a second; of a law of some rows also which. A line that is too short for this in words has it in fewer, with a
 * law that is cut off; shorter ones lack the number scored, then the law, then the mass.
 */
export const ofSearch = ({ seconds, limit, scored, best }: Search): Report => ({
  seconds,
  due: false,
  text: (columns) => {
    const left = limit === undefined ? undefined : duration(Math.max(0, limit - seconds))
    const speed = scored === undefined || seconds <= 0 ? undefined : scored / seconds
    const time = duration(seconds)
    const long = left === undefined ? time : `${time}, at most ${left} left`
    const fast = speed === undefined ? undefined : `${rate(speed, [" thousand", " million"])} scored a second`
    const law = best()
    const found = law && {
      ...law,
      target: visible(law.target),
      formula: visible(law.formula),
      rows: law.rows && visible(law.rows),
    }
    if (found === undefined) return joined("   ", [long, "searching ...", fast])
    const unseenMass = found.unseen === undefined ? undefined : `${percent(found.unseen)} unseen`
    const evidence = `log posterior ${found.logPosterior.toFixed(2)}`
    const whole = joined("   ", [
      long,
      found.rows,
      evidence,
      unseenMass,
      `${found.target} = ${found.formula}`,
      fast,
    ])
    if (whole.length <= columns) return whole
    const short = joined("  ", [left === undefined ? time : `${left} left`, found.rows])
    const brief = speed === undefined ? undefined : `${rate(speed, ["k", "M"])} scored/s`
    for (const parts of [
      [short, evidence, unseenMass, brief],
      [short, evidence, unseenMass],
    ]) {
      const text = joined("  ", parts)
      const formula = within(found.formula, columns - text.length - 2)
      if (formula !== undefined) return joined("  ", [text, formula])
    }
    const known = joined("  ", [short, evidence, unseenMass])
    return known.length <= columns ? known : joined("  ", [short, evidence])
  },
})

const joined = (between: string, parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined).join(between)

/** A probability in whole percents, of which none is certain. */
const percent = (probability: number): string =>
  `${Math.min(99, Math.max(1, Math.round(100 * probability)))} %`

/** The text of a progress line for a step. */
export const describe = (step: Step, limit?: number): string => {
  if (step.step >= step.steps) return `step ${step.step}/${step.steps}   ranking the models drawn ...`
  const perStep = step.seconds / Math.max(1, step.step)
  const left = Math.min(perStep * (step.steps - step.step), (limit ?? Infinity) - step.seconds)
  const trend = step.elboTrend > 0 ? `+${digits(step.elboTrend)}` : digits(step.elboTrend)
  return (
    `step ${step.step}/${step.steps}   ELBO ${digits(step.elbo)} (${trend} a step)` +
    `   ${duration(Math.max(0, left))} left`
  )
}

const digits = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(4))) : "?"

/** Seconds as people read them: 8 s, 2 min 05 s, 3 h 20 min. */
export const duration = (seconds: number): string => {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const two = (value: number): string => String(value).padStart(2, "0")
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`
}
