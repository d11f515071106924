// Inner products by plain loops in float64: the kernel that the closed forms of hard trees are tested on.
import { largest } from "../../src/evidence/columns.ts"
import { FIRST, type Kernel } from "../../src/search/kernel/Kernel.ts"

export interface CountingKernel extends Kernel {
  /** how often columns were asked for */
  readonly calls: () => number
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/** The node `id` stands for `columns[id]`. */
export const make = (
  columns: ReadonlyArray<ArrayLike<number>>,
  y: ArrayLike<number>,
  capacity = 3,
): CountingKernel => {
  let held: ReadonlyArray<number> = []
  let calls = 0
  const ones = new Float64Array(y.length).fill(1)
  return {
    rows: y.length,
    target: { sum: dot(y, ones), square: dot(y, y) },
    capacity,
    hold: (ids) => {
      if (ids.length > capacity) throw new RangeError("too many columns to hold")
      calls++
      held = Array.from(ids)
    },
    held: () => held.length,
    moments: (ids, out) => {
      calls++
      Array.from(ids).forEach((id, i) => {
        const t = columns[id]!
        const faults = Array.from(t).filter((value) => !(Math.abs(value) < largest)).length
        const row = [dot(t, t), dot(t, y), dot(t, ones), faults, ...held.map((u) => dot(t, columns[u]!))]
        out.set(row, i * (FIRST + held.length))
      })
    },
    calls: () => calls,
  }
}
