/** How many float64 a slab has: 256 KiB. */
const slab = 32_768

let room = new Float64Array(0)
let used = 0

/**
 * An array of zeros of its own. Short ones are cut from larger ones: each step of a fit makes a few, and a buffer for
 * each would cost the garbage collector more than the step's arithmetic costs the processor. Whoever keeps one keeps
 * 256 KiB.
 */
export const zeros = (length: number): Float64Array => {
  if (8 * length > slab) return new Float64Array(length)
  if (used + length > room.length) {
    room = new Float64Array(slab)
    used = 0
  }
  used += length
  return room.subarray(used - length, used)
}
