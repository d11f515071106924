/** Resamples of the rows of a table, whose laws tell how far laws and numbers depend on the rows that were measured. */
import * as Rng from "../random/Rng.ts"
import type { Dataset } from "./Dataset.ts"
import { rowsOf } from "./Split.ts"

/**
 * A bootstrap replica of a data set: as many rows, drawn with replacement (Efron, Annals of Statistics 7 (1979)), in the order in which
 * they were drawn. The same seed and number give the same rows on every machine.
 *
 * @param seed of all replicas of the data set
 * @param replica the number of this one, from 1
 */
export const resample = <F extends string>(
  dataset: Dataset<F>,
  { seed, replica }: { readonly seed: number; readonly replica: number },
): Dataset<F> => {
  const { integer } = Rng.generator(Rng.fold(Rng.fold(Rng.key(seed), "bootstrap"), replica))
  return rowsOf(
    dataset,
    Int32Array.from({ length: dataset.rows }, () => integer(dataset.rows)),
  )
}
