import * as Effect from "effect/Effect"
import { DataError } from "../errors/Errors.ts"
import * as Builder from "./Builder.ts"
import * as Csv from "./Csv.ts"
import * as Frame from "./Frame.ts"
import * as Literal from "./PythonLiteral.ts"

/** Reads the value at a byte. */
type Read = (view: DataView, at: number) => unknown

const half = (bits: number): number => {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023]
  const sign = bits & 0x8000 ? -1 : 1
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

/** Characters up to the first zero. */
const characters = (codes: ReadonlyArray<number>): string => {
  const end = codes.indexOf(0)
  return codes
    .slice(0, end < 0 ? undefined : end)
    .map((code) => (code > 0x10ffff ? "\uFFFD" : String.fromCodePoint(code)))
    .join("")
}

/** The reader of a type such as `<f8`, and its bytes; undefined for other types. */
const typed = (text: string): { readonly size: number; readonly read: Read } | undefined => {
  const [, order, kind, digits] = /^([<>|=])([fiubSU])(\d{1,6})$/.exec(text) ?? []
  const little = order !== ">"
  const size = Number(digits)
  const of = (read: Read) => ({ size, read })
  switch (`${kind}${size}`) {
    case "f8":
      return of((view, at) => view.getFloat64(at, little))
    case "f4":
      return of((view, at) => view.getFloat32(at, little))
    case "f2":
      return of((view, at) => half(view.getUint16(at, little)))
    case "i8":
      return of((view, at) => view.getBigInt64(at, little))
    case "u8":
      return of((view, at) => view.getBigUint64(at, little))
    case "i4":
      return of((view, at) => view.getInt32(at, little))
    case "u4":
      return of((view, at) => view.getUint32(at, little))
    case "i2":
      return of((view, at) => view.getInt16(at, little))
    case "u2":
      return of((view, at) => view.getUint16(at, little))
    case "i1":
      return of((view, at) => view.getInt8(at))
    case "u1":
      return of((view, at) => view.getUint8(at))
    case "b1":
      return of((view, at) => view.getUint8(at) !== 0)
  }
  const list = (view: DataView, at: number, width: number): ReadonlyArray<number> =>
    Array.from({ length: size }, (_, k) =>
      width === 1 ? view.getUint8(at + k) : view.getUint32(at + 4 * k, little),
    )
  if (kind === "S") return of((view, at) => characters(list(view, at, 1)))
  if (kind === "U") return { size: 4 * size, read: (view, at) => characters(list(view, at, 4)) }
  return undefined
}

const fail = (message: string): Effect.Effect<never, DataError> => Effect.fail(new DataError({ message }))

/** The dictionary of a header, and where the numbers begin. */
const headerOf = (
  bytes: Uint8Array,
): Effect.Effect<{ readonly header: Literal.Value; readonly start: number }, DataError> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const cut = `this .npy file is cut off in its header, after ${Csv.count(bytes.length, "byte")}`
  if (bytes.length < 12) return fail(cut)
  const version = view.getUint8(6)
  if (version < 1 || version > 3)
    return fail(`this .npy file has version ${version}, and versions 1 to 3 are read`)
  const [begin, length] = version === 1 ? [10, view.getUint16(8, true)] : [12, view.getUint32(8, true)]
  const start = begin + length
  if (start > bytes.length) return fail(cut)
  const text = new TextDecoder(version === 3 ? "utf-8" : "latin1").decode(bytes.subarray(begin, start))
  const header = Literal.parse(text)
  return header === undefined
    ? fail("the header of this .npy file is no dictionary of Python")
    : Effect.succeed({ header, start })
}

interface Field {
  readonly name: string
  readonly offset: number
  readonly read: Read
}

/**
 * The table of a NumPy file (`numpy.save`): one column of a list of numbers; columns x0, x1, ... of a matrix; the named
 * columns of a structured array.
 *
 * @errors DataError for other shapes and types, and for a file that is cut off
 */
export const parse = (bytes: Uint8Array): Effect.Effect<Frame.Frame, DataError> =>
  Effect.gen(function* () {
    const { header, start } = yield* headerOf(bytes)
    const entry = (name: string): Literal.Value | undefined =>
      header instanceof Map ? header.get(name) : undefined
    const [descr, shape, fortran] = [entry("descr"), entry("shape"), entry("fortran_order")]
    if (!Array.isArray(shape) || !shape.every((size) => Number.isSafeInteger(size) && Number(size) >= 0))
      return yield* fail("the header of this .npy file has no shape")
    const [rows = 1, width = 1, ...further] = shape.map(Number)
    if (shape.length === 0 || further.length > 0)
      return yield* fail(
        `this array has ${shape.length} dimensions; a table is a list of numbers or a matrix`,
      )
    const structured = Array.isArray(descr)
    const fields: Array<Field> = []
    let size = 0
    for (const [index, one] of (structured ? descr : [[`x`, descr ?? ""]]).entries()) {
      const [name, type, ...rest] = Array.isArray(one) ? one : []
      const found = typeof type === "string" ? typed(type) : undefined
      // A title stands beside the name: ("title", "name").
      const own = Array.isArray(name) ? name[1] : name
      if (found === undefined || rest.length > 0 || typeof own !== "string")
        return yield* fail(
          `${structured ? `the column ${Csv.quote(String(own ?? index))} of this array` : "this array"} has the type ${JSON.stringify(type ?? null)}; columns are of numbers or texts`,
        )
      fields.push({ name: own, offset: size, read: found.read })
      size += found.size
    }
    if (structured && shape.length > 1)
      return yield* fail("this is a matrix of records; a table is a list of them")
    if (size === 0) return yield* fail("the values of this array have no bytes")
    const needed = start + rows * width * size
    if (needed > bytes.length)
      return yield* fail(
        `this .npy file is cut off: its header says ${needed} bytes, and there are ${bytes.length}`,
      )
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const names = structured
      ? fields.map(({ name }) => name)
      : Array.from({ length: Math.min(width, 1e6) }, (_, k) => `x${k}`)
    const values = names.map((_, k) => {
      const { offset, read } = structured ? fields[k]! : fields[0]!
      const builder = Builder.make(rows)
      for (let row = 0; row < rows; row++) {
        const cell = structured ? row : fortran === true ? k * rows + row : row * width + k
        builder.set(row, read(view, start + cell * size + offset))
      }
      return builder.done()
    })
    return yield* Frame.make(names, values)
  })
