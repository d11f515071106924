import * as Cells from "./Cells.ts"
import * as Csv from "./Csv.ts"
import * as Frame from "./Frame.ts"

/** The rest of a table when columns and rows that no law can read are left out. */
export interface Complete {
  readonly frame: Frame.Frame
  readonly features: ReadonlyArray<string>
  /** Columns that are no features as they hold no numbers, or are mostly empty, with one of their texts; "" where all cells are empty. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly text: string }>
  /** rows of the table, places from 0 in order, as rows of `frame`; those that were left out are dropped */
  readonly placesOf: (rows: Int32Array) => Int32Array
  /** the number of rows that lack a value that is read */
  readonly rows: number
  /** the columns in which these lack one, with the number of such rows */
  readonly lacking: ReadonlyArray<{ readonly name: string; readonly rows: number }>
}

/** Whether a cell says that there is no value: it is empty, or has one of the usual marks. */
export const isMissing = (text: string): boolean => /^(|n\/?a|nan|null|none|missing|-+|\?)$/i.test(text)

/** A number that is written as it is elsewhere: a mistake to mend, and no name. */
const isForeign = (text: string): boolean => /^[+-]?\d*(,\d+)+(\.\d*)?$/.test(text)

/** What stands in a column of texts that is none of numbers; undefined for a column that may be one. */
const textOf = (values: Frame.Column): string | undefined => {
  if (values instanceof Float64Array) return undefined
  const texts = values.filter((text) => !isMissing(text))
  const mostly = 2 * texts.length < values.length
  return mostly || texts.every((text) => Number.isNaN(Cells.numberOf(text)) && !isForeign(text))
    ? (texts[0] ?? "")
    : undefined
}

/**
 * The columns of numbers and the rows that lack none of them. A cell that is neither a number nor missing stays, for the reader of numbers to
 * complain about; so do missing values where more than half of the rows would go.
 *
 * @param wanted.features those that were listed, all of which are kept; undefined for all columns that may be features
 * @param wanted.all the columns that may be features
 * @param wanted.besides columns that are read beside features: they are kept, whatever they hold
 */
export const of = (
  frame: Frame.Frame,
  wanted: {
    readonly target: string
    readonly features: ReadonlyArray<string> | undefined
    readonly all: ReadonlyArray<string>
    readonly besides: ReadonlyArray<string>
  },
): Complete => {
  const { target, all, besides } = wanted
  const columns = (wanted.features === undefined ? all : []).flatMap((name) => {
    const values = besides.includes(name) ? undefined : Frame.column(frame, name)
    const text = values && textOf(values)
    return text === undefined ? [] : [{ name, text }]
  })
  const features = wanted.features ?? all.filter((name) => columns.every((one) => one.name !== name))
  const lacks = new Uint8Array(frame.rows)
  const lacking = [...features, target].flatMap((name) => {
    const values = Frame.column(frame, name) ?? []
    if (values instanceof Float64Array) return []
    let rows = 0
    for (const [row, text] of values.entries())
      if (isMissing(text)) {
        lacks[row] = 1
        rows++
      }
    return rows === 0 ? [] : [{ name, rows }]
  })
  const kept = Array.from({ length: frame.rows }, (_, row) => row).filter((row) => lacks[row] === 0)
  if (lacking.length === 0 || 2 * kept.length < frame.rows)
    return { frame, features, columns, placesOf: (rows) => rows, rows: 0, lacking: [] }
  const placesOf = (rows: Int32Array): Int32Array => {
    const asked = new Set(rows)
    return Int32Array.from([...kept.keys()].filter((place) => asked.has(kept[place]!)))
  }
  return {
    frame: Frame.rowsOf(frame, kept),
    features,
    columns,
    placesOf,
    rows: frame.rows - kept.length,
    lacking,
  }
}

/** The columns and rows that were left out, in words. */
export const lines = ({ frame, columns, rows, lacking }: Complete): ReadonlyArray<string> => [
  ...(columns.length === 0
    ? []
    : [
        `no features, as they hold no numbers or are mostly empty: ${columns
          .slice(0, 20)
          .map(({ name, text }) => `${Csv.list([name])} (${text === "" ? "empty" : Csv.quote(text)})`)
          .join(", ")}${columns.length > 20 ? ` and ${columns.length - 20} more` : ""}`,
      ]),
  ...(rows === 0
    ? []
    : [
        `left out: ${rows} of ${Csv.count(frame.rows + rows, "row")}, which lack${rows === 1 ? "s" : ""} a value of ${lacking
          .slice(0, 20)
          .map((one) => `${Csv.list([one.name])} (${one.rows})`)
          .join(", ")}`,
      ]),
]
