/**
 * Copies from a memory that threads share into the memory of a module. A module that reads two memories itself is slower
 * at both in V8; one that only copies from one to the other, beside it, costs nothing.
 */
import { machine, type Memory, pageBytes } from "./Machine.ts"

/** A memory that can be posted to other threads, which then have the same. It does not grow. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer
  readonly grow: (pages: number) => number
}

export type Source = SharedMemory | SharedArrayBuffer

/** The most pages that a memory may have: 4 GiB. */
const most = 65_536

const section = (id: number, ...content: ReadonlyArray<number>): ReadonlyArray<number> => [
  id,
  content.length,
  ...content,
]

/** A module over `m.o`, its own memory, and `m.d`, shared: `f`(to, from, bytes) copies from the second to the first. */
const module = Uint8Array.from([
  0,
  0x61,
  0x73,
  0x6d,
  1,
  0,
  0,
  0,
  ...section(1, 1, 0x60, 3, 0x7f, 0x7f, 0x7f, 0),
  ...section(2, 2, 1, 0x6d, 1, 0x6f, 2, 0, 0, 1, 0x6d, 1, 0x64, 2, 3, 0, 0x80, 0x80, 4),
  ...section(3, 1, 0),
  ...section(7, 1, 1, 0x66, 0, 0),
  ...section(10, 1, 12, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfc, 10, 0, 1, 0x0b),
])

/**
 * Zeros that threads can share: a memory of WebAssembly where modules may have two, and a plain buffer otherwise, which
 * is fetched from more slowly.
 *
 * @throws RangeError when this machine has too little memory
 * @throws ReferenceError where threads share nothing
 */
export const share = (bytes: number): Source => {
  const found = machine()
  const pages = Math.ceil(bytes / pageBytes)
  if (found === undefined || pages > most || !found.validate(module)) return new SharedArrayBuffer(bytes)
  // `shared` makes the memory a SharedArrayBuffer.
  return new found.Memory({ initial: pages, maximum: pages, shared: true }) as SharedMemory
}

export const bufferOf = (source: Source): SharedArrayBuffer => ("buffer" in source ? source.buffer : source)

/** (to, from, bytes): copies `bytes` bytes at `from` in the source to `to` in the memory, which may grow in between. */
export const fetcher = (
  memory: Memory,
  source: Source,
): ((to: number, from: number, bytes: number) => void) => {
  const found = machine()
  if (!("buffer" in source) || found === undefined)
    return (to, from, bytes) =>
      new Uint8Array(memory.buffer, to, bytes).set(new Uint8Array(bufferOf(source), from, bytes))
  const { f } = new found.Instance(new found.Module(module), { m: { o: memory, d: source } }).exports
  return (to, from, bytes) => {
    f!(to, from, bytes)
  }
}
