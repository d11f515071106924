import * as Grammar from "../../../prob/Grammar.ts"
import * as Skeleton from "../../../prob/Skeleton.ts"
import type { Forest } from "../../../prob/Tree.ts"
import * as Program from "../Program.ts"

/** An operator as it is applied at a level in a context. */
export interface Application {
  readonly operator: number
  /** the context of its operands, an index into the next level's contexts; 0 above the leaves, which have none */
  readonly below: number
}

/** The inner nodes of one depth. */
export interface Level {
  readonly depth: number
  /** the children are leaves */
  readonly bottom: boolean
  /** for each context that a node can have, the operators that it may apply */
  readonly contexts: ReadonlyArray<{
    readonly context: Grammar.Context
    readonly applications: ReadonlyArray<Application>
    /** whether every operator is allowed */
    readonly free: boolean
  }>
  /** the number of values that a child has: one for each context below, one if the children are leaves */
  readonly below: number
}

/** The sizes and operators of a forest that determine its kernel. */
export interface Shape {
  readonly program: Program.Program
  readonly operators: number
  readonly terminals: number
  readonly depth: number
  readonly trees: number
  /** inner levels, the root's first; none if the trees are single leaves */
  readonly levels: ReadonlyArray<Level>
  /** whether any operator reads its second operand: if not, right subtrees are not evaluated */
  readonly right: boolean
  /** the largest number of contexts of a level */
  readonly width: number
  /**
   * For each node of the skeleton, the index of its first weight among those of a tree; -1 for nodes that are not read.
   * An inner node has, for each context, the weights of the terminals, then those of the operators; a leaf those of the
   * terminals. Nodes are in post-order, so that the two leaves of a bottom node come right before it.
   */
  readonly offsets: ReadonlyArray<number>
  readonly weights: number
}

/** @param unit the unit of protected operations (`Protection.unitOf` the terminals); 1 if left out */
export const make = ({ grammar, depth, trees }: Forest, unit = 1): Shape => {
  const program = Program.make(grammar.operators, unit)
  const operators = grammar.operators.length
  const terminals = grammar.terminals.length
  const contexts = Array.from({ length: depth + 1 }, (_, d) => Grammar.contextsAt(grammar, d))
  const levels = Array.from({ length: depth }, (_, d): Level => {
    const bottom = d === depth - 1
    return {
      depth: d,
      bottom,
      below: bottom ? 1 : contexts[d + 1]!.length,
      contexts: contexts[d]!.map((context) => {
        const may = Grammar.allowed(grammar, context)
        return {
          context,
          free: may.every(Boolean),
          applications: grammar.operators.flatMap((_, operator) => {
            if (may[operator] !== true) return []
            const below = bottom ? 0 : contexts[d + 1]!.indexOf(Grammar.below(grammar, context, operator))
            return [{ operator, below }]
          }),
        }
      }),
    }
  })
  const right = program.instructions.some((step) => step._tag === "Argument" && step.name === "y")
  const offsets = Array.from({ length: Skeleton.size(depth) }, () => -1)
  let weights = 0
  const place = (node: number, d: number): void => {
    const level = levels[d]
    if (level !== undefined) {
      place(2 * node + 1, d + 1)
      if (right) place(2 * node + 2, d + 1)
    }
    offsets[node] = weights
    weights += level === undefined ? terminals : level.contexts.length * (terminals + operators)
  }
  place(0, 0)
  const width = Math.max(1, ...levels.map((level) => level.contexts.length))
  return { program, operators, terminals, depth, trees, levels, right, width, offsets, weights }
}

/** The number of weights before a node's own that its functions read: those of the leaves below a bottom node. */
export const firstWeight = (shape: Shape, { bottom }: Level): number =>
  bottom ? (shape.right ? 2 : 1) * shape.terminals : 0

/** Whether a step is the product of the two operands. */
export const isProduct = (program: Program.Program, step: number): boolean => {
  const instruction = program.instructions[step]!
  if (instruction._tag !== "Binary" || instruction.operation !== "mul") return false
  const [left, right] = [program.instructions[instruction.left]!, program.instructions[instruction.right]!]
  return left._tag === "Argument" && right._tag === "Argument" && left.name !== right.name
}
