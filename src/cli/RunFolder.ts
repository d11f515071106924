/** The folder of a run that lasts: its command and the fingerprints of its data, its kept states, and its results. */
import { createHash } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { Store, StoreError } from "../infer/Store.ts"
import * as DurableFile from "../internal/DurableFile.ts"
import { Complaint } from "./Complaint.ts"
import type { Input } from "./FitFlags.ts"
import * as Folder from "./Folder.ts"
import { Invocation } from "./Invocation.ts"
import type { Known } from "./RunRecord.ts"
import { Screen } from "./Screen.ts"
import * as Source from "./Source.ts"

/** The form of `run.json`. */
const version = 1

const Configuration = Schema.Struct({
  version: Schema.Finite,
  /** the version of vasst, whose searches take the same steps */
  program: Schema.String,
  /** where the command was given, which its paths are relative to */
  directory: Schema.String,
  /** the arguments of the command line after `vasst` */
  command: Schema.Array(Schema.String),
  rows: Schema.Finite,
  columns: Schema.Array(Schema.Struct({ name: Schema.String, fingerprint: Schema.String })),
})

/** What a run was begun with. */
export type Configuration = typeof Configuration.Type

/** A run that goes on: its folder, and the command and data of its beginning. Undefined where a run begins. */
export const Resumed = Context.Reference<
  { readonly folder: string; readonly configuration: Configuration } | undefined
>("vasst/cli/Resumed", { defaultValue: () => undefined })

/** Of any version. */
const decodeVersion = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ run: Configuration.mapFields(Struct.pick(["version", "program"])) })),
)
const decode = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ sum: Schema.String, run: Configuration })),
)
const sumOf = (run: Configuration): string => createHash("sha256").update(JSON.stringify(run)).digest("hex")

const file = "run.json"

/**
 * What a run was begun with.
 *
 * @errors Complaint when the folder has no run, or one of another version, or the file is damaged
 */
export const read = (folder: string) =>
  Effect.gen(function* () {
    const path = (yield* Path.Path).join(folder, file)
    if (!(yield* Source.has(folder, path)))
      return yield* Source.about(folder, `there is no run here; vasst fit --run ${folder} begins one`)
    const { text } = yield* Source.read(path)
    const damaged = Source.about(path, "this is damaged, so that the run cannot go on; begin another one")
    const begun = yield* Effect.mapError(decodeVersion(text), () => damaged)
    const { version: program } = yield* Invocation
    if (begun.run.version !== version || begun.run.program !== program)
      return yield* Source.about(
        folder,
        `this run was begun by vasst ${begun.run.program}, and this is ${program}, whose searches may take other steps; go on with that version, or begin another run`,
      )
    const { sum, run } = yield* Effect.mapError(decode(text), () => damaged)
    return sum === sumOf(run) ? run : yield* damaged
  })

/** What differs between the data of a run and those that are there now, in words; undefined if nothing does. */
const difference = (then: Configuration, now: Configuration): string | undefined => {
  if (then.rows !== now.rows) return `they had ${then.rows} rows, and have ${now.rows}`
  const other = now.columns.find(
    ({ name, fingerprint }, k) =>
      then.columns[k]?.name !== name || then.columns[k].fingerprint !== fingerprint,
  )
  if (other === undefined && then.columns.length === now.columns.length) return undefined
  return `the column ${JSON.stringify(other?.name ?? then.columns.at(-1)?.name)} has changed`
}

/**
 * Opens the folder of a run for this process alone, until the scope closes.
 *
 * @param data the data of the run
 * @param overwrite whether another run in the folder is given up
 * @errors Complaint when another process uses the folder, it cannot be written to, it has another run, or the data have changed
 */
export const open = (folder: string, { data }: Known, overwrite: boolean) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const { version: program, args } = yield* Invocation
    const resumed = yield* Resumed
    const run: Configuration = {
      version,
      program,
      directory: process.cwd(),
      command: [...args],
      rows: data.rows,
      columns: data.columns.map(({ name, fingerprint }) => ({ name, fingerprint })),
    }
    const changed = resumed && difference(resumed.configuration, run)
    if (changed !== undefined)
      return yield* Source.about(
        folder,
        `these are not the data that the run was begun with: ${changed}; give them back, or begin another run`,
      )
    const FileStore = yield* Effect.promise(() => import("../infer/FileStore.ts"))
    const store: Store = yield* Effect.mapError(
      FileStore.open(folder),
      ({ message }) => new Complaint({ message }),
    )
    // A process that was killed while it wrote the results has left the beginnings of these.
    yield* Folder.cannotWrite(folder)(Folder.removeParts(folder, [file]))
    if (resumed !== undefined) return store
    const path = paths.join(folder, file)
    if (!overwrite && (yield* Effect.orElseSucceed(files.exists(path), () => false)))
      return yield* Source.about(
        folder,
        `there is a run here; go on with vasst resume ${folder}, name another folder, or add --overwrite`,
      )
    yield* Folder.cannotWrite(folder)(
      Effect.gen(function* () {
        for (const name of yield* files.readDirectory(folder))
          if (FileStore.named.test(name)) yield* files.remove(paths.join(folder, name))
        const text = `${JSON.stringify({ sum: sumOf(run), run })}\n`
        yield* DurableFile.write(path, new TextEncoder().encode(text), true)
      }),
    )
    return store
  })

/** The folder of a run that lasts, if one is asked for or goes on, and whether its files are its own. */
export const asked = ({
  data,
  run,
  every,
  out,
  overwrite,
  cluster,
}: Pick<Input, "data" | "run" | "every" | "out" | "overwrite" | "cluster">) =>
  Effect.gen(function* () {
    const resumed = yield* Resumed
    if (run === undefined && every !== undefined)
      return yield* new Complaint({ message: "--every is for --run; add that, or leave --every out" })
    if (run === undefined) return { folder: undefined, overwrite }
    if (out !== undefined)
      return yield* new Complaint({
        message: "the files are written into the folder of --run; leave --out out",
      })
    if (cluster)
      return yield* new Complaint({
        message: "jobs of --cluster are kept in their database; leave --run out",
      })
    if (data === "-")
      return yield* new Complaint({
        message: "standard input cannot be read again when the run goes on; with --run, name a file",
      })
    return { folder: resumed?.folder ?? run, overwrite: overwrite || resumed !== undefined }
  })

/** Keeps the states of a fit where there is a store for them. */
export const kept =
  (store: Store | undefined, every: number | undefined) =>
  <A, E, R>(fit: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      if (store === undefined) return yield* fit
      const screen = yield* Screen
      const { layer } = yield* Effect.promise(() => import("../infer/Keeper.ts"))
      const said = new Set<string>()
      const onTrouble = ({ message }: StoreError): void => {
        // The same trouble may come every few seconds.
        if (!said.has(message)) screen.err(`${message}\n`)
        said.add(message)
      }
      return yield* Effect.provide(fit, layer(store, { every, onTrouble }))
    })
