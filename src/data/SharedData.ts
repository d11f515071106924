import * as SharedColumns from "../wasm/SharedColumns.ts"
import type { Source } from "../wasm/Fetch.ts"
import type { Dataset } from "./Data.ts"

/**
 * A data set that can be posted to workers. The numbers lie in one piece of memory: float64 feature by feature, then y,
 * and the features once more in float32, from which the kernels of all threads fetch their rows.
 */
export interface Shared<F extends string = string> {
  readonly features: ReadonlyArray<F>
  readonly target: string
  readonly rows: number
  /** posted without a copy, unless it is an `ArrayBuffer`, which has no float32 */
  readonly memory: Source | ArrayBuffer
}

/**
 * Copies a data set into shared memory, once. Every thread that opens the posted value sees the same numbers without a
 * copy, and so do the kernels for it. Without `SharedArrayBuffer` (on a page that is not cross-origin isolated) the
 * memory is not shared: every posting copies it, and so does every kernel.
 *
 * @throws RangeError when this machine has too little memory
 */
export const share = <F extends string>({ features, target, rows, columns, y }: Dataset<F>): Shared<F> => {
  const numbers = { features, target, rows }
  if (typeof SharedArrayBuffer !== "undefined") return { ...numbers, memory: SharedColumns.share(columns, y) }
  const memory = new ArrayBuffer((columns.length + 1) * rows * Float64Array.BYTES_PER_ELEMENT)
  const all = new Float64Array(memory)
  for (const [j, column] of [...columns, y].entries()) all.set(column, j * rows)
  return { ...numbers, memory }
}

/** The data set on the memory itself. Its columns are not to be written to: other threads may be reading them. */
export const open = <F extends string>({ features, target, rows, memory }: Shared<F>): Dataset<F> => {
  const length = rows * Float64Array.BYTES_PER_ELEMENT
  const all =
    memory instanceof ArrayBuffer
      ? [...features, target].map((_, j) => new Float64Array(memory, j * length, rows))
      : SharedColumns.open(memory, features.length, rows)
  // One for each feature, and y.
  const y = all[features.length]!
  return { features, columns: all.slice(0, features.length), target, y, rows }
}
