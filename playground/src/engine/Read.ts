import * as Effect from "effect/Effect"
import * as Csv from "vasst/data/Csv"
import { DataError } from "vasst/errors/Errors"
import * as Format from "../../../src/cli/input/Format.ts"
import * as Frame from "../../../src/data/Frame.ts"
import * as JsonLines from "../../../src/data/JsonLines.ts"

/** The readers of binary formats, those of the command line, each loaded when a file needs it. */
const readers = {
  parquet: () => import("../../../src/cli/input/Parquet.ts"),
  arrow: () => import("../../../src/cli/input/Arrow.ts"),
  npy: () => import("../../../src/data/Npy.ts"),
} as const

/** The content of a gzip file, unpacked by the browser. */
const unpacked = (bytes: Uint8Array): Effect.Effect<Uint8Array, DataError> =>
  Effect.tryPromise({
    try: async () => {
      // The bytes of a file are in no memory that threads share; their type does not say so.
      const packed = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()
      return new Uint8Array(
        await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer(),
      )
    },
    catch: () => new DataError({ message: "the gzip data are broken or cut off; pack the file again" }),
  })

/** Words about the memory of Node in those about a page. */
const about = ({ message }: DataError): DataError =>
  new DataError({
    message: message.replace(
      /, and Node has (\d+) MB;.*$/,
      ", and a page has $1 MB; give fewer rows or columns",
    ),
  })

/**
 * The table of a file of any format that the command line reads.
 *
 * @param file its name, whose ending says what a text is where its first line does not
 * @errors DataError with the place and the mend
 */
export const table = (file: string, bytes: Uint8Array): Effect.Effect<Frame.Frame, DataError> =>
  Effect.gen(function* () {
    const content = Format.isGzip(bytes) ? yield* unpacked(bytes) : bytes
    const binary = Format.binary(content)
    if (binary !== undefined) {
      const { parse } = yield* Effect.promise(readers[binary])
      return yield* parse(content)
    }
    const wrong = Format.unread(content)
    if (wrong !== undefined) return yield* new DataError({ message: wrong })
    const text = yield* Csv.decode(content)
    return Format.ofText(text, file) === "jsonl"
      ? yield* JsonLines.parse(text)
      : Frame.ofTexts(yield* Csv.parse(text))
  }).pipe(Effect.mapError(about))
