import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as DurableFile from "../internal/DurableFile.ts"
import type { Complaint } from "./Complaint.ts"
import * as Source from "./Source.ts"

/** The files of a fit, by name. */
const names = ["fit.json", "models.csv", "report.txt", "record.json"] as const
export type Files = Readonly<Record<(typeof names)[number], string>>

/** Failures of a path as complaints. */
export const cannotWrite = (path: string) =>
  Effect.mapError((error: PlatformError) => Source.about(path, `cannot write here: ${Source.reason(error)}`))

/** Makes a directory and those above it, one by one: below /proc the system's own way never ends. */
const make = (path: string): Effect.Effect<void, PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const parent = (yield* Path.Path).dirname(path)
    yield* files.makeDirectory(path).pipe(
      Effect.catchReason("PlatformError", "NotFound", (_, error) =>
        parent === path
          ? Effect.fail(error)
          : make(parent).pipe(
              Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void),
              Effect.andThen(files.makeDirectory(path)),
            ),
      ),
    )
  })

/**
 * Prepares the directory of a fit, before it begins, so that nobody waits for results that cannot be kept.
 *
 * @errors Complaint when the directory cannot be made or written to, or has the files of another fit
 */
export const prepare = (
  directory: string,
  overwrite: boolean,
): Effect.Effect<void, Complaint, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const found = yield* Effect.orElseSucceed(files.stat(directory), () => undefined)
    if (found?.type !== "Directory") yield* cannotWrite(directory)(make(paths.resolve(directory)))
    yield* cannotWrite(directory)(files.access(directory, { writable: true }))
    if (overwrite) return
    for (const name of names)
      if (yield* Effect.orElseSucceed(files.exists(paths.join(directory, name)), () => false))
        return yield* Source.about(
          directory,
          `there is a ${name} of another fit; name another directory, or add --overwrite`,
        )
  })

/**
 * Writes a file, which is there as a whole or not at all (`DurableFile`).
 *
 * @param replace whether one that is there is replaced
 */
export const writeFile = (
  path: string,
  text: string,
  replace: boolean,
): Effect.Effect<void, Complaint, FileSystem.FileSystem | Path.Path> =>
  cannotWrite(path)(DurableFile.write(path, new TextEncoder().encode(text), replace))

/**
 * Removes the beginnings of files of a fit that a process was writing when it was killed.
 *
 * @param others names of further files that are written here
 */
export const removeParts = (
  directory: string,
  others: ReadonlyArray<string>,
): Effect.Effect<void, PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const own = new Set<string>([...names, ...others])
    for (const name of yield* files.readDirectory(directory)) {
      const target = DurableFile.targetOf(name)
      if (target !== undefined && own.has(target)) yield* files.remove(paths.join(directory, name))
    }
  })

/** Writes the files of a fit, each by `writeFile`. */
export const write = (
  directory: string,
  contents: Files,
  replace: boolean,
): Effect.Effect<void, Complaint, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    for (const name of names) yield* writeFile(paths.join(directory, name), contents[name], replace)
  })
