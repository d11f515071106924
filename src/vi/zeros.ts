/** The length of a block in float64: 256 KiB. */
const blockLength = 32_768

let room = new Float64Array(0)
let used = 0

/**
 * A new array of zeros. Short ones are cut from larger ones: each step of a fit makes a few, and a buffer for each
 * would cost the garbage collector more than the step's arithmetic costs the processor. A reference to one array keeps
 * its whole block in memory.
 */
export const zeros = (length: number): Float64Array => {
  if (8 * length > blockLength) return new Float64Array(length)
  if (used + length > room.length) {
    room = new Float64Array(blockLength)
    used = 0
  }
  used += length
  return room.subarray(used - length, used)
}
