/** A section of the benchmark page. */
export interface Section {
  readonly name: string
  /** Measures, and gives the section as Markdown. */
  readonly write: (rounds: number) => string
}
