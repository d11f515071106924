import * as Effect from "effect/Effect"
import * as Bernoulli from "../prob/dist/Bernoulli.ts"
import * as Categorical from "../prob/dist/Categorical.ts"
import { isSym } from "../prob/Sym.ts"
import * as Plan from "../prob/Plan.ts"
import * as Observation from "../prob/Observation.ts"
import * as Joint from "../prob/Joint.ts"
import type { GuidedSite } from "../prob/Model.ts"
import { product } from "../numeric/Nd.ts"
import * as Skeleton from "../prob/Skeleton.ts"
import type { Tree } from "../prob/Tree.ts"
import { CompileError } from "../errors/Errors.ts"
import * as Assignment from "./Assignment.ts"

/** A hard ensemble with a weight: the index of the response's link, and at most K trees. */
export interface Weighted {
  readonly link: number
  readonly trees: ReadonlyArray<Tree>
  readonly weight: number
}

/** Moves of a family towards weighted hard ensembles. */
export interface Projection {
  /**
   * The parameters that minimise KL((1 - rate) q + rate p^ || q') over the family, site by site (`Factor.project`), or for
   * sites that depend on each other together (`Joint.project`). p^ is the distribution of the weighted ensembles, and q has
   * the given parameters.
   *
   * An ensemble has no values for nodes of the skeleton that pruning removes, for empty slots, and for sites that the
   * likelihood does not depend on. Its trees have no order. They are assigned to the slots in which they have the highest
   * density under q. For this, q is first moved half way to the ensemble of the greatest weight, which distinguishes slots
   * with equal factors. A leaf at which the grammar forbids operators counts as not expanded.
   *
   * @param parameters flat, in the layout of the plan; not changed
   * @param ensembles at least one, with weights that sum to 1
   * @param rate in [0, 1]
   */
  readonly move: (parameters: Float64Array, ensembles: ReadonlyArray<Weighted>, rate: number) => Float64Array
}

/** The values of a tree at the nodes of a skeleton, NaN where the tree has none. */
interface Embedded {
  readonly split: Float64Array
  readonly operator: Float64Array
  readonly terminal: Float64Array
}

/** The values that a tree fixes at the nodes of a skeleton of a depth. */
const embed = (root: Tree, depth: number): Embedded => {
  const nodes = Skeleton.size(depth)
  const unknown = (): Float64Array => new Float64Array(nodes).fill(NaN)
  const [split, operator, terminal] = [unknown(), unknown(), unknown()]
  const visit = (tree: Tree, node: number): void => {
    // Nodes at the maximum depth have no expansion indicator.
    if (2 * node + 1 < nodes) split[node] = tree._tag === "Branch" ? 1 : 0
    if (tree._tag === "Leaf") terminal[node] = tree.terminal
    else {
      operator[node] = tree.operator
      tree.children.forEach((child, index) => visit(child, 2 * node + 1 + index))
    }
  }
  visit(root, 0)
  return { split, operator, terminal }
}

const parts = ["split", "operator", "terminal"] as const

/**
 * The moves of a plan's family.
 *
 * Fails with a `CompileError` that names the site and its factor when a factor, or a joint of several sites, lacks `project` (for sites that hard
 * ensembles have values of) or `logDensity` (for trees and inclusion indicators). Factors without parameters need no
 * `project`.
 */
export const make = (plan: Plan.Plan): Effect.Effect<Projection, CompileError> =>
  Effect.gen(function* () {
    const { likelihood, sites } = plan
    const { forest } = likelihood
    const { depth, trees: K } = forest
    const nodes = Skeleton.size(depth)
    const included = likelihood.included?.site
    const link = likelihood.link?.site.site
    const drawn = [...Object.values(forest.sites), ...Observation.selection(likelihood)]
    const parents = sites.filter(({ name }) =>
      sites.some((site) => drawn.includes(site.name) && parentOf(site) === name),
    )
    const jointsOf = (among: ReadonlyArray<GuidedSite>): ReadonlyArray<Joint.Joint> => [
      ...new Set(among.map(({ name }) => Plan.jointOf(plan, name))),
    ]
    const moving = jointsOf([...sites.filter(({ name }) => drawn.includes(name)), ...parents]).filter(
      ({ parameters }) => parameters.length > 0,
    )
    const lacking = (needed: "project" | "logDensity", among: ReadonlyArray<Joint.Joint>) =>
      among.flatMap((joint) => (joint[needed] === undefined ? [{ joint, needed }] : []))
    const scored = jointsOf(sites.filter(({ name }) => drawn.includes(name) && name !== link))
    const [lack] = [...lacking("project", moving), ...lacking("logDensity", scored)]
    if (lack !== undefined)
      return yield* new CompileError({
        message: `${Joint.describe(lack.joint)} has no \`${lack.needed}\`, which Inclusive.fit needs to move it towards ensembles; give the site another factor`,
      })
    /** the joints of trees */
    const grown = jointsOf(sites.filter(({ name }) => Object.values(forest.sites).includes(name)))

    /** The values of the sites in each ensemble, given the slots of its trees. */
    const valuesOf = (
      ensembles: ReadonlyArray<{ readonly link: number; readonly trees: ReadonlyArray<Embedded> }>,
      slots: ReadonlyArray<ReadonlyArray<number>>,
    ): ReadonlyMap<string, Float64Array> => {
      const found = new Map<string, Float64Array>()
      for (const part of parts) {
        const values = new Float64Array(ensembles.length * K * nodes).fill(NaN)
        ensembles.forEach(({ trees }, index) =>
          trees.forEach((tree, t) => values.set(tree[part], (index * K + slots[index]![t]!) * nodes)),
        )
        found.set(forest.sites[part], values)
      }
      if (included !== undefined) {
        const values = new Float64Array(ensembles.length * K)
        slots.forEach((taken, index) => taken.forEach((slot) => (values[index * K + slot] = 1)))
        found.set(included, values)
      }
      if (link !== undefined)
        found.set(
          link,
          Float64Array.from(ensembles, (ensemble) => ensemble.link),
        )
      return found
    }

    /** Sites of a joint that have no values are summed out. */
    const complete = (joint: Joint.Joint, values: Joint.Values, draws: number): Joint.Values =>
      new Map(
        joint.sites.map((name) => [
          name,
          values.get(name) ?? new Float64Array(draws * product(Plan.site(plan, name).shape)).fill(NaN),
        ]),
      )
    const logDensity = (
      joint: Joint.Joint,
      flat: Float64Array,
      values: Joint.Values,
      draws: number,
    ): Float64Array =>
      // `make` has checked that the joint has `logDensity`.
      joint.logDensity!(Plan.parametersOf(plan, Joint.keyOf(joint), flat), complete(joint, values, draws))

    /** log q of each tree in each slot, [trees, K], plus the log odds that the slot is included. */
    const scoresOf = (flat: Float64Array, trees: ReadonlyArray<Embedded>): Float64Array => {
      const total = new Float64Array(trees.length * K)
      const placed = new Map<string, Float64Array>()
      for (const part of parts) {
        const values = new Float64Array(total.length * K * nodes).fill(NaN)
        for (let i = 0; i < total.length; i++)
          values.set(trees[Math.floor(i / K)]![part], (i * K + (i % K)) * nodes)
        placed.set(forest.sites[part], values)
      }
      for (const joint of grown)
        logDensity(joint, flat, placed, total.length).forEach((log, i) => (total[i]! += log))
      if (included === undefined) return total
      const alone = (value: number): Float64Array => {
        const values = new Float64Array(K * K).fill(NaN)
        for (let slot = 0; slot < K; slot++) values[slot * K + slot] = value
        return logDensity(Plan.jointOf(plan, included), flat, new Map([[included, values]]), K)
      }
      const [taken, empty] = [alone(1), alone(0)]
      return total.map((log, i) => log + taken[i % K]! - empty[i % K]!)
    }

    const projected = (
      flat: Float64Array,
      values: ReadonlyMap<string, Float64Array>,
      weights: ArrayLike<number>,
      rate: number,
    ): Float64Array => {
      const next = Float64Array.from(flat)
      const counted = new Map(
        parents.map((site) => [site.name, countsOf(site, sites, values, weights.length)]),
      )
      const all = new Map([...counted, ...values])
      for (const joint of moving) {
        const key = Joint.keyOf(joint)
        const draws = { weights, values: complete(joint, all, weights.length) }
        // `make` has checked that the joint has `project`.
        const moved = joint.project!(Plan.parametersOf(plan, key, flat), draws, rate)
        Plan.parametersOf(plan, key, next).forEach((slot, index) => slot.set(moved[index]!))
      }
      return next
    }

    const move: Projection["move"] = (parameters, ensembles, rate) => {
      const unique = [...new Set(ensembles.flatMap(({ trees }) => trees))]
      const numbers = new Map(unique.map((tree, index) => [tree, index]))
      const embedded = unique.map((tree) => embed(tree, depth))
      const known = ensembles.map(({ link: index, trees }) => ({
        link: index,
        numbers: trees.map((tree) => numbers.get(tree)!),
        trees: trees.map((tree) => embedded[numbers.get(tree)!]!),
      }))
      const slotsOf = (flat: Float64Array): ReadonlyArray<ReadonlyArray<number>> => {
        const scores = scoresOf(flat, embedded)
        return known.map((one) =>
          Assignment.assign(
            one.numbers.map((number) => scores.subarray(number * K, (number + 1) * K)),
            K,
          ),
        )
      }
      const leading = ensembles.reduce(
        (most, { weight }, i) => (weight > ensembles[most]!.weight ? i : most),
        0,
      )
      const first = slotsOf(parameters)
      const anchor = projected(parameters, valuesOf([known[leading]!], [first[leading]!]), [1], 0.5)
      const weights = Float64Array.from(ensembles, ({ weight }) => weight)
      return projected(parameters, valuesOf(known, slotsOf(anchor)), weights, rate)
    }
    return { move }
  })

/** The site whose value is the parameter of a discrete site's prior. */
const parentOf = ({ prior }: GuidedSite): string | undefined => {
  if (prior._tag !== "Shared") return undefined
  const parameter =
    Categorical.of.declaredOf(prior.dist)?.weights ?? Bernoulli.of.declaredOf(prior.dist)?.probability
  return isSym(parameter) ? parameter.site : undefined
}

/** The counts of categories under a site of weights or of a probability (`WeightedDraws`). */
const countsOf = (
  parent: GuidedSite,
  sites: ReadonlyArray<GuidedSite>,
  values: ReadonlyMap<string, Float64Array>,
  draws: number,
): Float64Array => {
  const size = parent.support === "unit" ? 2 : parent.size
  const elements = product(parent.shape)
  const counts = new Float64Array(draws * elements * size)
  for (const child of sites) {
    const own = values.get(child.name)
    if (own === undefined || parentOf(child) !== parent.name) continue
    // Plates are the leading axes of both.
    const length = own.length / draws
    const each = length / elements
    own.forEach((value, i) => {
      if (Number.isNaN(value)) return
      const element = Math.floor(i / length) * elements + Math.floor((i % length) / each)
      // The value 1 comes first in the counts of a probability.
      counts[element * size + (parent.support === "unit" ? 1 - value : value)]! += 1
    })
  }
  return counts
}
