// A disk in memory, of which the power can be cut: what was not synced is lost, torn or there, by chance.
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as PlatformError from "effect/PlatformError"
import * as Rng from "../../src/random/Rng.ts"

interface Inode {
  bytes: Uint8Array
  synced: Uint8Array
  /** seconds */
  changed: number
}

const base = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const error = (tag: PlatformError.SystemErrorTag, path: string, code?: string): PlatformError.PlatformError =>
  PlatformError.systemError({
    _tag: tag,
    module: "FileSystem",
    method: "",
    pathOrDescriptor: path,
    cause: code === undefined ? undefined : { code },
  })

/** Settings of a disk. */
export interface Settings {
  /** the number of bytes that fit on it */
  readonly room?: number
  /** whether syncing does nothing, as a disk that lies */
  readonly lies?: boolean
}

/** A disk with one folder. */
export const make = ({ room = Infinity, lies = false }: Settings = {}) => {
  let entries = new Map<string, Inode>()
  /** the names that are on the disk for sure, and what was done to names since */
  let known = new Map<string, Inode>()
  let since: Array<(names: Map<string, Inode>) => void> = []
  /** operations left until the power is cut */
  let left = Infinity
  let done = 0
  const space = { room }

  const operation = <A>(run: () => A): Effect.Effect<A, PlatformError.PlatformError> =>
    Effect.suspend(() => {
      if (left-- <= 0) return Effect.die("the power was cut")
      done++
      try {
        return Effect.succeed(run())
      } catch (cause) {
        if (cause instanceof PlatformError.PlatformError) return Effect.fail(cause)
        throw cause
      }
    })
  const change = (by: (names: Map<string, Inode>) => void): void => {
    by(entries)
    since.push(by)
  }
  const find = (path: string): Inode => {
    const found = entries.get(base(path))
    if (found === undefined) throw error("NotFound", path)
    return found
  }
  const create = (path: string, only: boolean): Inode => {
    const name = base(path)
    const there = entries.get(name)
    if (there !== undefined && only) throw error("AlreadyExists", path)
    if (there !== undefined) {
      there.bytes = new Uint8Array()
      return there
    }
    const inode = { bytes: new Uint8Array(), synced: new Uint8Array(), changed: Date.now() / 1000 }
    change((names) => names.set(name, inode))
    return inode
  }
  const append = (inode: Inode, bytes: Uint8Array, path: string): void => {
    const used = [...entries.values()].reduce((sum, one) => sum + one.bytes.length, 0)
    const fits = bytes.subarray(0, Math.max(0, space.room - used))
    const all = new Uint8Array(inode.bytes.length + fits.length)
    all.set(inode.bytes)
    all.set(fits, inode.bytes.length)
    inode.bytes = all
    if (fits.length < bytes.length) throw error("Unknown", path, "ENOSPC")
  }
  /** What is left of bytes that were not synced. */
  const torn = ({ bytes, synced }: Inode, random: Rng.Generator): Uint8Array => {
    const kind = random.integer(4)
    if (kind === 0) return synced
    if (kind === 1) return bytes
    if (kind === 2) return bytes.slice(0, random.integer(bytes.length + 1))
    return bytes.map((byte) => (random.integer(3) === 0 ? 0 : byte))
  }
  const files = FileSystem.makeNoop({
    makeDirectory: () => operation(() => undefined),
    readDirectory: () => operation(() => [...entries.keys()]),
    readFile: (path) => operation(() => find(path).bytes.slice()),
    readFileString: (path) => operation(() => new TextDecoder().decode(find(path).bytes)),
    readLink: (path) => operation(() => find(path) && ""),
    exists: (path) => operation(() => entries.has(base(path))),
    stat: (path) =>
      operation(() => ({
        type: "File",
        mtime: Option.some(new Date(find(path).changed * 1000)),
        atime: Option.none(),
        birthtime: Option.none(),
        dev: 0n,
        ino: Option.none(),
        mode: 0,
        nlink: Option.none(),
        uid: Option.none(),
        gid: Option.none(),
        rdev: Option.none(),
        size: ByteSize.bytes(find(path).bytes.length),
        blksize: Option.none(),
        blocks: Option.none(),
      })),
    remove: (path) =>
      operation(() => {
        find(path)
        change((names) => names.delete(base(path)))
      }),
    rename: (from, to) =>
      operation(() => {
        find(from)
        change((names) => {
          const inode = names.get(base(from))
          if (inode === undefined) return
          names.delete(base(from))
          names.set(base(to), inode)
        })
      }),
    link: (from, to) =>
      operation(() => {
        const inode = find(from)
        if (entries.has(base(to))) throw error("AlreadyExists", to)
        change((names) => names.set(base(to), inode))
      }),
    writeFileString: (path, text) =>
      operation(() => append(create(path, false), new TextEncoder().encode(text), path)),
    open: (path, options) =>
      operation(() => {
        const folder = options?.flag === "r"
        const inode = folder ? undefined : create(path, true)
        return {
          writeAll: (bytes: Uint8Array) =>
            // In two parts, between which the power may be cut.
            Effect.andThen(
              operation(() => append(inode!, bytes.subarray(0, bytes.length >> 1), path)),
              operation(() => append(inode!, bytes.subarray(bytes.length >> 1), path)),
            ),
          sync: operation(() => {
            if (lies) return
            if (inode !== undefined) inode.synced = inode.bytes
            else {
              known = new Map(entries)
              since = []
            }
          }),
          // The rest of a file is not used here.
        } as unknown as FileSystem.File
      }),
  })
  return {
    layer: Layer.mergeAll(Layer.succeed(FileSystem.FileSystem, files), Path.layer),
    /** Cuts the power after some operations. */
    cutAfter: (operations: number) => {
      left = operations
    },
    /** How many operations there were. */
    operations: () => done,
    /** The disk after the power is back. */
    restart: (seed: number) => {
      const random = Rng.generator(Rng.fold(Rng.key(seed), "disk"))
      left = Infinity
      // File systems bring changes of names to the disk in their order.
      for (const by of since.slice(0, random.integer(since.length + 1))) by(known)
      entries = new Map()
      for (const [name, inode] of known) {
        const bytes = inode.synced === inode.bytes ? inode.bytes : torn(inode, random)
        entries.set(name, { ...inode, bytes, synced: bytes })
      }
      known = new Map(entries)
      since = []
    },
    /** The names in the folder. */
    names: () => [...entries.keys()].toSorted(),
    /** Changes the bytes of a file, or its age in seconds. */
    change: (name: string, by: (bytes: Uint8Array) => Uint8Array, age = 0) => {
      const inode = entries.get(name) ?? create(name, true)
      inode.bytes = by(inode.bytes)
      inode.changed -= age
    },
    bytesOf: (name: string) => entries.get(name)!.bytes.slice(),
    space,
  }
}
