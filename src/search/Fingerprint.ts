import { FAULTS, FIRST, SHIFT, SQUARE } from "./kernel/Kernel.ts"
import type { SearchSpace } from "./SearchSpace.ts"
import * as Real from "../numeric/Real.ts"

/** The most expressions that are looked at at a time. */
export const batch = 2048

/** Numbers of a fingerprint that differ by more than about 1 / `levels` are different. */
const levels = 2 ** 22

/** The rounding of values, as a share of their magnitude: columns that vary by less are constants. */
const roundingOfValues = 2 ** -48

/** 53 bits of three whole numbers. */
const hash = (a: number, b: number, c: number): number => {
  let [h, g] = [0x9e3779b1, 0x85ebca6b]
  for (const part of [a, b, c]) {
    h = Math.imul(h ^ part, 0x2c1b3c6d)
    h ^= h >>> 15
    g = Math.imul(g ^ part, 0x297a2d39)
    g = (g ^ (g >>> 13)) + h
  }
  return (h >>> 11) * 2 ** 32 + (g >>> 0)
}

/** Tells expressions apart by their values on the data. */
export interface Fingerprint {
  /**
   * Evaluates expressions, `batch` at most.
   *
   * @param each is told of those with values that did not come before, in order; false ends it
   */
  readonly fresh: (ids: Int32Array, each: (id: number) => boolean) => void
}

/** @param values fingerprints of values that came before: it adds those that come */
export const make = (
  { kernel, attributes, one, witness, rows }: SearchSpace,
  values: Set<number> = new Set(),
): Fingerprint => {
  const width = FIRST + 2
  const table = new Float64Array(batch * width)
  const noise = kernel.column(witness)
  const total = noise.reduce((sum, value) => sum + value, 0)
  return {
    fresh: (ids, each) => {
      attributes.update()
      kernel.weigh(one)
      kernel.hold([one, witness])
      kernel.moments(ids, table)
      for (let i = 0; i < ids.length; i++) {
        const at = i * width
        if (table[at + FAULTS] !== 0) continue
        const offset = table[at + FIRST]! / rows
        const shift = table[at + SHIFT]! + offset
        const variance = table[at + SQUARE]! / rows - offset * offset
        const varies = variance > (roundingOfValues * shift) ** 2
        if (!varies && shift === 0) continue
        const spread = Math.sqrt(variance)
        const value = varies
          ? hash(
              Math.round(levels * Real.log(spread)),
              Math.round(levels * Real.asinh(shift / spread)),
              Math.round((levels * (table[at + FIRST + 1]! - offset * total)) / (spread * rows)),
            )
          : hash(Math.round(levels * Real.log(Math.abs(shift))), Math.sign(shift), 0)
        if (values.has(value)) continue
        values.add(value)
        if (!each(ids[i]!)) return
      }
    },
  }
}
