import type { Noise } from "../Noise.ts"
import { isSimple } from "../Noise.ts"
import type * as GPrior from "../gPrior.ts"
import { once } from "../../internal/once.ts"
import * as Rng from "../../random/Rng.ts"
import { back, type Response } from "../response.ts"
import { combine } from "../responseFit.ts"
import type { Known } from "./Deviations.ts"
import * as Fits from "./NoiseFit.ts"
import * as Tails from "./Tails.ts"
import * as Unevenness from "./Unevenness.ts"
import * as Weighing from "./Weighing.ts"
import * as WrongRows from "./WrongRows.ts"

/** An explanation of a response by a law: a kind of noise, and a set of wrong rows. */
export type Explanation = Fits.NoiseFit

/** Explains a response by laws, under all kinds of noise that a model allows. */
export interface Explainer extends Pick<Fits.Fitter, "again"> {
  /**
   * The explanations of a law, most probable first; empty when the law is not finite on enough rows.
   *
   * @param columns t_1 ... t_K of length n
   */
  readonly explain: (response: Response, columns: ReadonlyArray<Float64Array>) => ReadonlyArray<Explanation>
  /** log odds of each row being wrong under an explanation, length n; minus infinity where no row can be */
  readonly logOdds: (explanation: Explanation) => Float64Array
}

/** The most fits of one kind to different sets of wrong rows. */
const mostSets = 8
/** A residual sum of squares of at most this many times the rounding of the data is an exact fit. */
const exactly = 100
/** Wrong rows of lower log odds than this are put back one by one while the evidence rises: the law's own error may explain them. */
const doubtful = 10
/** Explanations further below the best than this, in nats, are not followed. */
const hopeless = 30

/** Another set of wrong rows is looked for until two have gained less than the first, and while one loses no more than the second, in nats. */
const [worthwhile, worthless] = [0.1, 5]
/** Above this number of rows the hat value of a row is taken as nothing, and a sample of `looked` rows rules kinds out. */
const many = 20_000
const looked = 4000
/** The most fits to different sets of wrong rows among many: a row changes the law of many others by next to nothing. */
const fewSets = 2
/** The score statistic above which a kind is fitted: below it the kind would gain nothing. */
const slight = 1

/** Whether a residual sum of squares is that of a law without noise: close to the rounding of the data. */
export const isExact = (rss: number, { rounding }: Pick<GPrior.Target, "rounding">): boolean =>
  rss <= exactly * rounding

/** Whether the closed form without weights is that of the first kind. */
export const startsPlain = ({ kinds, error, weights }: Noise): boolean =>
  isSimple(kinds[0]!.kind) && error === undefined && weights === undefined

/** @param y length n, finite */
export const make = (noise: Noise, y: Float64Array, prior: Fits.Prior, known: Known = {}): Explainer => {
  const fits = Fits.make(noise, y, prior, known)
  const { everything, wrongness } = fits
  const isUneven = once(() => Unevenness.spansDecades(y))
  /** All rows but some, ascending. */
  const without = (wrong: ReadonlyArray<number>): Int32Array => {
    if (wrong.length === 0) return everything
    const left = new Uint8Array(y.length)
    for (const i of wrong) left[i] = 1
    return everything.filter((i) => left[i] === 0)
  }
  /** Rows that are more probably wrong than not, ascending: the most suspicious, if they are more than may be wrong. */
  const wrongBy = (odds: Float64Array): ReadonlyArray<number> => {
    const out: Array<number> = []
    for (const i of everything) if (!(odds[i]! <= 0)) out.push(i)
    const most = wrongness?.most ?? 0
    if (out.length <= most) return out
    const chosen = out.sort((a, b) => (odds[b]! > odds[a]! ? 1 : -1)).slice(0, most)
    return chosen.sort((a, b) => a - b)
  }

  /** Puts wrong rows that are not far from the law back, the closest first, while the evidence rises. */
  const restored = (kind: number, law: Fits.Law, from: Explanation): Explanation => {
    // Of many rows none has a say in the law, so that its odds tell all.
    if (y.length > many) return from
    const kept = new Set(from.weighing.rows)
    const odds = fits.logOdds(from, from.sigma)
    const close = Array.from(everything)
      .filter((i) => !kept.has(i) && odds[i]! < doubtful)
      .sort((a, b) => Math.abs(from.residuals[a]!) - Math.abs(from.residuals[b]!))
    let best = from
    for (const row of close) {
      const own = new Set([...best.weighing.rows, row])
      if (own.size === everything.length) break
      const found = fits.fit(
        kind,
        law,
        everything.filter((i) => own.has(i)),
        best,
      )
      if (found === undefined || !(found.logEvidence() > best.logEvidence())) break
      best = found
    }
    return best
  }

  /** The best explanation of one kind with wrong rows; undefined where no row is wrong. */
  const contaminated = (
    kind: number,
    law: Fits.Law,
    plain: Explanation | undefined,
    leading: number,
  ): Explanation | undefined => {
    if (wrongness === undefined || wrongness.most === 0) return undefined
    const starts: Array<ReadonlyArray<number>> = []
    if (plain !== undefined) {
      const odds = fits.logOdds(plain, WrongRows.spread(plain.residuals, everything) || plain.sigma)
      const wrong = wrongBy(odds)
      if (wrong.length > 0 && fits.gain(plain, without(wrong)) > 0) starts.push(wrong)
    }
    if (wrongness.suspects.length > 0) starts.push(wrongness.suspects)
    let best: Explanation | undefined
    for (const start of starts) {
      let wrong = start
      const seen = new Set<string>()
      let before = plain
      let misses = 0
      for (let k = 0; k < (y.length > many ? fewSets : mostSets) && wrong.length > 0; k++) {
        const key = wrong.join()
        if (seen.has(key)) break
        seen.add(key)
        const found = fits.fit(kind, law, without(wrong), before, leading - 3 * hopeless)
        if (found === undefined) break
        const height = found.logEvidence()
        const gained = height - (best?.logEvidence() ?? -Infinity)
        if (gained > 0) best = found
        if (gained < worthwhile) misses++
        if (misses > 1 || height < leading - worthless) break
        before = found
        wrong = wrongBy(fits.logOdds(found, found.sigma))
      }
    }
    return best === undefined || best.logEvidence() < leading - hopeless ? best : restored(kind, law, best)
  }

  /** Whether a kind may explain the response better than the fit of another kind does; no fit of its own is needed. */
  const isPromising = (index: number, reference: Explanation | undefined): boolean => {
    if (reference === undefined) return true
    const { degrees } = noise.kinds[index]!.kind
    if (degrees === undefined) return fits.score(index, reference) > slight
    const { rows } = reference.weighing
    return Tails.gain(Weighing.pick(reference.residuals, rows), degrees) > 0
  }

  /** Rows by chance, one of each of as many equal parts of the table, and the explainer of their response. */
  const sample = once(() => {
    const places = Rng.uniform(Rng.fold(Rng.key(0), "noise"), new Float64Array(looked))
    const rows = Int32Array.from(
      places,
      (place, k) => everything[Math.floor(((k + place) * everything.length) / looked)]!,
    )
    const of = (column: Float64Array | undefined): Float64Array | undefined =>
      column && Weighing.pick(column, rows)
    const own = { errors: of(known.errors), weights: of(known.weights) }
    return { rows, explainer: make(noise, Weighing.pick(y, rows), prior, own) }
  })
  /**
   * Fits to many rows under the kinds that a sample leaves possible, begun at its coefficients: the evidence between two kinds grows with
   * the rows. Rows that are wrong are looked for among all.
   */
  const explainMany = (law: Fits.Law): ReadonlyArray<Explanation> => {
    const { rows, explainer } = sample()
    const own = ({ values, slopes }: Response): Response => ({
      ...law.response,
      values: Weighing.pick(values, rows),
      slopes: Weighing.pick(slopes, rows),
    })
    const seen = explainer.explain(
      own(law.response),
      law.columns.map((column) => Weighing.pick(column, rows)),
    )
    const starts = new Map<number, Float64Array>()
    for (const { weighing, fit, logEvidence } of seen)
      if (logEvidence() > seen[0]!.logEvidence() - hopeless && !starts.has(weighing.kind))
        starts.set(weighing.kind, fit.point.coefficients)
    const found: Array<Explanation> = []
    const best = (): number => Math.max(-Infinity, ...found.map((one) => one.logEvidence()))
    for (const [kind, coefficients] of starts) {
      const mean = new Float64Array(y.length)
      const design = [new Float64Array(y.length).fill(1), ...law.columns]
      back(law.response).run(combine(design, coefficients), mean, new Float64Array(y.length))
      const plain = fits.fit(kind, law, everything, { mean, fit: { point: { coefficients } } })
      if (plain !== undefined && Number.isFinite(plain.logEvidence())) found.push(plain)
      const exact = plain !== undefined && isExact(plain.fit.rss, plain.target)
      if (exact || noise.kinds[kind]!.kind.degrees !== undefined) continue
      const wrong = contaminated(kind, law, plain, best())
      if (wrong !== undefined && Number.isFinite(wrong.logEvidence())) found.push(wrong)
    }
    return found
  }

  return {
    again: fits.again,
    explain: (response, columns) => {
      const law = { response, columns }
      const byEvidence = (a: Explanation, b: Explanation): number => b.logEvidence() - a.logEvidence()
      if (everything.length > many) return explainMany(law).toSorted(byEvidence)
      const found: Array<Explanation> = []
      let [leading, height] = [-Infinity, -Infinity]
      const take = (one: Explanation | undefined): void => {
        if (one === undefined || !Number.isFinite(one.logEvidence())) return
        found.push(one)
        leading = Math.max(leading, one.logEvidence())
        height = Math.max(height, one.height)
      }
      const first = fits.fit(0, law, everything)
      take(first)
      const exact = first !== undefined && isExact(first.fit.rss, first.target)
      // Without noise no kind of it explains more, unless small values of y are of no weight under the first.
      if (exact && noise.kinds[0]!.kind.degrees === undefined && !isUneven()) return found
      if (!exact && noise.kinds[0]!.kind.degrees === undefined) take(contaminated(0, law, first, leading))
      const reference = found.reduce<Explanation | undefined>(
        (best, one) => (best !== undefined && best.logEvidence() >= one.logEvidence() ? best : one),
        undefined,
      )
      for (let index = 1; index < noise.kinds.length; index++) {
        const { degrees } = noise.kinds[index]!.kind
        if (exact ? degrees !== undefined : !isPromising(index, reference)) continue
        const plain = fits.fit(index, law, everything, undefined, height - hopeless)
        take(plain)
        // A kind that is far behind is so because of wrong rows only if there are some under another kind, too.
        const isBehind = !((plain?.logEvidence() ?? leading) > leading - hopeless)
        const isPartial = found.some(({ weighing }) => weighing.rows.length < everything.length)
        if (degrees === undefined && !exact && (!isBehind || isPartial))
          take(contaminated(index, law, plain, leading))
      }
      return found.sort(byEvidence)
    },
    logOdds: (explanation) => fits.logOdds(explanation, explanation.sigma),
  }
}
