import type * as TreePrior from "../evidence/treePrior.ts"

/** Cached properties of a tree beside its column. */
export interface Facts {
  readonly key: string
  readonly counts: TreePrior.Counts
  readonly complexity: number
  /** the places of features among the terminals, of those in the tree */
  readonly features: ReadonlySet<number>
}

/** How many features some trees have. */
export const columnsOf = (known: ReadonlyArray<Facts>): number =>
  new Set(known.flatMap(({ features }) => [...features])).size

/** The complexity of a law: the sum over distinct trees. */
export const complexityOf = (known: ReadonlyArray<Facts>): number => {
  let sum = 0
  known.forEach(({ key, complexity }, k) => {
    if (known.findIndex((other) => other.key === key) === k) sum += complexity
  })
  return sum
}
