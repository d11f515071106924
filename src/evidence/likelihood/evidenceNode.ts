import type { EvidenceNode } from "../../prob/Observation.ts"

/**
 * The evidence node of a function of one design matrix.
 *
 * @param size K columns of n rows, of S samples
 * @param of log p(y | T) of K columns of length n, and, where it is given, the derivatives by their elements into `out`; NaN where it
 *   is not finite
 */
export const evidenceNode = (
  { trees, rows, samples }: { readonly trees: number; readonly rows: number; readonly samples: number },
  of: (columns: ReadonlyArray<Float64Array>, out: ReadonlyArray<Float32Array> | undefined) => number,
): EvidenceNode => {
  const values = new Float64Array(samples)
  return {
    exact: (columns) => of(columns, undefined),
    evidence: (design, adjoint) => {
      for (let s = 0; s < samples; s++) {
        const own = (all: Float32Array): ReadonlyArray<Float32Array> =>
          Array.from({ length: trees }, (_, k) =>
            all.subarray((s * trees + k) * rows, (s * trees + k + 1) * rows),
          )
        values[s] = of(
          own(design).map((column) => new Float64Array(column)),
          adjoint && own(adjoint),
        )
      }
      return values
    },
  }
}
