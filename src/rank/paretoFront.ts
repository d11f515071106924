/** A law with the two numbers that a choice weighs. */
export interface Weighed {
  readonly complexity: number
  readonly logEvidence: number
}

/**
 * The Pareto front of evidence against complexity: the laws that no law of the same or lower complexity beats in log evidence, the
 * simplest first. Of laws that are equal in both the first counts.
 *
 * *When to use*: to choose how simple a law should be oneself, without the prior of forms.
 */
export const paretoFront = <A extends Weighed>(laws: ReadonlyArray<A>): ReadonlyArray<A> => {
  let most = -Infinity
  return laws
    .toSorted((a, b) => a.complexity - b.complexity || b.logEvidence - a.logEvidence)
    .filter(({ logEvidence }) => {
      const better = logEvidence > most
      if (better) most = logEvidence
      return better
    })
}
