import type { Dist } from "./Dist.ts"
import * as Term from "../expr/Term.ts"

/**
 * A number inside of a law that is learned from the data: a terminal of a grammar like a feature or a fixed constant,
 * but each of its occurrences has a value of its own (`Leaf.value`). Occurrences with equal values are one number.
 */
export interface Learned<S extends "real" | "positive" = "real" | "positive"> {
  readonly _tag: "Learned"
  readonly prior: Dist<S>
}

/** The value of an occurrence that has not been learned: it changes nothing that it multiplies. */
export const start = 1

/**
 * A constant to be learned, with its prior. The prior is that of one number by itself, in units of what it stands for: a
 * number beyond some standard deviations has to be paid for, and a wide prior pays for every number.
 *
 * @example
 * Grammar.make({ features: ["x"], operators: [Operator.mul, Operator.exp], constants: { c: Constant.learned(Dist.normal(0, 10)) } })
 */
export const learned = <S extends "real" | "positive">(prior: Dist<S>): Learned<S> => ({
  _tag: "Learned",
  prior,
})

/** What stands for the terminal where nothing is known of values. */
export const term: Term.Term<never> = Term.constant(start)
