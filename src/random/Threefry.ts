/**
 * Threefry-2x32-20 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC 2011), the block
 * function of JAX's default generator: a bijection of 64-bit counters, one for each 64-bit key.
 *
 * Only 32-bit integer additions, xors and rotations are used, so that the words are the same on every engine.
 */

/**
 * Where {@link threefry} leaves its words unless told otherwise, to be read before the next call. One buffer for all,
 * because draws must not allocate.
 */
export const words = new Uint32Array(4)

/**
 * Encrypts the counters (`c0`, `c1`), (`c0` + 1 modulo 2^32, `c1`), ... with the key (`k0`, `k1`); all four are read as
 * uint32. Each gives two words.
 *
 * @param length how many words to write to `out`: rounded up to a multiple of four, which `out` has to hold
 */
export const threefry = (
  k0: number,
  k1: number,
  c0: number,
  c1: number,
  out: Uint32Array = words,
  length: number = out.length,
): void => {
  // As int32, or V8 computes with doubles in the loop and takes twice as long.
  const [a, b] = [k0 | 0, k1 | 0]
  // The parity word of the Threefish key schedule.
  const c = a ^ b ^ 0x1bd11bda
  for (let i = 0; i < length; i += 4) {
    let x = (c0 + (i >> 1) + a) | 0
    let y = (c1 + b) | 0
    let v = (x + 1) | 0
    let w = y
    // Written out rather than looped over a table of rotations: four times faster in V8. Two counters side by side,
    // because one is a chain of instructions that wait for each other: two take little longer.
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 13) | (y >>> 19)) ^ x
    w = ((w << 13) | (w >>> 19)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 15) | (y >>> 17)) ^ x
    w = ((w << 15) | (w >>> 17)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 26) | (y >>> 6)) ^ x
    w = ((w << 26) | (w >>> 6)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 6) | (y >>> 26)) ^ x
    w = ((w << 6) | (w >>> 26)) ^ v
    x = (x + b) | 0
    v = (v + b) | 0
    y = (y + c + 1) | 0
    w = (w + c + 1) | 0
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 17) | (y >>> 15)) ^ x
    w = ((w << 17) | (w >>> 15)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 29) | (y >>> 3)) ^ x
    w = ((w << 29) | (w >>> 3)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 16) | (y >>> 16)) ^ x
    w = ((w << 16) | (w >>> 16)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 24) | (y >>> 8)) ^ x
    w = ((w << 24) | (w >>> 8)) ^ v
    x = (x + c) | 0
    v = (v + c) | 0
    y = (y + a + 2) | 0
    w = (w + a + 2) | 0
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 13) | (y >>> 19)) ^ x
    w = ((w << 13) | (w >>> 19)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 15) | (y >>> 17)) ^ x
    w = ((w << 15) | (w >>> 17)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 26) | (y >>> 6)) ^ x
    w = ((w << 26) | (w >>> 6)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 6) | (y >>> 26)) ^ x
    w = ((w << 6) | (w >>> 26)) ^ v
    x = (x + a) | 0
    v = (v + a) | 0
    y = (y + b + 3) | 0
    w = (w + b + 3) | 0
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 17) | (y >>> 15)) ^ x
    w = ((w << 17) | (w >>> 15)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 29) | (y >>> 3)) ^ x
    w = ((w << 29) | (w >>> 3)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 16) | (y >>> 16)) ^ x
    w = ((w << 16) | (w >>> 16)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 24) | (y >>> 8)) ^ x
    w = ((w << 24) | (w >>> 8)) ^ v
    x = (x + b) | 0
    v = (v + b) | 0
    y = (y + c + 4) | 0
    w = (w + c + 4) | 0
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 13) | (y >>> 19)) ^ x
    w = ((w << 13) | (w >>> 19)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 15) | (y >>> 17)) ^ x
    w = ((w << 15) | (w >>> 17)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 26) | (y >>> 6)) ^ x
    w = ((w << 26) | (w >>> 6)) ^ v
    x = (x + y) | 0
    v = (v + w) | 0
    y = ((y << 6) | (y >>> 26)) ^ x
    w = ((w << 6) | (w >>> 26)) ^ v
    out[i] = x + c
    out[i + 1] = y + a + 5
    out[i + 2] = v + c
    out[i + 3] = w + a + 5
  }
}
