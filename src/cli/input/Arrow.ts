import * as Effect from "effect/Effect"
import type { DataError } from "../../errors/Errors.ts"
import * as Builder from "../../data/Builder.ts"
import * as Frame from "../../data/Frame.ts"
import * as ArrowCheck from "./ArrowCheck.ts"
import * as Lz4 from "./Lz4.ts"
import * as Memory from "./Memory.ts"
import * as Reading from "./Reading.ts"

/** Bytes of memory for a cell while it is read. */
const cell = 16

/**
 * The table of an Arrow IPC file (Feather version 2) or stream, by flechette, with both compressions.
 *
 * @errors DataError for a file that is cut off, broken, or holds more than this process does
 */
export const parse = (bytes: Uint8Array): Effect.Effect<Frame.Frame, DataError> =>
  Effect.gen(function* () {
    const { names, values } = yield* Reading.attempt("Arrow", () => columns(bytes))
    return yield* Frame.make(names, values)
  })

const columns = async (bytes: Uint8Array) => {
  const [{ CompressionType, setCompressionCodec, tableFromIPC }, { decompress }] = await Promise.all([
    import("@uwdata/flechette"),
    import("fzstd"),
  ])
  const budget = Memory.budget()
  const measured =
    (unpack: (data: Uint8Array, size: number) => Uint8Array) =>
    (data: Uint8Array, size = 0): Uint8Array => {
      if (!Number.isSafeInteger(size) || size < 0) throw new RangeError("a packed part has no size")
      budget.take(size)
      return unpack(data, size)
    }
  const encode = (): never => {
    throw new Error("nothing is packed here")
  }
  setCompressionCodec(CompressionType.LZ4_FRAME, { encode, decode: measured(Lz4.frame) })
  setCompressionCodec(CompressionType.ZSTD, {
    encode,
    decode: measured((data, size) => decompress(data, new Uint8Array(size))),
  })
  ArrowCheck.check(bytes)
  // A copy begins at the start of its buffer, so that numbers of eight bytes are where arrays of them may begin.
  const table = tableFromIPC(new Uint8Array(bytes), { useBigInt: true, useDate: true })
  const { numRows: rows, numCols: count } = table
  budget.take(rows * Math.max(1, count) * cell)
  const values = Array.from({ length: count }, (_, k) => {
    const builder = Builder.make(rows)
    let row = 0
    for (const value of table.getChildAt(k)) builder.set(row++, value)
    if (row !== rows) throw new RangeError(`a column has ${row} of ${rows} values`)
    return builder.done()
  })
  return { names: table.names, values }
}
