import type { Algebra } from "../numeric/Algebra.ts"
import { algebra as shapes, type Shape } from "../numeric/Shapes.ts"
import { type RelaxationForm, relaxedBy } from "./Factor.ts"
import type { Graph, Slots } from "./Graph.ts"
import type { GuidedSite } from "./Model.ts"
import * as Moments from "./Moments.ts"

/** The arrays of an engine. */
export interface Arrays<T> {
  readonly algebra: Algebra<T>
  /** a constant array, row-major */
  readonly array: (values: ReadonlyArray<number>, shape: ReadonlyArray<number>) => T
}

/** Draws of sites from their factors. */
export interface Draws<T> {
  /** the number of samples S */
  readonly samples: number
  readonly relaxation: RelaxationForm
  readonly temperature: T
}

/** The divergence of each site of a graph. */
export interface Divergences<T> {
  /** KL(q || prior), a scalar */
  readonly expected: (site: GuidedSite) => T
  /** log q - log p of each relaxed draw, [S]; `expected` for a site that the likelihood does not read */
  readonly drawn: (site: GuidedSite) => T
}

/**
 * KL(q || prior) of each site of a graph, or log q - log p of its draws, with the moments and the draws of the sites on which its prior depends. Each
 * is computed once, when a divergence first needs it.
 *
 * @param value of an earlier node
 */
export const of = <T>(
  graph: Pick<Graph, "nodes" | "slots">,
  { algebra, array }: Arrays<T>,
  { samples, relaxation, temperature }: Draws<T>,
  value: (id: number) => T,
): Divergences<T> => {
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
    const { site, parameters, noise, further } = slotsOf(name)
    // The likelihood's draw where there is one: its node comes before all divergences.
    const node = graph.nodes.find(
      ({ operation }) => operation._tag === "Draw" && operation.site.name === name,
    )
    const made =
      node !== undefined
        ? value(node.id)
        : site.factor.draw?.(
            algebra,
            parameters.map(value),
            noise.map(value),
            relaxedBy(relaxation, further.map(value)),
            temperature,
          )
    if (made !== undefined) draws.set(name, made)
    return made
  }
  const besides = (site: GuidedSite) => ({
    parent: (name: string) => beside(algebra, slotsOf(name).site, site, momentsOf(name)),
    draws: {
      samples,
      of: (name: string) => {
        const draw = drawOf(name)
        return draw === undefined ? undefined : drawBeside(algebra, slotsOf(name).site, site, draw)
      },
    },
  })
  const expected = (site: GuidedSite): T => {
    const { parent, draws: given } = besides(site)
    return site.factor.divergence(algebra, array, slotsOf(site.name).parameters.map(value), parent, given)
  }
  return {
    expected,
    drawn: (site) => {
      if (!isRead(graph, site.name)) return expected(site)
      const { parent, draws: given } = besides(site)
      const { parameters, noise } = slotsOf(site.name)
      const { factor } = site
      if (factor.drawnDivergence === undefined)
        throw new Error(`the factor of the site "${site.name}" has no drawnDivergence`)
      const each = factor.drawnDivergence(
        algebra,
        array,
        parameters.map(value),
        noise.map(value),
        parent,
        given,
      )
      return site.shape.reduce<T>((sum) => algebra.sumLast(sum), each)
    },
  }
}

/** Whether the likelihood reads the draws of a site. */
export const isRead = (graph: Pick<Graph, "nodes">, name: string): boolean =>
  graph.nodes.some(({ operation }) => operation._tag === "Draw" && operation.site.name === name)

/**
 * Computes the shape of every divergence once, for the errors that it may throw: a prior that needs draws of a factor without a draw. Numbers would
 * take as long as a step.
 */
export const check = (graph: Pick<Graph, "nodes" | "slots">): void => {
  const found = new Map<number, Shape>()
  const relaxed = <T>(A: Algebra<T>, logits: T, noise: T): T => A.binary.add(logits, noise)
  for (const { site, parameters, noise, further } of graph.slots.values()) {
    site.factor.parameters.forEach(({ shape }, i) => found.set(parameters[i]!, shape))
    site.factor.noise.forEach(({ shape }, i) =>
      [noise[i]!, ...further].forEach((id) => found.set(id, [1, ...shape])),
    )
  }
  const { expected } = of<Shape>(
    { nodes: [], slots: graph.slots },
    { algebra: shapes, array: shapes.array },
    { samples: 1, relaxation: { binary: relaxed, categorical: relaxed }, temperature: [] },
    (id) => found.get(id)!,
  )
  for (const { site } of graph.slots.values()) expected(site)
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
