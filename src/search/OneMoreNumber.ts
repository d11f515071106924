import type { ApproximateEvidence } from "./ApproximateEvidence.ts"
import type { ConstantFitting } from "./ConstantFitting.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/** Fits of constants, with trees that have one number more. */
export interface OneMoreNumber extends ConstantFitting {
  /**
   * Trees with one number more than a tree, beside trees that are held, that fit better by more than the number costs
   * (`ConstantFitting.of`).
   */
  readonly withOneMore: (response: number, held: ReadonlyArray<number>, tree: number) => Int32Array
}

/** @param fitter fits constants in trees */
export const make = (
  fitter: ConstantFitting,
  { responses }: Pick<SearchSpace, "responses">,
  approximate: Pick<ApproximateEvidence, "evidence">,
): OneMoreNumber => ({
  ...fitter,
  withOneMore: (response, held, tree) => {
    const { unit } = responses[response]!
    const evidence = (rss: number, fitted: number): number =>
      approximate.evidence(response, held.length + 1 + fitted, rss * unit)
    return fitter.of(response, held, tree, evidence)
  },
})
