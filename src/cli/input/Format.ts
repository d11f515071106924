/** The formats of tables that are read. */
export const names = ["csv", "tsv", "jsonl", "parquet", "arrow", "npy"] as const

export type Format = (typeof names)[number]

/** What messages call a format. */
export const title = {
  csv: "CSV",
  tsv: "TSV",
  jsonl: "JSON lines",
  parquet: "Parquet",
  arrow: "Arrow IPC",
  npy: "NumPy .npy",
} as const satisfies Record<Format, string>

const begins = (bytes: Uint8Array, ...prefix: ReadonlyArray<number>): boolean =>
  bytes.length >= prefix.length && prefix.every((byte, index) => bytes[index] === byte)

const letters = (text: string): ReadonlyArray<number> => Array.from(text, (one) => one.charCodeAt(0))

export const isGzip = (bytes: Uint8Array): boolean => begins(bytes, 0x1f, 0x8b)

/** The binary format of a file, by its first bytes; undefined for texts and for other formats. */
export const binary = (bytes: Uint8Array): Extract<Format, "parquet" | "arrow" | "npy"> | undefined => {
  if (begins(bytes, ...letters("PAR1"))) return "parquet"
  if (begins(bytes, ...letters("ARROW1")) || begins(bytes, 0xff, 0xff, 0xff, 0xff)) return "arrow"
  return begins(bytes, 0x93, ...letters("NUMPY")) ? "npy" : undefined
}

const unpack = (name: string): string => `this is a ${name} archive; unpack it first, or pack it with gzip`

/** The complaints about files of formats that are not read. */
const others: ReadonlyArray<readonly [ReadonlyArray<number>, string]> = [
  [letters("PARE"), "this Parquet file is encrypted; save it without encryption"],
  [[0x28, 0xb5, 0x2f, 0xfd], unpack("zstd")],
  [letters("BZh"), unpack("bzip2")],
  [[0xfd, ...letters("7zXZ")], unpack("xz")],
  [[0x50, 0x4b, 3, 4], "this is a zip archive or a spreadsheet, not text; save it as CSV first"],
  [[0xd0, 0xcf, 0x11, 0xe0], "this is a spreadsheet of Excel; save it as CSV first"],
  [[0x89, ...letters("HDF")], "this is HDF5; save the table as CSV or Parquet first"],
  [letters("SQLite format 3"), "this is a database of SQLite; export the table as CSV first"],
  [letters("FEA1"), "this is Feather of version 1; save it as Arrow IPC (Feather version 2), Parquet or CSV"],
]

/** What is wrong with a file that no reader knows, by its first bytes; undefined for texts and formats that are read. */
export const unread = (bytes: Uint8Array): string | undefined => {
  const known = others.find(([prefix]) => begins(bytes, ...prefix))
  if (known !== undefined) return known[1]
  if (isGzip(bytes) || binary(bytes) !== undefined) return undefined
  // A zero is in no text but in UTF-16, which begins with its mark.
  if (!bytes.includes(0) || begins(bytes, 0xff, 0xfe) || begins(bytes, 0xfe, 0xff)) return undefined
  const every = (from: number): boolean =>
    bytes.length > 3 && bytes.subarray(0, 64).every((byte, k) => (k % 2 === from ? byte === 0 : byte !== 0))
  return every(1) || every(0)
    ? "this looks like UTF-16 without its byte order mark; save the data as CSV in UTF-8"
    : "this is a binary file, not text; save the data as CSV"
}

/** Whether a text is of JSON lines: by its first line, or where that says nothing by the extension of the file. */
const isJson = (text: string, path: string): boolean => {
  const line = /^\s*([[{].*)/.exec(text.slice(0, 65_536))?.[1]
  if (line === undefined) return false
  if (/\.(jsonl|ndjson|json)(\.gz)?$/i.test(path) || /^\{\s*("|\}|$)/.test(line)) return true
  if (/^\[\s*$|^\[\s*\{/.test(line)) return true
  try {
    JSON.parse(line)
    return true
  } catch {
    // A header may begin with a bracket.
    return false
  }
}

/** The format of a text, by its content first. */
export const ofText = (text: string, path: string): "csv" | "jsonl" => (isJson(text, path) ? "jsonl" : "csv")
