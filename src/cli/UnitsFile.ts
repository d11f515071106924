import * as Effect from "effect/Effect"
import * as Csv from "../data/Csv.ts"
import type { Dataset } from "../data/Data.ts"
import * as UnitTexts from "../expr/UnitTexts.ts"
import { meant } from "../internal/nearest.ts"
import { Complaint } from "./Complaint.ts"
import type { Input } from "./FitFlags.ts"
import * as Source from "./Source.ts"

const complain = (message: string): Effect.Effect<never, Complaint> => Effect.fail(new Complaint({ message }))

/** The units of a file with the columns `column` and `unit`, as texts by column. */
const read = (path: string, columns: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { name, text } = yield* Source.read(path)
    const table = yield* Effect.mapError(Csv.parse(text), ({ message }) => Source.about(name, message))
    const [column, unit] = ["column", "unit"].map((heading) => table.columns.indexOf(heading))
    if (column === undefined || unit === undefined || column < 0 || unit < 0)
      return yield* Source.about(
        name,
        `the units of columns are a table with the header column,unit; this one has ${Csv.list(table.columns)}`,
      )
    const units: Array<readonly [string, string]> = []
    for (const [index, row] of table.rows.entries()) {
      const own = row.cells[column]!
      if (!columns.includes(own))
        return yield* Source.about(
          name,
          `${Csv.place(index, row)}: there is no column ${Csv.quote(own)}${meant(own, columns, Csv)}`,
        )
      units.push([own, row.cells[unit]!])
    }
    // Entries become fields whatever they are called: `__proto__` is a name of a column as others are.
    const texts = Object.fromEntries(units)
    yield* Effect.mapError(UnitTexts.read(texts), ({ message }) => Source.about(name, message))
    return texts
  })

/**
 * The units of a data set's columns: those that its header has for columns that are read, and of the file of `--units`, which has the last word. Undefined
 * where there are none.
 *
 * @errors Complaint about a unit that is none, an unknown column, or `--numbers` without units
 */
export const unitsOf = (
  { features, target, units }: Pick<Dataset, "features" | "target" | "units">,
  input: Pick<Input, "units" | "numbers">,
) =>
  Effect.gen(function* () {
    const { numbers } = input
    const known = new Set([...features, target])
    const inHeader = Object.entries(units ?? {}).filter(([name]) => known.has(name))
    const texts = {
      ...Object.fromEntries(inHeader),
      ...(input.units === undefined ? {} : yield* read(input.units, [...features, target])),
    }
    if (numbers !== undefined && Object.keys(texts).length === 0)
      return yield* complain(
        "--numbers is for columns with units; give them with --units, or in the header as in mass [kg]",
      )
    return yield* Effect.mapError(
      UnitTexts.read(texts, { numbers }),
      ({ message }) => new Complaint({ message }),
    )
  })
