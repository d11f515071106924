import * as fc from "fast-check"
import { parquetWriteBuffer } from "hyparquet-writer"

/** Names that programs trip over. */
export const odd: ReadonlyArray<string> = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "pi",
  "sin",
  "x",
  "and",
  "or",
  "not",
  "",
  " ",
  "a b",
  "x [m]",
  "x [",
  "مسافة",
  "\u202Eevil",
  "x".repeat(10_000),
  "`",
  "``",
  '"',
  "'",
  "\\",
  "\n",
  "1",
  "-1e5",
  "NaN",
  "length",
  "👩‍🔬",
  "=cmd()",
  "x0",
  "$&",
  "${1+1}",
]

/** Names of columns, odd and any. */
export const names = fc.oneof(
  fc.constantFrom(...odd),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: "grapheme", maxLength: 4 }),
)

/** A Parquet file of columns that all have these values. */
export const parquetOf = (header: ReadonlyArray<string>, values: ReadonlyArray<number | null>): Uint8Array =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: header.map((name) => ({ name, data: [...values], type: "DOUBLE" })),
    }),
  )
