import type { ScalarAlgebra } from "../../../numeric/Algebra.ts"
import * as Grammar from "../../../prob/Grammar.ts"
import * as Nd from "../../../numeric/Nd.ts"
import * as Real from "../../../numeric/Real.ts"
import * as Skeleton from "../../../prob/Skeleton.ts"
import { arithmetic } from "../../../expr/term/Interpret.ts"
import type { Forest } from "../../../prob/Tree.ts"
import * as Program from "../Program.ts"
import * as Protection from "../Protection.ts"

/** The relaxed draws of one tree: split [N], operator [N, O], terminal [N, p], row-major. */
interface SoftTree {
  readonly split: Float64Array
  readonly operator: Float64Array
  readonly terminal: Float64Array
}

/**
 * The value of a soft tree on one row, by the recursion of the paper (Eq. soft-gating, Algorithm "SoftEvalAtNode"),
 * without batches and without sharing between rows. The oracle of the other engines.
 */
const evaluateTree = (
  forest: Forest,
  program: Program.Program,
  tree: SoftTree,
  row: ReadonlyArray<number>,
  valueClip: number | undefined,
): number => {
  const { grammar, depth } = forest
  const p = grammar.terminals.length
  const operators = grammar.operators.length
  const A: ScalarAlgebra<number> = arithmetic
  // A cache of the children's values, which all operators share: time would grow exponentially with the depth.
  const known = new Map<string, number>()
  const visit = (node: number, d: number, context: Grammar.Context): number => {
    const key = `${node} ${context}`
    const value = known.get(key) ?? compute(node, d, context)
    known.set(key, value)
    return value
  }
  const compute = (node: number, d: number, context: Grammar.Context): number => {
    const leaf = row.reduce((sum, x, m) => sum + tree.terminal[node * p + m]! * x, 0)
    if (d === depth) return leaf
    const may = Grammar.allowed(grammar, context)
    const split = tree.split[node]!
    let expands = 0
    let inner = 0
    grammar.operators.forEach((_, index) => {
      if (may[index] !== true) return
      const weight = split * tree.operator[node * operators + index]!
      const below = Grammar.below(grammar, context, index)
      const argument = (name: string): number => visit(2 * node + (name === "x" ? 1 : 2), d + 1, below)
      expands += weight
      inner += weight * Program.bind(program, A, argument)(index)
    })
    const gate = may.every(Boolean) ? 1 - split : 1 - expands
    const value = gate * leaf + inner
    return valueClip === undefined ? value : valueClip * Real.tanh(value / valueClip)
  }
  return visit(0, 0, Grammar.rootContext)
}

/**
 * All soft trees on all rows in float64.
 *
 * @param terminals one column for each terminal of the grammar, each of length n
 * @returns a function from draws (split [S, K, N], operator [S, K, N, O], terminal [S, K, N, p]) to [S, K, n]; K may be
 *   several axes, one for each plate
 */
export const evaluator = (
  forest: Forest,
  terminals: ReadonlyArray<Float64Array>,
  rows: number,
  valueClip: number | undefined,
) => {
  const program = Program.make(forest.grammar.operators, Protection.unitOf(terminals))
  const table = Array.from({ length: rows }, (_, i) => terminals.map((column) => column[i]!))
  return (draws: { split: Nd.Nd; operator: Nd.Nd; terminal: Nd.Nd }): Nd.Nd => {
    const { trees } = forest
    const nodes = Skeleton.size(forest.depth)
    const [samples = 1] = draws.split.shape
    const data = new Float64Array(samples * trees * rows)
    for (let t = 0; t < samples * trees; t++) {
      const slice = ({ data: values }: Nd.Nd): Float64Array => {
        const length = values.length / (samples * trees)
        return values.subarray(t * length, (t + 1) * length)
      }
      const tree = {
        split: slice(draws.split),
        operator: slice(draws.operator),
        terminal: slice(draws.terminal),
      }
      if (tree.split.length !== nodes) throw new RangeError("the draws of a forest do not fit its skeleton")
      table.forEach((row, i) => {
        data[t * rows + i] = evaluateTree(forest, program, tree, row, valueClip)
      })
    }
    return Nd.of([samples, trees, rows], data)
  }
}
