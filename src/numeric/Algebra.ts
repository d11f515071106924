/**
 * The operations that a density, a divergence or a term may use. One definition written against
 * `Algebra<T>` is run by every engine: float64 arrays (`numeric/Nd`), tfjs tensors (`vi/engines/tfjs`).
 *
 * Values broadcast as in NumPy. All operations are elementwise unless their name ends in `Last`, which
 * reduces or normalises along the trailing (event) axis.
 */
export type UnaryPrimitive =
  | "neg"
  | "square"
  | "sqrt"
  | "abs"
  | "sign"
  | "exp"
  | "log"
  | "sin"
  | "cos"
  | "tan"
  | "tanh"
  | "asin"
  | "acos"
  | "atan"
  /** Pushes a denominator away from zero: `z >= 0 ? max(z, 1e-6) : min(z, -1e-6)`. */
  | "guard"

/** The elementwise operations of two arguments. */
export type BinaryPrimitive = "add" | "sub" | "mul" | "div" | "pow" | "min" | "max"

/** The scalar operations: those of a `Term`. */
export interface ScalarAlgebra<T> {
  readonly literal: (value: number) => T
  readonly unary: { readonly [P in UnaryPrimitive]: (x: T) => T }
  readonly binary: { readonly [P in BinaryPrimitive]: (x: T, y: T) => T }
}

/** The operations of densities: the scalar ones, special functions, and reductions along the event axis. */
export interface Algebra<T> extends ScalarAlgebra<T> {
  /** A constant array, row-major; of the shape [] it is a `literal`. */
  readonly array: (values: ReadonlyArray<number>, shape: ReadonlyArray<number>) => T
  /** log(1 + exp(x)), without overflow. */
  readonly softplus: (x: T) => T
  /** min(max(x, low), high); the slope is 1 inside, borders included, and 0 outside. */
  readonly clamp: (x: T, low: number, high: number) => T
  /** 1 / (1 + exp(-x)). */
  readonly sigmoid: (x: T) => T
  /** log Gamma(x), x > 0. */
  readonly lgamma: (x: T) => T
  /** d/dx log Gamma(x), x > 0. */
  readonly digamma: (x: T) => T
  /**
   * x, with the slope 0: a constant to gradients. Central differences, as those of the oracle engine, see x move.
   */
  readonly stopGradient: (x: T) => T
  /** Sum over the trailing axis, which disappears. */
  readonly sumLast: (x: T) => T
  /** Sum over all axes, to a scalar. */
  readonly sumAll: (x: T) => T
  /** Appends a trailing axis of length 1, so that a reduction can broadcast against its argument. */
  readonly expandLast: (x: T) => T
  readonly softmaxLast: (x: T) => T
  readonly logSoftmaxLast: (x: T) => T
}
