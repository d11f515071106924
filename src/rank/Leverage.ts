import * as Noise from "../evidence/Noise.ts"
import { constantAmong } from "./Ensemble.ts"
import { type Model, update } from "./Model.ts"
import { type Ranking, withModels } from "./Ranking.ts"

/** Whether the root mean square of a law's errors is comparable with that of other laws. */
const isComparable = ({ noise }: Model): boolean =>
  noise !== undefined && !noise.exact && Noise.isEven(noise.form)

/** Whether a law predicts left-out rows worse than the constant. */
export const explainsNothing = (model: Model, constant: Model): boolean =>
  model !== constant && isComparable(model) && model.rmseLoo > constant.rmseLoo

/**
 * Leading laws that predict left-out rows worse than the constant explain nothing: single rows make them. Their posterior probability goes to the
 * constant. Evidences of normal noise are at their boldest where one row is far out, and a pole or a power reaches it.
 *
 * *When to use*: on rankings of tables whose noise may have heavier tails than any kind of the model.
 */
export const removed = (ranking: Ranking): Ranking => {
  const constant = constantAmong(ranking.models)
  if (constant === undefined) return ranking
  const order = ranking.models.toSorted((a, b) => b.posterior - a.posterior)
  const end = order.findIndex((model) => !explainsNothing(model, constant))
  const leading = new Set(order.slice(0, end))
  const moved = [...leading].reduce((sum, { posterior }) => sum + posterior, 0)
  return withModels(
    ranking,
    ranking.models.map((model) => {
      if (leading.has(model)) return update(model, { posterior: 0 })
      return model === constant ? update(model, { posterior: model.posterior + moved }) : model
    }),
  )
}
