import type { Generator } from "../../random/Rng.ts"

/**
 * What a distribution with numeric parameters can do, in float64: the contract between the files of this folder
 * and `Dist.ts`. A draw is `size` numbers, as the table in `Support.ts` says.
 */
export interface Operations {
  /** Numbers per draw: m for a simplex, d + 1 for coefficients, else 1. */
  readonly size: number
  /** log p(x) in nats, `-Infinity` outside of the support; `x` has `size` elements. */
  readonly logDensity: (x: ReadonlyArray<number>) => number
  /** -E[log p(X)] in nats. */
  readonly entropy: () => number
  /** E[X], elementwise; of the one-hot vector for categorical supports. `Infinity` or `NaN` where it does not exist. */
  readonly mean: () => ReadonlyArray<number>
  /** Var[X], elementwise; of the one-hot vector for categorical supports. */
  readonly variance: () => ReadonlyArray<number>
  /** Writes one draw to `out[offset], ..., out[offset + size - 1]`. */
  readonly draw: (source: Generator, out: Float64Array, offset: number) => void
}

/** Moves a draw that underflowed or overflowed back into (0, infinity), by the least possible. */
export const keepPositive = (x: number): number => Math.min(Math.max(x, Number.MIN_VALUE), Number.MAX_VALUE)
