/** The smallest weight as a fraction of the mean magnitude: observed curvatures may be negative. */
const lightest = 1e-2

/** - d^2 log p / d eta^2, raised to `lightest` times its mean magnitude where it is smaller. */
export const clamped = (curvature: Float64Array): Float64Array => {
  let sum = 0
  for (const value of curvature) if (Number.isFinite(value)) sum += Math.abs(value)
  const least = (lightest * sum) / curvature.length
  return curvature.map((value) => (value > least ? value : least))
}
