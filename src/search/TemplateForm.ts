import * as Operator from "../expr/Operator.ts"
import * as Term from "../expr/Term.ts"
import type { Grammar } from "../prob/Grammar.ts"
import * as Template from "../prob/Template.ts"
import * as Tree from "../prob/Tree.ts"

/** What stands in a hole: a sum of trees, each with a coefficient, and perhaps a number of its own. */
export interface HoleForm {
  /** leaves of fitted constants with their values */
  readonly trees: ReadonlyArray<Tree.Tree>
  readonly shift: boolean
}

type WithGrammar = ReadonlyArray<{ readonly grammar: Grammar }>

/** The numbers of a hole: of each tree the coefficient and then those inside of it. */
export interface Numbers {
  readonly shift: ReadonlyArray<number>
  readonly trees: ReadonlyArray<ReadonlyArray<number>>
}

/** The values of the fitted leaves of a tree, from left to right. */
export const numbersOf = (tree: Tree.Tree): ReadonlyArray<number> =>
  tree._tag === "Leaf" ? (tree.value === undefined ? [] : [tree.value]) : tree.children.flatMap(numbersOf)

/** A copy of a tree with other values, taken from a list. It has no part in common with the tree: states of a search that are equal have equal bytes. */
const revalued = (tree: Tree.Tree, next: () => number): Tree.Tree =>
  tree._tag === "Leaf"
    ? tree.value === undefined
      ? Tree.leaf(tree.terminal)
      : Tree.leaf(tree.terminal, next())
    : Tree.branch(
        tree.operator,
        tree.children.map((child) => revalued(child, next)),
      )

/** The sum of `Tree.complexity` over the trees of all holes. */
export const complexity = (libraries: WithGrammar, forms: ReadonlyArray<HoleForm>): number =>
  forms.reduce(
    (sum, { trees }, h) =>
      sum + trees.reduce((own, tree) => own + Tree.complexity(libraries[h]!.grammar, tree), 0),
    0,
  )

/** The number of trees and of the numbers inside of them. */
export const terms = (forms: ReadonlyArray<HoleForm>): number =>
  forms.reduce((sum, { trees }) => sum + trees.reduce((own, tree) => own + 1 + numbersOf(tree).length, 0), 0)

/** Equal for laws of equal forms, whatever their numbers. */
export const keyOf = (forms: ReadonlyArray<HoleForm>): string =>
  forms
    .map(({ trees, shift }) =>
      [shift, ...trees.map((tree) => Tree.key(Tree.withoutValues(tree))).sort()].join(" "),
    )
    .join("; ")

export const split = (forms: ReadonlyArray<HoleForm>, values: ArrayLike<number>): ReadonlyArray<Numbers> => {
  let at = 0
  const take = (count: number): ReadonlyArray<number> => Array.from({ length: count }, () => values[at++]!)
  return forms.map(({ trees, shift }) => ({
    shift: take(Number(shift)),
    trees: trees.map((tree) => take(1 + numbersOf(tree).length)),
  }))
}

/** The numbers of all holes as one list. */
export const joined = (numbers: ReadonlyArray<Numbers>): ReadonlyArray<number> =>
  numbers.flatMap(({ shift, trees }) => [...shift, ...trees.flat()])

/** The forms with the values of a law in the leaves of their trees. */
export const valued = (
  forms: ReadonlyArray<HoleForm>,
  values: ArrayLike<number>,
): ReadonlyArray<HoleForm> => {
  const numbers = split(forms, values)
  return forms.map((form, h) => ({
    ...form,
    trees: form.trees.map((tree, k) => {
      const inside = numbers[h]!.trees[k]!.slice(1)[Symbol.iterator]()
      return revalued(tree, () => inside.next().value ?? Number.NaN)
    }),
  }))
}

/** The term of a hole, its numbers being what `number` makes of their order. */
const termOf = ({ trees, shift }: HoleForm, grammar: Grammar, number: () => Term.Term): Term.Term => {
  const ofTree = (tree: Tree.Tree): Term.Term => {
    if (tree._tag === "Branch")
      return Operator.apply(grammar.operators[tree.operator]!, tree.children.map(ofTree))
    return tree.value === undefined ? Tree.leafTerm(grammar, tree) : number()
  }
  const own = shift ? [number()] : []
  // The coefficient of a tree comes before the numbers inside of it.
  const terms = trees.map((tree) => {
    const coefficient = number()
    return Term.mul(coefficient, ofTree(tree))
  })
  const [first = Term.constant(0), ...others] = [...own, ...terms]
  return others.reduce<Term.Term>((sum, one) => Term.add(sum, one), first)
}

/** The names of numbers: no column has them. */
const nameOf = (index: number): string => `number ${index}`

/** The term of each hole, over its arguments and the names of numbers. */
export const named = (libraries: WithGrammar, forms: ReadonlyArray<HoleForm>): ReadonlyArray<Term.Term> => {
  let count = 0
  return forms.map((form, h) => termOf(form, libraries[h]!.grammar, () => Term.variable(nameOf(count++))))
}

export const holes = (
  libraries: WithGrammar,
  forms: ReadonlyArray<HoleForm>,
  values: ArrayLike<number>,
): ReadonlyArray<Term.Term> => {
  let count = 0
  return forms.map((form, h) => termOf(form, libraries[h]!.grammar, () => Term.constant(values[count++]!)))
}

/** The law of each output with the names of the numbers of all, in the order of their values. */
export const laws = (
  template: Template.Template,
  libraries: WithGrammar,
  forms: ReadonlyArray<HoleForm>,
): { readonly terms: ReadonlyArray<Term.Term>; readonly numbers: ReadonlyArray<string> } => {
  const terms = named(libraries, forms)
  const count = joined(split(forms, [])).length
  return {
    terms: Template.laws(template, byName(template, terms)),
    numbers: Array.from({ length: count }, (_, index) => nameOf(index)),
  }
}

export const byName = <A>(
  { holes }: Template.Template,
  terms: ReadonlyArray<A>,
): Readonly<Record<string, A>> => Object.fromEntries(Object.keys(holes).map((name, h) => [name, terms[h]!]))
