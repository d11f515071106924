import type { Column } from "./Frame.ts"

/** The text of a value that is no finite number, as a CSV file would have it. */
const textOf = (value: unknown): string => {
  switch (typeof value) {
    case "string":
      return value.trim()
    case "undefined":
      return ""
    case "object":
      if (value === null) return ""
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString()
      if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`
      return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part))
    default:
      return String(value)
  }
}

/** A column of which cells are told in any order. */
export interface Builder {
  readonly set: (row: number, value: unknown) => void
  readonly done: () => Column
}

/**
 * A column of values of any type: numbers stay numbers, whole numbers beyond 2^53 keep their digits, dates are ISO texts,
 * missing values are "".
 */
export const make = (rows: number): Builder => {
  const numbers = new Float64Array(rows)
  const texts = new Map<number, string>()
  return {
    set: (row, value) => {
      const number =
        typeof value === "bigint" && BigInt(Number(value)) === value
          ? Number(value)
          : typeof value === "number"
            ? value
            : Number.NaN
      numbers[row] = number
      if (!Number.isFinite(number)) texts.set(row, textOf(value))
    },
    done: () =>
      texts.size === 0 ? numbers : Array.from(numbers, (value, row) => texts.get(row) ?? String(value)),
  }
}
