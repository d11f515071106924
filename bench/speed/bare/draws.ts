import * as Nd from "../../../src/numeric/Nd.ts"
import * as Skeleton from "../../../src/prob/Skeleton.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { inner, leaves, trees, weightsOfTree } from "./kernel.ts"

const nodes = Skeleton.size(3)
const operators = 3
const terminals = 2

/** Relaxed draws of S forests: split [S, 3, 15], operator [S, 3, 15, 3], terminal [S, 3, 15, 2]. */
export interface Draws {
  readonly split: Nd.Nd
  readonly operator: Nd.Nd
  readonly terminal: Nd.Nd
}

const softmax = (logits: ReadonlyArray<number>): ReadonlyArray<number> => {
  const powers = logits.map(Math.exp)
  const sum = powers.reduce((a, b) => a + b, 0)
  return powers.map((power) => power / sum)
}

/** Draws at temperature 1 from uniform logits: what a fit starts with, but for the splits' decay. */
export const draws = (samples: number, seed: number): Draws => {
  const key = Rng.split(Rng.key(seed), 3)
  const count = samples * trees * nodes
  const logistic = Rng.logistic(key[0], new Float32Array(count))
  const gumbel = (j: number, width: number): Float64Array => {
    const g = Rng.gumbel(key[j]!, new Float32Array(count * width))
    return Float64Array.from(
      Array.from({ length: count }, (_, i) => softmax([...g.subarray(i * width, (i + 1) * width)])).flat(),
    )
  }
  return {
    split: Nd.of(
      [samples, trees, nodes],
      Float64Array.from(logistic, (x) => 1 / (1 + Math.exp(-x))),
    ),
    operator: Nd.of([samples, trees, nodes, operators], gumbel(1, operators)),
    terminal: Nd.of([samples, trees, nodes, terminals], gumbel(2, terminals)),
  }
}

/** Writes the kernel's weights of draws: (1 - e) h and e o at inner nodes, h at leaves. */
export const weigh = ({ split, operator, terminal }: Draws, out: Float32Array): void => {
  for (let t = 0; t < out.length / weightsOfTree; t++)
    for (let node = 0; node < nodes; node++) {
      const at = t * nodes + node
      const h = terminal.data.subarray(at * terminals, (at + 1) * terminals)
      if (node >= inner) {
        out.set(h, t * weightsOfTree + 5 * inner + 2 * (node - inner))
        continue
      }
      const e = split.data[at]!
      const o = operator.data.subarray(at * operators, (at + 1) * operators)
      out.set([...h.map((x) => (1 - e) * x), ...o.map((x) => e * x)], t * weightsOfTree + 5 * node)
    }
}

/** The gradient by the draws, from that by the weights. */
export const pullBack = ({ split, operator, terminal }: Draws, gradients: Float64Array): Draws => {
  const d = {
    split: new Float64Array(split.data.length),
    operator: new Float64Array(operator.data.length),
    terminal: new Float64Array(terminal.data.length),
  }
  for (let t = 0; t < gradients.length / weightsOfTree; t++)
    for (let node = 0; node < inner + leaves; node++) {
      const at = t * nodes + node
      const from = t * weightsOfTree + (node < inner ? 5 * node : 5 * inner + 2 * (node - inner))
      const e = node < inner ? split.data[at]! : 0
      for (let j = 0; j < terminals; j++) {
        d.terminal[at * terminals + j] = (1 - e) * gradients[from + j]!
        if (node < inner) d.split[at]! -= terminal.data[at * terminals + j]! * gradients[from + j]!
      }
      if (node >= inner) continue
      for (let o = 0; o < operators; o++) {
        d.operator[at * operators + o] = e * gradients[from + terminals + o]!
        d.split[at]! += operator.data[at * operators + o]! * gradients[from + terminals + o]!
      }
    }
  return {
    split: Nd.of(split.shape, d.split),
    operator: Nd.of(operator.shape, d.operator),
    terminal: Nd.of(terminal.shape, d.terminal),
  }
}
