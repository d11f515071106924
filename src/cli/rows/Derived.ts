import * as Effect from "effect/Effect"
import * as Csv from "../../data/Csv.ts"
import * as Frame from "../../data/Frame.ts"
import type { Operator } from "../../expr/Operator.ts"
import * as Term from "../../expr/Term.ts"
import { infix } from "../../expr/text/infix.ts"
import { Complaint } from "../Complaint.ts"
import * as Expression from "./Expression.ts"

/** A column that is a formula over others. */
export interface Derived {
  readonly name: string
  readonly unit: string | undefined
  readonly term: Term.Term
  readonly flag: string
}

const fail = (message: string): Effect.Effect<never, Complaint> => Effect.fail(new Complaint({ message }))

/**
 * Reads `name=formula` or `name [unit]=formula`.
 *
 * @errors Complaint that names the place
 */
export const parse = (text: string, operators: ReadonlyArray<Operator>): Effect.Effect<Derived, Complaint> =>
  Effect.gen(function* () {
    const flag = `--column ${Csv.quote(text)}`
    const at = text.indexOf("=")
    const { name, unit } = Csv.heading(text.slice(0, Math.max(0, at)).trim())
    if (at < 0 || name === "")
      return yield* fail(`${flag}: expected a name and a formula, such as logx=log(x)`)
    const term = yield* Expression.read({ flag, text: text.slice(at + 1), offset: at + 1, operators })
    return { name, unit, term, flag }
  })

/** The formula of a column, which `parse` reads. */
export const textOf = ({ name, unit, term }: Pick<Derived, "name" | "unit" | "term">): string =>
  `${name}${unit === undefined ? "" : ` [${unit}]`}=${infix(term)}`

/**
 * A table with further columns, each of which may read those before. Where a formula has no value the column is NaN (`check`).
 *
 * @errors Complaint about a name that is taken, or a column that is not there
 */
export const add = (
  frame: Frame.Frame,
  columns: ReadonlyArray<Derived>,
): Effect.Effect<Frame.Frame, Complaint> =>
  Effect.gen(function* () {
    const names = [...frame.columns]
    const values = [...frame.values]
    const units = new Map(Object.entries(frame.units))
    for (const { name, unit, term, flag } of columns) {
      if (names.includes(name))
        return yield* fail(`${flag}: there is a column ${Csv.quote(name)} already; choose another name`)
      const sofar = { ...frame, columns: names, values }
      yield* Expression.known(flag, term, sofar)
      values.push(Expression.values(term, sofar))
      names.push(name)
      if (unit !== undefined) units.set(name, unit)
    }
    return { ...frame, columns: names, values, units: Object.fromEntries(units) }
  })

/** @errors Complaint about the first row where a column has no finite value */
export const check = (frame: Frame.Frame, columns: ReadonlyArray<Derived>): Effect.Effect<void, Complaint> =>
  Effect.forEach(
    columns,
    ({ name, term, flag }) => {
      const values = Frame.column(frame, name) ?? []
      const row = Array.from<number | string>(values).findIndex((value) => !Number.isFinite(value))
      return row < 0
        ? Effect.void
        : fail(
            `${flag}: ${Frame.place(frame, row)}: ${Expression.reason(term, frame, row)}; leave such rows out with --where`,
          )
    },
    { discard: true },
  )

/** The columns that a column is made of, through others that are made. */
export const sources = (name: string, columns: ReadonlyArray<Derived>): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (own: string): void => {
    const made = columns.find((one) => one.name === own)
    for (const one of made === undefined ? [] : Term.variables(made.term)) {
      found.add(one)
      visit(one)
    }
  }
  visit(name)
  return found
}
