import * as Grammar from "../prob/Grammar.ts"
import * as Tree from "../prob/Tree.ts"
import * as PowerProduct from "./PowerProduct.ts"
import type { Workbench } from "./Workbench.ts"

/** Makes trees of sums. */
export interface PolynomialTrees {
  /** Whether the grammar has what polynomials with fitted coefficients are made of. */
  readonly areMade: boolean
  /** A number as a node: the constant 1 where it is 1 but for rounding. */
  readonly number: (value: number) => number
  /** A number times a node. */
  readonly times: (value: number, node: number) => number
  /** The sum of nodes, of least depth; those with a sign are subtracted. -1 without a node that is not. */
  readonly sum: (nodes: ReadonlyArray<number>, subtracted?: ReadonlyArray<number>) => number
}

/** Numbers that differ by less are the same but for rounding. */
const rounding = 1e-9

/** @param bench the grammar, and where nodes are made */
export const make = (bench: Workbench): PolynomialTrees => {
  const { apply, space } = bench
  const terminal = Grammar.fittedPlace(space.dag.grammar)
  const one = PowerProduct.one(bench)
  const isOne = (value: number): boolean => Math.abs(value - 1) < rounding
  const number = (value: number): number => (isOne(value) ? one : space.numbers.node(terminal, value))
  /** Huffman (1952): the two nodes of least depth become one, and so on. */
  const added = (nodes: ReadonlyArray<number>): number => {
    if (nodes.includes(-1)) return -1
    let left = nodes.map((id) => ({ id, depth: Tree.depth(space.tree(id)) }))
    for (;;) {
      const [a, b, ...others] = left.sort((a, b) => a.depth - b.depth)
      if (a === undefined || b === undefined) return a?.id ?? -1
      const id = apply("add", a.id, b.id)
      if (id < 0) return -1
      left = [...others, { id, depth: 1 + b.depth }]
    }
  }
  return {
    areMade: terminal >= 0 && one >= 0,
    number,
    times: (value, node) => (isOne(value) ? node : apply("mul", number(value), node)),
    sum: (nodes, subtracted = []) =>
      subtracted.length === 0 ? added(nodes) : apply("sub", added(nodes), added(subtracted)),
  }
}
