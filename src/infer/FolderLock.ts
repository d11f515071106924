/**
 * The use of a folder by one process at a time. Each process that wants a folder puts a file of its own there, and looks for those of others:
 * a file of a process that has ended, be it by `kill -9`, does not count, and is removed.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { StoreError } from "./Store.ts"

/** Which process a file is of. */
const Owner = Schema.Struct({
  process: Schema.Finite,
  /** when it began, as the system has it, since numbers of processes are used again; empty where it does not say */
  began: Schema.String,
  host: Schema.String,
  /** the start of the machine; processes have numbers of their own since then */
  boot: Schema.String,
  /** the container whose numbers of processes these are */
  namespace: Schema.String,
})
type Owner = typeof Owner.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Owner))

/** Names of the files. */
const named = /^lock\.[0-9a-f-]{36}$/
/** Seconds between signs of life, and without one after which a process elsewhere has ended. */
const [beat, silence] = [15, 120]
/** Tries of processes that began at the same moment, and the most milliseconds between them. */
const [tries, pause] = [6, 150]

/** The text of a file of the system; empty where there is none. */
const textOf = (path: string): Effect.Effect<string, never, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.orElseSucceed(files.readFileString(path), () => ""),
  ).pipe(Effect.map((text) => text.trim()))

/** When a process began; empty where the system does not say. */
const beganAt = (process: number): Effect.Effect<string, never, FileSystem.FileSystem> =>
  Effect.map(
    textOf(`/proc/${process}/stat`),
    // The second field is a name, which may have spaces and brackets of its own.
    (text) => text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "",
  )

const self: Effect.Effect<Owner, never, FileSystem.FileSystem> = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const own = globalThis.process?.pid ?? 0
  return {
    process: own,
    began: yield* beganAt(own),
    host: globalThis.process?.getBuiltinModule?.("node:os").hostname() ?? "",
    boot: yield* textOf("/proc/sys/kernel/random/boot_id"),
    namespace: yield* Effect.orElseSucceed(files.readLink("/proc/self/ns/pid"), () => ""),
  }
})

/** Whether there is a process of a number here. */
const exists = (process: number): boolean => {
  try {
    return globalThis.process.kill(process, 0)
  } catch (error) {
    // A process of another user is there, too.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** Whether a process may use the folder still. */
const lives = (
  owner: Owner,
  own: Owner,
  silent: number,
): Effect.Effect<boolean, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    if (owner.host === own.host && owner.boot !== own.boot) return false
    if (owner.host !== own.host || owner.namespace !== own.namespace) return silent < silence
    if (!exists(owner.process)) return false
    if (owner.began === "") return silent < silence
    return (yield* beganAt(owner.process)) === owner.began
  })

/**
 * Uses a folder until the scope closes, or the process ends in any way.
 *
 * @param busy the error where another process uses it, told its number and its machine
 */
export const acquire = (
  folder: string,
  busy: (other: string) => StoreError,
): Effect.Effect<void, StoreError | PlatformError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const own = yield* self
    const mine = `lock.${globalThis.crypto.randomUUID()}`
    const file = paths.join(folder, mine)
    const text = `${JSON.stringify(own)}\n`
    const remove = Effect.ignore(files.remove(file))
    const write = files.writeFileString(file, text)
    const age = (path: string): Effect.Effect<number> =>
      files.stat(path).pipe(
        Effect.map(({ mtime }) => Option.getOrElse(mtime, () => new Date()).getTime() / 1000),
        Effect.orElseSucceed(() => Infinity),
      )
    /** The number and the machine of another process that uses the folder, as text; undefined where none does. */
    const other = Effect.gen(function* () {
      // The clock is that of the disk, which may be another machine's.
      const now = yield* age(file)
      for (const name of yield* files.readDirectory(folder)) {
        if (!named.test(name) || name === mine) continue
        const path = paths.join(folder, name)
        const owner = Option.getOrUndefined(decode(yield* textOf(path)))
        const silent = now - (yield* age(path))
        // A file without text is of a process that is about to write it, or that was cut off.
        const alive = owner === undefined ? silent < silence : yield* lives(owner, own, silent)
        if (alive)
          return owner === undefined
            ? ""
            : ` (${owner.process}${owner.host === own.host ? "" : ` on ${owner.host}`})`
        yield* Effect.ignore(files.remove(path))
      }
      return undefined
    })
    let found: string | undefined
    for (let turn = 0; turn < tries; turn++) {
      // On a full disk a file without text would be there, and count as a process.
      yield* Effect.uninterruptible(Effect.tapError(write, () => remove))
      found = yield* Effect.tapError(other, () => remove)
      if (found === undefined) break
      yield* remove
      yield* Effect.sleep(pause * Math.random())
    }
    if (found !== undefined) return yield* busy(found)
    yield* Effect.addFinalizer(() => remove)
    yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignore(write), beat * 1000)))
  })
