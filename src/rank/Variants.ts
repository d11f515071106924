import * as ParametricTrees from "../evidence/fitted/ParametricTrees.ts"
import { pairs } from "../internal/pairs.ts"
import * as Operator from "../expr/Operator.ts"
import * as Grammar from "../prob/Grammar.ts"
import * as Tree from "../prob/Tree.ts"
import * as Ensembles from "./Ensemble.ts"
import * as ConfluentTrees from "./ConfluentTrees.ts"
import { edits } from "./edits.ts"
import * as LimitingTrees from "./LimitingTrees.ts"

/** Exponents whose powers have trees without a fitted number, and how far a fitted exponent next to one may be. */
const exponents = [-2, -1, -0.5, 0.5, 1, 1.5, 2, 3, 4]
const near = 0.1

/**
 * The trees of a law in other parametrisations, which a search takes for one with it and of which it therefore keeps one:
 *
 * - x^0.502 as sqrt(x): a fitted exponent next to one that operators of the grammar write has that power beside it;
 * - log(k + x), (k + x)^p, 1 / (k + x) as log(1 + c x), (1 + c x)^p, 1 / (1 + c x): with a free coefficient and intercept these are the same
 *   functions, but b log(1 + c x) and b (1 - 1 / (1 + c x)^p) are 0 at x = 0 with one number less;
 * - exp(x - 1) as exp(x): e exp(x - 1) has a coefficient that no table of exact numbers has, and exp(x) has 1.
 *
 * @returns trees with one such change each; numbers have the values that leave the functions as they are, up to a factor and a constant
 */
export const of = (grammar: Grammar.Grammar): ((tree: Tree.Tree) => ReadonlyArray<Tree.Tree>) => {
  const place = (operator: Operator.Operator): number => Grammar.placeOf(grammar, operator)
  const add = place(Operator.add)
  const sub = place(Operator.sub)
  const mul = place(Operator.mul)
  const div = place(Operator.div)
  const square = place(Operator.square)
  const sqrt = place(Operator.sqrt)
  const log = place(Operator.log)
  const exp = place(Operator.exp)
  const power = Grammar.powerPlace(grammar)
  const one = Grammar.onePlace(grammar)
  /** The fitted number that a tree is; undefined of other trees. */
  const numberOf = (tree: Tree.Tree): (Tree.Leaf & { readonly value: number }) | undefined =>
    tree._tag === "Leaf" && ParametricTrees.isNumber(grammar, tree) && tree.value !== undefined
      ? { ...tree, value: tree.value }
      : undefined
  /** A branch; undefined where the grammar lacks the operator or an operand. */
  const branch = (
    operator: number,
    ...children: ReadonlyArray<Tree.Tree | undefined>
  ): Tree.Tree | undefined =>
    operator >= 0 && children.every((child) => child !== undefined)
      ? Tree.branch(operator, children)
      : undefined
  const unit = one < 0 ? undefined : Tree.leaf(one)

  /** A power by operators other than that of powers. */
  const raised = (base: Tree.Tree | undefined, exponent: number): Tree.Tree | undefined => {
    if (base === undefined) return undefined
    if (exponent < 0) return branch(div, unit, raised(base, -exponent))
    switch (exponent) {
      case 0.5:
        return branch(sqrt, base)
      case 1:
        return base
      case 1.5:
        return branch(mul, base, branch(sqrt, base))
      case 2:
        return branch(square, base)
      case 3:
        return branch(mul, base, branch(square, base))
      default:
        return branch(square, branch(square, base))
    }
  }
  const plainly = ([base, exponent]: ReadonlyArray<Tree.Tree>): Tree.Tree | undefined => {
    const value = exponent && numberOf(exponent)?.value
    if (value === undefined) return undefined
    const exact = exponents.find((other) => Math.abs(other - value) <= near * Math.abs(other))
    return exact === undefined ? undefined : raised(base, exact)
  }
  /** A tree with one power less, at its root. */
  const withoutPower = (tree: Tree.Tree): ReadonlyArray<Tree.Tree> => {
    const own = tree._tag === "Branch" && tree.operator === power ? plainly(tree.children) : undefined
    return own === undefined ? [] : [own]
  }

  /** c x, with the factor in the number of x where x has one. */
  const times = (like: Tree.Leaf, c: number, x: Tree.Tree): Tree.Tree | undefined => {
    if (x._tag === "Branch" && x.operator === mul) {
      const at = x.children.findIndex((child) => numberOf(child) !== undefined)
      const own = x.children[at]
      const value = own && numberOf(own)?.value
      if (value !== undefined)
        return Tree.branch(mul, x.children.with(at, Tree.leaf(like.terminal, c * value)))
    }
    return branch(mul, Tree.leaf(like.terminal, c), x)
  }
  /** k + x as 1 + x / k, or as x / |k| - 1. */
  const overNumber = (sum: Tree.Tree): Tree.Tree | undefined => {
    if (sum._tag === "Leaf" || (sum.operator !== add && sum.operator !== sub)) return undefined
    const at = sum.children.findIndex((child) => numberOf(child) !== undefined)
    const [number, x] = [sum.children[at], sum.children[1 - at]]
    const k = number && numberOf(number)
    if (k === undefined || x === undefined || numberOf(x) !== undefined || k.value === 0) return undefined
    const isLess = sum.operator === sub
    // Signs of the number and of x in the sum.
    const [ofNumber, ofX] = [isLess && at === 1 ? -1 : 1, isLess && at === 0 ? -1 : 1]
    const part = times(k, 1 / Math.abs(k.value), x)
    const positive = ofNumber * k.value > 0
    if (positive) return ofX > 0 ? branch(add, unit, part) : branch(sub, unit, part)
    return ofX > 0 ? branch(sub, part, unit) : undefined
  }
  /** A tree that is a power of a sum with a number, with that sum over the number. */
  const scaled = (tree: Tree.Tree): Tree.Tree | undefined => {
    if (tree._tag === "Leaf") return undefined
    const { operator, children } = tree
    const [first, second] = children
    if (operator === square || operator === sqrt) {
      const below = first && (overNumber(first) ?? scaled(first))
      return below && Tree.branch(operator, [below])
    }
    if (operator === power && first !== undefined && second !== undefined && numberOf(second) !== undefined) {
      const below = overNumber(first) ?? scaled(first)
      return below && Tree.branch(operator, [below, second])
    }
    if (operator === div && first?._tag === "Leaf" && first.terminal === one && second !== undefined) {
      const below = overNumber(second) ?? scaled(second)
      return below && Tree.branch(operator, [first, below])
    }
    return undefined
  }
  const shift = (tree: Tree.Tree): ReadonlyArray<Tree.Tree> => {
    const [inside] = tree._tag === "Branch" && tree.operator === log ? tree.children : []
    const below = inside && (overNumber(inside) ?? scaled(inside))
    const found = below ? Tree.branch(log, [below]) : scaled(tree)
    return found === undefined ? [] : [found]
  }
  const isConstant = (tree: Tree.Tree): boolean =>
    tree._tag === "Leaf" &&
    (numberOf(tree) !== undefined || grammar.terminals[tree.terminal]!.term._tag === "Constant")
  /** exp(x + k), exp(x - k) and exp(k - x), as a factor, without k: the coefficient has it. */
  const withoutShift = (tree: Tree.Tree): Tree.Tree | undefined => {
    if (tree._tag === "Leaf") return undefined
    const { operator, children } = tree
    if (operator === mul || operator === div) {
      const changed = children.map(withoutShift)
      return changed.every((child) => child === undefined)
        ? undefined
        : Tree.branch(
            operator,
            children.map((child, k) => changed[k] ?? child),
          )
    }
    const [inside] = operator === exp ? children : []
    if (inside === undefined || inside._tag === "Leaf") return undefined
    const [first, second] = inside.children
    if (first === undefined || second === undefined) return undefined
    if (inside.operator !== add && inside.operator !== sub) return undefined
    if (isConstant(second) && !isConstant(first)) return Tree.branch(exp, [first])
    if (!isConstant(first) || isConstant(second)) return undefined
    const other = Tree.branch(exp, [second])
    return inside.operator === add ? other : branch(div, unit, other)
  }
  return (tree) => {
    const unshifted = withoutShift(tree)
    return [...edits(tree, withoutPower), ...shift(tree), ...(unshifted === undefined ? [] : [unshifted])]
  }
}

/**
 * Ensembles with their variants, each after its ensemble.
 *
 * @param count the number of ensembles, from the first on, that variants are made of
 */
export const beside = (
  grammar: Grammar.Grammar,
  drawn: ReadonlyArray<Ensembles.Drawn>,
  count: number,
): ReadonlyArray<Ensembles.Drawn> => {
  if (!Grammar.hasFitted(grammar)) return drawn
  const variants = of(grammar)
  const known = new Set(drawn.map(({ ensemble }) => ensemble.key))
  return drawn.flatMap((one, at) => {
    if (at >= count) return [one]
    const { trees, link } = one.ensemble
    const others = trees
      .flatMap((tree, k) => variants(tree).map((other) => trees.with(k, other)))
      .map((made) => ({ ensemble: Ensembles.ofSet(grammar, made, link), draws: 1 }))
      .filter(({ ensemble }) => !known.has(ensemble.key) && known.add(ensemble.key))
    return [one, ...others]
  })
}

/** Of ensembles of more trees only those with one tree less are looked at: subsets are many. */
const small = 3

/** The parts of a list, without the empty one and the list itself; of a long list those without one. */
const partsOf = <A>(list: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const withoutOne = list.map((_, at) => list.toSpliced(at, 1)).filter(({ length }) => length > 0)
  return list.length > small ? withoutOne : [...withoutOne, ...withoutOne.flatMap(partsOf)]
}

/** Ensembles, each once, as if each had been drawn once. */
const once = (ensembles: ReadonlyArray<Ensembles.Ensemble>): ReadonlyArray<Ensembles.Drawn> =>
  [...new Map(ensembles.map((one) => [one.key, one])).values()].map((ensemble) => ({ ensemble, draws: 1 }))

/** The most limiting cases of one ensemble. */
const mostLimits = 32

/** Ensembles with one limiting case (`LimitingTrees`) in place of a tree, or with that of two trees (`ConfluentTrees`) in place of both or one, each once. */
export const limiting = (
  grammar: Grammar.Grammar,
  models: ReadonlyArray<{ readonly ensemble: Ensembles.Ensemble }>,
): ReadonlyArray<Ensembles.Drawn> => {
  if (!Grammar.hasFitted(grammar)) return []
  const limits = LimitingTrees.of(grammar)
  const confluent = ConfluentTrees.of(grammar)
  return once(
    models.flatMap(({ ensemble: { trees, link } }) => {
      const ofOne = trees.flatMap((tree, k) => limits(tree).map((limit) => trees.with(k, limit)))
      const ofTwo = pairs(trees).flatMap(([tree, other]) => {
        const others = trees.filter((one) => one !== tree && one !== other)
        return confluent(tree, other).flatMap((limit) => [
          [...others, ...limit],
          [...others, tree, ...limit],
        ])
      })
      return [...ofTwo.filter(({ length }) => length <= trees.length), ...ofOne]
        .slice(0, mostLimits)
        .map((changed) => Ensembles.ofSet(grammar, changed, link))
    }),
  )
}

/** Ensembles without some of their trees. A search on some of the rows may keep terms that all rows refute, and drop the law without them. */
export const shortened = (
  grammar: Grammar.Grammar,
  models: ReadonlyArray<{ readonly ensemble: Ensembles.Ensemble }>,
): ReadonlyArray<Ensembles.Drawn> =>
  once(
    models.flatMap(({ ensemble: { trees, link } }) =>
      partsOf(trees).map((part) => Ensembles.ofSet(grammar, part, link)),
    ),
  )
