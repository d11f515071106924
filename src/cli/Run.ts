import * as Argument from "effect/cli/Argument"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import * as Document from "../report/Document.ts"
import * as Record from "../report/Record.ts"
import * as Source from "./Source.ts"

/** The argument of the commands that read a run. */
export const argument = Argument.String("RUN").pipe(
  Argument.withDescription("A folder of vasst fit --out, or a JSON document of vasst fit --json"),
)

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Document.Document))

/** The fit of a folder that `vasst fit --out` has written, or of a JSON document of `vasst fit --json`. */
export const read = (path: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const inside = paths.join(path, "fit.json")
    const folder = yield* Effect.orElseSucceed(files.stat(path), () => undefined)
    if (folder?.type === "Directory" && !(yield* Source.has(path, inside)))
      return yield* Source.about(path, "there is no fit.json in this folder; vasst fit --out writes one")
    const { name, text } = yield* Source.read(folder?.type === "Directory" ? inside : path)
    return yield* Effect.mapError(decode(text), () =>
      Source.about(
        name,
        "this is no fit of this version of vasst; make one with vasst fit --out FOLDER, or --json",
      ),
    )
  })

const decodeRecord = Schema.decodeUnknownEffect(Schema.fromJsonString(Record.Record))

/** The fit of a folder with its record: a sample of the data, the command, and the course of the search. */
export const readBoth = (path: string) =>
  Effect.gen(function* () {
    const document = yield* read(path)
    const files = yield* FileSystem.FileSystem
    const file = (yield* Path.Path).join(path, "record.json")
    const { type } = yield* Effect.orElseSucceed(files.stat(path), () => ({ type: undefined }))
    if (type !== "Directory")
      return yield* Source.about(
        path,
        "a report needs the data of the fit, which a document alone does not have; name a folder of vasst fit --out",
      )
    if (!(yield* Source.has(path, file)))
      return yield* Source.about(
        path,
        "there is no record.json in this folder: it is of an earlier version of vasst, which kept no data; make the fit again with vasst fit --out",
      )
    const { name, text } = yield* Source.read(file)
    const record = yield* Effect.mapError(decodeRecord(text), () =>
      Source.about(
        name,
        "this is no record of this version of vasst; make the fit again with vasst fit --out",
      ),
    )
    return { document, record }
  })
