import type { Rows } from "./broadcast.ts"

/** A loop over arrays that were fixed when it was made. It allocates nothing. */
export type Run = () => void

/**
 * An elementwise function y = f(x). `forward` fills y; `backward` adds f'(x) dy to dx, and is left out where the slope
 * is 0 everywhere: the inputs of f then get no derivative from it. All arrays have the same length.
 *
 * Where there is no derivative, slopes are those of tfjs's gradients, so that engines agree:
 * - abs: -1 at 0;
 * - sign: 0 everywhere;
 * - guard: 1 where |x| >= 1e-6, the borders included, and 0 inside;
 * - clamp: dy inside, the borders included, and 0 outside, for any dy;
 * - min, max: all to the selected operand, to the left one on a tie;
 * - sqrt: infinite at 0 (NaN for dy = 0); log likewise, and asin and acos at -1 and 1;
 * - pow: by the exponent, a^b log(a) for a > 0 and 0 a^b otherwise; by the base b a^(b - 1), NaN for 0^0.
 *
 * The slope of clamp, guard, min and max at NaN is 0 (min and max: from either operand), that of all others NaN. Slopes
 * multiply, save in clamp: 0 times an infinite or undefined dy is NaN.
 */
export interface Unary {
  readonly forward: (x: Float64Array, y: Float64Array) => Run
  readonly backward?: (x: Float64Array, y: Float64Array, dx: Float64Array, dy: Float64Array) => Run
}

/** A function of two broadcast operands, z = f(x, y), with its slopes by each; see `Unary`. */
export interface Binary {
  readonly forward: (rows: Rows, x: Float64Array, y: Float64Array, z: Float64Array) => Run
  readonly left: (
    rows: Rows,
    x: Float64Array,
    y: Float64Array,
    z: Float64Array,
    dx: Float64Array,
    dz: Float64Array,
  ) => Run
  readonly right: (
    rows: Rows,
    x: Float64Array,
    y: Float64Array,
    z: Float64Array,
    dy: Float64Array,
    dz: Float64Array,
  ) => Run
}
