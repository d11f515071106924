/** The places of values among their distinct values, smallest first, as shares: of four distinct values 0, 0.25, 0.5 and 0.75. Equal values have one place. */
export const ranks = (values: Float64Array): Float64Array => {
  const distinct = [...new Set(values)].sort((a, b) => a - b)
  const places = new Map(distinct.map((value, place) => [value, place / distinct.length]))
  return values.map((value) => places.get(value)!)
}
