import { Unknown } from "../harness/options.ts"
import { readFileSync } from "node:fs"
import * as Result from "effect/Result"
import { parse } from "../../src/expr/text/parse.ts"
import type * as Term from "../../src/expr/Term.ts"

/** A variable of an equation, uniform on [low, high]. */
export interface Variable {
  readonly name: string
  readonly low: number
  readonly high: number
}

/** A law to be found, as its table states it. */
export interface Equation {
  readonly name: string
  /** in the syntax of SymPy and NumPy: `**`, `pi`, `arcsin`, `ln` */
  readonly formula: string
  readonly variables: ReadonlyArray<Variable>
}

/** A table of equations, with what a noise level means there. */
export interface Benchmark {
  readonly name: "feynman" | "paper"
  readonly source: string
  readonly equations: ReadonlyArray<Equation>
  /** relative: times the root mean square of the target, as in SRBench; absolute: a standard deviation, as in the paper */
  readonly noise: "relative" | "absolute"
}

const load = (file: string): Pick<Benchmark, "source" | "equations"> =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"))

export const benchmarks: Readonly<Record<Benchmark["name"], Benchmark>> = {
  feynman: { name: "feynman", noise: "relative", ...load("equations.json") },
  paper: { name: "paper", noise: "absolute", ...load("paper.json") },
}

/** The units of the columns of each Feynman equation, and that of its `target`: a feature may be called y. */
export const units: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(new URL("units.json", import.meta.url), "utf8"),
).equations

/** A name that names nothing. */
export { Unknown }

/** The benchmark of a name. Throws `Unknown` with the names that exist. */
export const benchmark = (name: string): Benchmark => {
  const found = Object.values(benchmarks).find((one) => one.name === name)
  if (found !== undefined) return found
  throw new Unknown(`there is no set ${name}; there are ${Object.keys(benchmarks).join(", ")}`)
}

/** The equation of a name. Throws `Unknown` when the benchmark has none. */
export const equation = ({ name: set, equations }: Benchmark, name: string): Equation => {
  const found = equations.find((one) => one.name === name)
  if (found === undefined) throw new Unknown(`the set ${set} has no equation ${name}`)
  return found
}

/** The law as a term over the names of its variables. */
export const truth = ({ formula }: Equation): Term.Term => Result.getOrThrow(parse(formula))
