import * as Real from "./Real.ts"

/** A smooth rising map of the whole line onto the range of an integral: the integral of f(x) dx is that of f(x(t)) x'(t) dt. */
export interface Substitution {
  readonly x: (t: number) => number
  /** log x'(t), natural logarithm */
  readonly logSlope: (t: number) => number
}

/** x = centre + width t, onto the line. */
export const line = (centre: number, width: number): Substitution => {
  const logWidth = Real.log(width)
  return { x: (t) => centre + width * t, logSlope: () => logWidth }
}

/** x = centre + width sinh t, onto the line: tails that fall as a power of x fall exponentially in t. */
export const sinh = (centre: number, width: number): Substitution => {
  const logWidth = Real.log(width)
  return {
    x: (t) => centre + width * Real.sinh(t),
    logSlope: (t) => logWidth + Real.log(Real.cosh(t)),
  }
}

/** x = e^t, onto the positive numbers. */
export const exponential: Substitution = { x: Real.exp, logSlope: (t) => t }

/** x = low + (high - low) / (1 + e^-t), onto the interval between two bounds. */
export const logistic = (low: number, high: number): Substitution => {
  const logWidth = Real.log(high - low)
  return {
    x: (t) => low + (high - low) / (1 + Real.exp(-t)),
    // Both tails without overflow and without a difference from 1.
    logSlope: (t) => logWidth - Math.abs(t) - 2 * Real.log1p(Real.exp(-Math.abs(t))),
  }
}

/** x = outer(inner(t)). */
export const after = (outer: Substitution, inner: Substitution): Substitution => ({
  x: (t) => outer.x(inner.x(t)),
  logSlope: (t) => outer.logSlope(inner.x(t)) + inner.logSlope(t),
})

/**
 * The double exponential substitution (Takahasi and Mori 1974) of a map of the line: x = outer(pi/2 sinh t), for an
 * outer map whose integrands fall exponentially.
 */
export const doubleExponential = (outer: Substitution): Substitution => after(outer, sinh(0, Math.PI / 2))
