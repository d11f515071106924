import * as ParametricTrees from "../evidence/fitted/ParametricTrees.ts"
import type { Columns } from "../evidence/columns.ts"
import * as Operator from "../expr/Operator.ts"
import * as Grammar from "../prob/Grammar.ts"
import * as Tree from "../prob/Tree.ts"
import { type Absorbing, absorbing, exponents } from "./ConstantGrid.ts"
import { pow } from "../numeric/Power.ts"

/** A tree with a place for one more number, and where to look for it. */
export interface Insertion {
  /** The new number is the leaf that stands at NaN; the tree itself where its own numbers are to be fitted anew. */
  readonly tree: Tree.Tree
  /** values to begin from, in order; none for a tree without a new number */
  readonly starts: ReadonlyArray<number>
  /** the value at which the tree is the one without the number; undefined where there is none */
  readonly neutral?: number
}

/** What the operator above a node absorbs. */
interface Place extends Absorbing {
  /** Whether the node is itself the argument of a function that turns: a constant added to it is a phase. */
  readonly wave: boolean
}

/** The same below another argument: what turns on the way turns here. */
const inside = (own: Absorbing, above: Absorbing | undefined): Place => ({
  ...own,
  turns: own.turns || above?.turns === true,
  wave: own.turns,
})

/** Factors that leave a quantity of size 1 small, and that make it large; few of the other sign. */
const factors = [
  ...[16, 4, 1, 0.25].map((factor) => -factor),
  ...Array.from({ length: 14 }, (_, i) => 0.1 * pow(1.5, i)),
]
/** The same inside of a function that turns: so close that a fit is found between turns. */
const turns = [
  ...Array.from({ length: 20 }, (_, i) => 0.1 * pow(1.25, i)),
  ...Array.from({ length: 40 }, (_, i) => 8 + 3 * i),
]
/** Multiples of a constant that is replaced. */
const multiples = [
  -4, -2, -1, -0.5, -0.25, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 1, 1.2, 1.4, 1.7, 2, 2.5, 3, 4, 6, 10,
]
const shares = [0.03, 0.1, 0.3, 1, 3, 10]
/** Phases of a wave: a fit is found between neighbours, and others are these but for whole turns. */
const phases = [-2.4, -1.6, -0.8, -0.3, -0.1, 0.1, 0.3, 0.8, 1.6, 2.4]

/**
 * The trees that have one more fitted number than a tree: a node times a number, a node plus a number, a number in the
 * place of a constant, an operator over the whole tree times or plus a number; and, if it has numbers already, the tree
 * itself and the trees without one of them.
 *
 * @param terminal the fitted terminal
 */
export const of = (
  grammar: Grammar.Grammar,
  columns: Columns,
  terminal: number,
): ((tree: Tree.Tree) => ReadonlyArray<Insertion>) => {
  const [scale, shift] = [Grammar.placeOf(grammar, Operator.mul), Grammar.placeOf(grammar, Operator.add)]
  const power = Grammar.powerPlace(grammar)
  // What an operator of two arguments is tried with.
  const one = grammar.terminals.findIndex(
    ({ term, fitted }) => term._tag === "Constant" && fitted === undefined,
  )
  const open = Tree.leaf(terminal, Number.NaN)

  const absorbs = grammar.operators.map(absorbing)

  /** The number of a tree without features; undefined of others. */
  const constant = (tree: Tree.Tree): number | undefined => {
    if (tree._tag === "Leaf") {
      const term = Tree.leafTerm(grammar, tree)
      return term._tag === "Constant" ? term.value : undefined
    }
    return tree.children.every((child) => constant(child) !== undefined)
      ? columns.column(tree).values[0]
      : undefined
  }
  const range = (tree: Tree.Tree) => {
    let [low, high, size] = [Infinity, -Infinity, 0]
    for (const value of columns.column(tree).values) {
      low = Math.min(low, value)
      high = Math.max(high, value)
      size += value * value
    }
    return { low, high, size: Math.sqrt(size / columns.rows), reach: Math.max(high, -low) }
  }
  const made = (tree: Tree.Tree, passed: Place): ReadonlyArray<Insertion> => {
    const value = constant(tree)
    if (value !== undefined) {
      // Numbers that are fitted already are fitted along.
      if (ParametricTrees.isNumber(grammar, tree)) return []
      return value === 0 ? [] : [{ tree: open, starts: multiples.map((by) => by * value), neutral: value }]
    }
    const { low, high, size, reach } = range(tree)
    if (!(reach > 0 && reach < Infinity)) return []
    const spread = high - low
    const insertions: Array<Insertion> = []
    if (scale >= 0 && !passed.factor)
      insertions.push({
        tree: Tree.branch(scale, [open, tree]),
        starts: (passed.turns ? turns : factors).map((factor) => factor / reach),
        neutral: 1,
      })
    if (shift >= 0 && !passed.shift) {
      const aside = shares.map((share) => share * spread)
      const starts = [
        ...aside.flatMap((by) => [-high - by, by - low]),
        ...shares.flatMap((share) => [share * size, -share * size]),
      ]
      insertions.push({
        tree: Tree.branch(shift, [open, tree]),
        starts: passed.wave ? phases : starts.sort((a, b) => a - b),
        neutral: 0,
      })
    }
    return [...insertions, ...powerOf(tree, low)]
  }
  /** A positive node to a fitted power. */
  const powerOf = (tree: Tree.Tree, low: number): ReadonlyArray<Insertion> =>
    power >= 0 && low > 0 ? [{ tree: Tree.branch(power, [tree, open]), starts: exponents, neutral: 1 }] : []
  const visit = (tree: Tree.Tree, passed: Place | undefined): ReadonlyArray<Insertion> => {
    const isConstant = constant(tree) !== undefined
    // A number times or plus the whole tree is the business of its coefficient and of the intercept.
    const whole = (): ReadonlyArray<Insertion> => (isConstant ? [] : powerOf(tree, range(tree).low))
    const here = passed === undefined ? whole() : made(tree, passed)
    if (tree._tag === "Leaf" || isConstant) return here
    const below = tree.children.flatMap((child, place) =>
      visit(child, inside(absorbs[tree.operator]![place]!, passed)).map((insertion) => ({
        ...insertion,
        tree: Tree.branch(tree.operator, tree.children.with(place, insertion.tree)),
      })),
    )
    return [...here, ...below]
  }
  /** Operators over a whole tree with a number between. */
  const wrapped = (tree: Tree.Tree): ReadonlyArray<Insertion> =>
    grammar.operators.flatMap(({ arity, number }, operator) =>
      Array.from({ length: arity }, (_, place) => place).flatMap((place) => {
        if ((arity === 2 && one < 0) || number !== undefined) return []
        const others: ReadonlyArray<Tree.Tree> = [Tree.leaf(one), Tree.leaf(one)]
        return made(tree, inside(absorbs[operator]![place]!, undefined)).map(({ tree: other, starts }) => ({
          tree: Tree.branch(operator, arity === 1 ? [other] : others.with(place, other)),
          starts,
        }))
      }),
    )
  const unary = grammar.operators.flatMap(({ arity }, operator) => (arity === 1 ? [operator] : []))
  /** The trees without one of the numbers, under any operator of one argument: sin(x + 1.57) is cos(x). */
  const dropped = (tree: Tree.Tree): ReadonlyArray<Tree.Tree> => {
    if (tree._tag === "Leaf") return []
    const { operator, children } = tree
    const own = children.filter(
      (_, place) => children.length === 2 && ParametricTrees.isNumber(grammar, children[1 - place]!),
    )
    const below = children.flatMap((child, place) =>
      dropped(child).flatMap((other) =>
        (children.length === 1 ? unary : [operator]).map((by) =>
          Tree.branch(by, children.with(place, other)),
        ),
      ),
    )
    return [...own, ...below]
  }
  return (tree) => [
    ...(ParametricTrees.any(grammar, [tree]) ? [tree, ...dropped(tree)] : []).map((one) => ({
      tree: one,
      starts: [],
    })),
    ...visit(tree, undefined),
    ...(constant(tree) === undefined ? wrapped(tree) : []),
  ]
}
