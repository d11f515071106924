import * as Effect from "effect/Effect"
import * as Data from "../data/Data.ts"
import * as Groups from "../data/Groups.ts"
import { type CompileError, DataError, type FitError } from "../errors/Errors.ts"
import type { SelectedLinear } from "../evidence/Likelihood.ts"
import { scalarFunction } from "../expr/evaluate.ts"
import * as Term from "../expr/Term.ts"
import type { Archive } from "../infer/Archive.ts"
import * as Fit from "../infer/Fit.ts"
import * as Plan from "../prob/Plan.ts"
import type { GroupModel } from "../rank/groups/GroupModel.ts"
import * as GroupRanking from "../rank/groups/GroupRanking.ts"
import * as Search from "../search/Search.ts"
import * as Declared from "./Declared.ts"
import * as Law from "./law.ts"
import * as Limits from "./Limits.ts"
import * as Source from "./Source.ts"

export type { GroupModel, GroupNumber } from "../rank/groups/GroupModel.ts"

/** Options of a fit over groups: those of `Law.fit` that hold for groups, and the column of the groups. */
export interface Options extends Pick<
  Law.Options,
  | "trees"
  | "depth"
  | "links"
  | "restrictions"
  | "operators"
  | "constants"
  | "fitted"
  | "search"
  | "time"
  | "effort"
  | "steps"
> {
  /** the column whose values are the names of the groups; it is no feature */
  readonly group: string
}

/** Searches of single groups at most: those of the largest groups. One more has the rows of all groups together. */
const most = 5
/** The share of a time limit that searches have; the rest is for the ranking. */
const searching = 0.6

/** A prediction of the response. */
export interface Prediction {
  readonly value: number
  /** the standard deviation of a new observation: of the noise, of the numbers, and of an unknown group's distance from the mean */
  readonly deviation: number
}

/** A finished fit over groups. */
export interface Fitted {
  /** the first of `models` */
  readonly best: GroupModel
  /** the laws that were ranked, best first */
  readonly models: ReadonlyArray<GroupModel>
  /** the names of the groups, in the order of `GroupNumber.values` */
  readonly labels: ReadonlyArray<string>
  readonly posterior: Fit.Summary
  /** seconds of the whole call */
  readonly seconds: number
  /**
   * Predictions of the best law on rows of features, in the order of the table's features without the column of the groups.
   *
   * @param label the group of the rows; of a group that is not among the labels the numbers are those of the mean of all
   *   groups, and the deviation has the spread between groups in it
   * @throws DataError for a row with more or fewer values than there are features
   */
  readonly predict: (rows: ReadonlyArray<ReadonlyArray<number>>, label?: string) => ReadonlyArray<Prediction>
}

/** A step of a fit over groups. */
export interface Step {
  readonly seconds: number
  /** the search that took it, from 1, and the number of searches */
  readonly search: number
  readonly searches: number
}

/**
 * From a table of rows in groups to one law for all groups: of its numbers some are shared, and some are each group's own. Searches
 * of single groups and of all rows together find forms; the evidence of all groups decides among them, and which numbers vary
 * (docs/adr/0033). The noise is additive, with one deviation for all groups or one for each.
 *
 * *When to use*: for repeated experiments, stars, patients, batches: the same law with other numbers. `Law.fit` for rows of one
 * kind.
 *
 * @errors DataError as of `Data.fromRows`, and when the column of groups is missing or has one value
 *
 * @example
 * const fit = yield* GroupLaw.fit(data, { group: "star" })
 * fit.best.numbers // name, mean and spread, and the value of each star
 */
export const fit = (
  source: Source.Source,
  { group, ...options }: Options,
  onStep: (step: Step) => void = () => undefined,
): Effect.Effect<Fitted, DataError | CompileError | FitError> =>
  Effect.gen(function* () {
    const started = performance.now()
    const seconds = (): number => (performance.now() - started) / 1000
    const seed = yield* Fit.Seed
    const groups = yield* Groups.of(yield* Source.dataset(source), group)
    const program = Law.programOf(groups.data, { ...options, noise: "additive" })
    const plan = yield* Plan.declared(program)
    const parts = [
      ...groups.parts
        .filter(({ y }) => !Data.isConstant(y))
        .toSorted((a, b) => b.rows - a.rows)
        .slice(0, most),
      groups.data,
    ]
    const limits = shareOf(options, parts.length)
    const archives: Array<Archive> = []
    let last: Fit.Summary = { seed, stopReason: "converged", steps: 0, trace: [], seconds: 0 }
    for (const [index, part] of parts.entries()) {
      const algorithm = yield* Search.make(plan, part, options.search)
      const found = yield* Fit.fit(algorithm, () => {
        onStep({ seconds: seconds(), search: index + 1, searches: parts.length })
      }).pipe(Effect.provide(Limits.layer(limits, (searching * Law.defaults.time) / parts.length)))
      archives.push(found.archive)
      last = {
        ...found,
        steps: last.steps + found.steps,
        stopReason: found.stopReason === "converged" ? last.stopReason : found.stopReason,
      }
    }
    // A law without a density of its own is observed by a `SelectedLinear`, which has links.
    const likelihood = plan.likelihood as SelectedLinear
    const { time } = options
    const least =
      time ?? (options.effort === undefined && options.steps === undefined ? Law.defaults.time : Infinity)
    const models = yield* GroupRanking.rank(likelihood, plan.sites, groups, archives, () => seconds() < least)
    const best = models[0]!
    return {
      best,
      models,
      labels: groups.labels,
      posterior: last,
      seconds: seconds(),
      predict: predictor(best, groups),
    }
  }).pipe(Declared.orFail)

/** The limits of one of several searches. */
const shareOf = ({ time, effort, steps }: Limits.Limits, searches: number): Limits.Limits => ({
  time: time === undefined ? undefined : (searching * time) / searches,
  effort: effort === undefined ? undefined : Math.max(1, Math.round(effort / searches)),
  steps: steps === undefined ? undefined : Math.max(1, Math.round(steps / searches)),
})

const predictor = (
  { expression, numbers, noiseByGroup }: GroupModel,
  { data: { features }, labels, column }: Groups.Groups,
): Fitted["predict"] => {
  const names = [...features, ...numbers.map(({ name }) => name)]
  const law = scalarFunction(expression, names)
  const slopes = numbers.map(({ name }) => scalarFunction(Term.derivative(expression, name), names))
  const noise = Math.sqrt(noiseByGroup.reduce((sum, one) => sum + one * one, 0) / noiseByGroup.length)
  return (rows, label) => {
    const group = label === undefined ? -1 : labels.indexOf(label)
    const values = numbers.map((one) => (group < 0 ? one.mean : one.values[group]!))
    const deviations = numbers.map((one) =>
      group < 0 ? Math.hypot(one.spread, one.meanError) : one.errors[group]!,
    )
    return rows.map((row, index) => {
      if (row.length !== features.length)
        throw new DataError({
          message: `row ${index + 1} has ${row.length} values, but the law is over ${features.length} beside "${column}": ${features.join(", ")}`,
        })
      const at = [...row, ...values]
      return {
        value: law(at),
        deviation: Math.hypot(
          group < 0 ? noise : noiseByGroup[group]!,
          ...slopes.map((slope, j) => slope(at) * deviations[j]!),
        ),
      }
    })
  }
}
