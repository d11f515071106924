import * as Effect from "effect/Effect"
import * as Dag from "./kernel/Dag.ts"
import * as Evaluator from "./kernel/Evaluator.ts"
import { FIRST, SQUARE } from "./kernel/Kernel.ts"
import * as Terminals from "../prob/Terminals.ts"
import type * as Grammar from "../prob/Grammar.ts"
import * as Term from "../expr/Term.ts"
import * as Tree from "../prob/Tree.ts"
import type { Dataset } from "../data/Data.ts"
import { CompileError } from "../errors/Errors.ts"
import * as Rng from "../random/Rng.ts"
import * as Attributes from "./Attributes.ts"
import * as FittedConstants from "./FittedConstants.ts"
import * as Real from "../numeric/Real.ts"

/** The response of a regression: a column z and weights w; residuals are those of w z on [w, w t_1, ..., w t_k]. */
export interface Response {
  /** the node of z, and of w */
  readonly id: number
  readonly weight: number
  /** sum of (w z)^2 around the weighted mean, in units of `unit` */
  readonly tss: number
  /** the sum of squares of w, and that of z w times w, over its root: what the intercept is taken out with */
  readonly norm: number
  readonly mean: number
  /** The same two sums of the witness: its inner product with the intercept, and its length around it. */
  readonly witness: { readonly mean: number; readonly length: number }
  /** z as given is centre + scale times the column */
  readonly centre: number
  readonly scale: number
  /** what a sum of squares is multiplied by to have the unit of (w z)^2 as given */
  readonly unit: number
}

/**
 * Everything a search can evaluate: the expressions of a grammar as nodes of one graph, the data in the memory of the
 * hard engine, and beside the terminals of the grammar some columns that no expression may use: the responses that
 * are regressed on with their weights, a column of ones, a witness, a column of noise by which equal columns are
 * known, and places for fitted numbers.
 */
export interface SearchSpace {
  readonly dag: Dag.Dag
  readonly kernel: Evaluator.Evaluator
  readonly rows: number
  /** y as it is given, length n */
  readonly y: Float64Array
  /** the terminals that expressions may use: nodes 0, ..., terminals - 1 */
  readonly terminals: number
  readonly operators: number
  readonly arity: Uint8Array
  readonly commutative: Uint8Array
  /** 1 for an operator whose second argument is a number in each law (`Operator.number`) */
  readonly numeric: Uint8Array
  /** The cost of an operator in the expression library: 1 for the likeliest, one more for each factor of 9 below. */
  readonly costs: Uint8Array
  readonly attributes: Attributes.Attributes
  readonly responses: ReadonlyArray<Response>
  /**
   * Sets a response: z and w, of length n. Rows of weight 0 do not count; sums of squares are those of as many rows as
   * the data have.
   */
  readonly respond: (index: number, z: Float64Array, w: Float64Array) => void
  /** the node of the column of ones */
  readonly one: number
  readonly witness: number
  /** Fitted numbers as nodes. */
  readonly numbers: FittedConstants.FittedConstants
  /** The node of an operator over one node or two; -1 for the operator -1, for nodes of -1, and where it may not stand. */
  readonly apply: (operator: number, left: number, right?: number) => number
  /** The tree of a node, fitted numbers as values of leaves: what others than the search understand. */
  readonly tree: (id: number) => Tree.Tree
  /** The node of a tree with such values; -1 when the grammar forbids it, it is too deep, or no place for a number is left. */
  readonly node: (tree: Tree.Tree) => number
}

/** The contents of a space beside the data and the grammar: plain data, to which the space adds the nodes and numbers made in it. */
export interface Contents {
  readonly nodes: Dag.Nodes
  readonly constants: FittedConstants.Data
}

/**
 * @param contents nodes and fitted constants of the space: it starts from those there, and adds its own
 * @param responses their number; each is y with weights 1 until `respond` is called
 *
 * Fails with a `CompileError` when the data lack a feature of the grammar or do not fit into memory, when the restrictions leave out every
 * feature, and on a machine without WebAssembly SIMD.
 */
export const make = (
  grammar: Grammar.Grammar,
  weights: Attributes.Weights,
  data: Dataset,
  responses: number,
  key: Rng.Key,
  contents: Contents = { nodes: Dag.nothing(), constants: [] },
  capacity = 2 ** 27,
): Effect.Effect<SearchSpace, CompileError> =>
  Effect.gen(function* () {
    const columns = yield* Terminals.columns(grammar, data)
    const n = data.rows
    const ones = new Float64Array(n).fill(1)
    const noise = Rng.normal(key, new Float64Array(n))
    const places = FittedConstants.places(grammar, n)
    const hidden = [ones, noise, ...Array.from({ length: 2 * responses + places.length }, () => ones)]
    const extended: Grammar.Grammar = {
      ...grammar,
      terminals: [
        ...grammar.terminals,
        ...hidden.map((_, i) => ({ name: `hidden ${i}`, term: Term.variable(`hidden ${i}`) })),
      ],
    }
    // Columns are held for a regression: a few trees, the intercept, the response and the witness.
    const { dag, kernel } = yield* Evaluator.open(
      extended,
      [...columns, ...hidden],
      data.y,
      16,
      { capacity },
      contents.nodes,
      grammar.terminals.length,
    )
    const terminals = grammar.terminals.length
    const one = terminals
    const witness = terminals + 1
    const numbers = FittedConstants.make(kernel, places, terminals + 2 + 2 * responses, n, contents.constants)
    const table = new Float64Array(3 * (FIRST + 1))
    const known: Array<Response> = []

    const respond = (index: number, z: Float64Array, w: Float64Array): void => {
      const id = terminals + 2 + 2 * index
      const weight = id + 1
      const peak = w.reduce((most, value) => Math.max(most, value), 0)
      let counted = 0
      let total = 0
      let sum = 0
      for (let i = 0; i < n; i++) {
        if (!(w[i]! > 0)) continue
        const square = (w[i]! / peak) ** 2
        counted++
        total += square
        sum += square * z[i]!
      }
      const mean = sum / total
      let spread = 0
      for (let i = 0; i < n; i++) if (w[i]! > 0) spread += ((w[i]! / peak) * (z[i]! - mean)) ** 2
      const scale = Math.sqrt(spread / n) || 1
      kernel.replace(
        id,
        z.map((value, i) => (w[i]! > 0 ? (value - mean) / scale : 0)),
      )
      kernel.replace(
        weight,
        w.map((value) => value / peak),
      )
      kernel.weigh(weight)
      kernel.hold([one])
      kernel.moments([one, id, witness], table)
      const width = FIRST + 1
      const norm = Math.sqrt(table[SQUARE]!)
      const meanOf = (row: number): number => table[row * width + FIRST]! / norm
      const lengthOf = (row: number): number => table[row * width + SQUARE]! - meanOf(row) ** 2
      known[index] = {
        id,
        weight,
        tss: lengthOf(1),
        norm,
        mean: meanOf(1),
        witness: { mean: meanOf(2), length: Math.sqrt(lengthOf(2)) },
        centre: mean,
        scale,
        unit: ((scale * peak) ** 2 * n) / counted,
      }
    }
    for (let index = 0; index < responses; index++) respond(index, data.y, ones)
    const attributes = Attributes.make(grammar, dag, weights, numbers)
    const { features } = grammar
    const isPart = (id: number): boolean =>
      attributes.logPrior(id) > -Infinity ||
      grammar.operators.some((_, operator) => attributes.may(operator, id, id))
    if (features.length > 0 && !features.some((_, id) => isPart(id)))
      return yield* new CompileError({
        message: `no law can be found: the restrictions leave out every column that may explain ${data.target}; allow ${features.slice(0, 10).join(" or ")}`,
      })
    const arity = Uint8Array.from(grammar.operators, (operator) => operator.arity)
    const apply: SearchSpace["apply"] = (operator, left, right = -1) => {
      if (operator < 0 || left < 0) return -1
      const other = arity[operator] === 2 ? right : -1
      if (arity[operator] === 2 && other < 0) return -1
      attributes.update()
      return attributes.may(operator, left, other) ? dag.apply(operator, left, other) : -1
    }
    const node = (tree: Tree.Tree): number => {
      if (tree._tag === "Leaf")
        return tree.value === undefined ? tree.terminal : numbers.node(tree.terminal, tree.value)
      const [left = -1, right = -1] = tree.children.map(node)
      return apply(tree.operator, left, right)
    }
    return {
      dag,
      kernel,
      rows: n,
      y: data.y,
      terminals,
      operators: grammar.operators.length,
      arity,
      costs: costsOf(weights.operators),
      commutative: Uint8Array.from(grammar.operators, ({ commutative }) => (commutative ? 1 : 0)),
      numeric: Uint8Array.from(grammar.operators, ({ number }) => (number === undefined ? 0 : 1)),
      attributes,
      responses: known,
      respond,
      one,
      witness,
      numbers,
      apply,
      tree: (id) => Tree.canonical(grammar, numbers.valued(dag.tree(id))),
      node,
    }
  })

/** A response as it was given but for its scale, length n: of a factor times a function the whole of it is one, and not what is around the mean. */
export const uncentred = (
  { responses, kernel }: Pick<SearchSpace, "responses" | "kernel">,
  response: number,
): Float64Array => {
  const { id, centre, scale } = responses[response]!
  return kernel.column(id).map((value) => value + centre / scale)
}

/** The features that vary, as nodes. */
export const varying = ({
  terminals,
  attributes,
}: Pick<SearchSpace, "terminals" | "attributes">): ReadonlyArray<number> =>
  Array.from({ length: terminals }, (_, id) => id).filter(attributes.varies)

/** Forgets the nodes from a number on, and the fitted constants from a number on, which nothing may use any more. */
export const forget = (
  { dag, kernel, attributes, numbers, one }: SearchSpace,
  from: number,
  constants: number,
): void => {
  // The kernel may hold a column that is forgotten.
  kernel.weigh(-1)
  kernel.hold([one])
  kernel.forget(from)
  dag.forget(from)
  attributes.forget(from)
  numbers.forget(constants)
}

const costsOf = (logWeights: ReadonlyArray<number>): Uint8Array => {
  const most = Math.max(...logWeights)
  return Uint8Array.from(logWeights, (log) => 1 + Math.min(3, Math.round((most - log) / Real.log(9))))
}
