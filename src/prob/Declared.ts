import * as Effect from "effect/Effect"
import { CompileError } from "../errors/Errors.ts"
import * as Dist from "./Dist.ts"
import type * as Model from "./Model.ts"
import * as Observation from "./Observation.ts"

/**
 * The declarations of a model from one symbolic run: its latent sites and its observation. An inference that integrates
 * or enumerates the sites needs no more. `L` is a narrower type of the observation (`relaxable`).
 */
export interface Declared<L extends Observation.Observation = Observation.Observation> {
  readonly sites: ReadonlyArray<Model.SiteRecord>
  readonly observed: string
  readonly likelihood: L
}

const fail = (message: string): Effect.Effect<never, CompileError> =>
  Effect.fail(new CompileError({ message }))

/** The sites that a likelihood reads. */
export const latentOf = (likelihood: Observation.Observation): ReadonlyArray<string> => [
  ...Object.values(likelihood.forest.sites),
  ...(likelihood.forest.values ?? []).map(({ site }) => site),
  ...Observation.selection(likelihood),
]

/**
 * The error of the sites in a prior's parameters, if any: each must exist, and have one value for a draw of the site.
 */
const misplacedParent = (site: Model.SiteRecord, names: ReadonlyArray<string>): string | undefined => {
  const { prior, name } = site
  if (prior._tag === "Each" || prior.dist._tag !== "Conditional") return undefined
  for (const parent of Dist.sitesOf(prior.dist)) {
    if (!names.includes(parent.site))
      return `the prior of the site "${name}" depends on the site "${parent.site}", which the model does not sample`
    if (!parent.shape.every((length, axis) => length === site.shape[axis]))
      return `the prior of the site "${name}" depends on the site "${parent.site}", which lies inside a plate that "${name}" is not in`
    if (parent.support === "simplex" && parent.shape.length > 0 && parent.shape.length < site.shape.length)
      return `the prior of the site "${name}" depends on the weights "${parent.site}", which lie in fewer plates; declare them outside of all plates, or in the same`
  }
  return undefined
}

/** The declarations of a recorded run; fails as `Plan.declared` says. */
export const make = (recorder: Model.Recorder): Effect.Effect<Declared, CompileError> => {
  const { sites, observed } = recorder
  const names = sites.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    return fail(`the site "${twice}" is sampled twice; give each site a name of its own`)
  const [observation, ...more] = observed
  if (observation === undefined)
    return fail("the model observes nothing; end it with Model.observe(name, likelihood)")
  if (more.length > 0)
    return fail(
      `the model observes ${observed.map(({ name }) => `"${name}"`).join(" and ")}, but may observe once`,
    )
  const { likelihood } = observation
  const { forest } = likelihood
  const { values = [] } = forest
  const unvalued = forest.grammar.terminals.find(
    ({ fitted }, index) => fitted !== undefined && values.every(({ terminal }) => terminal !== index),
  )
  if (unvalued !== undefined && likelihood.values === "sites")
    return fail(
      `the constant "${unvalued.name}" is fitted, but the model has no site for its values, which relaxed trees need; declare the trees with Tree.prior({ ..., values: true }), or search with Likelihood.selectedLinear (Search.fit)`,
    )
  if (values.length > 0 && likelihood.values === "integrated")
    return fail(
      `the site "${values[0]!.site}" has the values of a fitted constant, which the likelihood of "${observation.name}" integrates out by itself; leave \`values\` out of Tree.prior`,
    )
  for (const [what, weights, expected] of [
    ["operator", forest.weights.operators, forest.grammar.operators.length],
    ["terminal", forest.weights.terminals, forest.grammar.terminals.length],
  ] as const) {
    if (weights.size !== expected)
      return fail(
        `the site "${weights.site}" has ${weights.size} weights, but the grammar has ${expected} ${what}s`,
      )
    if (weights.shape.length > 0)
      return fail(
        `the site "${weights.site}" lies inside a plate; declare the weights of a tree prior outside`,
      )
  }
  for (const site of sites) {
    const complaint = misplacedParent(site, names)
    if (complaint !== undefined) return fail(complaint)
  }
  const latent = latentOf(likelihood)
  const missing = latent.find((name) => !names.includes(name))
  if (missing !== undefined)
    return fail(
      `the likelihood of "${observation.name}" needs the site "${missing}", which the model does not sample`,
    )
  return Effect.succeed({ sites, observed: observation.name, likelihood })
}
