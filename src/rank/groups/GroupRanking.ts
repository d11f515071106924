import * as Effect from "effect/Effect"
import type { Groups } from "../../data/Groups.ts"
import { type CompileError, FitError } from "../../errors/Errors.ts"
import type { Archive, Archived } from "../../infer/Archive.ts"
import { normalised } from "../../numeric/logSum.ts"
import * as Link from "../../prob/Link.ts"
import type { Observation } from "../../prob/Observation.ts"
import * as Tree from "../../prob/Tree.ts"
import type { SiteRecord } from "../../prob/Model.ts"
import { once } from "../../internal/once.ts"
import * as Deadline from "../Deadline.ts"
import * as Shortlist from "../Shortlist.ts"
import type * as Unseen from "../Unseen.ts"
import { linked, neighbours } from "./formMoves.ts"
import type * as Form from "./GroupForm.ts"
import * as Forms from "./GroupForm.ts"
import { describe, type GroupModel } from "./GroupModel.ts"
import * as FormQueue from "./FormQueue.ts"
import * as Pace from "./Pace.ts"
import * as GroupScorer from "./GroupScorer.ts"
import * as GroupUnseen from "./GroupUnseen.ts"

/** How many forms go from one stage of the ranking to the next. */
const most = {
  /** of each archive */
  archived: 40,
  /** fitted in each group by themselves, from the values of the archives */
  tried: 150,
  /** fitted in each group from many values */
  loose: 18,
  /** with roles of their numbers */
  scored: 9,
  /** whose neighbours are looked at, in each round */
  parents: 2,
  rounds: 3,
}

/**
 * The shares of the time at which known forms, and the first forms of searches, are ranked, and, of what a list of forms may take, those at which its first two stages
 * end: without, forms that were only tried would leave no time to compare them.
 */
const time = { named: 0.35, first: 0.6, tried: 0.4, loose: 0.7 }

/** Laws over groups, best first, and the mass of those that were not seen. */
export interface Ranking {
  readonly models: ReadonlyArray<GroupModel>
  readonly unseen: Unseen.Unseen
}

/** Where a ranking stands: the best law of those scored so far, and the mass of those that were not seen; undefined before the first. */
export interface Progress {
  readonly best: () => GroupModel | undefined
  readonly unseen: () => Unseen.Unseen | undefined
}

/**
 * Ranks forms that searches have found, on rows in groups, best first. Forms are fitted in each group by themselves; the best have
 * the roles of their numbers chosen by the evidence (`Sharing`), and the forms near the best are tried as well (`formMoves`).
 *
 * @param named laws of single groups, their best and known forms, which searches need not find: they are tried first
 * @param deadline without time left, the ranking ends with the forms that it has
 * @param tell called after each form that was fitted; what it is told is computed when it is asked for, and holds until the next call
 * @errors CompileError as of `GroupScorer.make`; FitError when no form fits
 */
export const rank = (
  likelihood: Observation,
  sites: ReadonlyArray<Pick<SiteRecord, "name" | "prior">>,
  groups: Groups,
  archives: ReadonlyArray<Archive>,
  named: ReadonlyArray<ReadonlyArray<Pick<Archived, "link" | "trees">>> = [],
  deadline: Deadline.Deadline = Deadline.none,
  tell: (progress: Progress) => void = () => undefined,
): Effect.Effect<Ranking, CompileError | FitError> =>
  Effect.gen(function* () {
    const { grammar } = likelihood.forest
    const links = likelihood.link?.links ?? [Link.identity]
    const scorer = yield* GroupScorer.make(likelihood, sites, groups)
    const lists = archives.map((archive) =>
      Shortlist.archived(likelihood, archive, most.archived).map((one) => ({ ...one, score: 0, found: 0 })),
    )
    const known = new Map<string, GroupScorer.Scored>()
    const tried = new Set<string>()
    const queue = FormQueue.make(groups.labels.length, groups.data.rows)
    const pace = Pace.make(deadline)
    const [tries, fits, scores] = [pace.kind(), pace.kind(), pace.kind()]
    const best = (): ReadonlyArray<GroupScorer.Scored> =>
      [...known.values()].sort((a, b) => b.lmpse - a.lmpse)
    const responseSize = ({ link }: Form.GroupForm): number => likelihood.link?.links[link]?.complexity ?? 0
    const size = ({ form }: GroupScorer.Scored): number =>
      form.trees.reduce((sum, tree) => sum + Tree.complexity(grammar, tree), responseSize(form))
    const scale = Math.sqrt(scorer.target.tss)
    /** Laws of which no two are equal on the rows, best first, with the sums of their shares of the posterior. */
    const distinct = (ranked: ReadonlyArray<GroupScorer.Scored>): ReadonlyArray<Distinct> => {
      const shares = normalised(ranked.map(({ lmpse }) => lmpse))
      const laws: Array<Distinct> = []
      ranked.forEach((scored, place) => {
        const fit = residualsOf(scored)
        const equal = laws.find(
          (law) => distance(law.fit, fit) <= sameFit * distance(fit) + sameFit ** 2 * scale,
        )
        if (equal === undefined) laws.push({ scored, fit, posterior: shares[place]! })
        else {
          equal.posterior += shares[place]!
          if (size(scored) < size(equal.scored)) equal.scored = scored
        }
      })
      return laws
    }
    const unseenOf = GroupUnseen.make(grammar, groups, archives, lists)
    const nothing = once(() => {
      const constant = scorer.loose([Forms.make(grammar, 0, [])], true)
      return constant && scorer.score(constant)
    })
    let standing: { readonly count: number; readonly progress: Progress } | undefined
    /** Where the ranking stands, worked out again after another law is known. */
    const stand = (): Progress => {
      if (standing?.count !== known.size) {
        const laws = once(() => distinct(best()))
        const model = once(() => laws()[0] && describe(laws()[0]!.scored, grammar, groups, 1))
        const unseen = once(() => {
          const [first, ...others] = laws().map(({ scored }) => scored)
          const top = model()
          if (first === undefined || top === undefined) return undefined
          const simpler = others.find((one) => size(one) < top.complexity) ?? nothing() ?? top
          return unseenOf(first.form, top, simpler.lmpse)
        })
        standing = { count: known.size, progress: { best: model, unseen } }
      }
      return standing.progress
    }
    const told = <A>(result: A): A => {
      tell(stand())
      return result
    }
    const compared = (one: GroupScorer.Loose, work: number) => ({
      one,
      score: one.score,
      numbers: one.law.count,
      work,
    })
    /**
     * Tries forms, each from one beginning or several, and knows the best with roles of their numbers.
     *
     * @param loose how many are fitted from many values, and how many have the roles of their numbers chosen
     * @param from the share of the time that is used before, and `to` the one at which it ends
     * @param near the number of numbers of the form that these are near; undefined for forms of the archives
     */
    const consider = Effect.fnUntraced(function* (
      forms: ReadonlyArray<ReadonlyArray<Form.GroupForm>>,
      loose: number,
      scored: number,
      from: number,
      to: number,
      near?: number,
    ) {
      const at = (share: number): number => from + share * (to - from)
      const fresh = forms.filter(
        ([form]) => form !== undefined && !tried.has(form.key) && !known.has(form.key),
      )
      // A form of the archives begins at the numbers of one group, and may fail where the same form near another one does not.
      if (near !== undefined) for (const [form] of fresh) tried.add(form!.key)
      const isNone = known.size === 0
      const untried = fresh.map((form) => ({ form, work: 0 }))
      const first = yield* tries(untried, at(time.tried), isNone, ({ form }) => {
        const one = told(scorer.loose(form, false))
        // Without numbers inside of terms there is nothing more to find.
        return (
          one && {
            form,
            ...compared(one, one.law.count > one.law.coefficients ? FormQueue.workOf(one.law.count) : 0),
          }
        )
      })
      const second = yield* fits(queue.chosen(first, loose), at(time.loose), isNone, (rough) => {
        // What has fewer numbers than the form that it is near begins at its fit.
        const isFitted = near !== undefined && rough.numbers < near
        const one = isFitted ? rough.one : told(scorer.loose(rough.form, true))
        return one && compared(one, FormQueue.workOf(one.law.count))
      })
      const third = queue.chosen(second, scored).filter((one) => isNone || queue.isHopeful(one))
      yield* scores(third, to, isNone || near === undefined, ({ one }) => {
        const found = scorer.score(one)
        if (found !== undefined && Number.isFinite(found.lmpse)) known.set(found.form.key, found)
        return told(found)
      })
    })
    // These are compared among themselves: from the numbers of another group a form of few numbers fits worse than a long one.
    const after = named.length === 0 ? 0 : time.named
    // The search of a group has laws under links; known forms are those of y itself.
    const ways = named.map((list) => list.flatMap((one) => [one, ...linked(grammar, links, one)]))
    yield* consider(Forms.collect(grammar, ways), most.loose, most.scored, 0, after)
    yield* consider(
      Forms.collect(grammar, lists).slice(0, most.tried),
      most.loose,
      most.scored,
      after,
      time.first,
    )
    const parents = new Set<string>()
    for (let round = 0; round < most.rounds && pace.within(1); round++) {
      const begins = (k: number): number => time.first + ((1 - time.first) * k) / most.rounds
      const [from, to] = [begins(round), begins(round + 1)]
      const next = best()
        .filter(({ form }) => !parents.has(form.key))
        .slice(0, most.parents)
      for (const [place, { form, trees, sharing, law }] of next.entries()) {
        parents.add(form.key)
        const at = (k: number): number => from + ((to - from) * k) / next.length
        // Numbers far from those of a group do not lead to it: each begins at its own.
        const together = new Map<string, Array<Form.GroupForm>>()
        sharing.joint.points.forEach(({ numbers: own }, group) => {
          const begun = trees[group]!.trees(own.subarray(law.coefficients))
          for (const one of neighbours(grammar, links, { ...form, trees: begun }))
            together.set(one.key, [...(together.get(one.key) ?? []), { ...one, group }])
        })
        yield* consider(
          [...together.values()],
          most.loose / 3,
          most.scored / 3,
          at(place),
          at(place + 1),
          law.count,
        )
      }
    }
    const ranked = best()
    if (ranked.length === 0)
      return yield* new FitError({
        message: `no law that was found fits the rows of all ${groups.labels.length} groups; search longer`,
      })
    const laws = distinct(ranked)
    const models = laws.map(({ scored, posterior }) =>
      describe(scored, grammar, groups, Math.min(1, posterior)),
    )
    const [first] = laws
    const [top] = models
    const simpler = models.find(({ complexity }) => complexity < top!.complexity)
    const unseen = unseenOf(first!.scored.form, top!, (simpler ?? nothing() ?? top!).lmpse)
    return {
      models: models.map((model) => ({
        ...model,
        probability: model.posterior * (1 - unseen.probability),
      })),
      unseen,
    }
  })

/** A law, what it leaves unexplained, and the share of the posterior of all laws that are equal to it. */
interface Distinct {
  scored: GroupScorer.Scored
  readonly fit: Float64Array
  posterior: number
}

/** Laws whose fitted values differ by less than this share of their errors are one law, shown by the simplest. */
const sameFit = 0.01

const residualsOf = ({ sharing, noise }: GroupScorer.Scored): Float64Array =>
  Float64Array.from(
    sharing.joint.points.flatMap(({ residual }, group) =>
      Array.from(residual, (value) => value * noise[group]!),
    ),
  )

const distance = (a: Float64Array, b?: Float64Array): number =>
  Math.sqrt(a.reduce((sum, value, i) => sum + (value - (b?.[i] ?? 0)) ** 2, 0))
