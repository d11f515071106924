import * as Frontier from "./Frontier.ts"
import * as Admission from "./Admission.ts"
import * as Claims from "./Claims.ts"
import type * as HallOfFame from "./HallOfFame.ts"
import * as Rescoring from "./Rescoring.ts"
import * as GramMatrix from "./GramMatrix.ts"
import * as BorderedRegression from "./BorderedRegression.ts"
import type { SearchSpace } from "./SearchSpace.ts"
import * as Survey from "./Survey.ts"
import type { ApproximateEvidence } from "./ApproximateEvidence.ts"

/** Scores trees and ensembles of a space, and puts the best on a frontier. */
export interface Scoring extends Pick<Admission.Admission, "possible" | "isComplete">, Rescoring.Rescoring {
  readonly alone: (frontier: Frontier.Frontier, ids: Int32Array) => void
  /**
   * Scores candidates beside held trees, keeps those that are good enough, and leaves the best in `best`.
   *
   * @param found receives the entries that were kept, if only for a while
   */
  readonly evaluate: (
    frontier: Frontier.Frontier,
    base: ReadonlyArray<number>,
    signatures: ReadonlyArray<number>,
    ids: Int32Array,
    found?: Array<{ readonly trees: Array<number> }>,
  ) => void
  /**
   * The scores of candidates beside held trees, none of which is kept. The same list again is cheaper.
   *
   * @param count as how many scored ensembles they count: all of them, where their columns are evaluated
   * @returns one score for each candidate, minus infinity for those that are not admissible
   */
  readonly survey: (
    frontier: Frontier.Frontier,
    base: ReadonlyArray<number>,
    ids: Int32Array,
    count?: number,
  ) => Float64Array
  /** The same of all trees that have come with `ids` before, and these, from their inner products. */
  readonly recombine: (
    frontier: Frontier.Frontier,
    base: ReadonlyArray<number>,
    signatures: ReadonlyArray<number>,
    ids: Iterable<number>,
  ) => void
  /** Forgets what came to be recombined for a frontier. */
  readonly forget: (frontier: Frontier.Frontier) => void
  /** The best candidate of the latest evaluation; -1 when none is possible. */
  readonly best: { readonly id: number; readonly signature: number; readonly score: number }
  /** An ensemble with the score of its law on the scale of y, where that is far off. */
  readonly checked: <E extends HallOfFame.Entry>(entry: E) => E
  /** Fitted values of an ensemble on the scale of its response, length n. */
  readonly fitted: (ensemble: HallOfFame.Scored) => Float64Array
  /** The same on the scale of y. */
  readonly law: (ensemble: HallOfFame.Scored) => Float64Array
  /** How many ensembles were scored. */
  readonly scored: () => number
}

/** Columns that have their moments taken at a time. */
const chunk = 1024

/** What scoring keeps, as plain data. */
export interface Data {
  /** how many ensembles were scored */
  scored: number
  /** for each response, the columns whose inner products are known (`GramMatrix`) */
  readonly grams: ReadonlyArray<Array<number>>
}

export const nothing = (responses: number): Data => ({
  scored: 0,
  grams: Array.from({ length: responses }, () => []),
})

/**
 * @param data counts and known columns: it starts from those there, and adds its own
 * @param claims what checks ensembles that claim the lead
 */
export const make = (
  space: SearchSpace,
  approximate: ApproximateEvidence,
  data: Data,
  claims: Claims.Claims = Claims.none,
): Scoring => {
  const { attributes, responses } = space
  const admission = Admission.make(space, approximate)
  const regression = BorderedRegression.make(space, approximate.most + 1)

  const { suited, haveUnit, prior: priorBeside } = admission
  const sizeOf = (trees: ReadonlyArray<number>): number =>
    trees.reduce((sum, id) => sum + attributes.size(id) + 1, 0)

  const inChunks = (ids: Int32Array, use: (some: Int32Array, rows: Float64Array) => void): void => {
    for (let from = 0; from < ids.length; from += chunk) {
      const some = ids.subarray(from, from + chunk)
      use(some, regression.moments(some, some.length))
    }
  }
  const alone: Scoring["alone"] = (frontier, all) => {
    const { response } = frontier
    const { unit } = responses[response]!
    const prior = priorBeside(response, [])
    regression.hold([], response)
    const width = regression.width()
    inChunks(suited(response, all), (some, rows) => {
      data.scored += some.length
      for (let i = 0; i < some.length; i++) {
        const rss = regression.rss(rows, i * width)
        if (!(rss >= 0)) continue
        const id = some[i]!
        // Numbers are fitted for an ensemble: a column alone has none, and is a column that numbers may be put into.
        if (attributes.fitted(0, id) > 0) continue
        const score =
          approximate.evidence(response, 1, rss * unit) + approximate.prior(response, 1, prior(id))
        const size = attributes.size(id)
        if (score > frontier.least(size))
          frontier.single({ id, size, signature: regression.signature(rows, i * width), score })
      }
    })
  }
  const best = { id: -1, signature: 0, score: -Infinity }
  const evaluate: Scoring["evaluate"] = (frontier, base, signatures, ids, found = []) => {
    const consider = beside(frontier, base, signatures, found)
    if (consider !== undefined) inChunks(suited(frontier.response, ids, base), consider)
  }

  const surveys = responses.map((_, response) => Survey.make(space, response))
  const survey: Scoring["survey"] = ({ response }, base, ids, count = ids.length) => {
    const { unit } = responses[response]!
    const scores = new Float64Array(ids.length).fill(-Infinity)
    // The pass over columns first: it changes what the kernel holds.
    const rows = surveys[response]!.moments(ids, base)
    const places = surveys[response]!.places()
    if (Number.isNaN(regression.hold(base, response))) return scores
    const rank = regression.rank() + 1
    const prior = priorBeside(response, base)
    const numbers = attributes.numbers(base)
    const width = regression.width()
    for (let i = 0; i < places.length; i++) {
      const rss = regression.rss(rows, i * width) * unit
      const place = places[i]!
      const id = ids[place]!
      if (!(rss >= 0 && attributes.suits(approximate.links[response]!, attributes.dimension(id)))) continue
      scores[place] =
        approximate.evidence(response, rank + attributes.fitted(numbers, id), rss) +
        approximate.prior(response, base.length + 1, prior(id))
    }
    data.scored += count
    return scores
  }

  const grams = responses.map((_, response) => GramMatrix.make(space, response, data.grams[response]))
  const recombine: Scoring["recombine"] = (frontier, base, signatures, ids) => {
    const gram = grams[frontier.response]!
    gram.add(suited(frontier.response, Int32Array.from(ids)))
    const rows = gram.moments(base)
    beside(frontier, base, signatures)?.(gram.members(), rows)
  }

  /** Holds trees, and returns what scores candidates beside them from their moments; undefined where they cannot be held. */
  const beside = (
    frontier: Frontier.Frontier,
    base: ReadonlyArray<number>,
    signatures: ReadonlyArray<number>,
    found: Array<{ readonly trees: Array<number> }> = [],
  ): ((ids: Int32Array, rows: Float64Array) => void) | undefined => {
    const { response } = frontier
    const { unit } = responses[response]!
    best.id = -1
    if (Number.isNaN(regression.hold(base, response))) return undefined
    const rank = regression.rank() + 1
    const trees = base.length + 1
    const prior = priorBeside(response, base)
    const numbers = attributes.numbers(base)
    const sizeOfBase = sizeOf(base) + 1
    const baseHasUnit = haveUnit(response, base)
    const width = regression.width()
    let most = -Infinity
    const keep = (entry: HallOfFame.Entry & { readonly trees: Array<number> }): void => {
      if (frontier.insert(entry)) found.push(entry)
    }
    return (ids, rows) => {
      const lead = claims.areChecked(response) ? Frontier.height(frontier) : Infinity
      const claimed: Array<HallOfFame.Entry & { readonly trees: Array<number> }> = []
      for (let i = 0; i < ids.length; i++) {
        const rss = regression.rss(rows, i * width) * unit
        if (!(rss >= 0)) continue
        const id = ids[i]!
        const fitted = attributes.fitted(numbers, id)
        const logEvidence = approximate.evidence(response, rank + fitted, rss)
        const score = logEvidence + approximate.prior(response, trees, prior(id))
        const size = sizeOfBase + attributes.size(id)
        if (score > most) {
          most = score
          best.id = id
          best.score = score
          best.signature = regression.signature(rows, i * width)
        }
        const hasUnit = baseHasUnit && haveUnit(response, [id])
        if (score <= frontier.threshold(size, fitted > 0, hasUnit)) continue
        const signature = regression.signature(rows, i * width)
        if (signatures.includes(signature)) continue
        const entry = {
          response,
          trees: [...base, id],
          signatures: [...signatures, signature],
          rss,
          logEvidence,
          score,
          size,
          numbers: fitted,
          hasUnit,
          searched: new Int32Array(trees + 1),
          found: data.scored,
        }
        if (score > lead) claimed.push(entry)
        else keep(entry)
      }
      data.scored += ids.length
      if (claimed.length === 0) return
      Claims.settle(claimed, checked, keep, claims.leading())
      regression.hold(base, response)
    }
  }

  const fitted: Scoring["fitted"] = ({ response, trees }) => {
    regression.hold(trees, response)
    const [intercept, ...slopes] = regression.coefficients()
    const { centre, scale } = responses[response]!
    const values = new Float64Array(space.rows).fill(centre + scale * intercept!)
    trees.forEach((id, k) => {
      const column = space.kernel.column(id)
      for (let i = 0; i < values.length; i++) values[i]! += scale * slopes[k]! * column[i]!
    })
    return values
  }

  /** An ensemble with the score of its law on the scale of y, where it is far off. Other trees are held afterwards. */
  const checked = <E extends HallOfFame.Entry>(entry: E): E => {
    const { response, trees, numbers } = entry
    if (!claims.areChecked(response)) return entry
    const rss = claims.rss(response, fitted(entry))
    if (rss <= Claims.doubtful * entry.rss) return entry
    const logEvidence = approximate.evidence(response, trees.length + numbers, rss)
    if (!(logEvidence < entry.logEvidence)) return entry
    return { ...entry, rss, logEvidence, score: entry.score + logEvidence - entry.logEvidence }
  }

  const forget: Scoring["forget"] = ({ response }) => {
    grams[response]!.clear()
    surveys[response]!.clear()
  }

  const rescoring = Rescoring.make(space, approximate, regression, data, {
    ...admission,
    sizeOf,
    inChunks,
    alone,
    forget,
    checked: (entry) => (entry.score > claims.leading() ? checked(entry) : entry),
  })

  return {
    ...admission,
    alone,
    evaluate,
    survey,
    recombine,
    forget,
    best,
    ...rescoring,
    checked,
    fitted,
    law: (entry) => claims.law(entry.response, fitted(entry)),
    scored: () => data.scored,
  }
}
