import * as Rng from "../../runtime/Rng.ts"

/**
 * Where the normal factor of a number, or of the logarithm of a positive one, starts. Left out, it is where the factor says.
 */
export interface Start {
  /** location of all elements; the prior's if left out */
  readonly centre?: number | undefined
  /** standard deviation of the factor, > 0; the prior's where that is smaller */
  readonly sd: number
  /** standard deviation of the elements' locations around the centre, >= 0; the prior's where that is smaller */
  readonly scatter: number
}

/** Initial locations and logarithms of scales of `length` elements, from those of the priors, one or one for each element. */
export const normalStart = (
  priors: ReadonlyArray<{ readonly centre: number; readonly sd: number }>,
  length: number,
  start: Start | undefined,
) => {
  const sds = priors.map(({ sd }) => (start === undefined ? sd : Math.min(sd, start.sd)))
  const scatter = priors.map(({ sd }) => (start === undefined ? 0 : Math.min(sd, start.scatter)))
  return {
    loc: (key: Rng.Key): Float64Array =>
      Rng.normal(key, new Float64Array(length)).map((z, i) => {
        const prior = i % priors.length
        return (start?.centre ?? priors[prior]!.centre) + scatter[prior]! * z
      }),
    logScale: scattered(sds.map(Math.log), length, 0),
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
