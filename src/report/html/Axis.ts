import { shortened } from "./Html.ts"

/** An axis: its title and the values along it, which decide its scale. */
export interface Axis {
  readonly title: string
  readonly values: ArrayLike<number>
  /** the number of a row, which is no magnitude */
  readonly counts?: boolean
  /** how its numbers are written, as of d3-format */
  readonly format?: string
}

/** Magnitudes that span more than a factor, and of which half are below a share of the largest, are drawn on a logarithmic scale. */
const [span, half] = [30, 0.2]
/** The significant digits of a number in a picture. */
const precision = 5

export const finite = (values: ArrayLike<number>): ReadonlyArray<number> =>
  Array.from(values).filter(Number.isFinite)

export const least = (values: ReadonlyArray<number>): number =>
  values.reduce((a, b) => Math.min(a, b), Infinity)
export const largest = (values: ReadonlyArray<number>): number =>
  values.reduce((a, b) => Math.max(a, b), -Infinity)

/** Whether values are drawn on a logarithmic scale: positive ones of many magnitudes. */
export const isLogarithmic = (values: ArrayLike<number>): boolean => {
  const own = finite(values).toSorted((a, b) => a - b)
  const [low, middle, high] = [own[0], own[Math.floor(own.length / 2)], own.at(-1)]
  if (low === undefined || middle === undefined || high === undefined) return false
  return low > 0 && high / low > span && middle < half * high
}

/** A number with the digits that a picture shows. */
export const rounded = (value: number): number => Number(value.toPrecision(precision))

/** A text of the user's in a picture. Vega keeps texts as keys of objects, where `constructor` is taken: an invisible character makes it another. */
export const label = (text: string): string => {
  const short = shortened(text, 40)
  return short in Object.prototype ? `${short}\u2060` : short
}

export const encoded = (
  { title, values, counts = false, format }: Axis,
  field: string,
  axis: object = {},
) => {
  const own = finite(values)
  const logarithmic = !counts && isLogarithmic(own)
  const sizes = own.map(Math.abs).filter((size) => size > 0)
  const plain = largest(sizes) < 1e5 && largest(sizes) >= 0.01
  return {
    field,
    type: "quantitative" as const,
    title: label(title),
    scale: { zero: false, nice: logarithmic ? false : 5, ...(logarithmic && { type: "log" as const }) },
    axis: {
      ...(logarithmic ? { format: "~g", tickCount: 4 } : plain ? {} : { format: "~g" }),
      ...(format !== undefined && { format }),
      ...axis,
    },
  }
}
