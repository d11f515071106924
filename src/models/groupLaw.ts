import * as Effect from "effect/Effect"
import * as Data from "../data/Data.ts"
import * as GPrior from "../evidence/gPrior.ts"
import * as Groups from "../data/Groups.ts"
import { type CompileError, DataError, type FitError } from "../errors/Errors.ts"
import * as Term from "../expr/Term.ts"
import type { Archive, Archived } from "../infer/Archive.ts"
import * as Fit from "../infer/Fit.ts"
import * as Keeper from "../infer/Keeper.ts"
import * as Turn from "../infer/Turn.ts"
import type { Grammar } from "../prob/Grammar.ts"
import * as Plan from "../prob/Plan.ts"
import * as Deadline from "../rank/Deadline.ts"
import * as ArchiveRanking from "../rank/ArchiveRanking.ts"
import type { GroupModel, GroupNumber } from "../rank/groups/GroupModel.ts"
import * as GroupRanking from "../rank/groups/GroupRanking.ts"
import type { Unseen } from "../rank/Unseen.ts"
import * as Declared from "./Declared.ts"
import * as Fits from "./Fitted.ts"
import * as Law from "./law.ts"
import type * as LawGrammar from "./LawGrammar.ts"
import * as LawSearch from "./LawSearch.ts"
import * as Limits from "./Limits.ts"
import type * as Naming from "./Naming.ts"
import * as Source from "./Source.ts"
import * as Subject from "./Subject.ts"
import * as Responses from "../search/Responses.ts"

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
  | "units"
  | "start"
  | "workers"
  | "time"
  | "spent"
  | "effort"
  | "steps"
> {
  /** the column whose values are the names of the groups; it is no feature */
  readonly group: string
}

/** Searches of single groups at most: those of the largest groups. One more has the rows of all groups together. */
const most = 5
/** The shares of a time limit that searches have, and the known forms of one group; the rest is for the ranking. */
const shares = { searching: 0.36, naming: 0.12 }
/** Groups whose known forms are looked for: with noise those of one group alone may be at a limit. */
const named = 2

/** A finished fit over groups. Its `predict` is about a group that was not there. */
export interface Fitted<F extends string = string> extends Fits.Fitted<
  Fit.Summary,
  GroupModel,
  GroupRanking.Ranking,
  F
> {
  /** the names of the groups, in the order of `GroupNumber.values` */
  readonly labels: ReadonlyArray<string>
  /** the searches in order, each with the group whose rows it looked at (undefined for the rows of all), and its course */
  readonly searches: ReadonlyArray<{
    readonly label: string | undefined
    readonly course: Fit.Summary["course"]
  }>
  /**
   * Predictions in a group of the table, by its label, as `Law.fit` has them (`Fits.Predict`).
   *
   * @throws DataError for a label that is none of `labels`
   */
  readonly inGroup: (label: string) => Fits.Predict<F>
}

/** The best law so far: its right side, and its log posterior in nats on the rows that it was scored on. */
export type Best = Pick<GroupModel, "expression" | "lmpse">

/** A step of the ranking of a fit over groups, which follows its searches. */
export interface Ranked {
  readonly seconds: number
  /** the ensembles that the searches have scored */
  readonly scored: number
  /** the best law over all groups so far, with names for the numbers that vary. Call it, and `unseen`, before the next step. */
  readonly best: () => Best | undefined
  readonly unseen: () => Unseen | undefined
}

/** A step of a search of a fit over groups. */
export interface Step {
  readonly seconds: number
  /** the search that took it, from 1, and the number of searches */
  readonly search: number
  readonly searches: number
  /** the group whose rows it looks at; undefined for the rows of all */
  readonly label: string | undefined
  /** the ensembles that it has scored, and its best score so far on its rows, in nats, as `Search.Info` has them */
  readonly scored: number
  readonly objective: number
  /** the best law so far on the rows that the search looks at. It is computed when called. Call it, and `unseen`, before the next step. */
  readonly best: () => Best | undefined
  /** the mass of laws of these rows that are not seen so far */
  readonly unseen: () => Unseen | undefined
}

/**
 * From a table of rows in groups to one law for all groups: of its numbers some are shared, and some are each group's own. Searches
 * of single groups and of all rows together find forms; the evidence of all groups decides among them, and which numbers vary
 * (docs/adr/0033). The noise is additive, with one deviation for all groups or one for each.
 *
 * *When to use*: for repeated experiments, stars, patients, batches: the same law with other numbers. `Law.fit` for rows of one
 * kind.
 *
 * @param onStep called after every step of every search
 * @param onRank called after every form that is fitted to all groups
 * @errors DataError as of `Data.fromRows`, and when the column of groups is missing or has one value
 *
 * @example
 * const fit = yield* GroupLaw.fit(data, { group: "star" })
 * fit.best.numbers // name, mean and spread, and the value of each star
 */
export const fit = <
  const F extends string = string,
  const L extends string = string,
  const P extends LawGrammar.Operators = typeof LawGrammar.operators,
  const N extends string = never,
>(
  source: Source.Source<F>,
  {
    group,
    ...options
  }: Naming.Others<Options> &
    Naming.Terms<Naming.Less<F, L>, P, Grammar, N> & {
      /** the column whose values are the names of the groups; it is no feature */
      readonly group: Naming.Column<F, L>
    },
  onStep: (step: Step) => void = () => undefined,
  onRank: (ranked: Ranked) => void = () => undefined,
): Effect.Effect<Fitted<Naming.Less<F, L>>, DataError | CompileError | FitError> =>
  Effect.gen(function* () {
    const clock = Limits.start(options, Law.defaults.time)
    const seed = yield* Fit.Seed
    const groups = yield* Groups.of(yield* Source.dataset(source), group)
    const additive = { ...options, noise: "additive" } as const
    const program = Law.programOf(groups.data, additive)
    const plan = yield* Plan.declared(program)
    if ((yield* Responses.count(plan, groups.data)) === 0) return yield* Responses.none(plan, groups.data)
    // A group whose own rows rule out every link has no search of its own: among all rows these may be few.
    const searchable = yield* Effect.filter(
      groups.parts.map((part, place) => ({ part, label: groups.labels[place] })),
      ({ part }) => Effect.map(Responses.count(plan, part), (count) => count > 0),
    )
    const parts = [
      ...searchable
        .filter(({ part }) => !Data.isConstant(part.y))
        // Of as many rows, those of the largest spread say most about the law where all have the same noise.
        .toSorted((a, b) => b.part.rows - a.part.rows || GPrior.tssOf(b.part.y) - GPrior.tssOf(a.part.y))
        .slice(0, most),
      { part: groups.data, label: undefined },
    ]
    const limits = shareOf(options, parts.length)
    const usual = (shares.searching * Law.defaults.time) / parts.length
    const laws: Array<ReadonlyArray<Pick<Archived, "link" | "trees">>> = []
    const archives: Array<Archive> = []
    const searches: Array<Fitted["searches"][number]> = []
    let last: Fit.Summary = { seed, stopReason: "converged", steps: 0, trace: [], course: [], seconds: 0 }
    for (const [index, { part, label }] of parts.entries()) {
      const search = yield* LawSearch.make(program, part, additive)
      const ranker = yield* ArchiveRanking.make(plan, { train: part })
      let best = -Infinity
      const { steps, stopReason, ...found } = yield* LawSearch.posterior(
        search,
        Limits.layer(limits, usual),
        ({ scored, objective }, { algorithm: state }) => {
          best = objective
          const archive = (): Archive => search.algorithm.posterior(state).archive
          onStep({
            seconds: clock.seconds(),
            search: index + 1,
            searches: parts.length,
            label,
            scored,
            objective,
            best: () => ranker.best(objective, archive),
            unseen: () => ranker.unseen(objective, archive),
          })
        },
      ).pipe(Keeper.part(`search-${index + 1}`, () => Subject.of(seed, part, { ...options, group })))
      archives.push(found.archive)
      // The law of a group is that of all: its best, and known forms, which a search in a share of the time need not find.
      if (label !== undefined && index < named) {
        const archive = (): Archive => found.archive
        const lead = ranker.best(best, archive)
        const known = yield* Turn.pausing(ranker.known(best, archive, namingOf(options)))
        laws.push([...(lead === undefined ? [] : [lead]), ...known].map(({ ensemble }) => ensemble))
      }
      searches.push({ label, course: found.course })
      last = {
        ...found,
        steps: last.steps + steps,
        stopReason: stopReason === "converged" ? last.stopReason : stopReason,
      }
    }
    const scored = archives.reduce((sum, archive) => sum + archive.scored, 0)
    const ranking = yield* Turn.pausing(
      GroupRanking.rank(
        plan.likelihood,
        plan.sites,
        groups,
        archives,
        laws,
        clock.deadline,
        ({ best, unseen }) => {
          onRank({ seconds: clock.seconds(), scored, best, unseen })
        },
      ),
    )
    const { labels } = groups
    // The columns less that of the groups, as types know them.
    const features = groups.data.features as ReadonlyArray<Naming.Less<F, L>>
    const { models } = ranking
    const best = models[0]!
    /** The best law with the numbers of a group. */
    const valueIn = (of: (number: GroupNumber) => number): Term.Term => {
      const numbers = new Map(best.varying.map((one) => [one.name, of(one)]))
      return Term.substitute(best.expression, (name) => numbers.get(name) ?? Term.variable(name))
    }
    const inGroup = (label: string): Fits.Predict<Naming.Less<F, L>> => {
      const place = labels.indexOf(label)
      if (place < 0)
        throw new DataError({ message: `there is no group "${label}"; the groups are: ${labels.join(", ")}` })
      return Fits.predictor(
        { features },
        valueIn(({ values }) => values[place]!),
        models.map(({ law, posterior }) => ({ law: () => law(place), posterior })),
      )
    }
    const finished = { ranking, posterior: last, seconds: clock.seconds() }
    const means = valueIn(({ mean }) => mean)
    return { ...Fits.make(features, finished, { value: means }), labels, searches, inGroup }
  }).pipe(Declared.orFail)

/** The deadline of the known forms of one group, which begins now; none where a count limits the fit. */
const namingOf = ({ time, effort, steps }: Limits.Limits): Deadline.Deadline => {
  if (time === undefined && (effort !== undefined || steps !== undefined)) return Deadline.none
  const begun = performance.now()
  return { left: () => shares.naming * (time ?? Law.defaults.time) - (performance.now() - begun) / 1000 }
}

/** The limits of one of several searches. */
const shareOf = ({ time, effort, steps }: Limits.Limits, searches: number): Limits.Limits => ({
  time: time === undefined ? undefined : (shares.searching * time) / searches,
  effort: effort === undefined ? undefined : Math.max(1, Math.round(effort / searches)),
  steps: steps === undefined ? undefined : Math.max(1, Math.round(steps / searches)),
})
