/**
 * Columns of a data set in one memory that every thread sees: in float64 feature by feature, then the target, then the
 * features in float32, which is what kernels fetch. Columns for kernels are written beyond the last row: the last value
 * again, and zeros behind the target.
 */
import * as Fetch from "./Fetch.ts"

/** The length of columns for kernels is a multiple of this number of rows. */
export const together = 16

const layout = (features: number, rows: number) => {
  const padded = Math.ceil(rows / together) * together
  const target = 8 * rows * features
  const first = target + 8 * padded
  return { padded, target, first, apart: 4 * padded, bytes: first + 4 * padded * features }
}

interface Note {
  readonly source: Fetch.Source
  readonly features: number
  readonly rows: number
}

/** The columns opened in this thread. */
const notes = new WeakMap<ArrayBufferLike, Note>()

/**
 * Copies columns, one for each feature and as long as `y`, into a memory of their own.
 *
 * @throws RangeError when this machine has too little memory
 * @throws ReferenceError where threads share nothing
 */
export const share = (columns: ReadonlyArray<Float64Array>, y: Float64Array): Fetch.Source => {
  const rows = y.length
  const { padded, first, apart, bytes } = layout(columns.length, rows)
  const source = Fetch.share(bytes)
  const buffer = Fetch.bufferOf(source)
  for (const [j, values] of [...columns, y].entries())
    new Float64Array(buffer, 8 * rows * j, rows).set(values)
  for (const [j, values] of columns.entries()) {
    const column = new Float32Array(buffer, first + apart * j, padded)
    column.set(values)
    column.fill(values[rows - 1] ?? 0, rows)
  }
  return source
}

/** The float64 columns of a shared memory, the target last; kernels over them find the columns in float32. */
export const open = (source: Fetch.Source, features: number, rows: number): ReadonlyArray<Float64Array> => {
  const buffer = Fetch.bufferOf(source)
  notes.set(buffer, { source, features, rows })
  return Array.from({ length: features + 1 }, (_, j) => new Float64Array(buffer, 8 * rows * j, rows))
}

/** Where the columns for kernels are. All threads read them, and none may write. */
export interface Shared {
  readonly source: Fetch.Source
  /** n up to a multiple of {@link together}: so long are they all */
  readonly rows: number
  /** the address of the target's float64 */
  readonly y: number
  /** the addresses of the columns' float32, in order; undefined for a column that is not shared */
  readonly columns: ReadonlyArray<number | undefined>
  /** the addresses of the columns' float64, of which `rows` may be read: behind the last row come other numbers */
  readonly doubles: ReadonlyArray<number | undefined>
}

/**
 * The columns for kernels beside columns that `open` gave. It takes these very arrays or others over the same numbers,
 * but not parts of them.
 *
 * @returns undefined when `y` is not the target of a shared memory
 */
export const find = (columns: ReadonlyArray<Float64Array>, y: Float64Array): Shared | undefined => {
  const note = notes.get(y.buffer)
  if (note === undefined) return undefined
  const { source, features, rows } = note
  const { padded, target, first, apart } = layout(features, rows)
  if (y.byteOffset !== target || y.length !== rows) return undefined
  const places = columns.map(({ buffer, byteOffset, length }) => {
    const feature = byteOffset / (8 * rows)
    return buffer === y.buffer && length === rows && feature < features && Number.isInteger(feature)
      ? feature
      : undefined
  })
  return {
    source,
    rows: padded,
    y: target,
    columns: places.map((feature) => (feature === undefined ? undefined : first + apart * feature)),
    doubles: places.map((feature) => (feature === undefined ? undefined : 8 * rows * feature)),
  }
}
