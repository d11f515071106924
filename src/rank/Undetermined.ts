import { type Model, update } from "./Model.ts"
import { type Ranking, withModels } from "./Ranking.ts"

/** A number whose standard error is more than this many times its size is not told by the rows. */
const untold = 10

/**
 * Whether rows tell the fitted numbers: not those of a (exp(b x) - exp(c x)) where b and c are nearly one number. Errors are infinite where the law
 * is written with more numbers than it has.
 */
export const isDetermined = ({ numbers }: Model): boolean =>
  numbers.every(({ value, error }) => error === Infinity || error <= untold * value)

/**
 * Leading laws with numbers that the rows do not tell are limits of other laws: the expansion of their evidence does not hold there. Their
 * posterior probability goes to the others in proportion. Of laws that are all like this the order stays.
 *
 * *When to use*: on rankings of laws with fitted numbers inside of terms.
 */
export const removed = (ranking: Ranking): Ranking => {
  const order = ranking.models.toSorted((a, b) => b.posterior - a.posterior)
  const end = order.findIndex(isDetermined)
  if (end <= 0) return ranking
  const leading = new Set(order.slice(0, end))
  const moved = [...leading].reduce((sum, { posterior }) => sum + posterior, 0)
  const rest = ranking.models.reduce((sum, { posterior }) => sum + posterior, 0) - moved
  if (!(rest > 0)) return ranking
  return withModels(
    ranking,
    ranking.models.map((model) =>
      update(model, { posterior: leading.has(model) ? 0 : (model.posterior * (rest + moved)) / rest }),
    ),
  )
}
