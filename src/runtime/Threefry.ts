/**
 * Threefry-2x32-20 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC 2011), the block
 * function of JAX's default generator: a bijection of 64-bit counters, one for each 64-bit key.
 *
 * Only 32-bit integer additions, xors and rotations are used, so that the words are the same on every engine.
 */

/** The two output words of the latest {@link threefry} call. One buffer for all, because fills must not allocate. */
export const words = new Uint32Array(2)

/**
 * Encrypts the counter (`c0`, `c1`) with the key (`k0`, `k1`); all four are read as uint32. The result is left in
 * {@link words}, to be read before the next call.
 */
export const threefry = (k0: number, k1: number, c0: number, c1: number): void => {
  // The parity word of the Threefish key schedule.
  const k2 = k0 ^ k1 ^ 0x1bd11bda
  let x = (c0 + k0) | 0
  let y = (c1 + k1) | 0
  // Written out rather than looped over a table of rotations: four times faster in V8.
  x = (x + y) | 0
  y = ((y << 13) | (y >>> 19)) ^ x
  x = (x + y) | 0
  y = ((y << 15) | (y >>> 17)) ^ x
  x = (x + y) | 0
  y = ((y << 26) | (y >>> 6)) ^ x
  x = (x + y) | 0
  y = ((y << 6) | (y >>> 26)) ^ x
  x = (x + k1) | 0
  y = (y + k2 + 1) | 0
  x = (x + y) | 0
  y = ((y << 17) | (y >>> 15)) ^ x
  x = (x + y) | 0
  y = ((y << 29) | (y >>> 3)) ^ x
  x = (x + y) | 0
  y = ((y << 16) | (y >>> 16)) ^ x
  x = (x + y) | 0
  y = ((y << 24) | (y >>> 8)) ^ x
  x = (x + k2) | 0
  y = (y + k0 + 2) | 0
  x = (x + y) | 0
  y = ((y << 13) | (y >>> 19)) ^ x
  x = (x + y) | 0
  y = ((y << 15) | (y >>> 17)) ^ x
  x = (x + y) | 0
  y = ((y << 26) | (y >>> 6)) ^ x
  x = (x + y) | 0
  y = ((y << 6) | (y >>> 26)) ^ x
  x = (x + k0) | 0
  y = (y + k1 + 3) | 0
  x = (x + y) | 0
  y = ((y << 17) | (y >>> 15)) ^ x
  x = (x + y) | 0
  y = ((y << 29) | (y >>> 3)) ^ x
  x = (x + y) | 0
  y = ((y << 16) | (y >>> 16)) ^ x
  x = (x + y) | 0
  y = ((y << 24) | (y >>> 8)) ^ x
  x = (x + k1) | 0
  y = (y + k2 + 4) | 0
  x = (x + y) | 0
  y = ((y << 13) | (y >>> 19)) ^ x
  x = (x + y) | 0
  y = ((y << 15) | (y >>> 17)) ^ x
  x = (x + y) | 0
  y = ((y << 26) | (y >>> 6)) ^ x
  x = (x + y) | 0
  y = ((y << 6) | (y >>> 26)) ^ x
  words[0] = x + k2
  words[1] = y + k0 + 5
}
