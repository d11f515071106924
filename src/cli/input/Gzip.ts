import { createGunzip } from "node:zlib"
import * as Effect from "effect/Effect"
import { DataError } from "../../errors/Errors.ts"
import * as Csv from "../../data/Csv.ts"
import * as Memory from "./Memory.ts"

/** What zlib says of broken data, in plain words. */
const reasons: { readonly [code: string]: string } = {
  Z_BUF_ERROR: "are cut off",
  Z_DATA_ERROR: "are broken",
}

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""

/**
 * The content of a gzip file.
 *
 * @errors DataError where the data are cut off or broken, with the place, or more than this process holds
 */
export const unpack = (bytes: Uint8Array): Effect.Effect<Uint8Array, DataError> =>
  Effect.tryPromise({
    try: async () => {
      const stream = createGunzip()
      stream.end(bytes)
      const budget = Memory.budget()
      const chunks: Array<Buffer<ArrayBuffer>> = []
      let size = 0
      try {
        // A stream of bytes gives buffers; its types do not say so.
        for await (const chunk of stream as AsyncIterable<Buffer<ArrayBuffer>>) {
          budget.take(chunk.length)
          size += chunk.length
          chunks.push(chunk)
        }
      } catch (error) {
        if (error instanceof Memory.TooLarge) throw error
        throw new DataError({
          message: `the gzip data ${reasons[codeOf(error)] ?? "are broken"} (${Csv.count(bytes.length, "byte")}, ${size} unpacked before that); pack the file again`,
        })
      }
      return new Uint8Array(await new Blob(chunks).arrayBuffer())
    },
    catch: (error) =>
      error instanceof DataError
        ? error
        : new DataError({ message: `unpacked, ${error instanceof Error ? error.message : String(error)}` }),
  })
