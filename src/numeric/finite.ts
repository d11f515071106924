// Loops, since a call for each element takes ten times as long.

/** Whether every element is finite. */
export const allFinite = (column: ArrayLike<number>): boolean => {
  for (let i = 0; i < column.length; i++) if (!Number.isFinite(column[i])) return false
  return true
}

/** The largest finite magnitude; 0 where there is none. */
export const largestFinite = (column: ArrayLike<number>): number => {
  let most = 0
  for (let i = 0; i < column.length; i++) {
    const size = Math.abs(column[i]!)
    if (size > most && size < Infinity) most = size
  }
  return most
}

/** Whether every magnitude is below a bound: no element is NaN. */
export const allBelow = (column: ArrayLike<number>, bound: number): boolean => {
  for (let i = 0; i < column.length; i++) if (!(Math.abs(column[i]!) < bound)) return false
  return true
}
