import * as Noise from "../evidence/Noise.ts"
import { known, names, optional, text } from "./Flags.ts"

const noise = known(
  names(
    "noise",
    "KINDS",
    "The kinds of noise that are possible, with commas between them: additive, proportional (to the law), log (of the " +
      "logarithm), heavy (tails), contaminated (some rows are wrong) (default all of them: the evidence decides)",
  ),
  "kind of noise",
  Object.fromEntries(Noise.names.map((name) => [name, name])),
  "kinds of noise",
)

/** The flags about the noise and the sizes of errors. */
export const parameters = {
  noise: optional(noise),
  error: optional(
    text(
      "error",
      "COLUMN",
      "The column with the standard error of each row, in units of the target (default none)",
    ),
  ),
  weights: optional(
    text(
      "weights",
      "COLUMN",
      "The column with the weight of each row, such as the number of observations that it is the mean of (default none)",
    ),
  ),
} as const
