export interface Column {
  readonly title: string
  readonly align: "left" | "right"
  /** Whether its texts may be cut when the table is too wide. Numbers may not. */
  readonly cut?: boolean
}

/** The narrowest that a column is cut to; a table that is too wide even so runs over the edge. */
const NARROWEST = 16

/**
 * Aligned lines of text: the titles, then the rows.
 *
 * @param width the most columns of a terminal that a line may take; unlimited when left out
 */
export const render = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  width = Infinity,
): ReadonlyArray<string> => {
  const texts = [columns.map(({ title }) => title), ...rows]
  const natural = columns.map((_, j) => Math.max(...texts.map((row) => length(row[j] ?? ""))))
  const widths = fit(columns, natural, width - 2 * (columns.length - 1))
  return texts.map((row) =>
    columns
      .map(({ align }, j) => {
        const text = shorten(row[j] ?? "", widths[j]!)
        const blanks = " ".repeat(widths[j]! - length(text))
        return align === "right" ? blanks + text : text + blanks
      })
      .join("  ")
      .trimEnd(),
  )
}

/** Shortens the columns that may be cut to the width of the page, the widest first. */
const fit = (
  columns: ReadonlyArray<Column>,
  natural: ReadonlyArray<number>,
  room: number,
): ReadonlyArray<number> => {
  const widths = [...natural]
  let excess = widths.reduce((sum, width) => sum + width, 0) - room
  const cuttable = columns.flatMap(({ cut }, j) => (cut === true ? [j] : []))
  while (excess > 0) {
    const [widest] = cuttable.toSorted((a, b) => widths[b]! - widths[a]!)
    if (widest === undefined || widths[widest]! <= NARROWEST) break
    widths[widest]! -= 1
    excess -= 1
  }
  return widths
}

const length = (text: string): number => Array.from(text).length

const shorten = (text: string, width: number): string =>
  length(text) <= width
    ? text
    : `${Array.from(text)
        .slice(0, width - 1)
        .join("")}…`

/** A number to some significant digits, as short as that allows: 0.01234, 1.2e-7. */
export const significant = (value: number, digits: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(digits))).replace("e+", "e") : "-"

/** A probability to three decimals, a small one to two digits. */
export const probability = (value: number): string =>
  value >= 0.001 || value === 0 ? value.toFixed(3) : significant(value, 2)
