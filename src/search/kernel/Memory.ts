import * as SharedColumns from "../../wasm/SharedColumns.ts"
import { fetcher } from "../../wasm/Fetch.ts"
import * as Machine from "../../wasm/Machine.ts"
import * as Loops from "./Loops.ts"

/** How much memory an evaluator takes beside the data, and how it is divided. */
export interface Room {
  /** Bytes for columns, cached and held: 64 MiB by default. */
  readonly capacity?: number | undefined
  /** Rows that are evaluated at a time, a multiple of 8: 512 by default. */
  readonly block?: number | undefined
}

/** The memory of an evaluator: addresses in bytes, all of them aligned to a vector. */
export interface Memory {
  readonly rows: number
  /** rows evaluated at a time */
  readonly block: number
  /** the size of it all */
  readonly bytes: number
  /** each terminal as an operand: the address of its column, plus 1 (see `Code.instruction`), or of a block */
  readonly terminals: Int32Array
  /** the column that is fetched into the block of a terminal: the address of the shared column, plus 1; 0 for others */
  readonly shared: Int32Array
  /** The columns held: `apart` bytes from one to the next. */
  readonly held: number
  readonly apart: number
  readonly mostHeld: number
  /** Slot s of a batch has a block at `blocks` + (s - 1) `blockBytes`; the rest are for nodes that are used once. */
  readonly blocks: number
  readonly blockBytes: number
  readonly mostBlocks: number
  readonly once: number
  readonly mostOnce: number
  /** Slot s of the cache has its column at `columns` + (s - 1) `columnBytes`. */
  readonly columns: number
  readonly columnBytes: number
  readonly mostColumns: number
  readonly moments: Float64Array
  readonly momentsAt: number
  /** instructions of a batch */
  readonly code: Int32Array
  /** the addresses of the shifts of the columns held: 8 bytes from one to the next */
  readonly shiftsAt: number
  /** The columns held, as they lie in memory: [mostHeld, apart / 8] */
  readonly heldValues: Float64Array
  /** Writes the column of a terminal, of length n. @throws RangeError when it is shared */
  readonly fill: (terminal: number, values: Float64Array) => void
  /** `Code.run` over the first `length` int32 of `code` */
  readonly run: (length: number) => void
}

/** The most that a memory with signed addresses may have. */
const most = 2 ** 31

/** Instructions of a batch, blocks that last for a batch, and blocks for operands that are used once: one a level. */
const codeLength = 2 ** 17
const mostBlocks = 128
const mostOnce = 256
const momentsLength = 2 ** 16
/** As many columns are held as fit into a quarter of the capacity, but no more than this. */
const heldAtMost = 128

/**
 * Lays a memory out and fills in the data, but for those that threads share (`SharedColumns`).
 *
 * @param binary a module as `Code.assemble` makes it
 * @param terminals the terminals' columns, each of the length of y
 * @param y the response, by which shared data are known
 * @param least the least number of columns that can be held
 * @throws RangeError when the data do not fit into 2 GiB
 */
export const make = (
  binary: Uint8Array<ArrayBuffer>,
  terminals: ReadonlyArray<Float64Array>,
  y: Float64Array,
  least: number,
  { capacity = 2 ** 26, block: wanted = 256 }: Room,
): Memory => {
  const rows = y.length
  const columnBytes = Math.max(1, Math.ceil((8 * rows) / Loops.round)) * Loops.round
  const apart = columnBytes
  // Blocks of equal size, so that none is short.
  const block = Math.ceil(rows / Math.max(1, Math.ceil(rows / wanted)) / 8) * 8 || 8
  const blockBytes = 8 * block
  const mostHeld = Math.max(least, 1, Math.min(heldAtMost, Math.floor(capacity / 4 / apart)))
  const mostColumns = Math.max(0, Math.floor((capacity - mostHeld * apart) / columnBytes))

  let end = Loops.reserved
  const take = (bytes: number): number => {
    const at = end
    end += Math.ceil(bytes / 64) * 64
    return at
  }
  const codeAt = take(4 * codeLength)
  const momentsAt = take(8 * momentsLength)
  const data = SharedColumns.find(terminals, y)
  const far = terminals.map((_, terminal) => data?.doubles[terminal])
  const places = far.map((from) => take(from === undefined ? columnBytes : blockBytes))
  const held = take(mostHeld * apart)
  const shiftsAt = take(8 * mostHeld)
  const blocks = take(mostBlocks * blockBytes)
  const once = take(mostOnce * blockBytes)
  const columns = take(mostColumns * columnBytes)
  if (end > most) throw new RangeError(`hard trees over ${rows} rows need ${end} bytes, of at most ${most}`)

  const { memory, call } = Machine.instantiate(binary, end, {
    // Code over shared data asks for it; an address is unsigned.
    fetch: (to, from, bytes) => fetch?.(to, from >>> 0, bytes),
  })
  const fetch = data && fetcher(memory, data.source)
  const { buffer } = memory
  const mask = new Int32Array(buffer, Loops.masks, Loops.maskBytes / 4)
  for (let keep = 0; keep < 4; keep++) mask.fill(-1, 8 * keep, 10 * keep)
  const fill = (terminal: number, values: Float64Array): void => {
    if (far[terminal] !== undefined)
      throw new RangeError(`terminal ${terminal} is shared between threads and keeps its values`)
    const column = new Float64Array(buffer, places[terminal], columnBytes / 8)
    column.set(values)
    // What lies behind the last row is computed along: ordinary values are the quickest.
    column.fill(values[rows - 1] ?? 0, rows)
  }
  terminals.forEach((values, terminal) => {
    if (far[terminal] === undefined) fill(terminal, values)
  })
  return {
    rows,
    block,
    bytes: end,
    terminals: Int32Array.from(places, (at, terminal) => (far[terminal] === undefined ? at + 1 : at)),
    shared: Int32Array.from(far, (from) => (from === undefined ? 0 : from + 1)),
    held,
    apart,
    mostHeld,
    shiftsAt,
    blocks,
    blockBytes,
    mostBlocks,
    once,
    mostOnce,
    columns,
    columnBytes,
    mostColumns,
    moments: new Float64Array(buffer, momentsAt, momentsLength),
    momentsAt,
    code: new Int32Array(buffer, codeAt, codeLength),
    heldValues: new Float64Array(buffer, held, (mostHeld * apart) / 8),
    fill,
    run: (length) => call("run", codeAt, codeAt + 4 * length, rows, block, apart),
  }
}
