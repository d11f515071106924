import type { Columns } from "./columns.ts"
import { compileColumn } from "../expr/evaluate.ts"
import type { Grammar } from "../prob/Grammar.ts"
import * as Operator from "../expr/Operator.ts"
import * as Term from "../expr/Term.ts"
import * as Tree from "../prob/Tree.ts"

/**
 * The largest difference between an unprotected operation and the protected one at which the protection counts as
 * inactive, relative to the larger of the value and the root mean square of the column. The paper's protected square root
 * differs by 5e-13 / sqrt(a) wherever a > 0, so that a tolerance of 1e-12 would never drop it. No data resolve 1e-10.
 */
const inactive = 1e-10

/** An operator without its protection, and its values. */
interface Candidate {
  readonly operator: Operator.Operator
  readonly run: ReturnType<typeof compileColumn>
}

/** The unprotected forms of an operator, the simplest first; none when it has no protection. */
const candidates = (operator: Operator.Operator): ReadonlyArray<Candidate> => {
  const plain = Term.unprotect(operator.term)
  if (Term.equals(plain, operator.term)) return []
  // An absolute value may be replaced by the negative of its argument: log |x - 1| is log(1 - x) where x < 1.
  const mirrored = Term.substitute(plain, { x: Term.neg(Term.variable("x")), y: Term.variable("y") })
  return (operator.arity === 1 ? [plain, mirrored] : [plain]).map((term) => ({
    operator: { ...operator, term },
    run: compileColumn(term, operator.arity === 1 ? ["x"] : ["x", "y"]),
  }))
}

/**
 * Writes trees without inactive protections. Every operator is written by its unprotected term (`Term.unprotect`), or by
 * that of the negated operand, if this changes no value on any row of any data set (up to `inactive`). Otherwise it is
 * written by its protected term. Each node is decided by itself: an active protection at one node leaves the other nodes
 * unprotected.
 */
export const writer = (grammar: Grammar, data: ReadonlyArray<Columns>): ((tree: Tree.Tree) => Term.Term) => {
  const plain = grammar.operators.map(candidates)
  const written = new Map<string, Term.Term>()
  const write = (tree: Tree.Tree): Term.Term => {
    if (tree._tag === "Leaf") return Tree.leafTerm(grammar, tree)
    const key = Tree.key(tree)
    const known = written.get(key)
    if (known !== undefined) return known
    const chosen = plain[tree.operator]!.find(({ run }) =>
      data.every((columns) => {
        const out = new Float64Array(columns.rows)
        run(
          tree.children.map((child) => columns.column(child).values),
          out,
        )
        return close(out, columns.column(tree).values)
      }),
    )
    const operator = chosen?.operator ?? grammar.operators[tree.operator]!
    const term = Operator.apply(operator, tree.children.map(write))
    written.set(key, term)
    return term
  }
  return write
}

const close = (plain: Float64Array, protectedValues: Float64Array): boolean => {
  let squares = 0
  for (const value of protectedValues) squares += value * value
  const scale = Math.sqrt(squares / protectedValues.length)
  // An unprotected value that is not finite compares false.
  return plain.every(
    (value, i) =>
      Math.abs(value - protectedValues[i]!) <= inactive * Math.max(Math.abs(protectedValues[i]!), scale),
  )
}
