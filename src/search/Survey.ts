import * as GramMatrix from "./GramMatrix.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/** The moments of one long list of columns, which is tried beside one ensemble after another (`FormLibrary`). */
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

/** Held trees of which the products with all columns are kept. */
const bases = 32

export const make = (space: SearchSpace, response: number): Survey => {
  let known: Int32Array | undefined
  let gram: GramMatrix.GramMatrix | undefined
  let places = new Int32Array(0)
  const open = (ids: Int32Array): GramMatrix.GramMatrix => {
    const made = GramMatrix.make(space, response, [], { members: ids.length, bases })
    made.add(ids)
    const members = made.members()
    places = new Int32Array(members.length)
    // Members have the order of the list.
    let place = 0
    for (let i = 0; i < members.length; i++) {
      while (ids[place] !== members[i]) place++
      places[i] = place
    }
    known = ids
    return (gram = made)
  }
  return {
    moments: (ids, base) => (gram !== undefined && ids === known ? gram : open(ids)).moments(base),
    places: () => places,
    clear: () => {
      gram = known = undefined
    },
  }
}
