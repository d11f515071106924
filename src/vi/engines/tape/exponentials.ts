import { exp } from "../../../numeric/Elementary.ts"
import { exponentials as kernel } from "../../../wasm/exponentials.ts"

/** Exponentials of many numbers at once, in one shared buffer. */
export interface Exponentials {
  /** numbers, replaced by their exponentials; valid until the next call of {@link exponentials} */
  readonly values: Float64Array
  /** replaces the first `count` values x by exp(x), with the bits of `Elementary.exp` */
  readonly apply: (count: number) => void
}

/** The count of numbers of one call: they stay in the first-level cache. */
export const chunk = 1024

let shared: Exponentials | undefined

/** The buffer, with at least `length` numbers. */
export const exponentials = (length: number): Exponentials => {
  if (shared === undefined || shared.values.length < length) shared = make(Math.max(chunk, length))
  return shared
}

const make = (length: number): Exponentials => {
  const fast = kernel(length)
  if (fast !== undefined) return fast
  const values = new Float64Array(length)
  return {
    values,
    apply: (count) => {
      for (let i = 0; i < count; i++) values[i] = exp(values[i]!)
    },
  }
}
