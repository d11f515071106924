import type { Dataset } from "../data/Data.ts"
import { scaleOf } from "../evidence/Law.ts"
import type { Reach } from "../infer/Archive.ts"
import { dot } from "../numeric/orthogonal.ts"
import type { Misfit } from "./Misfit.ts"
import { first, misfitOf, type Signs } from "./Signs.ts"

/** A ranked law of a template, as its signs need it. */
interface Ranked {
  readonly lmpse: number
  readonly complexity: number
}

/** The best law and the search that found it. */
interface Search {
  /** each output, with the columns that the template reads as its features */
  readonly data: ReadonlyArray<Dataset>
  /** those of the best law, for each output */
  readonly residuals: ReadonlyArray<Float64Array>
  /** the trees of its holes, and the numbers inside of them */
  readonly terms: number
  readonly found: number
  readonly scored: number
  /** the log posterior of the law whose holes are numbers; undefined where that is none */
  readonly constant: number | undefined
  readonly reach: Reach
}

/** The strongest sign over outputs, times their number (Bonferroni). */
const strongest = (signs: ReadonlyArray<Misfit | undefined>): Misfit | undefined => {
  const found = signs.flatMap((one) => one ?? [])
  const [best] = found.toSorted((a, b) => a.pValue - b.pValue)
  return best && { ...best, pValue: Math.min(1, best.pValue * found.length) }
}

/**
 * The signs of a ranked search of a template (`Signs.of`), with those of its outputs together. `exhausted` is the cost up to which every expression was
 * tried in each hole beside the rest of the best laws; `complexity` counts all holes, so that only a law of few nodes in all has no unseen rival.
 *
 * @param models best first
 */
export const of = (
  models: ReadonlyArray<Ranked>,
  { data, residuals, terms, found, scored, constant, reach }: Search,
): Signs => {
  const [best] = models
  const { lmpse = Number.NaN, complexity = Number.NaN } = best ?? {}
  const simpler = models.slice(0, first).find((one) => one.complexity < complexity)?.lmpse
  return {
    rows: data[0]?.rows ?? 0,
    columns: data[0]?.features.length ?? 0,
    ...reach,
    scored,
    found,
    complexity,
    lead: lmpse - (simpler ?? constant ?? models.at(-1)?.lmpse ?? lmpse),
    terms,
    error: data.reduce(
      (most, { y }, k) =>
        Math.max(most, Math.sqrt(dot(residuals[k]!, residuals[k]!) / y.length) / scaleOf(y)),
      0,
    ),
    misfit: strongest(data.map((one, k) => misfitOf(residuals[k]!, one))),
  }
}
