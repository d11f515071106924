import type { NoiseSlot } from "./Factor.ts"
import type { ObservedRecord, GuidedSite } from "./Model.ts"
import type { Forest } from "./Forest.ts"
import { type Observation, selection } from "./Observation.ts"

/** One value of the graph; `inputs` are the ids of earlier nodes. */
export interface Node<L extends Observation = Observation> {
  readonly id: number
  readonly operation: Operation<L>
  readonly inputs: ReadonlyArray<number>
  /** the name in a picture of the graph */
  readonly label: string
}

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

/** The nodes of a site's parameters and noise, and of the further noise of its relaxation. */
export interface Slots {
  readonly site: GuidedSite
  readonly parameters: ReadonlyArray<number>
  readonly noise: ReadonlyArray<number>
  readonly further: ReadonlyArray<number>
}

/**
 * The noise slot of which the relaxation of a site may take further copies: the one of a discrete site with a relaxed draw;
 * undefined elsewhere.
 */
export const relaxedSlot = ({ factor }: GuidedSite): NoiseSlot | undefined => {
  const [slot, ...more] = factor.noise
  const kind = { binary: "logistic", categorical: "gumbel" }
  const discrete = factor.support === "binary" || factor.support === "categorical"
  if (slot === undefined || more.length > 0 || !discrete || factor.draw === undefined) return undefined
  return slot.kind === kind[factor.support] ? slot : undefined
}

/**
 * The graph of a model's sites with their factors, and of its observation.
 *
 * @param further the number of further noise arrays of each discrete draw; their indices come after those of all others
 */
export const make = (sites: ReadonlyArray<GuidedSite>, observed: ObservedRecord, further = 0): Graph => {
  const nodes: Array<Node> = []
  const add = (operation: Operation, inputs: ReadonlyArray<number>, label: string): number => {
    const id = nodes.length
    nodes.push({ id, operation, inputs, label })
    return id
  }
  let parameter = 0
  let noise = 0
  const own = new Map<string, Slots>()
  const noiseNode = ({ kind, shape }: NoiseSlot, which = ""): number =>
    add({ _tag: "Noise", index: noise++ }, [], `${which}${kind} noise [S,${shape.join()}]`)
  for (const site of sites) {
    const { name, factor } = site
    own.set(name, {
      site,
      further: [],
      parameters: factor.parameters.map((slot) =>
        add({ _tag: "Parameter", index: parameter++ }, [], `${name}.${slot.name} [${slot.shape.join()}]`),
      ),
      noise: factor.noise.map((slot) => noiseNode(slot)),
    })
  }
  for (const slots of own.values()) {
    const slot = relaxedSlot(slots.site)
    if (slot === undefined) continue
    const nodes = Array.from({ length: further }, () => noiseNode(slot, "further "))
    own.set(slots.site.name, { ...slots, further: nodes })
  }
  const { forest } = observed.likelihood
  const draw = (name: string): number => {
    const site = sites.find((candidate) => candidate.name === name)!
    const slots = own.get(name)!
    const inputs = [...slots.parameters, ...slots.noise, ...slots.further]
    return add({ _tag: "Draw", site }, inputs, `draw ${name}`)
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
