import type { Columns } from "../../compile/scalar/columns.ts"
import * as Learned from "../../compile/scalar/learned.ts"
import * as Constants from "../../declare/Constants.ts"
import * as Dist from "../../declare/Dist.ts"
import type * as Tree from "../../declare/Tree.ts"
import * as Openings from "./Openings.ts"
import type { Space } from "./Space.ts"
import * as Variable from "./Variable.ts"

/** Learns numbers inside of trees. */
export interface Polish {
  /**
   * The trees with one number more than a tree, or with its own numbers learned anew, that fit better by more than the
   * numbers cost, best first: nodes of the space.
   *
   * @param base the trees that stand beside it
   * @param evidence log evidence given a residual sum of squares, in units of the response's column, and how many learned
   *   numbers the tree has, together with `base`
   */
  readonly of: (
    response: number,
    base: ReadonlyArray<number>,
    tree: number,
    evidence: (rss: number, numbers: number) => number,
  ) => Int32Array
}

/** Numbers of a tree that are learned together, at most. */
const most = 4
/** Starts of a number that are followed, and trees that are given back. */
const [followed, kept] = [2, 3]
/** A number that moves the fit by less than this share of its slope, beside all coefficients, is not needed. */
const needless = 1e-6
/** Nats that a number has to gain beyond what its rank costs. */
const gain = 3
/** Nats that an exact number may lose beside what its mass says. */
const slack = 1

/** A tree with numbers, and what they are worth. */
interface Found {
  readonly tree: Tree.Tree
  readonly evidence: number
}

/**
 * @param columns the columns of the space's data in float64
 * @returns undefined when the grammar learns no constants
 */
export const make = (space: Space, columns: Columns): Polish | undefined => {
  const { grammar } = columns
  const { attributes, dag, kernel } = space
  const terminal = grammar.terminals.findIndex(({ learned }) => learned !== undefined)
  if (terminal < 0) return undefined
  const model = Learned.make(columns)
  const openingsOf = Openings.of(grammar, columns, terminal)
  const exact = Constants.table(Constants.defaults)
  const logPrior = (place: number, value: number): number =>
    Dist.logDensity(grammar.terminals[place]!.learned!.prior, value)

  /** The node of a tree; -1 when the grammar forbids it, it is too deep, or no place for a number is left. */
  const nodeOf = (tree: Tree.Tree): number => {
    if (tree._tag === "Leaf")
      return tree.value === undefined ? tree.terminal : space.numbers.node(tree.terminal, tree.value)
    const [left = -1, right = -1] = tree.children.map(nodeOf)
    attributes.update()
    if (left < 0 || (tree.children.length > 1 && right < 0)) return -1
    if (!attributes.may(tree.operator, left)) return -1
    if (right >= 0 && !attributes.may(tree.operator, right)) return -1
    return dag.apply(tree.operator, left, right)
  }

  /** Starts of the new number from which the fit is better than from their neighbours, best first. */
  const beginnings = (
    variable: Variable.Variable,
    learned: Learned.Learned,
    { starts }: Openings.Opening,
  ): ReadonlyArray<Float64Array> => {
    const { start, terminals } = learned
    const open = start.findIndex(Number.isNaN)
    if (open < 0) return [start]
    const allowed = starts.filter((value) => logPrior(terminals[open]!, value) > -Infinity)
    const at = (value: number): Float64Array => start.with(open, value)
    const middle = allowed[Math.floor(0.6 * allowed.length)]
    if (middle === undefined) return []
    const probe = variable.at(learned, at(middle))
    if (probe !== undefined && !(probe.shares[open]! > needless)) return []
    const heights = allowed.map((value) => variable.rss(learned, at(value)))
    return heights
      .map((rss, i) => ({ rss, i }))
      .filter(({ rss, i }) => rss < Infinity && !(heights[i - 1]! < rss) && !(heights[i + 1]! < rss))
      .sort((a, b) => a.rss - b.rss)
      .slice(0, followed)
      .map(({ i }) => at(allowed[i]!))
  }

  /** Exact numbers in the place of those that they are next to, one after the other, where mass and fit say so. */
  const exactly = (
    variable: Variable.Variable,
    learned: Learned.Learned,
    point: Variable.Point,
    worth: (rss: number) => number,
  ): Variable.Point => {
    let current = point
    for (const j of point.numbers.keys()) {
      const count = point.numbers.length
      const value = current.numbers[j]!
      const deviation =
        Math.sqrt(current.rss / (space.rows * current.curvature[j * (count + 1)]!)) + 1e-6 * Math.abs(value)
      if (!(deviation < Math.abs(value))) continue
      const loose = logPrior(learned.terminals[j]!, value) + Math.log(Math.sqrt(2 * Math.PI) * deviation)
      for (const { value: nice, logMass } of exact.near(value, deviation, 3)) {
        const there = variable.at(learned, current.numbers.with(j, nice))
        if (there === undefined) continue
        if (worth(there.rss) + logMass > worth(current.rss) + loose - slack) {
          current = there
          break
        }
      }
    }
    return current
  }

  const of: Polish["of"] = (response, base, id, evidence) => {
    const { id: target, weight } = space.responses[response]!
    attributes.update()
    const valuesOf = (tree: number): Float64Array => columns.column(space.tree(tree)).values
    const variable = Variable.make(kernel.column(target), kernel.column(weight), base.map(valuesOf))
    const tree = space.tree(id)
    const own = model([tree])
    const others = attributes.numbers(base)
    const before = evidence(variable.rss(own, own.start), attributes.learned(others, id))
    const found: Array<Found> = []
    for (const opening of openingsOf(tree)) {
      const learned = model([opening.tree])
      const { start, terminals } = learned
      if (start.length > most) continue
      const count = attributes.learned(others, id) + (start.length - own.start.length)
      const allowed = (numbers: ArrayLike<number>): boolean =>
        terminals.every((place, j) => logPrior(place, numbers[j]!) > -Infinity)
      for (const from of beginnings(variable, learned, opening)) {
        const point = variable.descend(learned, from, allowed)
        if (point === undefined) continue
        const worth = (rss: number): number => evidence(rss, count)
        if (!(worth(point.rss) > before + gain)) continue
        const settled = exactly(variable, learned, point, worth)
        found.push({ tree: learned.trees(settled.numbers)[0]!, evidence: worth(settled.rss) })
      }
    }
    found.sort((a, b) => b.evidence - a.evidence)
    const ids = new Set<number>()
    for (const { tree: better } of found) {
      if (ids.size >= kept) break
      const node = nodeOf(better)
      attributes.update()
      if (node >= 0 && attributes.varies(node) && attributes.logPrior(node) > -Infinity) ids.add(node)
    }
    return Int32Array.from(ids)
  }
  return { of }
}
