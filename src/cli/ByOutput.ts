import * as Effect from "effect/Effect"
import * as Csv from "../data/Csv.ts"
import { meant } from "../internal/nearest.ts"
import { Complaint } from "./Complaint.ts"

/**
 * The columns that a flag names, by the outputs that they are for: one column for the only output, or `height=dh,speed=dv`. Undefined where the flag
 * is left out; an output that is left out has none.
 *
 * @errors Complaint about a name that is no output, and about one column for several outputs
 */
export const read = (
  flag: string,
  text: string | undefined,
  outputs: ReadonlyArray<string>,
): Effect.Effect<Readonly<Record<string, string>> | undefined, Complaint> =>
  Effect.gen(function* () {
    if (text === undefined) return undefined
    if (outputs.length === 1) return { [outputs[0]!]: text }
    const found: Record<string, string> = {}
    for (const part of text.split(",")) {
      const [name = "", column = ""] = part.split("=").map((one) => one.trim())
      if (name === "" || column === "")
        return yield* new Complaint({
          message: `${flag} ${Csv.quote(text)}: there are several outputs; write the column of each, such as ${outputs.map((one) => `${one}=COLUMN`).join(",")}`,
        })
      if (!outputs.includes(name))
        return yield* new Complaint({
          message: `${flag}: there is no output ${Csv.quote(name)}${meant(name, outputs, { ...Csv, otherwise: ";" })} the outputs are: ${Csv.list(outputs)}`,
        })
      found[name] = column
    }
    return found
  })
