import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { DataError } from "../../errors/Errors.ts"
import * as Builder from "../../data/Builder.ts"
import * as Cells from "../../data/Cells.ts"
import type { Chunk } from "../../data/Chunks.ts"
import type { Opened, Wanted } from "../../data/CsvChunks.ts"
import * as Csv from "../../data/Csv.ts"
import * as Frame from "../../data/Frame.ts"
import * as Memory from "./Memory.ts"
import * as ParquetParts from "./ParquetParts.ts"
import * as Reading from "./Reading.ts"

/** Bytes of memory for a cell while it is read. */
const cell = 16

/**
 * A Parquet file as chunks: each row group is one. Only its own bytes are in memory, and those of the columns that are read.
 *
 * @errors DataError for a file that is broken or cut off, and an unknown column; the chunks fail for cells that are no numbers
 */
export const open = (
  path: string,
  { target: asked, features: listed }: Wanted,
): Effect.Effect<Opened, DataError> =>
  Effect.gen(function* () {
    const { read, names, groups } = yield* Reading.attempt("Parquet", () => prepare(path))
    const frame = yield* Frame.make(
      names,
      names.map(() => new Float64Array(groups.length > 0 ? 1 : 0)),
    )
    const target = Csv.heading(asked).name
    const features = listed ?? frame.columns.filter((name) => name !== target)
    const wanted = [...features, target]
    yield* Cells.known(Csv, frame, wanted)
    if (features.length === 0)
      return yield* new DataError({ message: "there is no feature to explain the target by" })
    const own = wanted.map((name) => names[frame.columns.indexOf(name)]!)
    const chunkOf = ({ from, rows }: Group): Effect.Effect<Chunk, DataError> =>
      Effect.gen(function* () {
        const values = yield* Reading.attempt("Parquet", () => read(own, from, rows))
        const part = yield* Frame.make(wanted, values)
        const numbers = Int32Array.from({ length: rows }, (_, k) => from + k + 1)
        const found = yield* Cells.numbers(
          Csv,
          { ...part, columns: wanted, numbers },
          { names: wanted, target, listed: listed !== undefined },
        )
        // The target is the last of them.
        return { columns: found.slice(0, -1), y: found[features.length]!, rows }
      })
    const chunks = Stream.mapEffect(Stream.fromIterable(groups, { chunkSize: 1 }), chunkOf)
    return { chunks: { features, target, chunks }, units: frame.units }
  })

/** The rows of a row group. */
interface Group {
  readonly from: number
  readonly rows: number
}

const prepare = async (path: string) => {
  const [{ asyncBufferFromFile, parquetMetadataAsync, parquetRead }, { compressors }, { decompress }] =
    await Promise.all([import("hyparquet"), import("hyparquet-compressors"), import("fzstd")])
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const names = ParquetParts.topLevel(metadata.schema)
  const groups: Array<Group> = []
  let from = 0
  for (const { num_rows } of metadata.row_groups) {
    const rows = Number(num_rows)
    if (!Number.isSafeInteger(rows) || rows < 0)
      throw new RangeError("the number of rows of a row group is none")
    if (rows > 0) groups.push({ from, rows })
    from += rows
  }
  const read = async (columns: ReadonlyArray<string>, start: number, rows: number) => {
    const budget = Memory.budget()
    budget.take(rows * columns.length * cell)
    const builders = new Map(columns.map((name) => [name, Builder.make(rows)]))
    const found = new Map<string, number>()
    // A page is let go when it is decoded.
    const measured = ParquetParts.unpackers(compressors, decompress, (length) => Memory.budget().take(length))
    await parquetRead({
      file,
      metadata,
      columns: [...new Set(columns)],
      rowStart: start,
      rowEnd: start + rows,
      compressors: measured,
      onChunk: ({ columnName, columnData, rowStart }) => {
        const builder = builders.get(columnName)
        for (let k = 0; k < columnData.length; k++) {
          const row = rowStart + k - start
          if (row >= 0 && row < rows) builder?.set(row, columnData[k])
        }
        found.set(columnName, (found.get(columnName) ?? 0) + columnData.length)
      },
    })
    const short = columns.find((name) => (found.get(name) ?? 0) < rows)
    if (short !== undefined)
      throw new RangeError(
        `its column ${JSON.stringify(short)} has ${found.get(short) ?? 0} of ${rows} values`,
      )
    return Array.from(builders.values(), (builder) => builder.done())
  }
  return { names, groups, read }
}
