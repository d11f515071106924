import { createHash } from "node:crypto"
import * as Data from "../data/Data.ts"
import type { Operator } from "../expr/Operator.ts"
import { definitionText } from "../expr/text/definition.ts"
import type { Origin } from "../report/DocumentSchema.ts"
import type { Settings } from "./Fitter.ts"
import * as Derived from "./rows/Derived.ts"

/** Equal columns have equal fingerprints: 64 bits of the SHA-256 of their numbers. */
const fingerprint = (values: Float64Array): string =>
  createHash("sha256")
    .update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
    .digest("hex")
    .slice(0, 16)

/** With the data. */
export type Known = Origin & { readonly data: NonNullable<Origin["data"]> }

/**
 * What a run has to say of itself beside its laws: for predictions and comparisons with the folder alone.
 *
 * @param rows of the table, where the data are a sample of it; fingerprints are those of the sample then
 */
export const of = (
  data: Data.Dataset,
  derived: ReadonlyArray<Derived.Derived>,
  own: ReadonlyArray<Operator>,
  { testFraction, objective }: Settings,
  rows = data.rows,
): Known => ({
  data: {
    rows,
    tested: data.tests?.length ?? Data.testRows(data.rows, testFraction ?? (objective === "elbo" ? 0.1 : 0)),
    columns: [...data.features, data.target].map((name, k) => ({
      name,
      fingerprint: fingerprint(data.columns[k] ?? data.y),
    })),
  },
  ...(derived.length > 0 && { derived: derived.map(Derived.textOf) }),
  ...(own.length > 0 && { operators: own.map(definitionText) }),
})
