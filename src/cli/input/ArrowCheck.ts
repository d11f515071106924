/** A table of a flatbuffer: where its fields are, by their slots in the vtable (4, 6, 8, ...). */
interface FlatTable {
  readonly at: number
  readonly field: (slot: number) => number | undefined
}

const broken = (): never => {
  throw new RangeError("a list in its metadata is longer than the metadata")
}

/** How deep columns may nest. */
const deepest = 64

/**
 * Checks the metadata of an Arrow file or stream: every list that it announces lies within the file. A reader would otherwise
 * make lists of two thousand million entries of a broken file, and not come back.
 *
 * @throws RangeError for a list that does not
 */
export const check = (bytes: Uint8Array): void => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const inside = (at: number, size: number): boolean => at >= 0 && at + size <= bytes.length
  const int = (at: number): number => (inside(at, 4) ? view.getInt32(at, true) : broken())
  const table = (at: number): FlatTable => {
    const vtable = at - int(at)
    const size = inside(vtable, 2) ? view.getUint16(vtable, true) : broken()
    return {
      at,
      field: (slot) => {
        if (slot + 2 > size || !inside(vtable + slot, 2)) return undefined
        const offset = view.getUint16(vtable + slot, true)
        return offset === 0 ? undefined : at + offset
      },
    }
  }
  /** The places of the entries of a list. */
  const list = (at: number | undefined, stride: number): ReadonlyArray<number> => {
    if (at === undefined) return []
    const base = at + int(at)
    const length = int(base)
    if (length < 0 || !inside(base + 4, length * stride)) broken()
    return Array.from({ length }, (_, k) => base + 4 + k * stride)
  }
  const fields = (at: number | undefined, depth: number): void => {
    if (depth > deepest) broken()
    for (const place of list(at, 4)) {
      const one = table(place + int(place))
      list(one.field(16), 4)
      fields(one.field(14), depth + 1)
    }
  }
  const schema = (at: number): void => {
    const found = table(at)
    fields(found.field(6), 0)
    list(found.field(8), 4)
  }
  const batch = (at: number): void => {
    const found = table(at)
    list(found.field(6), 16)
    list(found.field(8), 16)
    list(found.field(12), 8)
  }
  /** Checks the message at a place and gives the next place; undefined behind the last. */
  const message = (start: number): number | undefined => {
    let at = start
    if (!inside(at, 4)) return undefined
    let length = int(at)
    at += 4
    if (length === -1) {
      length = int(at)
      at += 4
    }
    if (length <= 0) return undefined
    if (!inside(at, length)) broken()
    const found = table(at + int(at))
    const [kind, header, body] = [found.field(6), found.field(8), found.field(10)]
    if (kind !== undefined && header !== undefined && inside(kind, 1)) {
      const place = header + int(header)
      const type = view.getUint8(kind)
      if (type === 1) schema(place)
      if (type === 3) batch(place)
      const inner = type === 2 ? table(place).field(6) : undefined
      if (inner !== undefined) batch(inner + int(inner))
    }
    const size = body !== undefined && inside(body, 8) ? Number(view.getBigInt64(body, true)) : 0
    return size < 0 ? broken() : at + length + size
  }
  const letters = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 6))
  if (letters(0) !== "ARROW1") {
    for (let at = message(0); at !== undefined; at = message(at));
    return
  }
  if (bytes.length < 20 || letters(bytes.length - 6) !== "ARROW1")
    throw new RangeError(`its last bytes, after ${bytes.length} bytes, are not ARROW1`)
  const length = int(bytes.length - 10)
  const start = bytes.length - 10 - length
  if (length <= 0 || start < 8) broken()
  const footer = table(start + int(start))
  const own = footer.field(6)
  if (own !== undefined) schema(own + int(own))
  for (const slot of [8, 10])
    for (const place of list(footer.field(slot), 24)) {
      const offset = Number(view.getBigInt64(place, true))
      if (!inside(offset, 8)) broken()
      message(offset)
    }
}
