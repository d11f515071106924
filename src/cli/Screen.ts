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

const columns = (stream: NodeJS.WriteStream): number | undefined =>
  stream.isTTY ? (stream.columns ?? 80) : undefined

/** The streams of this process. */
export const layer: Layer.Layer<Screen> = Layer.sync(Screen, () => ({
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  columns: { out: columns(process.stdout), err: columns(process.stderr) },
}))
