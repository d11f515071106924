import type * as Texts from "./Texts.ts"

/**
 * A data set by columns, all float64 and finite.
 */
export interface Dataset<F extends string = string> {
  readonly features: ReadonlyArray<F>
  /** one column for each feature, in order, each of length `rows` */
  readonly columns: ReadonlyArray<Float64Array>
  readonly target: string
  /** length `rows` */
  readonly y: Float64Array
  readonly rows: number
  /** the number of each row in the table that the rows are from, from 1; 1, 2, ... if left out */
  readonly numbers?: Int32Array | undefined
  /** by the name of a column its texts, of which the column has the indices: the names of groups */
  readonly texts?: Texts.Texts | undefined
  /** the rows that test the laws, by their places from 0; undefined where no column of the table says it */
  readonly tests?: Int32Array | undefined
  /** the units that a table has in its header, as texts by column; `Units.of` reads them */
  readonly units?: Readonly<Record<string, string>> | undefined
}
