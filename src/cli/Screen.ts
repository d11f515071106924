import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/**
 * Where the command line writes: everything it says goes through here, so that tests can read it. Texts are written
 * at once and as they are.
 */
export class Screen extends Context.Service<
  Screen,
  {
    /** standard output: results, and nothing else */
    readonly out: (text: string) => void
    /** standard error: progress and complaints */
    readonly err: (text: string) => void
    /** the width of the terminal that a stream goes to; undefined for a file or pipe */
    readonly columns: { readonly out: number | undefined; readonly err: number | undefined }
  }
>()("vasst/cli/Screen") {}

/** Texts as lines. */
export const lines = (texts: ReadonlyArray<string>): string => texts.map((text) => `${text}\n`).join("")

/** A terminal that does not know its size says 0. */
const columns = (stream: NodeJS.WriteStream): number | undefined =>
  stream.isTTY ? (stream.columns > 0 ? stream.columns : 80) : undefined

/** Whether a terminal can only write line after line, so that no line may be written over. */
const isDumb = (): boolean => process.env["TERM"] === "dumb"

/** Whether texts may have colours: on a terminal, unless `NO_COLOR` or `TERM=dumb` says no; elsewhere where `FORCE_COLOR` says yes. */
export const colors = (terminal: boolean): boolean => {
  const { NO_COLOR = "", FORCE_COLOR = "" } = process.env
  if (FORCE_COLOR !== "") return FORCE_COLOR !== "0"
  return terminal && NO_COLOR === "" && !isDumb()
}

/** The streams of this process. */
export const layer: Layer.Layer<Screen> = Layer.sync(Screen, () => ({
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  columns: { out: columns(process.stdout), err: isDumb() ? undefined : columns(process.stderr) },
}))
