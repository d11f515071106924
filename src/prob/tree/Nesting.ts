import type { Grammar, Terminal } from "../Grammar.ts"
import type * as HardTree from "./HardTree.ts"
import * as Real from "../../numeric/Real.ts"

/**
 * How often each operator and each kind of leaf stands at each place of trees: the counts of a corpus of laws. Places are
 * those of `places`; operators go by their names, leaves by their kinds (`kindOf`).
 */
export type Uses = Readonly<Record<string, Readonly<Record<string, number>>>>

/** The mean weights of a grammar's operators and terminals, each with the sum 1. */
export interface Means {
  readonly operators: ReadonlyArray<number>
  readonly terminals: ReadonlyArray<number>
}

/** log r of each operator and each terminal at one place. */
export interface Row {
  readonly operators: ReadonlyArray<number>
  readonly terminals: ReadonlyArray<number>
}

/** A rule of a restriction: a function of a sum over the nodes of the tree, of what they are and what they stand below. */
export interface Nested {
  readonly _tag: "Nested"
  /** log r at the root */
  readonly root: Row
  /** log r of the operands of each operator, by position */
  readonly below: ReadonlyArray<ReadonlyArray<Row>>
  /** log r at the root of a term under a link, beyond that at any root */
  readonly under: (link: string) => Row
}

/** Operators whose operands are of their own kind: a + b - c is one sum, a * b / c one product, however they are bracketed. */
const chains: Readonly<Record<string, string>> = {
  add: "sum",
  sub: "sum",
  neg: "sum",
  mul: "product",
  div: "product",
}

/**
 * The place of an operand: the place that all such operands have in common, then finer ones.
 *
 * @param operator the name of the operator above
 * @param position 0 for the first operand
 */
export const places = (operator: string, position: number): ReadonlyArray<string> => {
  switch (operator) {
    case "add":
    case "sub":
    case "neg":
      return ["summand"]
    case "mul":
      return ["factor"]
    case "div":
      return [position === 0 ? "numerator" : "denominator"]
    case "square":
    case "sqrt":
      return ["base"]
    case "pow":
      return [position === 0 ? "base" : "exponent"]
    default:
      return ["argument", `argument of ${operator}`]
  }
}

/** The places of a root: that of all terms, and that of a term under a link. */
export const rootPlaces = (link?: string): ReadonlyArray<string> =>
  link === undefined ? ["term"] : ["term", `term under ${link}`]

/** An operator over its operands, or a kind of leaf without operands. */
export interface Standing {
  readonly name: string
  readonly operands: ReadonlyArray<Standing>
}

/** Counts what stands where. @param terms trees, each with the link that it is a term under, if any */
export const usesOf = (
  terms: Iterable<{ readonly tree: Standing; readonly link?: string | undefined }>,
): Uses => {
  const uses: Record<string, Record<string, number>> = {}
  const visit = ({ name, operands }: Standing, at: ReadonlyArray<string>): void => {
    for (const place of at) {
      const here = (uses[place] ??= {})
      here[name] = 1 + (here[name] ?? 0)
    }
    operands.forEach((operand, position) => visit(operand, places(name, position)))
  }
  for (const { tree, link } of terms) visit(tree, rootPlaces(link))
  return uses
}

/** The kind of an exact number as a leaf. */
export const kindOfNumber = (value: number): string => (value === Math.PI ? "pi" : String(value))

/** The kind of a terminal: a feature, a fitted constant, or an exact constant by its value: `1`, `2`, `pi`. */
export const kindOf = ({ term, fitted }: Terminal): string => {
  if (fitted !== undefined) return "fitted"
  if (term._tag !== "Constant") return "feature"
  return kindOfNumber(term.value)
}

/**
 * The imaginary uses that a place has beyond those counted, as those of the place that is coarser: held-out laws of the corpus
 * have their highest likelihood from 10 to 20 (docs/adr/0041).
 */
const usual = 10

/**
 * A prior of what stands below what: a factor q(o | place) / w_o for each operator and each leaf of a tree, where w is its mean weight
 * in the prior and q its share at its place among the counted uses, drawn to that of coarser places, and in the end to w, by `strength`
 * imaginary uses.
 *
 * - A sum in a sum and a product in a product have the factor 1, so that trees of other brackets have one prior.
 * - An operator or leaf that was never counted, such as a user's own, has the factor 1 everywhere.
 * - The shares at a place have the sum 1, so that the prior stays normalised where weights are at their means.
 *
 * *When to use*: with counts of formulas of a field, to make forms of that field more likely. Forbidden nestings are `Grammar.forbid`.
 *
 * @param means E[w] of a grammar's operators and terminals
 * @param strength the number of imaginary uses; 10 if left out
 */
export const nesting = (
  uses: Uses,
  means: (grammar: Grammar) => Means,
  strength = usual,
): { readonly name: string; readonly rule: (grammar: Grammar) => Nested } => ({
  name: "nesting",
  rule: (grammar) => ruleOf(uses, grammar, means(grammar), strength),
})

const ruleOf = (uses: Uses, grammar: Grammar, means: Means, strength: number): Nested => {
  const counted = new Set(Object.values(uses).flatMap((place) => Object.keys(place)))
  const names = grammar.operators.map(({ name }) => name)
  const kinds = grammar.terminals.map(kindOf)
  const row = (at: ReadonlyArray<string>, chain?: string): Row => ({
    operators: ratios(
      uses,
      strength,
      at,
      names,
      means.operators,
      (name) => counted.has(name) && (chain === undefined || chains[name] !== chain),
    ),
    terminals: ratios(uses, strength, at, kinds, means.terminals, (kind) => counted.has(kind)),
  })
  const root = row(rootPlaces())
  return {
    _tag: "Nested",
    root,
    below: grammar.operators.map(({ name, arity }) =>
      Array.from({ length: arity }, (_, position) => row(places(name, position), chains[name])),
    ),
    under: (link) => {
      const own = row(rootPlaces(link))
      const beyond = (key: keyof Row) => own[key].map((log, i) => log - root[key][i]!)
      return { operators: beyond("operators"), terminals: beyond("terminals") }
    },
  }
}

/**
 * log q / w of items at a place. Items of one name, such as all features, share the name's counts in proportion to their weights. Items
 * that are not `ruled` keep their weights; the others share what these leave.
 */
const ratios = (
  uses: Uses,
  strength: number,
  at: ReadonlyArray<string>,
  items: ReadonlyArray<string>,
  weights: ReadonlyArray<number>,
  ruled: (item: string) => boolean,
): ReadonlyArray<number> => {
  const shares = new Map<string, number>()
  items.forEach((item, i) => {
    if (ruled(item)) shares.set(item, weights[i]! + (shares.get(item) ?? 0))
  })
  const all = [...shares.values()].reduce((sum, share) => sum + share, 0)
  let current = new Map([...shares].map(([item, share]) => [item, share / all]))
  for (const place of at) {
    const counts = uses[place] ?? {}
    const count = (item: string): number => (Object.hasOwn(counts, item) ? counts[item]! : 0)
    const total = [...shares.keys()].reduce((sum, item) => sum + count(item), 0)
    current = new Map(
      [...current].map(([item, share]) => [item, (count(item) + strength * share) / (total + strength)]),
    )
  }
  return items.map((item) => (ruled(item) ? Real.log((current.get(item)! * all) / shares.get(item)!) : 0))
}

/** log r of a tree: the sum over its nodes. */
export const log = ({ root, below }: Nested, tree: HardTree.Tree): number => {
  const visit = (node: HardTree.Tree, row: Row): number =>
    node._tag === "Leaf"
      ? row.terminals[node.terminal]!
      : node.children.reduce(
          (sum, child, position) => sum + visit(child, below[node.operator]![position]!),
          row.operators[node.operator]!,
        )
  return visit(tree, root)
}

/** The rows of several rules as one: the sums of log r. */
export const sum = (rows: ReadonlyArray<Row>, { operators, terminals }: Grammar): Row => ({
  operators: operators.map((_, i) => rows.reduce((all, row) => all + row.operators[i]!, 0)),
  terminals: terminals.map((_, i) => rows.reduce((all, row) => all + row.terminals[i]!, 0)),
})

/** log r of the roots of terms under each link, beyond that of any root: the sums over several rules. */
export const underLinks = (
  rules: ReadonlyArray<Nested>,
  grammar: Grammar,
  links: ReadonlyArray<{ readonly name: string }>,
): ReadonlyArray<Row> =>
  links.map(({ name }) =>
    sum(
      rules.map(({ under }) => under(name)),
      grammar,
    ),
  )

/** log r of the root of a tree. */
export const ofRoot = ({ operators, terminals }: Row, tree: HardTree.Tree): number =>
  tree._tag === "Leaf" ? terminals[tree.terminal]! : operators[tree.operator]!
