import { add } from "../../../wasm/Parts.ts"
import type { Shared } from "../../../wasm/SharedColumns.ts"
import { type Expr, i32, load, type Local, local, op } from "../../../wasm/Expr.ts"
import { fetcher } from "../../../wasm/Fetch.ts"
import { call, host, set, type Statement, store, when } from "../../../wasm/Func.ts"
import type { Memory } from "../../../wasm/Machine.ts"

/**
 * A stretch of rows of shared data in a kernel's own memory: modules with a second memory are slower than copying a
 * stretch at a time. Stretches begin at multiples of their length, so that data no longer than one are fetched once.
 */
export interface Window {
  /** bytes from the column of one terminal to that of the next */
  readonly apart: number
  /** bytes of the whole window */
  readonly total: number
  /**
   * Fetches the stretch with a row if it is not in the window, and sets the addresses of the row and of its target.
   *
   * @param base the window's address
   * @param row four times the number of the row, from 0
   */
  readonly show: (
    base: Expr<"i32">,
    row: Expr<"i32">,
    x: Local<"i32">,
    y: Local<"i32">,
  ) => ReadonlyArray<Statement>
  /**
   * Prepares the window at an address of a kernel's new memory.
   *
   * @returns the host function that fetches a stretch
   */
  readonly open: (memory: Memory, base: number) => (start: number) => void
}

/** The largest number of bytes of a window, unless a block is longer: they stay in a second-level cache. */
const most = 2 ** 18

/** The host function that fetches the stretch which begins at a row: it takes four times the row's number. */
const turn = host("turn", [local("i32", "start")], undefined)

/** Bytes from the beginning of a window to the targets; before them is the number of its first row, times four. */
const targets = 64

/**
 * @param terminals one column for each terminal; a column that is not shared has one value in all rows
 * @param rows n
 * @param block the rows of a block: none begins in one stretch and ends in the next
 */
export const make = (
  { source, columns, y: target, rows: end }: Shared,
  terminals: ReadonlyArray<Float64Array>,
  rows: number,
  block: number,
): Window => {
  const p = terminals.length
  const length =
    block * Math.max(1, Math.min(Math.floor(most / (block * (4 * p + 8))), Math.ceil(rows / block)))
  // Columns that are a power of two from each other would meet in the same lines of a cache.
  const apart = Math.ceil((4 * length) / 64) * 64 + 64
  const first = targets + 2 * apart
  return {
    apart,
    total: first + p * apart,
    show: (base, row, x, y) => {
      const within = op("i32.rem_u", row, i32(4 * length))
      const start = op("i32.sub", row, within)
      return [
        when(op("i32.ne", load("i32.load", base), start), [
          call(turn, start),
          store("i32.store", base, start),
        ]),
        set(x, add(add(base, first), within)),
        set(y, add(add(base, targets), op("i32.shl", within, i32(1)))),
      ]
    },
    open: (memory, base) => {
      columns.forEach((column, m) => {
        if (column === undefined)
          new Float32Array(memory.buffer, base + first + m * apart, length).fill(terminals[m]![0]!)
      })
      // No stretch begins here.
      new Int32Array(memory.buffer, base, 1)[0] = -1
      const fetch = fetcher(memory, source)
      return (start) => {
        const bytes = Math.min(4 * length, 4 * end - start)
        fetch(base + targets, target + 2 * start, 2 * bytes)
        columns.forEach((column, m) => {
          if (column !== undefined) fetch(base + first + m * apart, column + start, bytes)
        })
      }
    },
  }
}
