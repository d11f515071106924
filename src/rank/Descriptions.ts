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

/**
 * A model with exact constants around which the numbers inside of its terms stay: a hypothesis moves them (`ExactAssessment.moved`), and is asked
 * again where it has moved them to. A step that makes the fit worse is halved.
 *
 * @param again the descriptions of the model with other numbers inside of its terms
 * @returns undefined where it has none, or they do not come to rest
 */
export const settled = (
  one: Descriptions,
  asked: Asked,
  again: (trees: ReadonlyArray<Tree.Tree>) => Descriptions | undefined,
): Exactly | undefined => {
  const form = formOf(one)
  let exact = one.exactly(asked)
  let share = 1
  for (let round = 0; round < rounds && exact !== undefined && share >= least; round++) {
    const moved = exact.moved?.(share)
    if (moved === undefined) return exact
    const next = again(moved)
    const found = next?.exactly(asked, formOf(next) === form ? exact.selection : undefined)
    // Before the first step exact numbers are not in their places.
    const isBetter =
      round === 0 || !((found?.selection?.rss ?? Infinity) > (exact.selection?.rss ?? Infinity))
    if (found !== undefined && isBetter) {
      exact = found
      share = 1
    } else share /= 2
  }
  return undefined
}

/** The model whose exact constants are most probable by more than these need. */
export const best = (all: ReadonlyArray<Exactly | undefined>): Model | undefined =>
  all
    .flatMap((one) => one ?? [])
    .sort((a, b) => b.model.lmpse - b.logThreshold - (a.model.lmpse - a.logThreshold))[0]?.model
