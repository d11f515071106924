import type { SearchSpace } from "./SearchSpace.ts"
import type { Core } from "./State.ts"

/** What fitting constants takes, in ensembles scored. */
export const cost = 400

/** When constants are fitted in a restart. */
export interface FittingTime {
  /**
   * Whether constants may be fitted, which have their share of the time, and come after laws without: these are found first where there are any.
   *
   * @param scored the number of ensembles scored so far
   * @param core the same at the beginning of the restart, and of its first ensembles: when the library was full
   * @param fits the number of fits in the restart
   */
  readonly has: (scored: number, core: Pick<Core, "since" | "opened">, fits: number) => boolean
}

/**
 * Of few rows a fit takes little. Of few features there are few laws without constants, and these are found first where there are any: sooner
 * where few expressions are consistent in units.
 */
export const of = ({ rows, terminals, attributes }: SearchSpace): FittingTime => {
  const features = Array.from({ length: terminals }, (_, id) => id).filter(attributes.varies).length
  const share = Math.min(0.5, Math.max(0.2, 50 / rows, 1 / (1 + features)))
  const before = rows <= 100 ? 0 : attributes.dimensions === undefined ? 60_000 : 10_000
  return {
    has: (scored, { since, opened }, fits) =>
      scored - opened >= before && fits * cost * (1 - share) <= share * (scored - since),
  }
}
