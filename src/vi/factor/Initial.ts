import * as Rng from "../../random/Rng.ts"
import * as Real from "../../numeric/Real.ts"

/** The initial values of a normal factor, or of the log-normal factor of a positive number. */
export interface Start {
  /**
   * The centre. If left out it is 1, which leaves products unchanged, or the prior's centre (its mean; exp E[log x] of
   * positive numbers) where 1 is more than a standard deviation from it.
   */
  readonly centre?: number | undefined
  /** standard deviation of the factor (of log x for positive numbers), > 0; the prior's where that is smaller */
  readonly sd: number
  /** standard deviation of the elements' locations around the centre, >= 0; the prior's where that is smaller */
  readonly scatter: number
}

/** A prior on the scale on which the factor is normal. */
interface Scaled {
  readonly centre: number
  readonly sd: number
}

/**
 * Initial locations and logarithms of scales of `length` elements: those of their priors, or of `start`.
 *
 * @param priors one, or one for each element of the innermost axis
 * @param scale from a number to the scale on which the factor is normal
 */
export const normalStart = (
  priors: ReadonlyArray<Scaled>,
  length: number,
  start: Start | undefined,
  scale: (x: number) => number,
) => {
  const centreOf = ({ centre, sd }: Scaled): number => {
    if (start === undefined) return centre
    if (start.centre !== undefined) return scale(start.centre)
    return Math.abs(scale(1) - centre) <= sd ? scale(1) : centre
  }
  const centres = priors.map(centreOf)
  const scatter = priors.map(({ sd }) => (start === undefined ? 0 : Math.min(sd, start.scatter)))
  const sds = priors.map(({ sd }) => (start === undefined ? sd : Math.min(sd, start.sd)))
  return {
    loc: (key: Rng.Key): Float64Array =>
      Rng.normal(key, new Float64Array(length)).map(
        (z, i) => centres[i % centres.length]! + scatter[i % scatter.length]! * z,
      ),
    logScale: scattered(sds.map(Real.log), length, 0),
  }
}

/** `values` repeated to `length` numbers, each moved by a normal draw of standard deviation `sd`. */
export const scattered = (values: ReadonlyArray<number>, length: number, sd: number) => (key: Rng.Key) => {
  const noise = Rng.normal(key, new Float64Array(length))
  return noise.map((z, i) => values[i % values.length]! + sd * z)
}

/** Runs `body` for every element of `count` draws of a site. */
export const fill = (length: number, body: (index: number) => number): Float64Array => {
  const out = new Float64Array(length)
  for (let i = 0; i < length; i++) out[i] = body(i)
  return out
}
