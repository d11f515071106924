import type { Shape } from "./Shape.ts"

/** Relaxed draws of a forest's sites, or their adjoints: split [S, K, N], operator [S, K, N, O], terminal [S, K, N, p]. */
export interface Draws {
  readonly split: Float64Array
  readonly operator: Float64Array
  readonly terminal: Float64Array
}

/** A node as the gates see it. */
interface Gate {
  readonly node: number
  readonly offset: number
  /** for each context, whether an operator may be applied; none at a leaf */
  readonly contexts: ReadonlyArray<{ readonly free: boolean; readonly may: ReadonlyArray<boolean> }>
}

/**
 * Between draws and the weights of a kernel (Eq. soft-gating): in an inner node, a terminal weighs (1 - e) h and an
 * operator e o; in a context that forbids operators, their share goes to the terminals: (1 - sum e o) h.
 */
export interface Gates {
  readonly weigh: (draws: Draws, weights: Float32Array) => void
  /**
   * Adds to the adjoints of the draws what the adjoints of the weights say.
   *
   * @param seeds for each sample, what its weights' adjoints are multiplied by
   */
  readonly pull: (draws: Draws, gradients: Float64Array, seeds: Float64Array, adjoints: Draws) => void
}

export const make = (shape: Shape, samples: number): Gates => {
  const { operators: O, terminals: p, trees, levels, offsets } = shape
  const N = offsets.length
  const gates: ReadonlyArray<Gate> = offsets.flatMap((offset, node) => {
    if (offset < 0) return []
    const level = levels[31 - Math.clz32(node + 1)]
    const contexts = (level?.contexts ?? []).map(({ free, applications }) => ({
      free,
      may: Array.from({ length: O }, (_, o) => applications.some(({ operator }) => operator === o)),
    }))
    return [{ node, offset, contexts }]
  })

  const weigh: Gates["weigh"] = ({ split, operator, terminal }, weights) => {
    for (let t = 0; t < samples * trees; t++)
      for (const { node, offset, contexts } of gates) {
        const at = t * N + node
        let to = t * shape.weights + offset
        if (contexts.length === 0) for (let m = 0; m < p; m++) weights[to + m] = terminal[at * p + m]!
        const e = split[at]!
        for (const { free, may } of contexts) {
          let expands = e
          if (!free) {
            expands = 0
            for (let o = 0; o < O; o++) if (may[o]!) expands += e * operator[at * O + o]!
          }
          for (let m = 0; m < p; m++) weights[to + m] = (1 - expands) * terminal[at * p + m]!
          for (let o = 0; o < O; o++) weights[to + p + o] = e * operator[at * O + o]!
          to += p + O
        }
      }
  }

  const pull: Gates["pull"] = ({ split, operator, terminal }, gradients, seeds, adjoints) => {
    for (let t = 0; t < samples * trees; t++) {
      const seed = seeds[Math.floor(t / trees)]!
      for (const { node, offset, contexts } of gates) {
        const at = t * N + node
        let from = t * shape.weights + offset
        if (contexts.length === 0)
          for (let m = 0; m < p; m++) adjoints.terminal[at * p + m]! += seed * gradients[from + m]!
        const e = split[at]!
        for (const { free, may } of contexts) {
          let expands = free ? e : 0
          if (!free) for (let o = 0; o < O; o++) if (may[o]!) expands += e * operator[at * O + o]!
          // The adjoint of the terminals' gate, 1 - expands.
          let gate = 0
          for (let m = 0; m < p; m++) {
            const g = seed * gradients[from + m]!
            gate += g * terminal[at * p + m]!
            adjoints.terminal[at * p + m]! += g * (1 - expands)
          }
          let slope = free ? -gate : 0
          for (let o = 0; o < O; o++) {
            if (!may[o]!) continue
            const g = seed * gradients[from + p + o]! - (free ? 0 : gate)
            adjoints.operator[at * O + o]! += g * e
            slope += g * operator[at * O + o]!
          }
          adjoints.split[at]! += slope
          from += p + O
        }
      }
    }
  }
  return { weigh, pull }
}
