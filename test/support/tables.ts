import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import * as Stdio from "effect/Stdio"
import { Complaint } from "../../src/cli/Complaint.ts"
import { Screen } from "../../src/cli/Screen.ts"
import * as Input from "../../src/cli/input/Input.ts"
import * as Source from "../../src/cli/Source.ts"
import * as Frame from "../../src/data/Frame.ts"

/** The path of a table that `scripts/fixtures/tables.py` wrote. */
export const at = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/tables/${name}`, import.meta.url))

/** Its bytes. */
export const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(at(name)))

const screen = Layer.succeed(Screen, {
  out: () => undefined,
  err: () => undefined,
  columns: { out: undefined, err: undefined },
})

/** A disk on which every file has these bytes. */
const disk = (bytes: Uint8Array): Layer.Layer<FileSystem.FileSystem> =>
  FileSystem.layerNoop({
    stat: () =>
      Effect.succeed({
        type: "File",
        size: ByteSize.bytes(bytes.length),
        mtime: Option.none(),
        atime: Option.none(),
        birthtime: Option.none(),
        dev: 0n,
        ino: Option.none(),
        mode: 0o644,
        nlink: Option.none(),
        uid: Option.none(),
        gid: Option.none(),
        rdev: Option.none(),
        blksize: Option.none(),
        blocks: Option.none(),
      }),
    readFile: () => Effect.succeed(bytes),
  })

/** The columns of the bytes of a file, packed with gzip or not, or the complaint about them. A defect is thrown. */
export const read = (
  bytes: Uint8Array,
  settings: Partial<Input.Settings> = {},
): Promise<Result.Result<Frame.Frame, string>> =>
  Effect.runPromise(
    Source.bytes("file", settings.encoding).pipe(
      Effect.flatMap((file) =>
        Input.ofBytes(file, { data: "file", inputFormat: undefined, decimal: undefined, ...settings }),
      ),
      Effect.flatMap((table) =>
        Effect.mapError(
          Input.frameOf(table),
          ({ message }) => new Complaint({ message: `file: ${message}` }),
        ),
      ),
      Effect.mapError(({ message }) => message),
      Effect.result,
      Effect.provide([screen, disk(bytes), Stdio.layerTest({})]),
    ),
  )

/** The texts of a column. */
export const texts = (frame: Frame.Frame, name: string): ReadonlyArray<string> => {
  const column = Frame.column(frame, name) ?? []
  return Array.from({ length: frame.rows }, (_, row) => Frame.text(column, row))
}
