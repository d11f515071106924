import type { Dataset } from "../../src/data/Data.ts"
import * as Rng from "../../src/random/Rng.ts"

/** A table of three features in [1, 5) and a target with normal noise. */
export const table = (
  rows: number,
  law: (x0: number, x1: number, x2: number) => number,
  noise = 0.1,
): Dataset => {
  const key = Rng.fold(Rng.key(3), "streamed")
  const columns = [0, 1, 2].map((j) =>
    Rng.uniform(Rng.fold(key, j), new Float64Array(rows)).map((value) => 1 + 4 * value),
  )
  const errors = Rng.normal(Rng.fold(key, "noise"), new Float64Array(rows))
  const [a, b, c] = columns
  return {
    features: ["x0", "x1", "x2"],
    columns,
    target: "y",
    y: errors.map((error, i) => law(a![i]!, b![i]!, c![i]!) + noise * error),
    rows,
  }
}
