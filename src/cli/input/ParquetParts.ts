/** Unpacks a part of a file, of which the size is known. */
type Unpack = (input: Uint8Array, length: number) => Uint8Array

/**
 * The compressions of Parquet, each of which asks for the memory of what it unpacks.
 *
 * @param decompress of zstd
 * @param take asks for bytes; it throws where there are not as many
 */
export const unpackers = (
  compressors: Readonly<Record<string, Unpack>>,
  decompress: (input: Uint8Array, into: Uint8Array) => Uint8Array,
  take: (bytes: number) => void,
): Record<string, Unpack> =>
  Object.fromEntries(
    Object.entries<Unpack>({
      ...compressors,
      // The size is known: no more is unpacked.
      ZSTD: (input, length) => decompress(input, new Uint8Array(length)),
    }).map(([name, unpack]) => [
      name,
      (input, length) => {
        take(length)
        return unpack(input, length)
      },
    ]),
  )

/** The names of the columns: the children of the root, of which some have children of their own. */
export const topLevel = (
  schema: ReadonlyArray<{ readonly name: string; readonly num_children?: number | undefined }>,
): ReadonlyArray<string> => {
  const names: Array<string> = []
  let at = 1
  const skip = (): void => {
    const children = schema[at++]?.num_children ?? 0
    for (let k = 0; k < children && at < schema.length; k++) skip()
  }
  while (at < schema.length) {
    names.push(schema[at]!.name)
    skip()
  }
  return names
}
