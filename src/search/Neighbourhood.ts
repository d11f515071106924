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
  /** @returns the number of trees in the buffer `ids()` */
  readonly of: (tree: number, reach: Reach) => number
  readonly ids: () => Int32Array
}

/** @param constants numbers that a lifted subtree is taken from, or divides */
export const make = (space: SearchSpace, constants: ReadonlyArray<number>): Neighbourhood => {
  const { dag, attributes, operators, arity, commutative, numeric } = space
  let ids = new Int32Array(4096)
  let count = 0
  let stamps = new Uint32Array(4096)
  let stamp = 0

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
    if (!attributes.may(operator, a) || (b >= 0 && !attributes.may(operator, b))) return -1
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

  /** Puts operators on top of a combination of the current node with a constant: f(x + c), d / (c - x). */
  const lift = (id: number): void => {
    if (id < 0) return
    for (let o = 0; o < operators; o++) {
      if (arity[o] === 1) push(rebuilt(applied(o, id, -1)))
      else if (commutative[o] === 0) for (const other of constants) push(rebuilt(applied(o, other, id)))
    }
  }

  const visit = (id: number, reach: Reach): void => {
    const { replacements, partners } = reach
    const at = id * Dag.width
    const records = dag.records()
    const operator = records[at]!
    const a = records[at + Dag.LEFT]!
    const b = records[at + Dag.RIGHT]!
    const others = operator < 0 ? partners : [...partners, ...FeatureSwap.renamings(space, id, reach.swaps)]
    for (const other of replacements) push(rebuilt(other))
    for (let o = 0; o < operators; o++) {
      if (arity[o] === 1) {
        push(rebuilt(applied(o, id, -1)))
        if (operator >= 0 && b < 0 && o !== operator) push(rebuilt(applied(o, a, -1)))
        continue
      }
      for (const other of others) {
        push(rebuilt(applied(o, id, other)))
        if (commutative[o] === 0) push(rebuilt(applied(o, other, id)))
      }
      if (attributes.varies(id))
        for (const other of reach.shifts) {
          lift(applied(o, id, other))
          if (commutative[o] === 0) lift(applied(o, other, id))
        }
      if (operator >= 0 && b >= 0) {
        push(rebuilt(applied(o, a, b)))
        if (commutative[o] === 0) push(rebuilt(applied(o, b, a)))
      }
    }
    if (operator < 0) return
    push(rebuilt(a))
    if (b >= 0) push(rebuilt(b))
    above.push(operator)
    beside.push(b)
    left.push(true)
    visit(a, reach)
    if (b >= 0) {
      beside[beside.length - 1] = a
      left[left.length - 1] = false
      visit(b, reach)
    }
    above.pop()
    beside.pop()
    left.pop()
  }

  return {
    ids: () => ids,
    of: (tree, reach) => {
      count = 0
      stamp++
      push(tree)
      count = 0
      visit(tree, reach)
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
