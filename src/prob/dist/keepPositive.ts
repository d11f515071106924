/** Moves a draw that underflowed or overflowed back into (0, infinity), by the least possible. */
export const keepPositive = (x: number): number => Math.min(Math.max(x, Number.MIN_VALUE), Number.MAX_VALUE)
