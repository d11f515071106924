import * as Flag from "effect/cli/Flag"
import { optional, text } from "./Flags.ts"

/** The flags of `vasst fit` about units. */
export const parameters = {
  units: optional(
    text(
      "units",
      "FILE",
      "A CSV file with the columns column and unit: laws are consistent in these units, and in those of a header such as mass [kg] (default: those of the header)",
    ),
  ),
  numbers: optional(
    Flag.Literals("numbers", ["either", "free", "dimensionless"]).pipe(
      Flag.withDescription(
        "With units: coefficients and fitted numbers have units of their own (free), or are pure numbers, where every constant of nature is a column (dimensionless); or the data say which, either with probability 1/2 (default either)",
      ),
    ),
  ),
} as const
