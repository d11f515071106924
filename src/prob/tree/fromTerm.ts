import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Operator from "../../expr/Operator.ts"
import * as Term from "../../expr/Term.ts"
import { infix } from "../../expr/text/infix.ts"
import * as Dist from "../Dist.ts"
import type { Grammar } from "../Grammar.ts"
import * as Grammars from "../Grammar.ts"
import * as HardTree from "./HardTree.ts"

/** A formula that a grammar cannot say. The message names the part, and what the grammar has. */
export class OutsideGrammarError extends Schema.TaggedError<OutsideGrammarError>()("OutsideGrammarError", {
  message: Schema.String,
  /** the part of the formula that the grammar cannot say, in infix notation */
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
 * The tree of a grammar that stands for a formula: `Tree.toTerm` of it has the same values. *When to use*: to score a formula
 * from elsewhere with a model's `Scorer`, or to begin a search with it.
 *
 * Operators are recognised by their terms, those with the most operations first, operands of sums, products, minima and
 * maxima in either order; nothing is rearranged beyond that. A variable is the feature of that name, a number the constant that
 * the grammar has, else a learned constant (`Constant.learned`) whose prior has it. Where no operator is the formula as
 * it stands, protected operations count as what they stand for: `a/b` is `div(a, b)`, with the values of `a/b` wherever the
 * protection does not act.
 *
 * Fails with an `OutsideGrammarError` that names the part that the grammar cannot say.
 *
 * @example
 * Tree.fromTerm(grammar, Term.sin(Term.variable("x0")))
 * Result.flatMap(parse("sin(x0)*x1"), (term) => Tree.fromTerm(grammar, term))
 */
export const fromTerm = (
  grammar: Grammar,
  term: Term.Term,
): Result.Result<HardTree.Tree, OutsideGrammarError> => {
  const exact = reading(grammar, (one) => one)(term)
  const found = Result.isSuccess(exact) ? exact : reading(grammar, Term.unprotect)(term)
  return Result.mapError(found, ({ part, reason }) => {
    const text = infix(part)
    return new OutsideGrammarError({
      message: `the grammar cannot say ${excerpt(text)}: ${reason}`,
      part: text,
    })
  })
}

/** A long formula without its middle. */
const excerpt = (text: string): string =>
  text.length <= 80 ? text : `${text.slice(0, 40)} ... ${text.slice(-35)}`

/** @param form what terms and operators are compared as */
const reading = (
  grammar: Grammar,
  form: <V extends string>(term: Term.Term<V>) => Term.Term<V>,
): ((term: Term.Term) => Found) => {
  const operators = grammar.operators
    .map(({ term, arity, name }, index) => ({ pattern: form(term), arity, name, index }))
    // An operator that is one of its arguments says nothing that its operand does not.
    .filter(({ pattern }) => pattern._tag !== "Variable")
    .sort((a, b) => Term.size(b.pattern) - Term.size(a.pattern))
  const terminals = grammar.terminals.map(({ term, learned }) => ({ term: form(term), learned }))
  const known = new WeakMap<Term.Term, Map<Grammars.Context, Found>>()

  const leafOf = (term: Term.Term): HardTree.Tree | undefined => {
    const fixed = terminals.findIndex((one) => one.learned === undefined && same(one.term, term))
    if (fixed >= 0) return HardTree.leaf(fixed)
    if (term._tag !== "Constant") return undefined
    const { value } = term
    const learned = terminals.findIndex(
      (one) => one.learned !== undefined && Dist.logDensity(one.learned.prior, value) > -Infinity,
    )
    return learned < 0 ? undefined : HardTree.leaf(learned, value)
  }

  const branches = (term: Term.Term, context: Grammars.Context): Found => {
    const allowed = Grammars.allowed(grammar, context)
    let failure: Failure | undefined
    for (const { pattern, arity, name, index } of operators)
      for (const { x, y } of matches(pattern, term, {})) {
        if (allowed[index] !== true) {
          failure ??= { part: term, reason: `it forbids ${name} inside of what stands above` }
          continue
        }
        // An argument that the operator's term does not mention may be anything.
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
  return (term) => visit(form(term), Grammars.rootContext)
}

/** Whether terms are equal; 0 and -0 are not, whose reciprocals differ. */
const same = (first: Term.Term, second: Term.Term): boolean =>
  first._tag === "Constant" && second._tag === "Constant"
    ? Object.is(first.value, second.value)
    : Term.equals(first, second)

/** What the grammar lacks to say the outermost operation of a formula. */
const reasonOf = ({ operators, terminals }: Grammar, term: Term.Term): string => {
  const names = (list: ReadonlyArray<{ readonly name: string }>): string =>
    list.map(({ name }) => name).join(", ")
  if (term._tag === "Variable") return `it has no feature "${term.name}", but ${names(terminals)}`
  if (term._tag === "Constant")
    return `it has no constant ${term.value}, and none that is learned; its terminals are ${names(terminals)}`
  return `none of its operators makes ${term.operation} of these operands; it has ${names(operators)}`
}

const commuting = new Set<Term.BinaryOperation>(["add", "mul", "min", "max"])

/** The ways in which a term is an operator's, given what its arguments stand for already. */
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
  if (term._tag !== "Binary" || term.operation !== pattern.operation) return
  for (const found of matches(pattern.left, term.left, bound))
    yield* matches(pattern.right, term.right, found)
  if (!commuting.has(term.operation)) return
  for (const found of matches(pattern.left, term.right, bound))
    yield* matches(pattern.right, term.left, found)
}
