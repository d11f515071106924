/** Files that are there as a whole or not at all, also after a loss of power. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"

type Files = FileSystem.FileSystem | Path.Path

/** The end of the names of unfinished files. */
const part = /\.[0-9a-f-]{36}\.part$/

/** The name of the file that an unfinished one is the beginning of; undefined for other names. */
export const targetOf = (name: string): string | undefined =>
  part.test(name) ? name.replace(part, "") : undefined

/** Has the names of a folder written to the disk. Some systems have no such call; then they order names themselves. */
const syncFolder = (folder: string): Effect.Effect<void, never, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.ignore(Effect.scoped(Effect.flatMap(files.open(folder, { flag: "r" }), ({ sync }) => sync))),
  )

/**
 * Writes a file: its bytes are on the disk before it has its name, and the name is on the disk when this ends. A process that
 * ends at any time leaves the file as it was, or the new one. A link that others have put in its way is neither followed
 * nor changed.
 *
 * @param replace whether a file of this name is replaced; without it one that is there is an error with the reason `AlreadyExists`
 */
export const write = (
  path: string,
  bytes: Uint8Array,
  replace: boolean,
): Effect.Effect<void, PlatformError, Files> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    // Nobody knows this name before, and a file of it is not opened.
    const unfinished = `${path}.${globalThis.crypto.randomUUID()}.part`
    const written = Effect.scoped(
      Effect.flatMap(files.open(unfinished, { flag: "wx" }), (file) =>
        Effect.andThen(file.writeAll(bytes), file.sync),
      ),
    )
    yield* written.pipe(
      Effect.andThen(replace ? files.rename(unfinished, path) : name(unfinished, path)),
      Effect.tapError(() => Effect.ignore(files.remove(unfinished))),
    )
    yield* syncFolder(paths.dirname(path))
  })

/** Gives a file a name that no other file has, in one step where the system can. */
const name = (unfinished: string, path: string): Effect.Effect<void, PlatformError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* files.link(unfinished, path).pipe(
      Effect.andThen(files.remove(unfinished)),
      Effect.catchTag("PlatformError", (error) =>
        // A disk without links, such as that of a camera, replaces nothing that is there.
        error.reason._tag === "AlreadyExists"
          ? Effect.fail(error)
          : Effect.flatMap(files.exists(path), (there) =>
              there ? Effect.fail(error) : files.rename(unfinished, path),
            ),
      ),
    )
  })
