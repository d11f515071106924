import * as Plan from "../../prob/Plan.ts"
import type { Values } from "../../prob/Joint.ts"

/** The number of draws from which the posterior of weights is taken. */
export const draws = 512

/**
 * Parameters whose factors of operator and terminal weights are those of the counts in hard draws: the weights are
 * integrated out of hard draws, and given the counts of a draw they have their conjugate prior with the counts added
 * (`Factor.project`). Factors without `project` stay where they are.
 */
export const moved = (plan: Plan.Plan, parameters: Float64Array, values: Values): Float64Array => {
  const { sites, weights } = plan.likelihood.forest
  const next = Float64Array.from(parameters)
  for (const [{ site: name, size }, child] of [
    [weights.operators, sites.operator],
    [weights.terminals, sites.terminal],
  ] as const) {
    const { factor } = Plan.site(plan, name)
    if (factor.project === undefined) continue
    const counts = countsOf(values.get(child)!, size)
    const given = { values: counts, weights: new Float64Array(draws).fill(1 / draws) }
    const found = factor.project(Plan.parametersOf(plan, name, parameters), given, 1)
    Plan.parametersOf(plan, name, next).forEach((slot, index) => slot.set(found[index]!))
  }
  return next
}

/** How often each category was drawn, `[draws, size]`; NaN counts for none. */
const countsOf = (values: Float64Array, size: number): Float64Array => {
  const counts = new Float64Array(draws * size)
  const length = values.length / draws
  values.forEach((value, i) => {
    if (!Number.isNaN(value)) counts[Math.floor(i / length) * size + value]! += 1
  })
  return counts
}
