/** What is wrong: the data, the options, the units, or that nothing could be fitted; `InternalError` is a mistake of vasst. */
export type Tag = "DataError" | "CompileError" | "FitError" | "SettingError" | "UnitError" | "InternalError"

const tags: ReadonlyArray<string> = [
  "DataError",
  "CompileError",
  "FitError",
  "SettingError",
  "UnitError",
] satisfies ReadonlyArray<Tag>

/** A text on one line: messages of libraries may have several. */
const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, " ").trim()

/** An error with a message of one line that names the place and the mend. */
export class VasstError extends Error {
  override readonly name = "VasstError"
  readonly tag: Tag

  constructor(tag: Tag, message: string, cause?: Error) {
    super(oneLine(message), cause && { cause })
    this.tag = tag
  }

  /** The error of anything that was thrown. What vasst did not foresee is an `InternalError`, with the error itself as its `cause`. */
  static of(thrown: unknown): VasstError {
    if (thrown instanceof VasstError) return thrown
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    const tag = "_tag" in error && typeof error._tag === "string" ? error._tag : undefined
    return tag !== undefined && tags.includes(tag)
      ? // One of the tags of `tags`.
        new VasstError(tag as Tag, error.message)
      : new VasstError("InternalError", `${error.name}: ${error.message} (please report it)`, error)
  }
}
