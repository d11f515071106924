import type { Noise } from "../Noise.ts"
import { isSimple } from "../Noise.ts"
import type * as GPrior from "../gPrior.ts"
import type { Response } from "../response.ts"
import * as Fits from "./NoiseFit.ts"
import * as Tails from "./Tails.ts"
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
/** Wrong rows closer to the law than this many sigma are put back one by one while the evidence rises. */
const near = 30
/** Explanations further below the best than this, in nats, are not followed. */
const hopeless = 30
/** Kinds are first compared on this many rows, evenly spaced, if there are twice as many. */
const few = 200

/** Whether a residual sum of squares is that of a law without noise: close to the rounding of the data. */
export const isExact = (rss: number, { rounding }: Pick<GPrior.Target, "rounding">): boolean =>
  rss <= exactly * rounding

/** Whether the closed form without weights is that of the first kind. */
export const startsPlain = ({ kinds, error, weights }: Noise): boolean =>
  isSimple(kinds[0]!.kind) && error === undefined && weights === undefined

/** @param y length n, finite */
export const make = (noise: Noise, y: Float64Array, prior: Fits.Prior, known: Fits.Known = {}): Explainer => {
  const fits = Fits.make(noise, y, prior, known)
  const { everything, wrongness } = fits
  const every = Math.floor(everything.length / few)
  const some = every < 2 ? undefined : everything.filter((_, i) => i % every === 0)
  const at = (column: Float64Array): Float64Array => Weighing.pick(column, some!)
  const scout =
    some === undefined
      ? undefined
      : Fits.make({ ...noise, wrongRows: undefined }, at(y), prior, {
          errors: known.errors && at(known.errors),
          counts: known.counts && at(known.counts),
        })

  /** Rows that are less probably wrong than not, and the most suspicious others beyond the number that may be wrong. */
  const right = (odds: Float64Array): Int32Array => {
    const out = Array.from(everything)
      .filter((i) => !(odds[i]! <= 0))
      .sort((a, b) => (odds[b]! > odds[a]! ? 1 : -1))
      .slice(0, wrongness?.most ?? 0)
    const wrong = new Set(out)
    return wrong.size === 0 ? everything : everything.filter((i) => !wrong.has(i))
  }

  /** Puts wrong rows that are not far from the law back, the closest first, while the evidence rises. */
  const restored = (kind: number, law: Fits.Law, from: Explanation): Explanation => {
    const kept = new Set(from.weighing.rows)
    const close = Array.from(everything)
      .filter((i) => !kept.has(i) && Math.abs(from.residuals[i]!) < near * from.sigma)
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
    const starts: Array<Int32Array> = []
    if (plain !== undefined)
      starts.push(right(fits.logOdds(plain, WrongRows.spread(plain.residuals, everything) || plain.sigma)))
    if (wrongness.suspects.length > 0) {
      const suspected = new Set(wrongness.suspects)
      starts.push(everything.filter((i) => !suspected.has(i)))
    }
    let best: Explanation | undefined
    for (const start of starts) {
      let rows = start
      const seen = new Set<string>()
      let before = plain
      for (let k = 0; k < mostSets && rows.length < everything.length; k++) {
        const key = rows.join()
        if (seen.has(key)) break
        seen.add(key)
        const found = fits.fit(kind, law, rows, before)
        if (found === undefined) break
        const height = found.logEvidence()
        if (!(height <= (best?.logEvidence() ?? -Infinity))) best = found
        if (height < Math.max(leading, best?.logEvidence() ?? -Infinity) - hopeless) break
        before = found
        rows = right(fits.logOdds(found, found.sigma))
      }
    }
    return best === undefined || best.logEvidence() < leading - hopeless ? best : restored(kind, law, best)
  }

  /** The kinds that a part of the rows does not rule out. */
  const plausible = ({ response, columns }: Fits.Law): ReadonlyArray<number> => {
    const all = noise.kinds.map((_, index) => index)
    if (scout === undefined) return all
    const law = {
      response: { ...response, values: at(response.values), slopes: at(response.slopes) },
      columns: columns.map(at),
    }
    const heights = all.map((index) => scout.fit(index, law, scout.everything)?.height ?? -Infinity)
    const best = Math.max(...heights)
    return all.filter((index) => index === 0 || heights[index]! > best - hopeless)
  }

  const isPartial = ({ weighing }: Explanation): boolean => weighing.rows.length < everything.length

  return {
    again: fits.again,
    explain: (response, columns) => {
      const law = { response, columns }
      const found: Array<Explanation> = []
      let leading = -Infinity
      const take = (one: Explanation | undefined): void => {
        if (one === undefined || !Number.isFinite(one.logEvidence())) return
        found.push(one)
        leading = Math.max(leading, one.logEvidence())
      }
      const first = fits.fit(0, law, everything)
      if (first !== undefined && isExact(first.fit.rss, first.target)) return [first]
      for (const index of plausible(law)) {
        const { degrees } = noise.kinds[index]!.kind
        // Tails that the residuals of normal noise do not have are not looked for.
        if (
          degrees !== undefined &&
          index > 0 &&
          first !== undefined &&
          !(Tails.gain(Weighing.pick(first.residuals, everything), degrees) > 0)
        )
          continue
        const plain = index === 0 ? first : fits.fit(index, law, everything)
        take(plain)
        // A kind that is far behind is so because of wrong rows only if these are behind the best explanation, too.
        const behind = !((plain?.logEvidence() ?? leading) > leading - hopeless)
        if (degrees === undefined && (index === 0 || !behind || found.some(isPartial)))
          take(contaminated(index, law, plain, leading))
      }
      return found.sort((a, b) => b.logEvidence() - a.logEvidence())
    },
    logOdds: (explanation) => fits.logOdds(explanation, explanation.sigma),
  }
}
