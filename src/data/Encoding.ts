/** The encodings of texts that may be asked for. */
export const names = ["utf-8", "windows-1252", "utf-16le"] as const

export type Encoding = (typeof names)[number]

/** The characters of 0x80 to 0x9f in windows-1252 (WHATWG's Encoding Standard, index-windows-1252); those that have none stay. */
const high =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178"

/** What the first bytes of a text say of its encoding. */
const marks: ReadonlyArray<readonly [ReadonlyArray<number>, string]> = [
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
  [[0xef, 0xbb, 0xbf], "utf-8"],
]

/** The encoding that a byte order mark says; undefined without one. */
export const marked = (bytes: Uint8Array): string | undefined =>
  marks.find(([prefix]) => prefix.every((byte, index) => bytes[index] === byte))?.[1]

/**
 * The text of bytes.
 *
 * @param encoding `utf-16be`, too, where a mark says so
 * @throws TypeError for bytes that are none of the encoding; RangeError or Error for a text that is too long
 */
export const decode = (bytes: Uint8Array, encoding: Encoding | "utf-16be"): string => {
  const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  // Some versions of Node read windows-1252 as Latin-1.
  return encoding === "windows-1252"
    ? text.replaceAll(/[\u0080-\u009f]/g, (character) => high[character.charCodeAt(0) - 0x80]!)
    : text
}
