import type { Shape } from "./Shape.ts"

/** Relaxed draws of a forest's sites, or their adjoints: split [S, K, N], operator [S, K, N, O], terminal [S, K, N, p]. */
export interface Draws {
  readonly split: Float64Array
  readonly operator: Float64Array
  readonly terminal: Float64Array
}

/**
 * From draws to the weights of a kernel (Eq. soft-gating), and back. In an inner node a terminal has the weight (1 - e)
 * h and an operator e o. In a context that forbids operators, their weight goes to the terminals: (1 - sum e o) h.
 */
export interface Gates {
  readonly weigh: (draws: Draws, weights: Float32Array) => void
  /**
   * Adds to the adjoints of the draws, from the adjoints of the weights.
   *
   * @param seeds for each sample, the factor of its weights' adjoints
   */
  readonly pull: (draws: Draws, gradients: Float64Array, seeds: Float64Array, adjoints: Draws) => void
}

/** The gates of one context of a node, or of a leaf. */
interface Gate {
  readonly node: number
  /** index of the first weight among those of a tree */
  readonly offset: number
  /** for each operator, 1 if it is allowed, else 0; undefined if all are allowed, and for a leaf */
  readonly may: Float64Array | undefined
  readonly leaf: boolean
}

export const make = (shape: Shape, samples: number): Gates => {
  const { operators: O, terminals: p, trees, levels, offsets } = shape
  const N = offsets.length
  const gates = offsets.flatMap((offset, node): ReadonlyArray<Gate> => {
    if (offset < 0) return []
    const level = levels[31 - Math.clz32(node + 1)]
    if (level === undefined) return [{ node, offset, may: undefined, leaf: true }]
    return level.contexts.map(({ free, applications }, context) => ({
      node,
      offset: offset + context * (p + O),
      may: free
        ? undefined
        : Float64Array.from({ length: O }, (_, o) =>
            applications.some(({ operator }) => operator === o) ? 1 : 0,
          ),
      leaf: false,
    }))
  })

  const weigh: Gates["weigh"] = ({ split, operator, terminal }, weights) => {
    for (let g = 0; g < gates.length; g++) {
      const { node, offset, may, leaf } = gates[g]!
      for (let t = 0; t < samples * trees; t++) {
        const at = t * N + node
        const from = at * p
        const to = t * shape.weights + offset
        if (leaf) {
          for (let m = 0; m < p; m++) weights[to + m] = terminal[from + m]!
          continue
        }
        const e = split[at]!
        const own = at * O
        let expands = e
        if (may !== undefined) {
          expands = 0
          for (let o = 0; o < O; o++) expands += may[o]! * e * operator[own + o]!
        }
        for (let m = 0; m < p; m++) weights[to + m] = (1 - expands) * terminal[from + m]!
        for (let o = 0; o < O; o++) weights[to + p + o] = e * operator[own + o]!
      }
    }
  }

  const pull: Gates["pull"] = ({ split, operator, terminal }, gradients, seeds, adjoints) => {
    const { split: ofSplit, operator: ofOperator, terminal: ofTerminal } = adjoints
    for (let g = 0; g < gates.length; g++) {
      const { node, offset, may, leaf } = gates[g]!
      for (let t = 0; t < samples * trees; t++) {
        const seed = seeds[(t / trees) | 0]!
        const at = t * N + node
        const from = at * p
        const first = t * shape.weights + offset
        if (leaf) {
          for (let m = 0; m < p; m++) ofTerminal[from + m]! += seed * gradients[first + m]!
          continue
        }
        const e = split[at]!
        const own = at * O
        let expands = e
        if (may !== undefined) {
          expands = 0
          for (let o = 0; o < O; o++) expands += may[o]! * e * operator[own + o]!
        }
        // The adjoint of the terminals' gate, 1 - expands.
        let gate = 0
        for (let m = 0; m < p; m++) {
          const slope = seed * gradients[first + m]!
          gate += slope * terminal[from + m]!
          ofTerminal[from + m]! += slope * (1 - expands)
        }
        let total = may === undefined ? -gate : 0
        for (let o = 0; o < O; o++) {
          if (may !== undefined && may[o] === 0) continue
          const slope = seed * gradients[first + p + o]! - (may === undefined ? 0 : gate)
          ofOperator[own + o]! += slope * e
          total += slope * operator[own + o]!
        }
        ofSplit[at]! += total
      }
    }
  }
  return { weigh, pull }
}
