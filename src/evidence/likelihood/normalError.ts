import { type Density, make } from "./Density.ts"
import { logNormalDensity } from "./normal.ts"

/**
 * y ~ N(eta, e^2) with the error e of each row known. *When to use*: measurements with error bars.
 *
 * @param column of the data with the standard errors, above 0, in units of y
 */
export const normalError = (column: string): Density =>
  make(`normal with errors ${column}`, {
    support: "real",
    logDensity: ({ y, eta, column: read }) => logNormalDensity(y, eta, read(column)),
    sample: (at, source) => (at["eta"] ?? NaN) + (at[column] ?? NaN) * source.normal(),
  })
