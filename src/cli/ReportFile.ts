import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Csv from "../data/Csv.ts"
import type { Document } from "../report/Document.ts"
import type { Record } from "../report/Record.ts"
import { Complaint } from "./Complaint.ts"
import * as Folder from "./Folder.ts"
import * as Source from "./Source.ts"

/** The bytes that say whose file it is. */
const looked = 200

/**
 * Looks, before a fit begins, whether a report can be written to a file.
 *
 * @errors Complaint when its folder is not there or cannot be written to, or the file is no report of vasst and is not to be replaced
 */
export const prepare = (
  file: string,
  overwrite: boolean,
): Effect.Effect<void, Complaint, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const folder = paths.dirname(file)
    yield* Folder.cannotWrite(folder)(files.access(folder, { writable: true }))
    const found = yield* Effect.orElseSucceed(files.stat(file), () => undefined)
    if (found === undefined) return
    if (found.type === "Directory")
      return yield* Source.about(file, "this is a directory; name a file, such as report.html")
    if (overwrite) return
    // Only an ordinary file is opened: a pipe may have no end.
    const text = found.type === "File" ? new TextDecoder().decode(yield* Source.beginning(file, looked)) : ""
    const { mark } = yield* Effect.promise(() => import("../report/html/mark.ts"))
    if (!text.startsWith(mark))
      return yield* Source.about(
        file,
        "there is a file of this name that is no report of vasst; name another, or add --overwrite",
      )
  })

/** @errors Complaint for laws of several outputs: a report is about one */
export const single = (outputs: ReadonlyArray<string>): Effect.Effect<void, Complaint> =>
  outputs.length <= 1
    ? Effect.void
    : Effect.fail(
        new Complaint({
          message: `a report is about one column, and these laws explain ${Csv.list(outputs)}; read the laws with vasst show, and predict with vasst predict`,
        }),
      )

/** Writes a report, as a whole or not at all. The program of pages is loaded here. */
export const write = (
  file: string,
  document: Document,
  record: Record,
): Effect.Effect<void, Complaint, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const Page = yield* Effect.promise(() => import("../report/html/Page.ts"))
    const page = yield* Effect.promise(() => Page.make(document, record))
    yield* Folder.writeFile(file, page, true)
  })
