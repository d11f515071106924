import type { FoundNoise } from "../evidence/Likelihood.ts"
import * as Table from "./Table.ts"

/** The number of wrong rows that a report for the terminal names. */
const most = 10

/**
 * The noise of a law in words, and its wrong rows, a line each: the row's number in the table, its value, the law's value there, and
 * the distance in standard deviations of the noise. The numbers of rows count from 1, without the header.
 */
export const lines = (
  noise: Pick<FoundNoise, "kind" | "sigma" | "wrongRows">,
  target: string,
): ReadonlyArray<string> => {
  const { kind, sigma, wrongRows } = noise
  const size = Table.significant(sigma, 3)
  const known: Readonly<Record<string, string>> = {
    none: "none: the law is exact",
    additive: `additive, standard deviation ${size}`,
    proportional: `proportional to the law, ${Table.significant(100 * sigma, 3)} %`,
    log: `of log ${target}, standard deviation ${size}`,
    heavy: `heavy-tailed (Student's t, 4 degrees of freedom), scale ${size}`,
    "known errors": `the known errors times ${size}`,
  }
  const more = wrongRows.length - most
  return [
    `noise: ${known[kind] ?? `${kind}, scale ${size}`}`,
    ...wrongRows
      .slice(0, most)
      .map(
        ({ row, value, law, sigmas }) =>
          `wrong: row ${row} has ${Table.significant(value, 6)}, where the law says ${Table.significant(law, 6)} (${Table.significant(sigmas, 3)} sigma)`,
      ),
    ...(more > 0 ? [`wrong: ${more} more rows; --json lists them all`] : []),
  ]
}
