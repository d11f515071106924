import { readFileSync } from "node:fs"
import * as Result from "effect/Result"
import { parse } from "../../src/expr/text/parse.ts"
import * as Term from "../../src/expr/Term.ts"

/** A law of the corpus. */
export interface Law {
  readonly name: string
  readonly field: string
  /** In Python syntax. c0, c1, ... are fitted numbers; other names are columns of data; written numbers are exact. */
  readonly formula: string
  /** an original paper by author and year, or a standard work with the topic */
  readonly source: string
}

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"))

/** The named laws on which the defaults of the prior are fitted. */
// The file is ours and has a test.
export const laws = read("./laws.json") as ReadonlyArray<Law>

/** Laws that are named and are not in the corpus, because a benchmark has the law itself. */
// The file is ours and has a test.
export const leftOut = read("./leftOut.json") as ReadonlyArray<string>

/** Formulas of benchmarks, by benchmark; numbers named c0, c1, ... are fitted. */
// The files are ours and have a test.
export const benchmarks: Readonly<Record<string, ReadonlyArray<string>>> = {
  ...(read("./benchmarks.json") as Readonly<Record<string, ReadonlyArray<string>>>),
  Feynman: (
    read("../feynman/equations.json") as { readonly equations: ReadonlyArray<{ readonly formula: string }> }
  ).equations.map(({ formula }) => formula),
}

/** The term of a formula. */
export const termOf = (formula: string): Term.Term => Result.getOrThrow(parse(formula))

/** Whether a name of a formula is a fitted number. */
export const isNumber = (name: string): boolean => /^c\d+$/.test(name)

/** The form of a law, and of a formula of a benchmark. */
export const formOf = ({ formula }: Pick<Law, "formula">): Term.Family =>
  Term.family(Term.meaning(termOf(formula)), (name) => !isNumber(name))
