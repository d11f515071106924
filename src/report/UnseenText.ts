import type { Unseen } from "../rank/Unseen.ts"
import * as CutText from "./CutText.ts"
import { significant } from "./Table.ts"

/** Signs of this p-value are told. */
const told = 0.01

const percent = (probability: number): string => {
  if (probability < 0.001) return "less than 0.1 %"
  if (probability > 0.99) return "more than 99 %"
  return `${Number((100 * probability).toPrecision(probability < 0.1 ? 1 : 2))} %`
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/**
 * The laws that a search has seen and not seen, in words, a line each: how far it came, whether a limit cut it off, whether nothing explains the response, and
 * residuals that are visibly not noise.
 *
 * @param stopReason as of `infer/Stop`
 * @param which the terms that were scored beside the rest of a law, such as those `of a hole`; those of laws of unknown form if left out
 */
export const lines = (
  { probability, signs }: Unseen,
  stopReason: string,
  target: string,
  which?: string,
): ReadonlyArray<string> => {
  const { exhausted, restarts, agreeing, misfit, terms } = signs
  const limit = CutText.limit(stopReason)
  const cut = limit !== undefined && agreeing < 2
  const visible = misfit !== undefined && misfit.pValue < told
  const along = misfit?.along === "rows" ? "the order of the rows" : misfit?.along
  const withoutLaw = (): string => {
    if (signs.found >= signs.scored) return `no law was compared before the end: the mean of ${target}`
    return visible && misfit.along !== "rows"
      ? `no law of ${target} was found, although it is not noise along ${along}: its mean`
      : `nothing explains ${target}: its mean`
  }
  return [
    [
      exhausted === 0
        ? `not even single columns ${which === undefined ? "" : `${which} `}were all scored`
        : `all terms ${which === undefined ? "" : `${which} `}up to ${counted(exhausted, "node")} were scored`,
      restarts === 0
        ? "no restart has ended"
        : `${agreeing} of ${counted(restarts, "independent restart")} ${agreeing === 1 ? "ends at the best" : "agree"}`,
      `${percent(probability)} unseen`,
    ].join("; "),
    ...(cut ? [`cut off: ${limit} ended the search before two restarts agreed`] : []),
    ...(signs.scoredOn === undefined
      ? []
      : [
          `scored on ${signs.scoredOn} of ${signs.table ?? signs.rows} rows by chance: the limit of time ended before all of them were`,
        ]),
    ...(terms === 0 ? [withoutLaw()] : []),
    ...(visible
      ? [
          misfit.test === "wrong rows"
            ? `misfit: rows that the law takes for wrong depend on ${along} (p = ${significant(misfit.pValue, 1)})`
            : `misfit: residuals are not noise along ${along} (${misfit.test === "runs" ? "too few changes of sign" : "a trend"}, p = ${significant(misfit.pValue, 1)})`,
        ]
      : []),
  ]
}
