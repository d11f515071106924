import type { ConstantSelection } from "../evidence/exact/ConstantSelection.ts"
import type { ExactAssessment } from "../evidence/likelihood/Interface.ts"
import * as Tree from "../prob/Tree.ts"
import type { Model } from "./Model.ts"

/** What a model is asked for: the prior of exact constants, and the constants that a law declares. */
export type Asked = Parameters<NonNullable<Model["exact"]>>

/** A model with exact constants, and the log of the odds that its exact numbers need. */
export interface Exactly extends Pick<ExactAssessment, "logThreshold" | "moved" | "selection"> {
  readonly model: Model
}

/** A model, and the same model with exact constants: those of a hypothesis, if it was found around other numbers inside of terms. */
export interface Descriptions {
  readonly model: Model
  readonly exactly: (asked: Asked, hypothesis?: ConstantSelection) => Exactly | undefined
}

/** How often numbers inside of terms move at most, and the least share of a step. */
const [rounds, least] = [6, 1 / 4]

/** The trees of a model but for the values of fitted constants: hypotheses about models of one form are about the same coefficients. */
const formOf = ({ model }: Descriptions): string =>
  model.ensemble.trees.map((tree) => Tree.key(Tree.withoutValues(tree))).join(" ")

const height = ({ model, logThreshold }: Exactly): number => model.lmpse - logThreshold

/**
 * A model with exact constants around which the numbers inside of its terms stay: a hypothesis moves them (`ExactAssessment.moved`), and is asked
 * again where it has moved them to. A step that makes the fit worse is halved. Where they have come to rest a hypothesis is searched for once more: of
 * 9 / (3 - x) - 2 the coefficients are known well enough once the number inside is 3.
 *
 * @param again the descriptions of the model with other numbers inside of its terms
 * @returns undefined where it has none, or they do not come to rest
 */
export const settled = (
  one: Descriptions,
  asked: Asked,
  again: (trees: ReadonlyArray<Tree.Tree>) => Descriptions | undefined,
): Exactly | undefined => {
  const first = followed(one, one.exactly(asked), asked, again)
  if (first === undefined || first.at === one) return first?.exact
  const anew = first.at.exactly(asked)
  if (anew === undefined || !(height(anew) > height(first.exact))) return first.exact
  const second = followed(first.at, anew, asked, again)
  return best([first.exact, second?.exact])
}

/** A hypothesis where the numbers inside of terms stay, and the descriptions with these. */
const followed = (
  from: Descriptions,
  hypothesis: Exactly | undefined,
  asked: Asked,
  again: (trees: ReadonlyArray<Tree.Tree>) => Descriptions | undefined,
): { readonly exact: Exactly; readonly at: Descriptions } | undefined => {
  const form = formOf(from)
  let [exact, at, share] = [hypothesis, from, 1]
  for (let round = 0; round < rounds && exact !== undefined && share >= least; round++) {
    const moved = exact.moved?.(share)
    if (moved === undefined) return { exact, at }
    const next = again(moved)
    const found = next?.exactly(asked, formOf(next) === form ? exact.selection : undefined)
    // Before the first step exact numbers are not in their places.
    const isBetter =
      round === 0 || !((found?.selection?.rss ?? Infinity) > (exact.selection?.rss ?? Infinity))
    if (next !== undefined && found !== undefined && isBetter) [exact, at, share] = [found, next, 1]
    else share /= 2
  }
  return undefined
}

/** The one whose exact constants are most probable by more than these need. */
export const best = (all: ReadonlyArray<Exactly | undefined>): Exactly | undefined =>
  all.flatMap((one) => one ?? []).sort((a, b) => height(b) - height(a))[0]

/**
 * Those of a declared law that have all of its terms and numbers, all if there are none: where a free intercept has taken the place of a slow decay, the law has
 * lost a term that it declares.
 */
export const whole = (all: ReadonlyArray<Exactly | undefined>): ReadonlyArray<Exactly | undefined> => {
  const complete = all.filter(
    (one) =>
      one?.selection && [...one.selection.states, ...one.selection.inner].every((own) => own !== undefined),
  )
  return complete.length > 0 ? complete : all
}
