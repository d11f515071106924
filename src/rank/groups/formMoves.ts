import * as Result from "effect/Result"
import * as FormulaTerms from "../../evidence/fitted/FormulaTerms.ts"
import { inBasicOperators } from "../../expr/form/basicOperators.ts"
import * as Operator from "../../expr/Operator.ts"
import * as Term from "../../expr/Term.ts"
import * as Grammar from "../../prob/Grammar.ts"
import * as Link from "../../prob/Link.ts"
import * as Tree from "../../prob/Tree.ts"
import { edits } from "../edits.ts"
import * as Form from "./GroupForm.ts"

/** Initial values of a constant that is added to the argument of a function. */
const shifts = [0, 1, -1]

const isConstant = (tree: Tree.Tree): boolean => tree._tag === "Leaf" && tree.value !== undefined

const replaceValue = (tree: Tree.Tree, from: number, to: number): Tree.Tree => {
  if (tree._tag === "Branch")
    return Tree.branch(
      tree.operator,
      tree.children.map((child) => replaceValue(child, from, to)),
    )
  return tree.value === from ? Tree.leaf(tree.terminal, to) : tree
}

const valuesOf = (tree: Tree.Tree): ReadonlyArray<number> =>
  tree._tag === "Branch" ? tree.children.flatMap(valuesOf) : tree.value === undefined ? [] : [tree.value]

/** y = (k f)^2 as y = k f^2: the only term under a link, in the inverse of the link, as a term of y itself where the grammar has it. */
const solved = (
  grammar: Grammar.Grammar,
  links: ReadonlyArray<Link.Link>,
  { link, trees }: Pick<Form.GroupForm, "link" | "trees">,
): ReadonlyArray<Form.GroupForm> => {
  const identity = links.indexOf(Link.identity)
  const [tree, ...others] = trees
  const [inverse] = links[link]?.inverse ?? []
  if (identity < 0 || link === identity || tree === undefined || others.length > 0 || inverse === undefined)
    return []
  const term = Term.substitute(inverse, () => Tree.toNamedTerm(grammar, tree))
  const own = Tree.fromTerm(grammar, inBasicOperators(term))
  return Result.isSuccess(own) ? [Form.make(grammar, identity, [Tree.canonical(grammar, own.success)])] : []
}

/** A term without the numbers that multiply it. */
const withoutFactor = (term: Term.Term): Term.Term => {
  if (term._tag !== "Binary") return term
  const isNumber = (side: Term.Term): boolean => Term.variables(side).length === 0
  const { left, right } = term
  if (term.operation === "mul" && isNumber(left)) return withoutFactor(right)
  if ((term.operation === "mul" || term.operation === "div") && isNumber(right)) return withoutFactor(left)
  return term.operation === "div" && isNumber(left) ? Term.div(1, right) : term
}

/** y = k / (c f - 1) as 1 / y = c f + b: the only term of y itself, under each link of whose inverse it has the outermost function, as the sum inside. */
export const linked = (
  grammar: Grammar.Grammar,
  links: ReadonlyArray<Link.Link>,
  { link, trees }: Pick<Form.GroupForm, "link" | "trees">,
): ReadonlyArray<Form.GroupForm> => {
  const [tree, ...others] = trees
  if (links[link] !== Link.identity || tree === undefined || others.length > 0) return []
  const term = withoutFactor(Tree.toNamedTerm(grammar, tree))
  return FormulaTerms.parts(term, [], links).flatMap(({ link: other, terms }) => {
    const own = Result.all(terms.map((one) => Tree.fromTerm(grammar, inBasicOperators(one.term))))
    if (other === link || terms.length === 0 || Result.isFailure(own)) return []
    const canonical = own.success.map((one) => Tree.canonical(grammar, one))
    return [Form.make(grammar, other, canonical)]
  })
}

/**
 * Forms near a form: under another link; a single term under a link as a term of y itself, and the other way; without one of its terms; without one operand of an operator; with two constants as one; with a
 * constant that is added to, or multiplied by, the argument of a function, also in place of another term or operand. A search of one
 * group's rows does not see which of these the groups together need.
 *
 * @param links those of the likelihood
 */
export const neighbours = (
  grammar: Grammar.Grammar,
  links: ReadonlyArray<Link.Link>,
  { link, trees }: Form.GroupForm,
): ReadonlyArray<Form.GroupForm> => {
  const { add, sub, mul, div, pow } = Operator
  const [plus, minus, times, over, power] = [add, sub, mul, div, pow].map((operator) =>
    Grammar.placeOf(grammar, operator),
  )
  const terminal = Grammar.fittedPlace(grammar)
  const joins = [plus, minus, times, over, power]
  const found: Array<ReadonlyArray<Tree.Tree>> = []

  const shorter = trees.length < 2 ? [] : trees.map((_, k) => trees.toSpliced(k, 1))
  found.push(...shorter)
  const withEdits = (
    list: ReadonlyArray<Tree.Tree>,
    at: (node: Tree.Tree) => Iterable<Tree.Tree>,
  ): ReadonlyArray<ReadonlyArray<Tree.Tree>> =>
    list.flatMap((tree, k) => [...edits(tree, at)].map((other) => list.with(k, other)))

  const without = function* (node: Tree.Tree): Generator<Tree.Tree> {
    if (node._tag === "Leaf" || !joins.includes(node.operator)) return
    const [left, right] = node.children
    if (left === undefined || right === undefined) return
    if (!isConstant(left)) yield left
    if (!isConstant(right) && !(isConstant(left) && (node.operator === over || node.operator === minus)))
      yield right
  }
  const pruned = withEdits(trees, without)
  found.push(...pruned)

  const values = [...new Set(trees.flatMap(valuesOf))]
  values.forEach((from, k) => {
    for (const to of values.slice(0, k)) found.push(trees.map((tree) => replaceValue(tree, from, to)))
  })

  const inserted = function* (node: Tree.Tree): Generator<Tree.Tree> {
    if (node._tag === "Leaf" || node.children.length !== 1 || terminal < 0) return
    const [inside] = node.children
    if (inside === undefined) return
    const has = (operator: number | undefined): boolean =>
      inside._tag === "Branch" && inside.operator === operator && inside.children.some(isConstant)
    const put = (operator: number, value: number): Tree.Tree =>
      Tree.branch(node.operator, [Tree.branch(operator, [Tree.leaf(terminal, value), inside])])
    if (plus !== undefined && plus >= 0 && !has(plus) && !has(minus))
      for (const value of shifts) yield put(plus, value)
    if (times !== undefined && times >= 0 && !has(times) && !has(over)) yield put(times, 1)
  }
  for (const list of [trees, ...shorter, ...pruned]) found.push(...withEdits(list, inserted))

  const others = links.map((_, other) => other).filter((other) => other !== link)
  const made = found
    .map((list) => list.map((tree) => Tree.canonical(grammar, tree)))
    .filter((list) => new Set(list.map(Tree.key)).size === list.length)
    .map((list) => Form.make(grammar, link, list))
  // The shorter forms come first: where time is short, a needless term is worse than a missing link.
  return [
    ...made.slice(0, shorter.length),
    ...others.map((other) => Form.make(grammar, other, trees)),
    ...solved(grammar, links, { link, trees }),
    ...linked(grammar, links, { link, trees }),
    ...made.slice(shorter.length),
  ]
}
