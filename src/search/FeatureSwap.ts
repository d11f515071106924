import * as Dag from "./kernel/Dag.ts"
import { replaced } from "./Replaced.ts"
import { type SearchSpace, varying } from "./SearchSpace.ts"

/** The features that occur in a tree, in order. */
export const featuresOf = (space: SearchSpace, tree: number): ReadonlyArray<number> => {
  const found = new Set<number>()
  const visit = (id: number): void => {
    const records = space.dag.records()
    const at = id * Dag.width
    if (records[at]! < 0) {
      if (id < space.terminals && space.attributes.varies(id)) found.add(id)
      return
    }
    const right = records[at + Dag.RIGHT]!
    visit(records[at + Dag.LEFT]!)
    if (right >= 0) visit(right)
  }
  visit(tree)
  return [...found].sort((a, b) => a - b)
}

/** Which terminals take the place of which. */
type Names = Generator<ReadonlyArray<readonly [number, number]>, void>

/**
 * The trees that have another feature in the place of one, or other two in the place of two: laws treat like things
 * alike, so that x^2 is often followed by y^2, and (x1 - x2)^2 by (y1 - y2)^2.
 */
export const renamings = (space: SearchSpace, tree: number, most: number): ReadonlyArray<number> => {
  const own = featuresOf(space, tree)
  const all = varying(space)
  const others = all.filter((id) => !own.includes(id))
  const { dimension } = space.attributes
  /** A feature of another unit would make no consistent tree in most places. */
  const alike = (a: number, b: number): boolean => dimension(a) === dimension(b)
  function* one(): Names {
    for (const a of own) for (const b of all) if (a !== b && alike(a, b)) yield [[a, b]]
  }
  function* two(): Names {
    for (const a of own)
      for (const c of own)
        if (a < c)
          for (const b of others)
            for (const d of others)
              if (b !== d && alike(a, b) && alike(c, d))
                yield [
                  [a, b],
                  [c, d],
                ]
  }
  function* names(): Names {
    // A tree of two features is swapped into two others.
    if (own.length === 2) yield* two()
    yield* one()
    if (own.length > 2) yield* two()
  }
  const found = new Set<number>()
  // There are as many as features to the fourth: only those that are wanted are made.
  for (const pairs of names()) {
    if (found.size >= most) break
    found.add(replaced(space, tree, new Map(pairs)))
  }
  space.attributes.update()
  found.delete(tree)
  found.delete(-1)
  return [...found]
}
