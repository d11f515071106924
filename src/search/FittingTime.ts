import type { SearchSpace } from "./SearchSpace.ts"

/** What fitting constants takes, in ensembles scored. */
export const cost = 400

/** When constants are fitted in a restart. */
export interface FittingTime {
  /** the ensembles that are scored before: a law without constants is found first where there is one */
  readonly before: number
  /** Whether constants may be fitted, after `scored` ensembles and `fits` fits: they have their share of the time. */
  readonly has: (scored: number, fits: number) => boolean
}

/**
 * Of few rows a fit takes little. Of few features there are few laws without constants, and these are found first where there are any: sooner
 * where few expressions are consistent in units.
 */
export const of = ({ rows, terminals, attributes }: SearchSpace): FittingTime => {
  const features = Array.from({ length: terminals }, (_, id) => id).filter(attributes.varies).length
  const share = Math.min(0.5, Math.max(0.2, 50 / rows, 1 / (1 + features)))
  const before = rows <= 100 ? 0 : attributes.dimensions === undefined ? 200_000 : 50_000
  return { before, has: (scored, fits) => scored >= before && fits * cost * (1 - share) <= share * scored }
}
