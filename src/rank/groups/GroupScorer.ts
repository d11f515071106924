import * as Effect from "effect/Effect"
import * as Columns from "../../evidence/columns.ts"
import * as EnsemblePrior from "../../evidence/ensemblePrior.ts"
import * as Constants from "../../evidence/exact/Constants.ts"
import * as GPriorFit from "../../evidence/fitted/gPriorFit.ts"
import * as ParametricTrees from "../../evidence/fitted/ParametricTrees.ts"
import * as GPrior from "../../evidence/gPrior.ts"
import * as Collinearity from "../../numeric/collinearity.ts"
import * as GroupedLaw from "../../evidence/groups/GroupedLaw.ts"
import * as Sharing from "../../evidence/groups/Sharing.ts"
import * as Likelihood from "../../evidence/Likelihood.ts"
import * as Responses from "../../evidence/response.ts"
import type { Groups } from "../../data/Groups.ts"
import { once } from "../../internal/once.ts"
import { CompileError } from "../../errors/Errors.ts"
import type { SiteRecord } from "../../prob/Model.ts"
import type { Observation } from "../../prob/Observation.ts"
import type { GroupForm } from "./GroupForm.ts"
import * as Link from "../../prob/Link.ts"
import * as Real from "../../numeric/Real.ts"
import * as Tree from "../../prob/Tree.ts"

/** A form whose numbers are fitted in each group by themselves. */
export interface Loose {
  readonly form: GroupForm
  readonly law: GroupedLaw.GroupedLaw
  readonly trees: ReadonlyArray<ParametricTrees.ParametricTrees>
  readonly response: Responses.Response
  readonly points: ReadonlyArray<GroupedLaw.Point>
  /** an approximation of the log evidence with all numbers of each group's own (Schwarz 1978), under one noise or one for each group, and the log prior of the form */
  readonly score: number
  readonly logPrior: number
}

/** A form with the most probable roles of its numbers. */
export interface Scored extends Omit<Loose, "score" | "points"> {
  readonly sharing: Sharing.Sharing
  /** the deviation of each group's noise in units of sigma; all 1 where the groups have one noise */
  readonly noise: Float64Array
  /** log evidence and log prior of form and roles */
  readonly lmpse: number
}

/** Whether the rows of a group determine all numbers: derivatives by numbers that make up for each other differ by rounding alone. */
const determined = ({ columns }: GroupedLaw.Point): boolean =>
  Collinearity.shares(columns()).every((share) => share > Sharing.rounding)

/** Scores forms on rows in groups. */
export interface GroupScorer {
  /**
   * Fits the numbers of each group by themselves.
   *
   * @param forms one form with several values of its constants; a group that has values of its own starts from these
   * @param thorough whether groups that fit badly start from the values of other groups as well
   */
  readonly loose: (forms: ReadonlyArray<GroupForm>, thorough: boolean) => Loose | undefined
  readonly score: (loose: Loose) => Scored | undefined
  readonly target: GPrior.Target
}

/** The prior probability that every group has a noise of its own, and the standard deviation of the logarithm of its deviation. */
const ownNoise = 0.5
const noiseSpread = Real.log(10)

/** Initial values that every group starts from, the groups from whose numbers it starts, and those for groups that fit badly. */
const most = { starts: 5, references: 4, others: 8 }
/** Passes that put the groups' numbers into one mode. */
const passes = 3
/** A group fits badly if its unexplained share is above that of the best group by this factor. */
const badly = 4
/** Fits whose sums of squares differ by this share are equally good. */
const same = 1e-4
/** A middle of the groups' numbers that moves by less than this share of their widths is at rest. */
const still = 1e-3
/** Shares of unexplained squares below this are rounding. */
const rounding = 1e-20

const median = (values: Array<number>): number => values.sort((a, b) => a - b)[values.length >> 1]!

/**
 * @param observation a likelihood with additive noise (`Likelihood.squares`): others have no evidence over groups
 * @errors CompileError for another
 */
export const make = (
  observation: Observation,
  sites: ReadonlyArray<Pick<SiteRecord, "name" | "prior">>,
  groups: Groups,
): Effect.Effect<GroupScorer, CompileError> =>
  Effect.gen(function* () {
    const likelihood = yield* Likelihood.of(observation)
    const { squares } = likelihood
    if (squares === undefined)
      return yield* Effect.fail(
        new CompileError({
          message: `the likelihood "${likelihood.name}" has no evidence over groups; give laws over groups additive noise of one scale`,
        }),
      )
    const { grammar } = likelihood.forest
    const { y } = groups.data
    const columns = yield* Effect.forEach(groups.parts, (part) => Columns.make(grammar, part))
    const prior = yield* EnsemblePrior.of(likelihood, sites)
    const target = GPrior.target(y, squares)
    const responses = (likelihood.link?.links ?? []).map((link) =>
      Responses.apply(link, y, Responses.strayRows),
    )
    const rows = responses.map((response) =>
      once(() => (response._tag === "Dropped" ? [] : GroupedLaw.rowsOf(response, y, groups.places))),
    )
    const models = columns.map((one) => ParametricTrees.make(one))
    const own = groups.parts.map((part) => part.y)
    const spread = own.map((values) => Math.max(GPrior.tssOf(values), Number.MIN_VALUE))

    /**
     * Puts the groups' numbers into one mode: of fits that are equally good, those near the best group's, then those near the
     * middle of all groups. A middle of numbers in several modes is in none of them.
     */
    const align = (
      law: GroupedLaw.GroupedLaw,
      points: Array<GroupedLaw.Point>,
      tried: ReadonlyArray<ReadonlyArray<GroupedLaw.Point>>,
      better: (group: number, start: ArrayLike<number>) => void,
    ): void => {
      const constants = ({ numbers }: GroupedLaw.Point): Float64Array => numbers.slice(law.coefficients)
      const best = [...points.entries()]
        .toSorted(([a, one], [b, two]) => one.rss / spread[a]! - two.rss / spread[b]!)
        .map(([, { numbers }]) => numbers)
        .slice(0, most.references)
      let middle = best[0]!
      for (let pass = 0; pass < passes; pass++) {
        const widths = middle.map(
          (at, j) => median(points.map(({ numbers }) => Math.abs(numbers[j]! - at))) || Math.abs(at) || 1,
        )
        const distance = ({ numbers }: GroupedLaw.Point): number =>
          numbers.reduce((sum, value, j) => sum + ((value - middle[j]!) / widths[j]!) ** 2, 0)
        const inside = middle.subarray(law.coefficients)
        points.forEach((_, group) => {
          const here = constants(points[group]!)
          better(group, inside)
          for (const numbers of pass === 0 ? best : [middle]) better(group, numbers)
          better(
            group,
            here.map((value) => -value),
          )
          inside.forEach((value, j) => {
            better(group, here.with(j, value))
          })
          const limit = points[group]!.rss * (1 + same) + (target.rounding * spread[group]!) / target.tss
          points[group] = tried[group]!.filter(({ rss }) => rss <= limit).toSorted(
            (a, b) => distance(a) - distance(b),
          )[0]!
        })
        const before = middle
        middle = before.map((_, j) => median(points.map(({ numbers }) => numbers[j]!)))
        // From the same middle the groups would be fitted to the same numbers again.
        if (middle.every((at, j) => Math.abs(at - before[j]!) <= still * widths[j]!)) break
      }
    }

    /** The deviations of the groups' noises, of geometric mean 1 over rows, and the log of their prior density times the posterior's width. */
    const noises = (points: ReadonlyArray<GroupedLaw.Point>, { count }: GroupedLaw.GroupedLaw) => {
      const least = target.rounding / target.rows
      const logs = points.map(({ rss }, group) => {
        const rows = own[group]!.length
        return Real.log(rss / Math.max(1, rows - count) + least) / 2
      })
      const middle = logs.reduce((sum, log, group) => sum + (log * own[group]!.length) / y.length, 0)
      const logPrior = logs.reduce(
        (sum, log, group) =>
          sum +
          Real.log(2 / own[group]!.length) / 2 -
          Real.log(noiseSpread) -
          ((log - middle) / noiseSpread) ** 2 / 2,
        0,
      )
      return {
        noise: Float64Array.from(logs, (log) => Real.exp(log - middle)),
        logPrior: (logPrior * (own.length - 1)) / own.length,
      }
    }
    /** The log likelihood at the numbers of each group, from that of the mean, with one noise or one for each group, whichever is more probable. */
    const fitOf = (points: ReadonlyArray<GroupedLaw.Point>, law: GroupedLaw.GroupedLaw): number => {
      const likelihood = (rss: number, rows: number): number =>
        (-rows / 2) *
        Real.log(((rss / rows) * target.rows + target.rounding) / (target.tss + target.rounding))
      const rss = points.reduce((sum, point) => sum + point.rss, 0)
      const each = points.reduce((sum, point, group) => sum + likelihood(point.rss, own[group]!.length), 0)
      return Math.max(
        likelihood(rss, target.rows) + Real.log(1 - ownNoise),
        each + noises(points, law).logPrior + Real.log(ownNoise),
      )
    }

    const loose: GroupScorer["loose"] = (forms, thorough) => {
      const [form] = forms
      if (form === undefined) return undefined
      const response = responses[form.link]
      if (response === undefined || response._tag === "Dropped") return undefined
      const logPrior = prior.logPrior(form.link, form.trees)
      if (!(logPrior > -Infinity)) return undefined
      const trees = models.map((model) => model(form.trees))
      const law = GroupedLaw.make(response, rows[form.link]!(), trees)
      const starts = forms.slice(0, most.starts).map((one) => models[0]!(one.trees).start)
      const points: Array<GroupedLaw.Point> = []
      const tried = groups.parts.map((): Array<GroupedLaw.Point> => [])
      const better = (group: number, start: ArrayLike<number>): void => {
        const point = law.alone(group, start)
        if (point === undefined) return
        tried[group]!.push(point)
        const known = points[group]
        if (known === undefined || point.rss < known.rss) points[group] = point
      }
      for (let group = 0; group < law.groups; group++) {
        const own = forms.filter((one) => one.group === group).map((one) => models[0]!(one.trees).start)
        const others = thorough ? starts : own.length === 0 ? starts.slice(0, 1) : []
        for (const start of [...own, ...others]) better(group, start)
      }
      const unexplained = (group: number): number => (points[group]?.rss ?? Infinity) / spread[group]!
      const constants = ({ numbers }: GroupedLaw.Point): Float64Array => numbers.slice(law.coefficients)
      const all = Array.from({ length: law.groups }, (_, group) => group)
      if (thorough && law.count > law.coefficients)
        for (let pass = 0; pass < 2; pass++) {
          const order = all
            .filter((group) => points[group] !== undefined)
            .toSorted((a, b) => unexplained(a) - unexplained(b))
          const [best] = order
          if (best === undefined) return undefined
          const bad = all.filter((group) => unexplained(group) > badly * unexplained(best) + rounding)
          for (const group of bad) {
            for (const other of order.slice(0, most.others)) {
              const from = constants(points[other]!)
              if (other !== group) better(group, from)
              if (pass === 0) continue
              for (let j = 0; j < from.length; j++)
                for (const factor of [0.5, 1.5, -1]) better(group, from.with(j, factor * from[j]!))
            }
          }
        }
      if (all.some((group) => points[group] === undefined)) return undefined
      // A number that another makes up for is none.
      if (thorough && !points.some((point) => determined(point))) return undefined
      if (thorough && law.count > law.coefficients) align(law, points, tried, better)
      const beside = logPrior + GPriorFit.sharing(trees[0]!)
      const score = beside + fitOf(points, law) - ((law.groups * law.count) / 2) * Real.log(target.rows)
      return { form, law, trees, response, points, score, logPrior: beside }
    }
    const scoreWith = (
      { points, score: _, ...rest }: Loose,
      noise: Float64Array,
      logNoise: number,
    ): Scored | undefined => {
      const weights = noise.map((one) => 1 / one)
      const law = GroupedLaw.weighted(rest.law, weights)
      const scaled = points.map(({ numbers }, group) => law.at(group, numbers)!)
      const rounding = weights.reduce(
        (sum, weight, group) => sum + weight ** 2 * (own[group]!.length / y.length) * target.rounding,
        0,
      )
      const problem = {
        law,
        y: own,
        weights,
        target: { ...target, rounding },
        constants: Constants.ofLaw(
          Constants.defaults,
          Tree.features(grammar, ...rest.form.trees).size,
          Link.isExponential(rest.response.inverse),
        ),
        table: Constants.tableOf(Constants.defaults),
      }
      const sharing = Sharing.choose(problem, scaled)
      if (sharing === undefined) return undefined
      return {
        ...rest,
        sharing,
        noise,
        lmpse: sharing.logEvidence + sharing.logPrior + rest.logPrior + logNoise,
      }
    }
    const score: GroupScorer["score"] = (loose) => {
      const { noise, logPrior } = noises(loose.points, loose.law)
      return [
        scoreWith(loose, new Float64Array(own.length).fill(1), Real.log(1 - ownNoise)),
        scoreWith(loose, noise, logPrior + Real.log(ownNoise)),
      ]
        .flatMap((one) => one ?? [])
        .toSorted((a, b) => b.lmpse - a.lmpse)[0]
    }
    return { loose, score, target }
  })
