import * as Schema from "effect/Schema"

/**
 * States of algorithms as bytes: plain data, written in one pass, with every bit of every number. Numbers inside of arrays
 * and records are float64; typed arrays keep their type. An object that occurs twice is one object again when it is read.
 *
 * Layout: the four bytes "vsc1", the length of a JSON text (uint32, little endian), the text, padding to 8 bytes, then the
 * numbers and typed arrays that the text refers to, each at a multiple of 8 bytes.
 */

/** Bytes that are no checkpoint, or a state that is not plain data. The message names the place. */
export class CheckpointError extends Schema.TaggedError<CheckpointError>()("CheckpointError", {
  message: Schema.String,
}) {}

const magic = 0x31637376 // "vsc1"

const arrays = {
  Float64Array,
  Float32Array,
  Int32Array,
  Uint32Array,
  Int16Array,
  Uint16Array,
  Int8Array,
  Uint8Array,
} as const
type ArrayName = keyof typeof arrays
type TypedArray = InstanceType<(typeof arrays)[ArrayName]>

const names = new Map<unknown, ArrayName>(
  // The keys of the table are its names.
  (Object.keys(arrays) as ReadonlyArray<ArrayName>).map((name) => [arrays[name], name]),
)

/** A value as JSON; everything but strings, booleans and safe integers is a tagged tuple. */
type Encoded =
  | string
  | number
  | boolean
  | readonly ["undefined"]
  | readonly ["null"]
  | readonly ["number", number]
  | readonly ["typed", ArrayName, number, number]
  | readonly ["numbers", number, number]
  | readonly ["array", ReadonlyArray<Encoded>]
  | readonly ["set", ReadonlyArray<Encoded>]
  | readonly ["map", ReadonlyArray<readonly [Encoded, Encoded]>]
  | readonly ["record", ReadonlyArray<readonly [string, Encoded]>]
  | readonly ["again", number]

const isTyped = (value: object): value is TypedArray => names.has(value.constructor)
/** Whether JSON represents an integer exactly; it does not represent -0. */
const isPlainInteger = (value: number): boolean => Number.isSafeInteger(value) && !Object.is(value, -0)

const fail = (message: string): never => {
  throw new CheckpointError({ message })
}

/** Collects the numbers that the text refers to. */
const writer = () => {
  const parts: Array<{ readonly at: number; readonly bytes: Uint8Array }> = []
  let length = 0
  return {
    parts,
    length: () => length,
    /** @returns the offset of the bytes */
    put: (bytes: Uint8Array): number => {
      const at = length
      parts.push({ at, bytes })
      length += Math.ceil(bytes.length / 8) * 8
      return at
    },
  }
}

const bytesOf = (array: TypedArray): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).slice()

/**
 * A state as bytes. Equal states have equal bytes; the order of sets, maps and records counts.
 *
 * @throws CheckpointError when the state holds a function, a symbol or an instance of a class, naming its place
 */
export const write = (state: unknown): Uint8Array => {
  const numbers = writer()
  const known = new Map<object, number>()
  const encode = (value: unknown, place: string): Encoded => {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value
      case "number":
        return isPlainInteger(value) ? value : ["number", numbers.put(bytesOf(Float64Array.of(value)))]
      case "undefined":
        return ["undefined"]
      case "object":
        break
      default:
        return fail(`the state has a ${typeof value} at ${place}; a state is plain data`)
    }
    if (value === null) return ["null"]
    const before = known.get(value)
    if (before !== undefined) return ["again", before]
    known.set(value, known.size)
    if (isTyped(value)) {
      const name = names.get(value.constructor)
      // `isTyped` has checked that there is a name.
      return ["typed", name!, numbers.put(bytesOf(value)), value.length]
    }
    if (Array.isArray(value)) {
      const elements: ReadonlyArray<unknown> = value
      if (elements.length > 8 && elements.every((element) => typeof element === "number"))
        return ["numbers", numbers.put(bytesOf(Float64Array.from(elements))), elements.length]
      return ["array", elements.map((element, i) => encode(element, `${place}[${i}]`))]
    }
    if (value instanceof Set)
      return ["set", [...value].map((element, i) => encode(element, `${place}{${i}}`))]
    if (value instanceof Map)
      return [
        "map",
        [...value].map(
          ([key, element], i) => [encode(key, `${place}{${i}}`), encode(element, `${place}{${i}}`)] as const,
        ),
      ]
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null)
      return fail(`the state has an instance of ${value.constructor.name} at ${place}; a state is plain data`)
    return [
      "record",
      Object.entries(value).map(([key, element]) => [key, encode(element, `${place}.${key}`)] as const),
    ]
  }
  const text = new TextEncoder().encode(JSON.stringify(encode(state, "the state")))
  const start = Math.ceil((8 + text.length) / 8) * 8
  const out = new Uint8Array(start + numbers.length())
  const view = new DataView(out.buffer)
  view.setUint32(0, magic, true)
  view.setUint32(4, text.length, true)
  out.set(text, 8)
  for (const { at, bytes } of numbers.parts) out.set(bytes, start + at)
  return out
}

/**
 * The state that `write` wrote. The caller states its type, which is not checked.
 *
 * @throws CheckpointError when the bytes are no checkpoint, or are cut off
 */
export const read = <State>(bytes: Uint8Array): State => {
  if (bytes.length < 8) return fail("these bytes are no checkpoint: they are too few")
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== magic)
    return fail('these bytes are no checkpoint: they do not begin with "vsc1"')
  const length = view.getUint32(4, true)
  const start = Math.ceil((8 + length) / 8) * 8
  if (start > bytes.length) return fail("the checkpoint is cut off")
  const slice = (at: number, size: number): ArrayBuffer => {
    // In damaged bytes they may be anything.
    if (!(Number.isSafeInteger(at) && at >= 0 && Number.isSafeInteger(size) && size >= 0))
      return fail("the checkpoint is damaged: a place or a length is no whole number")
    if (start + at + size > bytes.length) return fail("the checkpoint is cut off")
    return Uint8Array.from(bytes.subarray(start + at, start + at + size)).buffer
  }
  let text: string
  let encoded: Encoded
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(8, 8 + length))
    // `write` wrote the text, unless the bytes are damaged; `decode` refuses unknown tags.
    encoded = JSON.parse(text) as Encoded
  } catch {
    // What the parser says has the damaged text in it.
    return fail("the checkpoint is damaged: its text cannot be read")
  }
  const known: Array<unknown> = []
  const decode = (value: Encoded): unknown => {
    if (typeof value !== "object") return value
    switch (value[0]) {
      case "undefined":
        return undefined
      case "null":
        return null
      case "number":
        return new Float64Array(slice(value[1], 8))[0]
      case "again":
        if (!(Number.isSafeInteger(value[1]) && value[1] >= 0 && value[1] < known.length))
          return fail(`the checkpoint is damaged: it refers to object ${value[1]} of ${known.length}`)
        return known[value[1]]
      case "typed": {
        const [, name, at, count] = value
        // In damaged bytes the name may be any text.
        const make: (typeof arrays)[ArrayName] | undefined = arrays[name]
        if (make === undefined) return fail(`the checkpoint is damaged: there are no arrays of type ${name}`)
        const made = new make(slice(at, count * make.BYTES_PER_ELEMENT))
        known.push(made)
        return made
      }
      case "numbers": {
        const made = Array.from(new Float64Array(slice(value[1], 8 * value[2])))
        known.push(made)
        return made
      }
      case "array": {
        const made: Array<unknown> = []
        known.push(made)
        for (const element of value[1]) made.push(decode(element))
        return made
      }
      case "set": {
        const made = new Set<unknown>()
        known.push(made)
        for (const element of value[1]) made.add(decode(element))
        return made
      }
      case "map": {
        const made = new Map<unknown, unknown>()
        known.push(made)
        for (const [key, element] of value[1]) made.set(decode(key), decode(element))
        return made
      }
      case "record": {
        const made: Record<string, unknown> = {}
        known.push(made)
        // Assignment would treat "__proto__" as the prototype, not as a key.
        for (const [key, element] of value[1])
          Object.defineProperty(made, key, {
            value: decode(element),
            enumerable: true,
            configurable: true,
            writable: true,
          })
        return made
      }
    }
    return fail(`the checkpoint is damaged: it has a value of the unknown kind ${String(value[0])}`)
  }
  try {
    // The caller states that these bytes are those of a State.
    return decode(encoded) as State
  } catch (cause) {
    if (cause instanceof CheckpointError) throw cause
    // The text has a shape that `write` does not give: a length that is not a number, or a list that is not an array.
    return fail(`the checkpoint is damaged: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/**
 * A deep copy of a state.
 *
 * *When to use*: to keep a state of a running fit, since a step may write into the arrays of the state that it is given.
 */
export const copy = <State>(state: State): State => read(write(state))
