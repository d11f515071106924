/** The tables of the page of limits: each is hard in a way of its own, and the same at every run. */
import { closeSync, openSync, writeSync } from "node:fs"
import { random } from "../harness/random.ts"

/** Draws: uniform in [0, 1), a feature in [1, 5), a standard normal one. */
export interface Draws {
  readonly uniform: () => number
  readonly feature: () => number
  readonly normal: () => number
}

/** A table, row by row. */
export interface Table {
  readonly name: string
  readonly rows: number
  readonly features: number
  /** the features of a row and its target; features are drawn first */
  readonly row: (draws: Draws, row: number) => { readonly x: ReadonlyArray<number>; readonly y: number }
}

const draws = (seed: number): Draws => {
  const uniform = random(seed)
  return {
    uniform,
    // Three digits: files of many rows are short.
    feature: () => Math.round(1000 * (1 + 4 * uniform())) / 1000,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  }
}

/** y = 3 x0 x1 / x2 with noise of a standard deviation of 0.02; the first of the features that are there. */
const law = (x: ReadonlyArray<number>): number => (3 * x[0]! * (x[1] ?? 1)) / (x[2] ?? 1)

/** A table of independent features, of a law of the first three with noise. */
export const plain = (rows: number, features: number): Table => ({
  name: `${rows} x ${features}`,
  rows,
  features,
  row: ({ feature, normal }) => {
    const x = Array.from({ length: features }, feature)
    return { x, y: law(x) + 0.02 * normal() }
  },
})

const digits = (value: number): string => String(Number(value.toPrecision(8)))

/**
 * The text of a table in parts.
 *
 * @param seed a whole number; other numbers are other tables of the same kind
 */
export function* text({ rows, features, row }: Table, seed = 1): Generator<string> {
  const all = draws(seed)
  let part = `${Array.from({ length: features }, (_, k) => `x${k}`).join(",")},y\n`
  for (let k = 0; k < rows; k++) {
    const { x, y } = row(all, k)
    part += `${x.map(digits).join(",")},${digits(y)}\n`
    if (part.length > 2 ** 20) {
      yield part
      part = ""
    }
  }
  yield part
}

/** Writes a table as CSV. */
export const write = (table: Table, file: string, seed?: number): void => {
  const out = openSync(file, "w")
  try {
    for (const part of text(table, seed)) writeSync(out, part)
  } finally {
    closeSync(out)
  }
}
