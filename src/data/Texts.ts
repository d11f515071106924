import type * as Csv from "./Csv.ts"

/** By the name of a column its distinct texts, in the order of their first rows. */
export type Texts = Readonly<Record<string, ReadonlyArray<string>>>

/** A table with the indices of texts in place of the texts of one column; empty cells stay empty. Without a column, the table itself. */
export const indexed = (
  table: Csv.Table,
  column: string | undefined,
): { readonly table: Csv.Table; readonly texts: Texts | undefined } => {
  const place = column === undefined ? -1 : table.columns.indexOf(column)
  if (column === undefined || place < 0) return { table, texts: undefined }
  const known = new Map<string, number>()
  const rows = table.rows.map(({ cells, line }) => {
    const cell = cells[place]!
    if (cell === "") return { cells, line }
    if (!known.has(cell)) known.set(cell, known.size)
    return { cells: cells.with(place, String(known.get(cell))), line }
  })
  return { table: { ...table, rows }, texts: { [column]: [...known.keys()] } }
}
