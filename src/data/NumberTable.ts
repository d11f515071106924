import * as Whole from "./Whole.ts"

/** Columns of numbers of a text of separated values. */
export interface NumberTable {
  /** the names of the columns that were asked for */
  readonly names: ReadonlyArray<string>
  /** the number of rows below the header */
  readonly rows: number
  /** these columns, each of length `rows` */
  readonly columns: ReadonlyArray<Float64Array>
}

const [LF, CR, PLUS, MINUS, POINT, ZERO, NINE] = [10, 13, 43, 45, 46, 48, 57]

/** Powers of ten that float64 has exactly. */
const powers = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`))
/** Whole numbers below are exact. */
const exact = 2 ** 53

/**
 * Numbers from characters, without a text for each: a number of at most fifteen digits is a whole number times or divided by a power of
 * ten that float64 has, and rounded once (Clinger 1990). Others go by `Number`.
 */
const scanner = (text: string) => {
  /** where the latest number ended */
  let end = 0
  const isDigit = (code: number): boolean => code >= ZERO && code <= NINE
  /** The decimal number at a place; NaN where there is none, or it overflows or underflows. */
  const number = (from: number): number => {
    let at = from
    let code = text.charCodeAt(at)
    const negative = code === MINUS
    if (negative || code === PLUS) code = text.charCodeAt(++at)
    let [whole, digits, scale] = [0, 0, 0]
    while (isDigit(code)) {
      whole = 10 * whole + (code - ZERO)
      digits++
      code = text.charCodeAt(++at)
    }
    if (code === POINT) {
      code = text.charCodeAt(++at)
      while (isDigit(code)) {
        whole = 10 * whole + (code - ZERO)
        digits++
        scale++
        code = text.charCodeAt(++at)
      }
    }
    if (digits === 0) return Number.NaN
    // e or E
    if ((code | 32) === 101) {
      code = text.charCodeAt(++at)
      const down = code === MINUS
      if (down || code === PLUS) code = text.charCodeAt(++at)
      if (!isDigit(code)) return Number.NaN
      let exponent = 0
      while (isDigit(code)) {
        exponent = Math.min(9999, 10 * exponent + (code - ZERO))
        code = text.charCodeAt(++at)
      }
      scale += down ? exponent : -exponent
    }
    end = at
    if (whole < exact && digits <= 15 && Math.abs(scale) < powers.length) {
      const value = scale > 0 ? whole / powers[scale]! : whole * powers[-scale]!
      return negative ? -value : value
    }
    // The general parser says what is wrong with a long whole number.
    if (digits > 15 && Whole.isRounded(text.slice(from, at))) return Number.NaN
    const value = Number(text.slice(from, at))
    return Number.isFinite(value) && (value !== 0 || whole === 0) ? value : Number.NaN
  }
  return { number, end: () => end }
}

/**
 * The quick way to read a large table: values separated by one delimiter, decimal numbers in the columns that are asked for, a header
 * without quotes or white space, as many cells on each line, no blank lines.
 *
 * @param choose the columns to read, from those of the header
 * @returns undefined for any other text, be it right (`Csv.parse` reads more) or wrong (and says what is)
 */
export const read = (
  text: string,
  delimiter: string,
  choose: (names: ReadonlyArray<string>) => ReadonlyArray<string>,
): NumberTable | undefined => {
  const newline = text.indexOf("\n")
  const line = text.slice(0, newline).replace(/\r$/, "")
  if (newline < 0 || /["\s\uFEFF\0]/.test(line.replaceAll(delimiter, ""))) return undefined
  const names = line.split(delimiter)
  const wanted = choose(names)
  if (new Set(names).size < names.length || wanted.some((name) => !names.includes(name))) return undefined
  let lines = 0
  for (let at = newline; at >= 0 && at + 1 < text.length; at = text.indexOf("\n", at + 1)) lines++
  if (lines === 0) return undefined
  const columns = wanted.map(() => new Float64Array(lines))
  const columnOf = names.map((name) => columns[wanted.indexOf(name)])
  const separator = delimiter.charCodeAt(0)
  const { number, end } = scanner(text)
  const last = names.length - 1
  let at = newline + 1
  for (let row = 0; row < lines; row++)
    for (let place = 0; place <= last; place++) {
      const column = columnOf[place]
      if (column === undefined) {
        // What stands in other columns matters to the general parser only if it is quoted.
        const next = text.indexOf(place < last ? delimiter : "\n", at)
        const stop = next < 0 ? text.length : next
        if (/["\s]/.test(text.slice(at, stop).replace(/\r$/, ""))) return undefined
        at = stop
      } else {
        const value = number(at)
        if (Number.isNaN(value)) return undefined
        column[row] = value
        at = end()
        if (place === last && text.charCodeAt(at) === CR) at++
      }
      const code = text.charCodeAt(at)
      if (place < last ? code !== separator : code !== LF && at < text.length) return undefined
      at++
    }
  return { names: wanted, rows: lines, columns }
}
