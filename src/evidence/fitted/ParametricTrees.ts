import * as Constant from "../../prob/Constant.ts"
import type { Grammar } from "../../prob/Grammar.ts"
import * as Grammars from "../../prob/Grammar.ts"
import * as Term from "../../expr/Term.ts"
import * as Tree from "../../prob/Tree.ts"
import type { Columns } from "../columns.ts"
import { compileColumn } from "../../expr/evaluate.ts"
import { largestFinite } from "../../numeric/finite.ts"
import { completed } from "./completed.ts"

/** A column that depends on fitted constants, with its derivatives. */
export interface Dual {
  /** length n */
  readonly values: Float64Array
  /** The derivatives by each constant, length n each; undefined for constants that the column does not depend on. */
  readonly slopes: ReadonlyArray<Float64Array | undefined>
}

/** Trees as functions of the fitted constants (`Constant.fitted`) in their leaves. */
export interface ParametricTrees {
  /** The values of the constants in the given trees, each constant once, in the order of first occurrences. */
  readonly start: Float64Array
  /** the index of each constant's terminal in the grammar */
  readonly terminals: ReadonlyArray<number>
  /** the number of leaves that hold each constant */
  readonly occurrences: ReadonlyArray<number>
  /** The same trees with other values of the constants, in `Tree.canonical` form. */
  readonly trees: (numbers: ArrayLike<number>) => ReadonlyArray<Tree.Tree>
  /** Columns of the trees, length n each; read only, and overwritten by the next call of `values` or `duals`. */
  readonly values: (numbers: ArrayLike<number>) => ReadonlyArray<Float64Array>
  /** Columns with their derivatives; as `values`. */
  readonly duals: (numbers: ArrayLike<number>) => ReadonlyArray<Dual>
}

/** The leaf of a tree that is a single fitted constant; undefined for other trees. */
const fittedLeaf = (grammar: Grammar, tree: Tree.Tree): Tree.Leaf | undefined =>
  tree._tag === "Leaf" && grammar.terminals[tree.terminal]?.fitted !== undefined ? tree : undefined

/** Whether a tree is a single fitted constant. */
export const isNumber = (grammar: Grammar, tree: Tree.Tree): boolean =>
  fittedLeaf(grammar, tree) !== undefined

/** The leaves of a tree that hold fitted constants, from the left. */
const leavesOf = (grammar: Grammar, tree: Tree.Tree): ReadonlyArray<Tree.Leaf> => {
  if (tree._tag === "Branch") return tree.children.flatMap((child) => leavesOf(grammar, child))
  return fittedLeaf(grammar, tree) === undefined ? [] : [tree]
}

export const any = (grammar: Grammar, trees: ReadonlyArray<Tree.Tree>): boolean =>
  Grammars.hasFitted(grammar) && trees.some((tree) => leavesOf(grammar, tree).length > 0)

/** Whether all fitted constants of trees have the prior of coefficients (`Constant.scaleFree`), so that hypotheses about these are about them, too. */
export const areScaleFree = (grammar: Grammar, trees: ReadonlyArray<Tree.Tree>): boolean =>
  trees.every((tree) =>
    leavesOf(grammar, tree).every(
      ({ terminal }) => grammar.terminals[terminal]?.fitted?.asCoefficient === true,
    ),
  )

/**
 * Assigns leaves to constants. Leaves of one terminal with equal values share a constant unless `apart`; a leaf without
 * a value has its own.
 */
const numbering = (grammar: Grammar, trees: ReadonlyArray<Tree.Tree>, apart: boolean) => {
  const leaves = trees.flatMap((tree) => leavesOf(grammar, tree))
  const known = new Map<string, number>()
  const start: Array<number> = []
  const terminals: Array<number> = []
  const places = leaves.map((leaf, place) => {
    const key = apart || leaf.value === undefined ? `at ${place}` : Tree.key(leaf)
    let number = known.get(key)
    if (number === undefined) {
      number = start.length
      known.set(key, number)
      // `leavesOf` returns leaves of fitted constants only.
      start.push(leaf.value ?? Constant.startOf(grammar.terminals[leaf.terminal]!.fitted!))
      terminals.push(leaf.terminal)
    }
    return number
  })
  return { start: Float64Array.from(start), terminals, places }
}

type Run = (numbers: ArrayLike<number>, slopes: boolean) => Dual

const none: ReadonlyArray<undefined> = []

/** The step of a difference, as a share of the argument; of 0, as a share of the largest. */
const step = 1e-6

/** The derivative of a function by one argument, by a difference. */
const difference = (
  run: ReturnType<typeof compileColumn>,
  inputs: ReadonlyArray<Float64Array>,
  values: Float64Array,
  argument: number,
): Float64Array => {
  const column = inputs[argument]!
  const unit = step * largestFinite(column) || step
  const by = column.map((value) => Math.abs(value) * step || unit)
  const out = new Float64Array(values.length)
  run(
    inputs.with(
      argument,
      column.map((value, i) => value + by[i]!),
    ),
    out,
  )
  return out.map((value, i) => (value - values[i]!) / by[i]!)
}

/**
 * Evaluates trees as functions of their fitted constants, by forward differentiation with the operators' own derivatives
 * (`Term.derivative`). Subtrees without fitted constants are evaluated once.
 *
 * @param options.apart whether every leaf has a constant of its own, also where values are equal; false by default
 */
export const make = (
  columns: Columns,
  { apart = false }: { readonly apart?: boolean } = {},
): ((trees: ReadonlyArray<Tree.Tree>) => ParametricTrees) => {
  const { grammar, rows } = columns
  const operators = grammar.operators.map(({ term, arity }) => {
    const names = arity === 1 ? (["x"] as const) : (["x", "y"] as const)
    let partials: ReadonlyArray<ReturnType<typeof compileColumn>> | undefined
    return {
      run: compileColumn(term, names),
      partials: () => (partials ??= names.map((name) => compileColumn(Term.derivative(term, name), names))),
    }
  })
  const ones = new Float64Array(rows).fill(1)

  /** Every node writes into columns of its own, so that a fit of thousands of values allocates nothing for them. */
  const branch = (operator: number, children: ReadonlyArray<Run>): Run => {
    const { run, partials } = operators[operator]!
    const values = new Float64Array(rows)
    const plain: Dual = { values, slopes: none }
    let inputs: ReadonlyArray<Float64Array> = []
    let partial: Float64Array | undefined
    let sums: Array<Float64Array | undefined> | undefined
    return (numbers, derive) => {
      const operands = children.map((child) => child(numbers, derive))
      // The columns of an operand are the same at every call.
      if (inputs.length === 0) inputs = operands.map((operand) => operand.values)
      run(inputs, values)
      if (!derive) return plain
      const slopes = (sums ??= Array.from({ length: numbers.length }, (_, number) =>
        operands.some((operand) => operand.slopes[number] !== undefined) ? new Float64Array(rows) : undefined,
      ))
      for (const sum of slopes) sum?.fill(0)
      operands.forEach((operand, argument) => {
        if (operand.slopes.every((slope) => slope === undefined)) return
        const own = (partial ??= new Float64Array(rows))
        partials()[argument]!(inputs, own)
        const by = completed(own, values, () => difference(run, inputs, values, argument))
        operand.slopes.forEach((slope, number) => {
          const sum = slopes[number]
          if (slope === undefined || sum === undefined) return
          for (let i = 0; i < rows; i++) sum[i]! += by[i]! * slope[i]!
        })
      })
      return { values, slopes }
    }
  }
  const build = (tree: Tree.Tree, next: () => number): Run => {
    if (fittedLeaf(grammar, tree) !== undefined) {
      const number = next()
      const values = new Float64Array(rows)
      let slopes: Dual["slopes"] | undefined
      return (numbers) => {
        values.fill(numbers[number]!)
        slopes ??= Array.from({ length: numbers.length }, (_, other) => (other === number ? ones : undefined))
        return { values, slopes }
      }
    }
    if (tree._tag === "Leaf" || !any(grammar, [tree])) {
      const dual: Dual = { values: columns.column(tree).values, slopes: none }
      return () => dual
    }
    return branch(
      tree.operator,
      tree.children.map((child) => build(child, next)),
    )
  }
  const replaced = (tree: Tree.Tree, next: () => number): Tree.Tree => {
    if (tree._tag === "Leaf")
      return fittedLeaf(grammar, tree) === undefined ? tree : Tree.leaf(tree.terminal, next())
    const children = tree.children.map((child) => replaced(child, next))
    return Tree.branch(tree.operator, children)
  }

  return (trees) => {
    const { start, terminals, places } = numbering(grammar, trees, apart)
    const inOrder = () => {
      let place = 0
      return () => places[place++]!
    }
    const next = inOrder()
    const runs = trees.map((tree) => build(tree, next))
    return {
      start,
      terminals,
      occurrences: terminals.map((_, number) => places.filter((one) => one === number).length),
      trees: (numbers) => {
        const number = inOrder()
        return trees.map((tree) =>
          Tree.canonical(
            grammar,
            replaced(tree, () => numbers[number()]!),
          ),
        )
      },
      values: (numbers) => runs.map((run) => run(numbers, false).values),
      duals: (numbers) => runs.map((run) => run(numbers, true)),
    }
  }
}
