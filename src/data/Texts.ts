import * as Frame from "./Frame.ts"

/** By the name of a column its distinct texts, in the order of their first rows. */
export type Texts = Readonly<Record<string, ReadonlyArray<string>>>

/** A table with the indices of texts in place of the texts of one column; empty cells stay empty. Without a column, the table itself. */
export const indexed = (
  frame: Frame.Frame,
  column: string | undefined,
): { readonly frame: Frame.Frame; readonly texts: Texts | undefined } => {
  const values = column === undefined ? undefined : Frame.column(frame, column)
  if (column === undefined || values === undefined) return { frame, texts: undefined }
  const known = new Map<string, number>()
  const indices = Array.from({ length: frame.rows }, (_, row) => {
    const cell = Frame.text(values, row)
    if (cell === "") return ""
    if (!known.has(cell)) known.set(cell, known.size)
    return String(known.get(cell))
  })
  const place = frame.columns.indexOf(column)
  return {
    frame: { ...frame, values: frame.values.with(place, indices) },
    texts: { [column]: [...known.keys()] },
  }
}
