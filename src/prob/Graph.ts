import type { Algebra } from "../numeric/Algebra.ts"
import * as Nd from "../numeric/Nd.ts"
import * as Rng from "../random/Rng.ts"
import type { DiscreteRelaxation } from "./Factor.ts"
import type { ObservedRecord, GuidedSite } from "./Model.ts"
import * as Moments from "./Moments.ts"
import type { Forest } from "./Forest.ts"
import { type Observation, type Relaxable, selection } from "./Observation.ts"

/** One value of the graph; `inputs` are the ids of earlier nodes. */
export interface Node<L extends Observation = Observation> {
  readonly id: number
  readonly operation: Operation<L>
  readonly inputs: ReadonlyArray<number>
  /** the name in a picture of the graph */
  readonly label: string
}

/** The operation of a node. */
export type Operation<L extends Observation = Observation> =
  | { readonly _tag: "Parameter"; readonly index: number }
  | { readonly _tag: "Noise"; readonly index: number }
  /** a relaxed draw of a site from its factor, shape [S, ...site] */
  | { readonly _tag: "Draw"; readonly site: GuidedSite }
  /** relaxed terminals, shape [S, ...plates, N, p], those of fitted constants times their values */
  | { readonly _tag: "Values"; readonly forest: Forest }
  /** the values of all trees on all rows, shape [S, K, n] */
  | { readonly _tag: "Forest"; readonly forest: Forest }
  /** log p(y | T) of each sample, shape [S]; inputs are the forest and the draws of `selection` */
  | { readonly _tag: "Evidence"; readonly likelihood: L }
  /** KL(q || prior) of a site, a scalar */
  | { readonly _tag: "Divergence"; readonly site: GuidedSite }

/** The graph from parameters, noise and data to the evidence and the divergences. */
export interface Graph<L extends Observation = Observation> {
  /** in an order in which every node comes after its inputs */
  readonly nodes: ReadonlyArray<Node<L>>
  readonly evidence: number
  readonly divergences: ReadonlyArray<number>
  /** the nodes of the parameters and of the noise of each site */
  readonly slots: ReadonlyMap<string, Slots>
}

/** The nodes of a site's parameters and noise. */
interface Slots {
  readonly site: GuidedSite
  readonly parameters: ReadonlyArray<number>
  readonly noise: ReadonlyArray<number>
}

/** The graph of a model's sites with their factors, and of its observation. */
export const make = (sites: ReadonlyArray<GuidedSite>, observed: ObservedRecord): Graph => {
  const nodes: Array<Node> = []
  const add = (operation: Operation, inputs: ReadonlyArray<number>, label: string): number => {
    const id = nodes.length
    nodes.push({ id, operation, inputs, label })
    return id
  }
  let parameter = 0
  let noise = 0
  const own = new Map<string, Slots>()
  for (const site of sites) {
    const { name, factor } = site
    own.set(name, {
      site,
      parameters: factor.parameters.map((slot) =>
        add({ _tag: "Parameter", index: parameter++ }, [], `${name}.${slot.name} [${slot.shape.join()}]`),
      ),
      noise: factor.noise.map((slot) => {
        const label = `${slot.kind} noise [S,${slot.shape.join()}]`
        return add({ _tag: "Noise", index: noise++ }, [], label)
      }),
    })
  }
  const { forest } = observed.likelihood
  const draw = (name: string): number => {
    const site = sites.find((candidate) => candidate.name === name)!
    const slots = own.get(name)!
    return add({ _tag: "Draw", site }, [...slots.parameters, ...slots.noise], `draw ${name}`)
  }
  const { values = [] } = forest
  const split = draw(forest.sites.split)
  const operator = draw(forest.sites.operator)
  const terminal = draw(forest.sites.terminal)
  const names = values.map((value) => forest.grammar.terminals[value.terminal]!.name)
  const leaves =
    values.length === 0
      ? terminal
      : add(
          { _tag: "Values", forest },
          [terminal, ...values.map(({ site }) => draw(site))],
          `terminals, ${names.join(", ")} times values`,
        )
  const design = add(
    { _tag: "Forest", forest },
    [split, operator, leaves],
    `forest, ${forest.trees} trees of depth ${forest.depth}`,
  )
  const evidence = add(
    { _tag: "Evidence", likelihood: observed.likelihood },
    [design, ...selection(observed.likelihood).map(draw)],
    `log p(${observed.name} | T) [S]`,
  )
  const divergences = sites.map((site) =>
    add({ _tag: "Divergence", site }, own.get(site.name)!.parameters, `KL(${site.name})`),
  )
  return { nodes, evidence, divergences, slots: own }
}

/** The functions of an engine that runs a graph. */
export interface Interpreter<T> {
  readonly algebra: Algebra<T>
  /** a constant array, row-major */
  readonly array: (values: ReadonlyArray<number>, shape: ReadonlyArray<number>) => T
  readonly forest: (forest: Forest, draws: { split: T; operator: T; terminal: T }) => T
  readonly evidence: (likelihood: Relaxable, design: T) => T
}

/** The inputs of a run of a graph. */
export interface Inputs<T> {
  readonly parameters: ReadonlyArray<T>
  /** each with a leading axis of samples */
  readonly noise: ReadonlyArray<T>
  /** the number of samples S */
  readonly samples: number
  readonly relaxation: DiscreteRelaxation
  readonly temperature: T
}

/** Runs a graph node by node: log p(y | T) of each sample, [S], and KL(q || prior), a scalar. */
export const run = <T>(
  graph: Graph<Relaxable>,
  I: Interpreter<T>,
  inputs: Inputs<T>,
): { evidence: T; divergence: T } => {
  const values: Array<T> = []
  const divergenceOf = divergences(graph, I, inputs, (id) => at(values, id))
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
        return factor.draw(
          I.algebra,
          input.slice(0, count),
          input.slice(count),
          inputs.relaxation,
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
 * KL(q || prior) of each site of a graph, with the moments and the draws of the sites on which its prior depends. Each
 * is computed once, when a divergence first needs it.
 *
 * @param value of an earlier node
 */
const divergences = <T>(
  graph: Pick<Graph, "nodes" | "slots">,
  { algebra, array }: Pick<Interpreter<T>, "algebra" | "array">,
  { samples, relaxation, temperature }: Omit<Inputs<T>, "parameters" | "noise">,
  value: (id: number) => T,
): ((site: GuidedSite) => T) => {
  const moments = new Map<string, Moments.Moments<T>>()
  const draws = new Map<string, T>()
  const slotsOf = (name: string): Slots => {
    const slots = graph.slots.get(name)
    if (slots === undefined)
      throw new Error(`a prior depends on the site "${name}", which the model does not sample`)
    return slots
  }
  const momentsOf = (name: string): Moments.Moments<T> => {
    const known = moments.get(name)
    if (known !== undefined) return known
    const { site, parameters } = slotsOf(name)
    const made = site.factor.moments(algebra, parameters.map(value))
    moments.set(name, made)
    return made
  }
  const drawOf = (name: string): T | undefined => {
    const known = draws.get(name)
    if (known !== undefined) return known
    const { site, parameters, noise } = slotsOf(name)
    // The likelihood's draw where there is one: its node comes before all divergences.
    const node = graph.nodes.find(
      ({ operation }) => operation._tag === "Draw" && operation.site.name === name,
    )
    const made =
      node !== undefined
        ? value(node.id)
        : site.factor.draw?.(algebra, parameters.map(value), noise.map(value), relaxation, temperature)
    if (made !== undefined) draws.set(name, made)
    return made
  }
  return (site) =>
    site.factor.divergence(
      algebra,
      array,
      slotsOf(site.name).parameters.map(value),
      (name) => beside(algebra, slotsOf(name).site, site, momentsOf(name)),
      {
        samples,
        of: (name) => {
          const draw = drawOf(name)
          return draw === undefined ? undefined : drawBeside(algebra, slotsOf(name).site, site, draw)
        },
      },
    )
}

/**
 * Computes every divergence once, in float64 at the initial parameters, for the errors that it may throw: a prior that
 * needs draws of a factor without a draw.
 */
export const tryDivergences = (graph: Pick<Graph, "nodes" | "slots">): void => {
  const found = new Map<number, Nd.Nd>()
  const { binary, categorical } = {
    binary: <T>(A: Algebra<T>, logits: T, logistic: T) => A.sigmoid(A.binary.add(logits, logistic)),
    categorical: <T>(A: Algebra<T>, logits: T, gumbel: T) => A.softmaxLast(A.binary.add(logits, gumbel)),
  }
  for (const { site, parameters, noise } of graph.slots.values()) {
    site.factor.parameters.forEach((slot, i) =>
      found.set(parameters[i]!, Nd.of(slot.shape, slot.initialise(Rng.key(0)))),
    )
    site.factor.noise.forEach(({ shape }, i) =>
      found.set(noise[i]!, Nd.of([1, ...shape], new Float64Array(Nd.product(shape)).fill(0.5))),
    )
  }
  const of = divergences<Nd.Nd>(
    { nodes: [], slots: graph.slots },
    { algebra: Nd.algebra, array: (values, shape) => Nd.of(shape, values) },
    { samples: 1, relaxation: { binary, categorical }, temperature: Nd.scalar(1) },
    (id) => found.get(id)!,
  )
  for (const { site } of graph.slots.values()) of(site)
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

/**
 * The moments of a site for a site further inside: plates are the leading axes of both, and broadcasting aligns the
 * last axes. The parent's moments get a trailing axis for each plate that only the child is in.
 */
const beside = <T>(
  A: Algebra<T>,
  parent: GuidedSite,
  child: GuidedSite,
  moments: Moments.Moments<T>,
): Moments.Moments<T> => {
  const inner = child.shape.length - parent.shape.length
  // Without plates broadcasting is right; weights with plates are in the plates of the child (see `Plan.trace`).
  if (inner === 0 || parent.shape.length === 0 || parent.support === "simplex") return moments
  return Moments.map(moments, (x) => expanded(A, x, inner))
}

/** A draw of a site for a site further inside; its leading axis is that of samples. */
const drawBeside = <T>(A: Algebra<T>, parent: GuidedSite, child: GuidedSite, draw: T): T =>
  parent.support === "simplex" ? draw : expanded(A, draw, child.shape.length - parent.shape.length)

const expanded = <T>(A: Algebra<T>, x: T, axes: number): T =>
  Array.from({ length: Math.max(0, axes) }).reduce<T>((y) => A.expandLast(y), x)

/** An element that exists by the construction of the graph. `T` may include undefined, so that `!` does not apply. */
const at = <T>(values: ReadonlyArray<T>, index: number): T => {
  if (index >= values.length) throw new RangeError(`the graph has no value ${index}`)
  return values[index] as T
}
