import * as Divergences from "./Divergences.ts"
import { relaxedBy } from "./Factor.ts"
import type { Forest } from "./Forest.ts"
import type { Graph, Node } from "./Graph.ts"
import type { Relaxable } from "./Observation.ts"

/** The functions of an engine that runs a graph. */
export interface Interpreter<T> extends Divergences.Arrays<T> {
  readonly forest: (forest: Forest, draws: { split: T; operator: T; terminal: T }) => T
  readonly evidence: (likelihood: Relaxable, design: T) => T
}

/** The inputs of a run of a graph. */
export interface Inputs<T> extends Divergences.Draws<T> {
  readonly parameters: ReadonlyArray<T>
  /** each with a leading axis of samples */
  readonly noise: ReadonlyArray<T>
  /** the divergence that is wanted, `"expected"` if left out: see `ObjectiveForm.divergence` */
  readonly divergence?: "expected" | "drawn" | undefined
}

/**
 * Runs a graph node by node: log p(y | T) of each sample, [S], and KL(q || prior), a scalar, or log q - log p of each
 * sample, [S].
 */
export const run = <T>(
  graph: Graph<Relaxable>,
  I: Interpreter<T>,
  inputs: Inputs<T>,
): { evidence: T; divergence: T } => {
  const values: Array<T> = []
  const divergenceOf = Divergences.of(graph, I, inputs, (id) => at(values, id))[
    inputs.divergence ?? "expected"
  ]
  const compute = (node: Node<Relaxable>): T => {
    const input = node.inputs.map((id) => at(values, id))
    const { operation } = node
    switch (operation._tag) {
      case "Parameter":
        return at(inputs.parameters, operation.index)
      case "Noise":
        return at(inputs.noise, operation.index)
      case "Draw": {
        const { factor, name } = operation.site
        if (factor.draw === undefined) throw new Error(`the factor of the site "${name}" cannot be drawn`)
        const count = factor.parameters.length
        const own = count + factor.noise.length
        return factor.draw(
          I.algebra,
          input.slice(0, count),
          input.slice(count, own),
          relaxedBy(inputs.relaxation, input.slice(own)),
          inputs.temperature,
        )
      }
      case "Values":
        return I.algebra.binary.mul(at(input, 0), scales(I, operation.forest, input.slice(1)))
      case "Forest":
        return I.forest(operation.forest, {
          split: at(input, 0),
          operator: at(input, 1),
          terminal: at(input, 2),
        })
      case "Evidence":
        return I.evidence(operation.likelihood, at(input, 0))
      case "Divergence":
        return divergenceOf(operation.site)
    }
  }
  for (const node of graph.nodes) values.push(compute(node))
  const divergence = graph.divergences.reduce(
    (sum, id) => I.algebra.binary.add(sum, at(values, id)),
    I.algebra.literal(0),
  )
  return { evidence: at(values, graph.evidence), divergence }
}

/**
 * The factors of the terminals' weights, [S, ...plates, N, p]: the value v of each fitted constant, and 1 for other
 * terminals. The column of a fitted constant is 1 in all rows, so that a weight h v on it is a weight h on a leaf of
 * value v.
 *
 * @param values of each of the forest's fitted constants, [S, ...plates, N]
 */
const scales = <T>({ algebra: A, array }: Interpreter<T>, forest: Forest, values: ReadonlyArray<T>): T => {
  const { values: fitted = [], grammar } = forest
  const p = grammar.terminals.length
  const mask = (one: (terminal: number) => boolean): T =>
    array(
      Array.from({ length: p }, (_, terminal) => (one(terminal) ? 1 : 0)),
      [p],
    )
  const fixed = mask((terminal) => fitted.every((value) => value.terminal !== terminal))
  return fitted.reduce(
    (sum, value, index) =>
      A.binary.add(
        sum,
        A.binary.mul(
          A.expandLast(at(values, index)),
          mask((terminal) => terminal === value.terminal),
        ),
      ),
    fixed,
  )
}

/** An element that exists by the construction of the graph. */
const at = <T>(values: ReadonlyArray<T>, index: number): T => {
  if (index >= values.length) throw new RangeError(`the graph has no value ${index}`)
  // The index is in range. `!` does not apply: `T` may include undefined.
  return values[index] as T
}
