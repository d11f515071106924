import type { Eq as EqOf } from "fp-ts/lib/Eq.js"
import type { Ord as OrdOf } from "fp-ts/lib/Ord.js"
import type { Ordering } from "fp-ts/lib/Ordering.js"
import { children, fold, type Term } from "./TermF.ts"

const compareWith = <A>(first: A, second: A): Ordering => (first < second ? -1 : first > second ? 1 : 0)

const rank = { Constant: 0, Variable: 1, Unary: 2, Binary: 3, Application: 4 } as const

/** The data by which two nodes of one kind differ, apart from their children. */
const label = (term: Term): number | string => {
  switch (term._tag) {
    case "Constant":
      return term.value
    case "Variable":
      return term.name
    case "Application":
      return `${JSON.stringify(term.name)} ${key(term.meaning)}`
    default:
      return term.operation
  }
}

const compare = (first: Term, second: Term): Ordering => {
  if (first === second) return 0
  const byNode = compareWith(rank[first._tag], rank[second._tag]) || compareWith(label(first), label(second))
  if (byNode !== 0) return byNode
  const others = children(second)
  for (const [index, child] of children(first).entries()) {
    const other = others[index]
    const byChild = other === undefined ? 1 : compare(child, other)
    if (byChild !== 0) return byChild
  }
  return 0
}

/**
 * A total order by structure: constants by value, then variables by name, then unary, then binary nodes by operation
 * and children. For canonical forms; it says nothing about values.
 */
export const Ord: OrdOf<Term> = { compare, equals: (first, second) => compare(first, second) === 0 }

/** Structural equality: `x + y` is not `y + x`. */
export const Eq: EqOf<Term> = { equals: Ord.equals }

/** Whether two terms are the same tree. */
export const equals: (first: Term, second: Term) => boolean = Eq.equals

/**
 * A string that two terms share exactly when they are equal: the key of maps and caches.
 *
 * @example
 * key(Term.add(Term.variable("x"), 1)) // (add "x" 1)
 */
export const key: (term: Term) => string = fold((layer) => {
  switch (layer._tag) {
    case "Constant":
      return String(layer.value)
    case "Variable":
      return JSON.stringify(layer.name)
    case "Unary":
      return `(${layer.operation} ${layer.argument})`
    case "Binary":
      return `(${layer.operation} ${layer.left} ${layer.right})`
    case "Application":
      return `(${[JSON.stringify(layer.name), `[${key(layer.meaning)}]`, ...layer.operands].join(" ")})`
  }
})
