import { Unknown } from "../harness/options.ts"
import { readFileSync, readdirSync } from "node:fs"

/** A variable that is drawn: its range, and how. */
export interface Variable {
  readonly name: string
  readonly low: number
  readonly high: number
  /**
   * `lin` uniform, `log` log-uniform, `int` an integer from low to high - 1, `grid` evenly spaced from low to high; `+-` with a
   * random sign, `-` negative
   */
  readonly kind: "lin" | "log" | "int" | "+-log" | "-log" | "+-int" | "grid"
}

interface Named {
  readonly name: string
  /** the law, in the syntax of SymPy and NumPy */
  readonly formula: string
  /** numbers of the formula that data decide, with the values of the source; absent where there are none */
  readonly parameters?: Readonly<Record<string, number>>
  readonly source?: string
  readonly remark?: string
  /** recovery by other systems in percent of their runs, as published */
  readonly published?: Readonly<Record<string, number>>
}

/** A law whose rows are drawn. */
export interface Generated extends Named {
  readonly variables: ReadonlyArray<Variable>
  /** how many rows, of each group where there are groups; the set's if left out */
  readonly rows?: number
  /** numbers of the formula that each group has for itself, drawn from a range: rows come in groups */
  readonly perGroup?: ReadonlyArray<Variable>
}

/** Rows as they were measured. */
export interface Measured extends Named {
  readonly target: string
  readonly columns: Readonly<Record<string, ReadonlyArray<number>>>
  readonly parameters: Readonly<Record<string, number>>
  /** the root mean square of the residuals of the source's fit */
  readonly rmse?: number
  /** which residuals the source's fit has made small; absolute if left out */
  readonly residuals?: "absolute" | "logarithmic"
}

export type Case = Generated | Measured

/**
 * What counts as the law (docs/adr/0026). `normalised`: the difference or the ratio is a constant, numbers to three significant
 * digits; with noise also the same form. `equal`: the formula itself. `family`: the same family of functions, the values of its
 * numbers free.
 */
export type Judging = "normalised" | "equal" | "family"

/** Problems of one kind. */
export interface ProblemSet {
  readonly name: string
  readonly source: string
  readonly judging: Judging
  /** rows of a case that is drawn */
  readonly rows?: number
  /** shares of exact solutions by noise and by the number of groups, as published */
  readonly published?: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly cases: ReadonlyArray<Case>
}

const folder = new URL("sets/", import.meta.url)

/** The names of the sets. */
export const names: ReadonlyArray<string> = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.slice(0, -".json".length))
  .toSorted()

/** A name that names nothing. */
export { Unknown }

/** The set of a name. Throws `Unknown` with the names that exist. */
export const setOf = (name: string): ProblemSet => {
  if (!names.includes(name)) throw new Unknown(`there is no set ${name}; there are ${names.join(", ")}`)
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"))
}

/** The case of a name. Throws `Unknown` where the set has none. */
export const caseOf = (set: ProblemSet, name: string): Case => {
  const found = set.cases.find((one) => one.name === name)
  if (found !== undefined) return found
  throw new Unknown(`the set ${set.name} has no case ${name}`)
}

/** The numbers that each group has for itself; undefined of rows of one kind. */
export const perGroupOf = (one: Case): ReadonlyArray<Variable> | undefined =>
  isMeasured(one) ? undefined : one.perGroup

export const isMeasured = (one: Case): one is Measured => "columns" in one
