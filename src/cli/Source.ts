import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Csv from "../data/Csv.ts"
import { Complaint } from "./Complaint.ts"

/** A failure of a file, in plain words. */
export const reason = (error: PlatformError): string => {
  switch (error.reason._tag) {
    case "NotFound":
      return "there is no such file or directory"
    case "PermissionDenied":
      return "permission denied"
    case "AlreadyExists":
      return "there is a file of this name"
    default:
      return codeOf(error.reason) ?? error.message
  }
}

/** The system's code of a failure. */
const codes: { readonly [code: string]: string } = {
  ENOSPC: "no space left on the device",
  EISDIR: "there is a directory of this name",
  ENOTDIR: "a part of this path is a file, not a directory",
  EROFS: "the file system cannot be written to",
  ENAMETOOLONG: "the name is too long",
  EMFILE: "too many files are open",
  EDQUOT: "the quota of the disk is used up",
}

const codeOf = ({ cause }: { readonly cause?: unknown }): string | undefined =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? (codes[cause.code] ?? cause.code)
    : undefined

/** The text of a data file, or of standard input for `-`, and its name in messages. */
export const read = (
  path: string,
): Effect.Effect<
  { readonly name: string; readonly text: string },
  Complaint,
  FileSystem.FileSystem | Stdio.Stdio
> =>
  Effect.gen(function* () {
    const name = path === "-" ? "standard input" : path
    const bytes = yield* path === "-" ? standardInput : file(path)
    const text = yield* Effect.mapError(Csv.decode(bytes), ({ message }) => about(name, message))
    return { name, text }
  })

/** A complaint about a file. */
export const about = (name: string, message: string): Complaint =>
  new Complaint({ message: `${name}: ${message}` })

const standardInput = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const chunks = yield* Effect.mapError(Stream.runCollect(stdio.stdin), (error) =>
    about("standard input", reason(error)),
  )
  return yield* Effect.promise(async () => new Uint8Array(await new Blob(chunks.map(copied)).arrayBuffer()))
})

/** Blobs take no bytes that other threads may share; the chunks of a stream are never shared, but their types do not say so. */
const copied = (chunk: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(chunk)

const file = (path: string): Effect.Effect<Uint8Array, Complaint, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { type } = yield* files.stat(path)
    if (type === "Directory") return yield* about(path, "this is a directory; name the file with the data")
    return yield* files.readFile(path)
  }).pipe(Effect.mapError((error) => (error._tag === "PlatformError" ? about(path, reason(error)) : error)))
