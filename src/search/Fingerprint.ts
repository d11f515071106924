import { FAULTS, FIRST, SQUARE } from "./kernel/Kernel.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/** The most expressions that are looked at at a time. */
export const batch = 2048

/** Tells expressions apart by their values on the data. */
export interface Fingerprint {
  /**
   * Evaluates expressions, `batch` at most.
   *
   * @param each is told of those with values that did not come before, in order; false ends it
   */
  readonly fresh: (ids: Int32Array, each: (id: number) => boolean) => void
}

/** @param values fingerprints of values that came before: it adds those that come */
export const make = (
  { kernel, attributes, witness, rows }: SearchSpace,
  values: Set<number> = new Set(),
): Fingerprint => {
  const width = FIRST + 1
  const table = new Float64Array(batch * width)
  return {
    fresh: (ids, each) => {
      attributes.update()
      kernel.weigh(-1)
      kernel.hold([witness])
      kernel.moments(ids, table)
      for (let i = 0; i < ids.length; i++) {
        const at = i * width
        const square = table[at + SQUARE]!
        if (table[at + FAULTS] !== 0 || !(square > 0)) continue
        const direction = table[at + FIRST]! / Math.sqrt(square * rows)
        const value = Math.round(65536 * Math.log(square)) * 2 ** 25 + Math.round(2 ** 22 * (2 + direction))
        if (values.has(value)) continue
        values.add(value)
        if (!each(ids[i]!)) return
      }
    },
  }
}
