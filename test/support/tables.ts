import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Result from "effect/Result"
import { Complaint } from "../../src/cli/Complaint.ts"
import { Screen } from "../../src/cli/Screen.ts"
import * as Input from "../../src/cli/input/Input.ts"
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

/** The columns of the bytes of a file, or the complaint about them. A defect is thrown. */
export const read = (
  bytes: Uint8Array,
  settings: Partial<Input.Settings> = {},
): Promise<Result.Result<Frame.Frame, string>> =>
  Effect.runPromise(
    Input.ofBytes(
      { name: "file", bytes },
      { data: "file", inputFormat: undefined, decimal: undefined, ...settings },
    ).pipe(
      Effect.flatMap((table) =>
        Effect.mapError(
          Input.frameOf(table),
          ({ message }) => new Complaint({ message: `file: ${message}` }),
        ),
      ),
      Effect.mapError(({ message }) => message),
      Effect.result,
      Effect.provide(screen),
    ),
  )

/** The texts of a column. */
export const texts = (frame: Frame.Frame, name: string): ReadonlyArray<string> => {
  const column = Frame.column(frame, name) ?? []
  return Array.from({ length: frame.rows }, (_, row) => Frame.text(column, row))
}
