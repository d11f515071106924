import type { Key } from "../random/Rng.ts"
import * as Joint from "./Joint.ts"
import * as Plan from "./Plan.ts"

/**
 * Exact draws of sites of a plan. Sites of one joint are drawn together, with the key of the first of them; the values of
 * its other sites come with them.
 *
 * @param parameters flat, in the layout of the plan
 * @param sites the names of sites, each with a key
 */
export const of = (
  plan: Plan.Plan,
  parameters: Float64Array,
  sites: ReadonlyArray<readonly [name: string, key: Key]>,
  count: number,
): Joint.Values => {
  const found = new Map<string, Float64Array>()
  for (const [name, key] of sites) {
    if (found.has(name)) continue
    const joint = Plan.jointOf(plan, name)
    const own = Plan.parametersOf(plan, Joint.keyOf(joint), parameters)
    joint.sample(key, own, count).forEach((values, site) => found.set(site, values))
  }
  return found
}
