/**
 * A store in a folder. Each name has two files, which are written in turn, so that the bytes before the newest are always there. A file is written
 * beside its place, brought to the disk and put into its place in one step.
 *
 * Layout of a file: the four bytes "vss1", the format (uint32, little endian), the number of the writing and the length of the bytes (float64),
 * the SHA-256 of these 24 bytes and the bytes, then the bytes.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import type * as Scope from "effect/Scope"
import * as DurableFile from "../internal/DurableFile.ts"
import { causeOf, reasonOf } from "../internal/systemCode.ts"
import * as FolderLock from "./FolderLock.ts"
import * as Keeper from "./Keeper.ts"
import { type Store, StoreError } from "./Store.ts"

type Files = FileSystem.FileSystem | Path.Path

const magic = 0x31737376 // "vss1"
/** The number of the layout and of its contents: it changes with the meaning of states. */
const format = 4
const [head, start] = [24, 56]

/** The bytes of a writing, and its number. */
interface Written {
  readonly number: number
  readonly bytes: Uint8Array
}

const digest = (header: Uint8Array, bytes: Uint8Array): Effect.Effect<Uint8Array> =>
  Effect.promise(async () => {
    const all = new Uint8Array(header.length + bytes.length)
    all.set(header)
    all.set(bytes, header.length)
    return new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", all))
  })

const encode = ({ number, bytes }: Written): Effect.Effect<Uint8Array> =>
  Effect.gen(function* () {
    const out = new Uint8Array(start + bytes.length)
    const view = new DataView(out.buffer)
    view.setUint32(0, magic, true)
    view.setUint32(4, format, true)
    view.setFloat64(8, number, true)
    view.setFloat64(16, bytes.length, true)
    out.set(yield* digest(out.subarray(0, head), bytes), head)
    out.set(bytes, start)
    return out
  })

/** A file as it was written. Fails with its fault as a sentence. */
const decode = (file: Uint8Array): Effect.Effect<Written, string> =>
  Effect.gen(function* () {
    if (file.length < start) return yield* Effect.fail("it is cut off")
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
    const known = view.getUint32(4, true)
    if (view.getUint32(0, true) !== magic) return yield* Effect.fail("it does not begin as a kept state does")
    const bytes = file.subarray(start)
    const sum = yield* digest(file.subarray(0, head), bytes)
    if (sum.some((byte, i) => byte !== file[head + i]))
      return yield* Effect.fail(
        view.getFloat64(16, true) > bytes.length ? "it is cut off" : "some of its bytes have changed",
      )
    if (known !== format)
      return yield* Effect.fail(`it is of another version of vasst, with format ${known} and not ${format}`)
    return { number: view.getFloat64(8, true), bytes }
  })

/** The files of a store, by their names. */
export const named = /^([\w-]+)\.([01])\.state$/
const file = (name: string, slot: number): string => `${name}.${slot}.state`

/** What a system says of a file, in plain words where there are some. */
const reason = (error: PlatformError): string => {
  const { _tag } = error.reason
  if (_tag === "PermissionDenied") return "permission denied"
  if (_tag === "NotFound") return "there is no such file or directory"
  return reasonOf(causeOf(error)) ?? error.message
}

const failure = (path: string, what: string) => (error: PlatformError) =>
  new StoreError({ message: `${path}: ${what}: ${reason(error)}` })

/**
 * The store of a folder, which is made if it is not there. The process has the folder for itself until the scope closes; it does not matter how
 * a process before it has ended.
 *
 * @errors StoreError when another process uses the folder, or it cannot be written to
 */
export const open = (folder: string): Effect.Effect<Store, StoreError, Files | Scope.Scope> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    yield* files.makeDirectory(folder, { recursive: true }).pipe(
      Effect.andThen(
        FolderLock.acquire(
          folder,
          (other) =>
            new StoreError({
              message: `${folder}: another process${other} uses this folder; wait for its end, or name another folder`,
            }),
        ),
      ),
      Effect.mapError((error) =>
        error._tag === "PlatformError" ? failure(folder, "cannot write here")(error) : error,
      ),
    )
    /** By name, the number of the newest writing and the slot that it is in. */
    const newest = new Map<string, { readonly number: number; readonly slot: number }>()
    let looked = false
    const read: Store["read"] = Effect.gen(function* () {
      const found = new Map<string, Array<{ readonly path: string; readonly slot: number }>>()
      for (const name of yield* files.readDirectory(folder)) {
        const path = paths.join(folder, name)
        // Of a process that was ended while it wrote.
        const target = DurableFile.targetOf(name)
        if (target !== undefined && named.test(target)) yield* Effect.ignore(files.remove(path))
        const [, own, slot] = named.exec(name) ?? []
        if (own !== undefined) found.set(own, [...(found.get(own) ?? []), { path, slot: Number(slot) }])
      }
      const latest = new Map<string, Uint8Array>()
      const damaged: Array<StoreError> = []
      for (const [name, slots] of found) {
        const wrong: Array<string> = []
        let best: (Written & { readonly slot: number }) | undefined
        for (const { path, slot } of slots) {
          const one = yield* Effect.flatMap(files.readFile(path), decode).pipe(
            Effect.catch((error) =>
              Effect.sync(() => {
                wrong.push(`${path}: ${typeof error === "string" ? error : reason(error)}`)
                return undefined
              }),
            ),
          )
          if (one !== undefined && one.number > (best?.number ?? -Infinity)) best = { ...one, slot }
        }
        if (best === undefined)
          return yield* new StoreError({
            message: `${wrong.join("; ")}; no undamaged state is left, so begin in another folder`,
          })
        newest.set(name, best)
        latest.set(name, best.bytes)
        for (const one of wrong)
          damaged.push(new StoreError({ message: `${one}; the state beside it is used` }))
      }
      looked = true
      return { latest, damaged }
    }).pipe(
      Effect.mapError((error) =>
        error._tag === "PlatformError" ? failure(folder, "cannot read here")(error) : error,
      ),
    )
    const write: Store["write"] = (name, bytes) =>
      Effect.gen(function* () {
        // A state is not written over before it was read.
        if (!looked) yield* read
        const { number, slot } = newest.get(name) ?? { number: 0, slot: 1 }
        const next = { number: number + 1, slot: 1 - slot }
        const all = yield* encode({ number: next.number, bytes })
        const path = paths.join(folder, file(name, next.slot))
        yield* DurableFile.write(path, all, true).pipe(
          Effect.mapError(failure(path, "the state cannot be kept")),
          Effect.provideService(FileSystem.FileSystem, files),
          Effect.provideService(Path.Path, paths),
        )
        newest.set(name, next)
      })
    return { read, write }
  })

/**
 * A layer that keeps the states of a fit in a folder (`Fit.checkpointed` of `open`).
 *
 * @example
 * const fit = yield* Law.fit({ X, y }, { effort: 1e6 }).pipe(Effect.provide(FileStore.checkpointed("run")))
 */
export const checkpointed = (
  folder: string,
  options?: Keeper.Options,
): Layer.Layer<never, StoreError, Files> =>
  Layer.unwrap(Effect.map(open(folder), (store) => Keeper.layer(store, options)))
