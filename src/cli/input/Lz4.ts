const broken = (): never => {
  throw new RangeError("its LZ4 data are broken or cut off")
}

/** Unpacks a block into `out` from `at` on, and gives the end. Matches may reach back into blocks before. */
const block = (bytes: Uint8Array, out: Uint8Array, at: number): number => {
  let i = 0
  let end = at
  const more = (length: number): number => {
    if (length < 15) return length
    let sum = length
    let byte = 255
    while (byte === 255) {
      byte = bytes[i++] ?? broken()
      sum += byte
    }
    return sum
  }
  while (i < bytes.length) {
    const token = bytes[i++]!
    const literals = more(token >> 4)
    if (i + literals > bytes.length || end + literals > out.length) broken()
    out.set(bytes.subarray(i, i + literals), end)
    i += literals
    end += literals
    // The last sequence has literals only.
    if (i === bytes.length) return end
    const distance = (bytes[i] ?? broken()) | ((bytes[i + 1] ?? broken()) << 8)
    i += 2
    const length = more(token & 15) + 4
    if (distance === 0 || distance > end || end + length > out.length) broken()
    // A match may overlap itself.
    for (let k = 0; k < length; k++) out[end + k] = out[end + k - distance]!
    end += length
  }
  return end
}

/**
 * The content of an LZ4 frame, which is how Arrow packs its buffers. Checksums are passed over.
 *
 * @param size the bytes of the content
 * @throws RangeError for broken data
 */
export const frame = (bytes: Uint8Array, size: number): Uint8Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 7 || view.getUint32(0, true) !== 0x184d2204) broken()
  const flags = bytes[4]!
  const [checksums, sized, dictionary] = [flags & 16, flags & 8, flags & 1]
  if (dictionary) broken()
  const out = new Uint8Array(size)
  let at = 7 + (sized ? 8 : 0)
  let end = 0
  while (at + 4 <= bytes.length) {
    const word = view.getUint32(at, true)
    at += 4
    if (word === 0) return end === size ? out : broken()
    const length = word & 0x7fffffff
    if (at + length > bytes.length) broken()
    const part = bytes.subarray(at, at + length)
    if (word >>> 31) {
      if (end + length > size) broken()
      out.set(part, end)
      end += length
    } else end = block(part, out, end)
    at += length + (checksums ? 4 : 0)
  }
  return broken()
}
