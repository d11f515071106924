/** An array of a tape, float64 and row-major. Its arrays stay where they are: only their elements change. */
export interface Value {
  /** Lengths of the axes, outermost first; `[]` is a scalar. */
  readonly shape: ReadonlyArray<number>
  /** The elements, as many as the product of `shape`. */
  readonly data: Float64Array
  /** The derivative of a root by each element; undefined where no parameter is involved. */
  readonly adjoint: Float64Array | undefined
}
