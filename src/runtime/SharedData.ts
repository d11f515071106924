import type { Dataset } from "./Data.ts"

/**
 * A data set that can be posted to workers. The numbers lie in one piece of memory: feature by feature, then y.
 */
export interface Shared<F extends string = string> {
  readonly features: ReadonlyArray<F>
  readonly target: string
  readonly rows: number
  /** (features + 1) * rows float64; posting it copies it only where it is no `SharedArrayBuffer` */
  readonly memory: ArrayBufferLike
}

/**
 * Copies a data set into shared memory, once: whoever opens what is posted sees the same numbers, without a copy.
 * Where there is no `SharedArrayBuffer` (a page that is not cross-origin isolated) the memory is not shared, and every
 * posting copies it.
 */
export const share = <F extends string>({ features, target, rows, columns, y }: Dataset<F>): Shared<F> => {
  const bytes = (columns.length + 1) * rows * Float64Array.BYTES_PER_ELEMENT
  const memory =
    typeof SharedArrayBuffer === "undefined" ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes)
  const all = new Float64Array(memory)
  for (const [j, column] of [...columns, y].entries()) all.set(column, j * rows)
  return { features, target, rows, memory }
}

/** The data set on the memory itself. Its columns are not to be written to: other threads may be reading them. */
export const open = <F extends string>({ features, target, rows, memory }: Shared<F>): Dataset<F> => {
  const column = (j: number): Float64Array =>
    new Float64Array(memory, j * rows * Float64Array.BYTES_PER_ELEMENT, rows)
  return {
    features,
    columns: features.map((_, j) => column(j)),
    target,
    y: column(features.length),
    rows,
  }
}
