import * as Rng from "../../runtime/Rng.ts"

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
