import * as GramMatrix from "./GramMatrix.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/** The moments of a list of columns, which is tried beside one ensemble after another (`FormLibrary`). */
export interface Survey {
  /**
   * Rows of moments of the columns that are admissible, as `Regression.moments` has them; overwritten by the next call. What the
   * columns have with themselves, the response and a held tree is worked out once.
   */
  readonly moments: (ids: Int32Array, base: ReadonlyArray<number>) => Float64Array
  /** The place of each row's column in the list. */
  readonly places: () => Int32Array
  /** Forgets everything, as it must when the response has changed, or nodes are forgotten. */
  readonly clear: () => void
}

/** The latest list of fewer columns and the latest of more are kept, so that short lists do not displace the long one. */
const long = 1024

/** Held trees of which the products with all columns are kept. */
const bases = 32

/** A list of columns with their products. */
interface List {
  readonly ids: Int32Array
  readonly gram: GramMatrix.GramMatrix
  readonly places: Int32Array
}

export const make = (space: SearchSpace, response: number): Survey => {
  const known = new Map<boolean, List>()
  let latest: List | undefined
  const of = (ids: Int32Array): List => {
    const gram = GramMatrix.make(space, response, [], { members: ids.length, bases })
    gram.add(ids)
    const members = gram.members()
    const places = new Int32Array(members.length)
    // Members have the order of the list.
    let place = 0
    for (let i = 0; i < members.length; i++) {
      while (ids[place] !== members[i]) place++
      places[i] = place
    }
    return { ids, gram, places }
  }
  return {
    moments: (ids, base) => {
      const isLong = ids.length >= long
      const before = known.get(isLong)
      latest = before?.ids === ids ? before : of(ids)
      known.set(isLong, latest)
      return latest.gram.moments(base)
    },
    places: () => latest?.places ?? new Int32Array(0),
    clear: () => {
      known.clear()
      latest = undefined
    },
  }
}
