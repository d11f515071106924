// Messages that are nearly right: changes of bytes, and of parts of plain data.
import * as fc from "fast-check"
import { odd } from "./corpus.ts"

/** Changes of bytes: some are other bytes, some are gone, some come twice, the length of the text is another. */
export const damage = fc.oneof(
  fc.tuple(fc.constant("flip" as const), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)),
  fc.tuple(fc.constant("cut" as const), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(40)),
  fc.tuple(fc.constant("twice" as const), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(40)),
  fc.tuple(fc.constant("length" as const), fc.constant(0), fc.nat(0xffffffff)),
)

export const damaged = (
  bytes: Uint8Array,
  [kind, share, by]: readonly ["flip" | "cut" | "twice" | "length", number, number],
): Uint8Array => {
  const at = Math.min(bytes.length - 1, Math.floor(share * bytes.length))
  const out = bytes.slice()
  switch (kind) {
    case "flip":
      out[at]! ^= by
      return out
    case "cut":
      return Uint8Array.of(...bytes.subarray(0, at), ...bytes.subarray(at + by))
    case "twice":
      return Uint8Array.of(...bytes.subarray(0, at + by), ...bytes.subarray(at))
    case "length":
      if (out.length >= 8) new DataView(out.buffer).setUint32(4, by, true)
      return out
  }
}

/** A part of a message: where it is, and what stands there instead. */
export const change = fc.tuple(
  fc.nat(1000),
  fc.oneof(
    fc.constantFrom<unknown>(
      null,
      -1,
      0.5,
      1e300,
      "",
      "x",
      [],
      {},
      true,
      "AAAA",
      [[]],
      "1/0",
      "__proto__",
      1e9,
    ),
    fc.constantFrom<unknown>(...odd.filter((one) => one.length < 100)),
    fc.jsonValue({ maxDepth: 2 }),
  ),
)

/** Every place of a value, as the names that lead there. */
export const places = (
  value: unknown,
  path: ReadonlyArray<string> = [],
): ReadonlyArray<ReadonlyArray<string>> => [
  path,
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, part]) => places(part, [...path, key]))
    : []),
]

export const replaced = (value: unknown, path: ReadonlyArray<string>, by: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return by
  if (Array.isArray(value))
    return value.map((part, k) => (String(k) === key ? replaced(part, rest, by) : part))
  return Object.fromEntries(
    Object.entries(value as object).map(([name, part]) => [
      name,
      name === key ? replaced(part, rest, by) : part,
    ]),
  )
}
