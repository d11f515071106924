import * as ExpressionLibrary from "./ExpressionLibrary.ts"
import type { Frontier } from "./Frontier.ts"
import type { Held } from "./HallOfFame.ts"
import * as PowerProduct from "./PowerProduct.ts"
import type { Workbench } from "./Workbench.ts"

/** Nothing held. */
export const none: Held = { trees: [], signatures: [] }

/** A tree as the held part of an ensemble, if it is admissible. */
export const holding = (bench: Workbench, frontier: Frontier, tree: number): ReadonlyArray<Held> => {
  if (tree < 0) return []
  bench.beside(frontier, none, [tree])
  const { id, signature } = bench.scoring.best
  return id < 0 ? [] : [{ trees: [id], signatures: [signature] }]
}

/** Tries trees beside held ones, and again beside the best, until there is no room. */
export const fill = (
  bench: Workbench,
  frontier: Frontier,
  held: Held,
  trees: ReadonlyArray<number>,
): void => {
  let base = held
  while (base.trees.length < bench.most) {
    bench.beside(frontier, base, trees)
    const { id, signature } = bench.scoring.best
    if (id < 0) return
    base = { trees: [...base.trees, id], signatures: [...base.signatures, signature] }
  }
}

/** Places of the largest scores, best first. */
export const largest = (
  scores: Float64Array,
  places: ReadonlyArray<number>,
  most: number,
): ReadonlyArray<number> =>
  places
    .filter((i) => scores[i]! > -Infinity)
    .toSorted((a, b) => scores[b]! - scores[a]!)
    .slice(0, most)

/** Expressions of some nodes, cheapest first. */
export const expressions = (
  { space }: Workbench,
  leaves: ReadonlyArray<number>,
  most: number,
): ReadonlyArray<number> => {
  const library = ExpressionLibrary.make(space, most, ExpressionLibrary.nothing(), leaves)
  while (library.growing()) library.grow(() => undefined)
  return library.ids
}

/** A response whose trees have a factor in common: the tree of an expression, and what stands beside. */
export interface Frame {
  readonly of: (id: number) => number
  /** nothing, and the factor by itself, in the place of an intercept */
  readonly held: ReadonlyArray<Held>
}

/** @param power of y that the response is, 0 for its logarithm, which has the logarithm of the factor as a term */
export const make = (
  bench: Workbench,
  frontier: Frontier,
  bases: ReadonlyArray<number>,
  powers: Float64Array,
  power: number,
): Frame | undefined => {
  const by = power === 0 ? 1 : power
  const product = PowerProduct.of(
    bench,
    bases,
    powers.map((own) => own * by),
  )
  if (product === undefined) return undefined
  const factor = PowerProduct.node(bench, product)
  return {
    of: power === 0 ? (id) => id : (id) => PowerProduct.times(bench, product, id),
    held: [none, ...holding(bench, frontier, power === 0 ? bench.apply("log", factor) : factor)],
  }
}
