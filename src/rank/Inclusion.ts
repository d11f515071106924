import * as Term from "../expr/Term.ts"

/** A part of laws and the posterior probability that the law has it. */
export interface Part<A> {
  readonly part: A
  readonly probability: number
}

/** Posterior probabilities that a column, an operation or a part of a formula is in the law, largest first. */
export interface Inclusion {
  /** every column, those that no law has with probability 0 */
  readonly columns: ReadonlyArray<Part<string>>
  /** operations by name, as `sin` and `mul` */
  readonly operations: ReadonlyArray<Part<string>>
  /** parts of formulas with a column and an operation; numbers in them are those of the most probable law that has the part */
  readonly subterms: ReadonlyArray<Part<Term.Term>>
}

/** A law and its posterior probability. */
export interface Weighted {
  /** one, or one for each of its outputs */
  readonly expressions: ReadonlyArray<Term.Term>
  readonly posterior: number
}

/** All parts of a formula, itself among them. */
const partsOf = (term: Term.Term): ReadonlyArray<Term.Term> => [
  term,
  ...Term.children<Term.Term>(term).flatMap(partsOf),
]

/** Sums probabilities by keys: each law counts once for a key. */
const tally = <A>(
  laws: ReadonlyArray<Weighted>,
  of: (expression: Term.Term) => ReadonlyArray<readonly [key: string, part: A]>,
  start: ReadonlyArray<readonly [string, A]> = [],
): ReadonlyArray<Part<A>> => {
  const found = new Map(start.map(([key, part]) => [key, { part, probability: 0 }]))
  for (const { expressions, posterior } of laws)
    for (const [key, part] of new Map(expressions.flatMap(of))) {
      const before = found.get(key)
      if (before === undefined) found.set(key, { part, probability: posterior })
      else before.probability = Math.min(1, before.probability + posterior)
    }
  return [...found.values()].sort((a, b) => b.probability - a.probability)
}

/**
 * The inclusion probabilities of columns, operations and parts of formulas: sums of the posterior probabilities of the laws that have
 * them. Parts count as equal if they have one normal form whatever the values of their numbers (`Term.skeleton`).
 *
 * *When to use*: to ask which columns matter, or whether a factor is in the law, over all laws that were found and not the first alone.
 *
 * @param laws most probable first
 * @param columns the names of all columns
 */
export const make = (laws: ReadonlyArray<Weighted>, columns: ReadonlyArray<string>): Inclusion => ({
  columns: tally(
    laws,
    (expression) => Term.variables(expression).map((name) => [name, name] as const),
    columns.map((name) => [name, name] as const),
  ),
  operations: tally(laws, (expression) =>
    partsOf(expression).flatMap((part) => {
      if (part._tag === "Unary" || part._tag === "Binary") return [[part.operation, part.operation] as const]
      return part._tag === "Application" ? [[part.name, part.name] as const] : []
    }),
  ),
  subterms: tally(laws, (expression) =>
    partsOf(expression).flatMap((part) =>
      Term.children(part).length > 0 && Term.variables(part).length > 0
        ? [[Term.skeleton(part), part] as const]
        : [],
    ),
  ),
})
