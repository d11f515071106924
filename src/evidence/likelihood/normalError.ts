import { type Density, make } from "./Density.ts"
import { logNormalDensity } from "./normal.ts"

/**
 * y ~ N(eta, e^2) with a known standard error e for each row. Laplace's approximation of the evidence is exact given g,
 * since the log density is quadratic in eta.
 *
 * *When to use*: for measurements with error bars. For one unknown standard error of all rows use `selectedLinear`.
 *
 * @param column the name of the column of the data with standard errors, above 0, in units of y
 */
export const normalError = (column: string): Density =>
  make(`normal with errors ${column}`, {
    support: "real",
    logDensity: ({ y, eta, column: read }) => logNormalDensity(y, eta, read(column)),
    sample: (at, source) => (at["eta"] ?? NaN) + (at[column] ?? NaN) * source.normal(),
  })
