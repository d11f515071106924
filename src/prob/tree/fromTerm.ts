import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Operator from "../../expr/Operator.ts"
import * as Term from "../../expr/Term.ts"
import { infix } from "../../expr/text/infix.ts"
import * as Dist from "../Dist.ts"
import type { Grammar } from "../Grammar.ts"
import * as Grammars from "../Grammar.ts"
import * as HardTree from "./HardTree.ts"

/** A formula outside of a grammar. The message names the part, and the operators or terminals of the grammar. */
export class OutsideGrammarError extends Schema.TaggedError<OutsideGrammarError>()("OutsideGrammarError", {
  message: Schema.String,
  /** the part of the formula that the grammar lacks, in infix notation */
  part: Schema.String,
}) {}

/** Operands by the names of an operator's arguments. */
type Bindings = Readonly<Partial<Record<Operator.Argument, Term.Term>>>

interface Failure {
  readonly part: Term.Term
  readonly reason: string
}
type Found = Result.Result<HardTree.Tree, Failure>

/**
 * The tree of a grammar with the values of a formula. *When to use*: to score a known formula with a model's `Scorer`,
 * or to start a search from it.
 *
 * Operators are recognised by their terms, those with the most operations first, operands of sums, products, minima and
 * maxima in either order; other rearrangements are not tried. A variable is the feature of its name. A number is the
 * grammar's constant of that value, else a fitted constant (`Constant.fitted`) whose prior's support has it.
 *
 * Fails with an `OutsideGrammarError` that names the part outside of the grammar.
 *
 * @example
 * Tree.fromTerm(grammar, Term.sin(Term.variable("x0")))
 * Result.flatMap(parse("sin(x0)*x1"), (term) => Tree.fromTerm(grammar, term))
 */
export const fromTerm = (
  grammar: Grammar,
  term: Term.Term,
): Result.Result<HardTree.Tree, OutsideGrammarError> => {
  return Result.mapError(reading(grammar)(Term.meaning(term)), ({ part, reason }) => {
    const text = infix(part)
    return new OutsideGrammarError({
      message: `the grammar has no tree for ${excerpt(text)}: ${reason}`,
      part: text,
    })
  })
}

/** A formula as text; a long one without its middle. */
const excerpt = (text: string): string =>
  text.length <= 80 ? text : `${text.slice(0, 40)} ... ${text.slice(-35)}`

const reading = (grammar: Grammar): ((term: Term.Term) => Found) => {
  const operators = grammar.operators
    .map(({ term, arity, name }, index) => ({ pattern: term, arity, name, index }))
    // An operator that returns one of its arguments is skipped: the tree of its operand has the same values.
    .filter(({ pattern }) => pattern._tag !== "Variable")
    .sort((a, b) => Term.size(b.pattern) - Term.size(a.pattern))
  const { terminals } = grammar
  const known = new WeakMap<Term.Term, Map<Grammars.Context, Found>>()

  const leafOf = (term: Term.Term): HardTree.Tree | undefined => {
    const fixed = terminals.findIndex((one) => one.fitted === undefined && same(one.term, term))
    if (fixed >= 0) return HardTree.leaf(fixed)
    if (term._tag !== "Constant") return undefined
    const { value } = term
    const fitted = terminals.findIndex(
      (one) => one.fitted !== undefined && Dist.logDensity(one.fitted.prior, value) > -Infinity,
    )
    return fitted < 0 ? undefined : HardTree.leaf(fitted, value)
  }

  const branches = (term: Term.Term, context: Grammars.Context): Found => {
    const allowed = Grammars.allowed(grammar, context)
    let failure: Failure | undefined
    for (const { pattern, arity, name, index } of operators)
      for (const { x, y } of matches(pattern, term, {})) {
        if (allowed[index] !== true) {
          failure ??= { part: term, reason: `it forbids ${name} below the operators around it` }
          continue
        }
        // An argument that is not in the operator's term may be any tree.
        const below = Grammars.below(grammar, context, index)
        const operands = (arity === 1 ? [x] : [x, y]).map((one) =>
          one === undefined ? Result.succeed(HardTree.leaf(0)) : visit(one, below),
        )
        const children = Result.all(operands)
        if (Result.isSuccess(children)) return Result.succeed(HardTree.branch(index, children.success))
        failure = children.failure
      }
    return Result.fail(failure ?? { part: term, reason: reasonOf(grammar, term) })
  }

  const visit = (term: Term.Term, context: Grammars.Context): Found => {
    const before = known.get(term)?.get(context)
    if (before !== undefined) return before
    const leaf = leafOf(term)
    const found = leaf === undefined ? branches(term, context) : Result.succeed(leaf)
    const contexts = known.get(term) ?? new Map<Grammars.Context, Found>()
    known.set(term, contexts.set(context, found))
    return found
  }
  return (term) => visit(term, Grammars.rootContext)
}

/** Whether terms are equal; 0 and -0 are not, because their reciprocals differ. */
const same = (first: Term.Term, second: Term.Term): boolean =>
  first._tag === "Constant" && second._tag === "Constant"
    ? Object.is(first.value, second.value)
    : Term.equals(first, second)

/** The reason why the grammar lacks the outermost operation of a formula. */
const reasonOf = ({ operators, terminals }: Grammar, term: Term.Term): string => {
  const names = (list: ReadonlyArray<{ readonly name: string }>): string =>
    list.map(({ name }) => name).join(", ")
  if (term._tag === "Variable") return `it has no feature "${term.name}", but ${names(terminals)}`
  if (term._tag === "Constant")
    return `it has no constant ${term.value}, and none that is fitted; its terminals are ${names(terminals)}`
  const operation = term._tag === "Application" ? term.name : term.operation
  return `none of its operators makes ${operation} of these operands; it has ${names(operators)}`
}

/** The ways in which a term matches an operator's term, given the operands already bound. */
function* matches(
  pattern: Term.Term<Operator.Argument>,
  term: Term.Term,
  bound: Bindings,
): Generator<Bindings> {
  if (pattern._tag === "Variable") {
    const before = bound[pattern.name]
    if (before === undefined) yield { ...bound, [pattern.name]: term }
    else if (Term.equals(before, term)) yield bound
    return
  }
  if (pattern._tag === "Constant") {
    if (same(pattern, term)) yield bound
    return
  }
  if (pattern._tag === "Unary") {
    if (term._tag === "Unary" && term.operation === pattern.operation)
      yield* matches(pattern.argument, term.argument, bound)
    return
  }
  if (term._tag !== "Binary" || pattern._tag !== "Binary" || term.operation !== pattern.operation) return
  for (const found of matches(pattern.left, term.left, bound))
    yield* matches(pattern.right, term.right, found)
  if (!Operator.commutes.has(term.operation)) return
  for (const found of matches(pattern.left, term.right, bound))
    yield* matches(pattern.right, term.left, found)
}
