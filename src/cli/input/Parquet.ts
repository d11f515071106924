import * as Effect from "effect/Effect"
import { DataError } from "../../errors/Errors.ts"
import * as Builder from "../../data/Builder.ts"
import * as Frame from "../../data/Frame.ts"
import * as Memory from "./Memory.ts"
import * as ParquetParts from "./ParquetParts.ts"
import * as Reading from "./Reading.ts"

/** Bytes of memory for a cell while it is read. */
const cell = 16

const begin = (bytes: Uint8Array): Uint8Array => bytes.subarray(-4)

/**
 * The table of a Parquet file, by hyparquet, with all its compressions.
 *
 * @errors DataError for a file that is cut off, broken, or holds more than this process does
 */
export const parse = (bytes: Uint8Array): Effect.Effect<Frame.Frame, DataError> =>
  Effect.gen(function* () {
    if (String.fromCharCode(...begin(bytes)) !== "PAR1")
      return yield* new DataError({
        message: `this Parquet file is cut off: its last bytes, after ${bytes.length} bytes, are not PAR1`,
      })
    const { names, values } = yield* Reading.attempt("Parquet", () => columns(bytes))
    return yield* Frame.make(names, values)
  })

const columns = async (bytes: Uint8Array) => {
  const [{ parquetMetadata, parquetRead }, { compressors }, { decompress }] = await Promise.all([
    import("hyparquet"),
    import("hyparquet-compressors"),
    import("fzstd"),
  ])
  const buffer = new Uint8Array(bytes).buffer
  const metadata = parquetMetadata(buffer)
  const rows = Number(metadata.num_rows)
  const names = metadata.row_groups.length === 0 ? [] : ParquetParts.topLevel(metadata.schema)
  const budget = Memory.budget()
  if (!Number.isSafeInteger(rows) || rows < 0) throw new RangeError("its number of rows is none")
  if (rows !== metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0))
    throw new RangeError("its row groups have not as many rows as the file")
  budget.take(rows * Math.max(1, names.length) * cell)
  const builders = new Map(names.map((name) => [name, Builder.make(rows)]))
  const measured = ParquetParts.unpackers(compressors, decompress, budget.take)
  const found = new Map<string, number>()
  await parquetRead({
    file: { byteLength: buffer.byteLength, slice: (start, end) => buffer.slice(start, end) },
    metadata,
    compressors: measured,
    onChunk: ({ columnName, columnData, rowStart }) => {
      const builder = builders.get(columnName)
      for (let k = 0; k < columnData.length && rowStart + k < rows; k++)
        builder?.set(rowStart + k, columnData[k])
      found.set(columnName, (found.get(columnName) ?? 0) + columnData.length)
    },
  })
  const short = names.find((name) => (found.get(name) ?? 0) < rows)
  if (short !== undefined)
    throw new RangeError(`its column ${JSON.stringify(short)} has ${found.get(short) ?? 0} of ${rows} values`)
  return { names, values: Array.from(builders.values(), (builder) => builder.done()) }
}
