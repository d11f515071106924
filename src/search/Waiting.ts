import type * as Exactness from "./Exactness.ts"
import * as ExpressionLibrary from "./ExpressionLibrary.ts"
import type * as HallOfFame from "./HallOfFame.ts"
import * as RestartAgreement from "./RestartAgreement.ts"
import type { Core } from "./State.ts"
import type { Workbench } from "./Workbench.ts"

/** How long a restart goes on without a better ensemble. */
export interface Waiting {
  /**
   * Takes note of a step.
   *
   * @param score of the best ensemble
   * @param exact whether it is the law itself on all rows
   * @returns whether the restart has ended
   */
  readonly over: (score: number, exact: boolean) => boolean
}

/** The shares of the patience after which an exact law is left: where it is small, all terms as small were scored, and none is simpler. */
const shares = { small: 1 / 12, other: 1 / 3 } as const

/** The number of nodes of the sum of an ensemble's trees: `HallOfFame.Entry.size` has one more. */
const sizeAsOneTree = (size: number): number => size - 1

/** Begins to wait anew. */
export const begin = (core: Core): void => {
  core.steps = core.improved = 0
  core.leading = -Infinity
  core.exact = Infinity
}

/**
 * @param patience steps without a better ensemble before a restart ends, beside half of those that led to the best
 * @param judge whether an ensemble is the law itself
 */
export const make = (
  bench: Pick<Workbench, "kept">,
  core: Core,
  patience: number,
  judge: (entry: HallOfFame.Entry) => Exactness.Exact,
): Waiting => {
  /** Takes note of exact laws that are smaller than those before. @returns whether there are any */
  const shrinks = (): boolean => {
    const before = core.exact
    for (const entry of bench.kept())
      if (entry.size < core.exact && judge(entry) === "everywhere") core.exact = entry.size
    return core.exact < before
  }
  return {
    over: (score, exact) => {
      const better = score > core.leading + RestartAgreement.sameScore
      core.leading = Math.max(core.leading, score)
      // Exact laws of another link have other rounding errors: a higher score alone is no find.
      if (exact ? shrinks() : better) core.improved = core.steps
      const waited = core.steps - core.improved
      if (!exact) return waited > patience + core.improved / 2
      const isSmall = sizeAsOneTree(core.exact) <= ExpressionLibrary.exhausted(core.library)
      return waited > patience * (isSmall ? shares.small : shares.other)
    },
  }
}
