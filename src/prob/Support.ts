/**
 * The supports of latent sites. A support is the type-level name of a set. It determines the distributions that may be
 * a site's prior, the variational factors of the site, and the form of a draw.
 *
 * | support       | set                              | a draw (numbers)              |
 * | ------------- | -------------------------------- | ----------------------------- |
 * | `binary`      | {0, 1}                           | `0` or `1`                    |
 * | `categorical` | {0, ..., m - 1}                  | the index                     |
 * | `simplex`     | the (m - 1)-simplex              | m weights that sum to 1       |
 * | `real`        | the real line                    | a number                      |
 * | `positive`    | (0, infinity)                    | a number                      |
 * | `unit`        | (0, 1)                           | a number                      |
 * | `coefficients`| R^d x (0, infinity)              | d coefficients, then sigma^2  |
 */
export type Support = "binary" | "categorical" | "simplex" | "real" | "positive" | "unit" | "coefficients"

/** Supports whose draws are vectors along a trailing event axis; the others are scalar. */
export type VectorSupport = "simplex" | "coefficients"
