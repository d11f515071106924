import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { DataError } from "../errors/Errors.ts"
import * as Rng from "../random/Rng.ts"
import type { Dataset } from "./Dataset.ts"

/** Some rows of a table, in its order. */
export interface Chunk {
  /** one column for each feature, each of length `rows`, finite */
  readonly columns: ReadonlyArray<Float64Array>
  /** length `rows`, finite */
  readonly y: Float64Array
  readonly rows: number
}

/**
 * A table that is read in parts, as often as it is needed: of files that are larger than the memory.
 *
 * *When to use*: with `StreamedLaw.fit`, for tables that `Data.fromColumns` cannot hold.
 */
export interface Chunks<F extends string = string> {
  readonly features: ReadonlyArray<F>
  readonly target: string
  /** all rows, in the same order at every run */
  readonly chunks: Stream.Stream<Chunk, DataError>
}

/** The number of rows of a chunk, where a source may choose it. */
export const usualRows = 65_536

/**
 * A source of chunks.
 *
 * @param read gives all rows anew at every call, in the same order
 *
 * @example
 * Chunks.make({ features: ["x"], target: "y" }, function* () {
 *   for (let part = 0; part < 1000; part++) yield { columns: [xOf(part)], y: yOf(part) }
 * })
 */
export const make = <const F extends string>(
  names: { readonly features: ReadonlyArray<F>; readonly target: string },
  read: () => Iterable<Omit<Chunk, "rows">>,
): Chunks<F> => ({
  ...names,
  chunks: Stream.mapEffect(
    Stream.suspend(() => Stream.fromIterable(read(), { chunkSize: 1 })),
    ({ columns, y }) => checked(names, { columns, y, rows: y.length }),
  ),
})

/** A data set in chunks: the same table, read in parts. */
export const ofDataset = <F extends string>(data: Dataset<F>, rows = usualRows): Chunks<F> =>
  make(data, function* () {
    for (let from = 0; from < data.rows; from += rows) {
      const part = (column: Float64Array): Float64Array => column.subarray(from, from + rows)
      yield { columns: data.columns.map(part), y: part(data.y) }
    }
  })

const checked = (
  { features, target }: Pick<Chunks, "features" | "target">,
  chunk: Chunk,
): Effect.Effect<Chunk, DataError> => {
  const all = [...chunk.columns, chunk.y]
  const fail = (message: string) => Effect.fail(new DataError({ message }))
  if (chunk.columns.length !== features.length)
    return fail(`a chunk has ${chunk.columns.length} columns, but ${features.length} features are named`)
  for (const [j, column] of all.entries()) {
    const name = features[j] ?? target
    if (column.length !== chunk.rows)
      return fail(
        `in a chunk the column "${name}" has ${column.length} values, but "${target}" has ${chunk.rows}; they must agree`,
      )
    const wrong = column.findIndex((value) => !Number.isFinite(value))
    if (wrong >= 0)
      return fail(
        `row ${wrong + 1} of a chunk, column "${name}": ${column[wrong]} is not a finite number; fill in the value or leave the row out`,
      )
  }
  return Effect.succeed(chunk)
}

/** Some rows of a table that is read in parts. */
export interface Sampled<F extends string = string> {
  /** with the numbers of its rows in the table; between `count` and twice as many, or all */
  readonly sample: Dataset<F>
  /** of the whole table */
  readonly rows: number
  /** whether each feature is above 0 on all rows */
  readonly positive: ReadonlyArray<boolean>
}

/** Random numbers are made for this many rows at a time, however long the chunks are. */
const block = 65_536

/**
 * A sample that is stratified along the table: of each of as many equal parts one row by chance. It depends on the rows and the key
 * alone, not on the length of chunks, and takes one pass: parts are made longer while rows come, and of two that are joined the row
 * with the smaller random number stays.
 *
 * @param count the least number of rows, unless the table has fewer
 * @errors DataError of the source, and for a table without rows or with one value of the target in the sample
 */
export const sampled = <F extends string>(
  { features, target, chunks }: Chunks<F>,
  count: number,
  key: Rng.Key,
): Effect.Effect<Sampled<F>, DataError> =>
  Effect.gen(function* () {
    const capacity = 2 * count
    const width = features.length + 1
    const values = Array.from({ length: width }, () => new Float64Array(capacity))
    const numbers = new Float64Array(capacity)
    const chances = new Float64Array(capacity)
    const positive = features.map(() => true)
    // The table is in parts of this many rows; part k has the row in place k.
    let [part, kept, rows] = [1, 0, 0]
    const random = new Float64Array(block)
    const move = (from: number, to: number): void => {
      for (const column of values) column[to] = column[from]!
      numbers[to] = numbers[from]!
      chances[to] = chances[from]!
    }
    const join = (): void => {
      for (let k = 0; k < count; k++) move(chances[2 * k]! <= chances[2 * k + 1]! ? 2 * k : 2 * k + 1, k)
      part *= 2
      kept = count
    }
    yield* Stream.runForEach(chunks, (chunk) =>
      Effect.sync(() => {
        const all = [...chunk.columns, chunk.y]
        chunk.columns.forEach((column, j) => {
          if (positive[j] === true) positive[j] = column.every((value) => value > 0)
        })
        for (let i = 0; i < chunk.rows; i++, rows++) {
          if (rows % block === 0) Rng.uniform(Rng.fold(key, rows / block), random)
          if (kept === capacity && rows % part === 0) join()
          const chance = random[rows % block]!
          const begins = rows % part === 0
          const place = begins ? kept++ : kept - 1
          if (!begins && chances[place]! <= chance) continue
          for (let j = 0; j < width; j++) values[j]![place] = all[j]![i]!
          numbers[place] = rows + 1
          chances[place] = chance
        }
      }),
    )
    if (rows === 0) return yield* new DataError({ message: "there are no data: no chunk has a row" })
    const columns = values.map((column) => column.slice(0, kept))
    const y = columns[width - 1]!
    if (y.every((value) => value === y[0]))
      return yield* new DataError({
        message: `the target "${target}" is ${y[0]} in ${kept === rows ? `all ${rows} rows; there is nothing to explain` : `a sample of ${kept} of ${rows} rows; give a table in which it varies`}`,
      })
    return {
      sample: {
        features,
        target,
        columns: columns.slice(0, -1),
        y,
        rows: kept,
        numbers: Int32Array.from(numbers.subarray(0, kept)),
      },
      rows,
      positive,
    }
  })
