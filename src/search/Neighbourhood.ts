import * as Dag from "./kernel/Dag.ts"
import { room } from "./kernel/Room.ts"
import * as FeatureSwap from "./FeatureSwap.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/** The expressions of which the neighbourhood of a tree is made. */
export interface Reach {
  /** expressions that may take the place of a subtree */
  readonly replacements: ReadonlyArray<number>
  /** expressions that may be combined with a subtree by an operator of two arguments */
  readonly partners: ReadonlyArray<number>
  /** how many expressions of the library may be so beside these: the first of those whose units are consistent there */
  readonly most: { readonly replacements: number; readonly partners: number }
  /** the number of renamings of a subtree, to other features, that may be combined with it */
  readonly swaps: number
  /** constants that a subtree may be combined with when an operator is put on top of it at the same time */
  readonly shifts: ReadonlyArray<number>
}

/**
 * The trees one change away from a tree, written into a buffer: at every node, another expression in its place, an
 * operator on top, another operator over the same operands, or one of its operands instead. Where coefficients are free,
 * x and c - x make the same model, but sqrt(c - x) and sqrt(x), or 1 / (c - x) and 1 / x, do not. Therefore an operator
 * is also put on top of a subtree that is combined with a constant. Each tree is in the buffer once. Trees that the
 * grammar forbids, and trees that are too deep, are left out.
 */
export interface Neighbourhood {
  /**
   * @param link the place of the link under which they are to be terms, among those of the likelihood
   * @returns the number of trees in the buffer `ids()`
   */
  readonly of: (tree: number, link: number, reach: Reach) => number
  readonly ids: () => Int32Array
}

/** How many expressions of a library are looked at for each that is taken: others there may be inconsistent in units. */
const looked = 20

/** How far levels of search reach: replacements, partners, and expressions to add. */
export const levels = [
  { replacements: 60, partners: 30, add: 2000 },
  { replacements: 400, partners: 120, add: 10000 },
  { replacements: 3000, partners: 600, add: 100000 },
]

/**
 * @param constants numbers that a lifted subtree is taken from, or divides
 * @param library small expressions, to which others may come
 */
export const make = (
  space: SearchSpace,
  constants: ReadonlyArray<number>,
  library: ReadonlyArray<number>,
): Neighbourhood => {
  const { dag, attributes, operators, arity, commutative, numeric } = space
  let ids = new Int32Array(4096)
  let count = 0
  let stamps = new Uint32Array(4096)
  let stamp = 0
  const places = new Map<number, Array<number>>()
  let indexed = 0

  const push = (id: number): void => {
    if (id < 0) return
    stamps = room(Uint32Array, stamps, id + 1)
    if (stamps[id] === stamp) return
    stamps[id] = stamp
    ids = room(Int32Array, ids, count + 1)
    ids[count++] = id
  }

  // The path from a node to the root: operators, their other operands (-1 for none), and whether the path is the left operand.
  const above: Array<number> = []
  const beside: Array<number> = []
  const left: Array<boolean> = []

  const applied = (operator: number, a: number, b: number): number => {
    attributes.update()
    if (!attributes.may(operator, a, b)) return -1
    if (numeric[operator] === 1 && (attributes.varies(b) || !attributes.varies(a))) return -1
    return dag.apply(operator, a, b)
  }
  /** The whole tree with another subtree at the current node; -1 where the grammar forbids it. */
  const rebuilt = (part: number): number => {
    let id = part
    for (let level = above.length - 1; level >= 0 && id >= 0; level--) {
      const other = beside[level]!
      id = left[level]! ? applied(above[level]!, id, other) : applied(above[level]!, other, id)
    }
    return id
  }

  /** Whether the whole tree is consistent, and a term under a link, with a subtree of a dimension at the current node. */
  const wholeUnder = (link: number): ((dimension: number) => boolean) => {
    const known = new Map<number, boolean>()
    const others = beside.map((other) => (other < 0 ? 0 : attributes.dimension(other)))
    const whole = (dimension: number): boolean => {
      let name = dimension
      for (let level = above.length - 1; level >= 0 && name > 0; level--)
        name = left[level]!
          ? attributes.joined(above[level]!, name, others[level]!)
          : attributes.joined(above[level]!, others[level]!, name)
      return name > 0 && attributes.suits(link, name)
    }
    return (dimension) => {
      const before = known.get(dimension)
      if (before !== undefined) return before
      const found = whole(dimension)
      known.set(dimension, found)
      return found
    }
  }
  const placed = (): ReadonlyMap<number, ReadonlyArray<number>> => {
    for (; indexed < library.length; indexed++) {
      const dimension = attributes.dimension(library[indexed]!)
      const known = places.get(dimension)
      if (known === undefined) places.set(dimension, [indexed])
      else known.push(indexed)
    }
    return places
  }
  /** The first expressions of the library whose dimensions are good. */
  const first = (most: number, isGood: (dimension: number) => boolean): ReadonlyArray<number> => {
    const found: Array<number> = []
    for (const [dimension, own] of placed())
      if (own[0]! < looked * most && isGood(dimension)) found.push(...own.slice(0, most))
    return found
      .sort((a, b) => a - b)
      .slice(0, most)
      .map((place) => library[place]!)
  }

  const visit = (id: number, link: number, reach: Reach): void => {
    const { replacements, partners, most } = reach
    const at = id * Dag.width
    const records = dag.records()
    const operator = records[at]!
    const a = records[at + Dag.LEFT]!
    const b = records[at + Dag.RIGHT]!
    const others = operator < 0 ? partners : [...partners, ...FeatureSwap.renamings(space, id, reach.swaps)]
    const fits = wholeUnder(link)
    const dimension = (tree: number): number => (tree < 0 ? 0 : attributes.dimension(tree))
    const over = (o: number, x: number, y: number): number => attributes.joined(o, dimension(x), dimension(y))
    /** Trees that would be inconsistent are not made. */
    const put = (part: number): void => {
      if (fits(dimension(part))) push(rebuilt(part))
    }
    const join = (o: number, x: number, y = -1): void => {
      if (fits(over(o, x, y))) push(rebuilt(applied(o, x, y)))
    }
    /** Puts operators on top of a combination of the current node with a constant: f(x + c), d / (c - x). */
    const lift = (below: number, x: number, y: number): void => {
      const own = over(below, x, y)
      if (own === 0) return
      const part = applied(below, x, y)
      if (part < 0) return
      attributes.update()
      for (let o = 0; o < operators; o++) {
        if (arity[o] === 1) join(o, part)
        else if (commutative[o] === 0) for (const other of constants) join(o, other, part)
      }
    }
    replacements.forEach(put)
    first(most.replacements, fits).forEach(put)
    for (let o = 0; o < operators; o++) {
      if (arity[o] === 1) {
        join(o, id)
        if (operator >= 0 && b < 0 && o !== operator) join(o, a)
        continue
      }
      const both = (other: number): void => {
        join(o, id, other)
        if (commutative[o] === 0) join(o, other, id)
      }
      const own = dimension(id)
      first(
        most.partners,
        (other) =>
          fits(attributes.joined(o, own, other)) ||
          (commutative[o] === 0 && fits(attributes.joined(o, other, own))),
      ).forEach(both)
      others.forEach(both)
      if (attributes.varies(id))
        for (const other of reach.shifts) {
          lift(o, id, other)
          if (commutative[o] === 0) lift(o, other, id)
        }
      if (operator >= 0 && b >= 0) {
        join(o, a, b)
        if (commutative[o] === 0) join(o, b, a)
      }
    }
    if (operator < 0) return
    put(a)
    if (b >= 0) put(b)
    above.push(operator)
    beside.push(b)
    left.push(true)
    visit(a, link, reach)
    if (b >= 0) {
      beside[beside.length - 1] = a
      left[left.length - 1] = false
      visit(b, link, reach)
    }
    above.pop()
    beside.pop()
    left.pop()
  }

  return {
    ids: () => ids,
    of: (tree, link, reach) => {
      count = 0
      stamp++
      push(tree)
      count = 0
      visit(tree, link, reach)
      attributes.update()
      // Trees that are too deep, and constant trees, are left out.
      let good = 0
      for (let i = 0; i < count; i++) {
        const id = ids[i]!
        if (attributes.varies(id) && attributes.logPrior(id) > -Infinity) ids[good++] = id
      }
      return good
    },
  }
}
