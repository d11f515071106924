import * as tf from "@tensorflow/tfjs-core"
import * as Grammar from "../../../prob/Grammar.ts"
import * as Skeleton from "../../../prob/Skeleton.ts"
import type { Forest } from "../../../prob/Tree.ts"
import * as Program from "../Program.ts"
import { algebra } from "./algebra.ts"

/**
 * Relaxed draws of a forest's sites: split [S, K, N], operator [S, K, N, O], terminal [S, K, N, p]. K may be several
 * axes, one for each plate.
 */
export interface SoftDraws {
  readonly split: tf.Tensor
  readonly operator: tf.Tensor
  readonly terminal: tf.Tensor
}

/** The values of the nodes of one level, left and right children apart: each [S K, nodes of the level above, n]. */
interface Children {
  readonly left: tf.Tensor3D
  readonly right: tf.Tensor3D
}

/**
 * The soft evaluation of all trees on all rows (Eq. soft-gating), as one batched graph: the batch axis runs over
 * samples and trees, and a level of the skeleton is evaluated at once.
 *
 * With forbidden pairs in the grammar a node has one value for each context that its ancestors can make; without any
 * there is one context. The weight of a forbidden operator goes to the leaf, as in pruning.
 *
 * @param terminals the terminals' columns, [p, n]
 * @param valueClip c of c tanh(v / c) on the values of inner nodes; undefined without a clip
 * @param unit the unit of protected operations (`Protection.unitOf` the terminals)
 * @returns a function from draws to [S, K, n]
 */
export const evaluator = (
  forest: Forest,
  terminals: tf.Tensor2D,
  valueClip: number | undefined,
  unit = 1,
) => {
  const { grammar, depth, trees } = forest
  const program = Program.make(grammar.operators, unit)
  const [p, n] = terminals.shape
  const operators = grammar.operators.length
  const nodes = Skeleton.size(depth)
  const contexts = Array.from({ length: depth + 1 }, (_, d) => Grammar.contextsAt(grammar, d))
  const clip = (value: tf.Tensor): tf.Tensor =>
    valueClip === undefined ? value : tf.mul(tf.tanh(tf.mul(value, 1 / valueClip)), valueClip)

  /** [B, m, p] weights over terminals to [B, m, n] values */
  const leaves = (weights: tf.Tensor): tf.Tensor3D => {
    const [batch = 1, nodes = 1] = weights.shape
    const flat = tf.reshape<tf.Rank.R2>(weights, [batch * nodes, p])
    return tf.reshape(tf.matMul(flat, terminals), [batch, nodes, n])
  }
  const halves = (level: tf.Tensor): readonly [tf.Tensor3D, tf.Tensor3D] => {
    const [batch = 1, nodes = 1, width = 1] = level.shape
    const [even, odd] = tf.split(tf.reshape(level, [batch, nodes / 2, 2, width]), 2, 2)
    return [tf.reshape(even!, [batch, nodes / 2, width]), tf.reshape(odd!, [batch, nodes / 2, width])]
  }

  return ({ split, operator, terminal }: SoftDraws): tf.Tensor3D => {
    const [samples = 1] = split.shape
    const batch = samples * trees
    const gate = tf.reshape(split, [batch, nodes, 1])
    const choice = tf.reshape(operator, [batch, nodes, operators])
    const label = tf.reshape(terminal, [batch, nodes, p])
    const inner = 2 ** depth - 1
    if (depth === 0) return tf.reshape(leaves(label), [samples, trees, n])

    const applied = tf.mul(gate, choice)
    const level = (x: tf.Tensor, d: number): tf.Tensor =>
      tf.slice(x, [0, 2 ** d - 1, 0], [batch, 2 ** d, x.shape[2] ?? 1])
    /** gate of the leaf at the inner nodes of level d: 1 - e, plus e times the weight of forbidden operators */
    const leafGate = (d: number, may: ReadonlyArray<boolean>): tf.Tensor => {
      const expands = may.every(Boolean)
        ? level(gate, d)
        : tf.sum(tf.mul(level(applied, d), tf.tensor1d(may.map((allowed) => (allowed ? 1 : 0)))), -1, true)
      return tf.sub(1, expands)
    }

    // At the maximum depth every node is a leaf, in every context.
    const [left, right] = halves(tf.slice(label, [0, inner, 0], [batch, inner + 1, p]))
    const deepest: Children = { left: leaves(left), right: leaves(right) }
    let below = new Map<Grammar.Context, Children>(contexts[depth]!.map((context) => [context, deepest]))

    for (let d = depth - 1; d >= 0; d--) {
      const share = level(applied, d)
      // The gradient of a split into one part fails in tfjs.
      const weights = operators === 1 ? [share] : tf.split(share, operators, 2)
      const labels = level(label, d)
      const bound = new Map<Grammar.Context, (operator: number) => tf.Tensor>()
      const values = (context: Grammar.Context): ((operator: number) => tf.Tensor) => {
        const known = bound.get(context)
        if (known !== undefined) return known
        const children = below.get(context)!
        const made = Program.bind(program, algebra, (name) => (name === "x" ? children.left : children.right))
        bound.set(context, made)
        return made
      }
      const node = (context: Grammar.Context): tf.Tensor => {
        const may = Grammar.allowed(grammar, context)
        let sum: tf.Tensor = leaves(tf.mul(leafGate(d, may), labels))
        grammar.operators.forEach((_, index) => {
          if (may[index] !== true) return
          const value = values(Grammar.below(grammar, context, index))(index)
          sum = tf.add(sum, tf.mul(weights[index]!, value))
        })
        return clip(sum)
      }
      const current = new Map(contexts[d]!.map((context) => [context, node(context)] as const))
      if (d === 0) return tf.reshape(current.get(Grammar.rootContext)!, [samples, trees, n])
      below = new Map(
        [...current].map(([context, value]) => {
          const [even, odd] = halves(value)
          return [context, { left: even, right: odd }]
        }),
      )
    }
    throw new Error("unreachable: the loop returns at the root")
  }
}
