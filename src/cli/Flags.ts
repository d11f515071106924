import * as CliError from "effect/cli/CliError"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { nearest } from "../internal/nearest.ts"

/** A number as people write it; NaN for any other text. */
export const decimal = (text: string): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN

/** A flag that takes a number; `expected` completes "must be". */
export const number = (
  name: string,
  metavar: string,
  description: string,
  expected: string,
  accepts: (value: number) => boolean,
): Flag.Flag<number> =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.mapEffect((text) => {
      const value = decimal(text)
      return Number.isFinite(value) && accepts(value)
        ? Effect.succeed(value)
        : Effect.fail(new CliError.InvalidValue({ option: name, value: text, expected, kind: "flag" }))
    }),
  )

/** A flag that takes a number above 0. */
export const positive = (name: string, metavar: string, description: string) =>
  number(name, metavar, description, "a number greater than 0", (value) => value > 0)

/** A flag that takes a whole number. */
export const whole = (name: string, metavar: string, description: string, least: number, most: number) =>
  number(
    name,
    metavar,
    description,
    `a whole number from ${least} to ${most === Number.MAX_SAFE_INTEGER ? "2^53 - 1" : most}`,
    (value) => Number.isSafeInteger(value) && value >= least && value <= most,
  )

/** A list of names, separated by commas. */
export const names = (name: string, metavar: string, description: string): Flag.Flag<ReadonlyArray<string>> =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.mapEffect((text) => {
      const parts = text.split(",").map((part) => part.trim())
      return parts.every((part) => part !== "")
        ? Effect.succeed([...new Set(parts)])
        : Effect.fail(
            new CliError.InvalidValue({
              option: name,
              value: text,
              expected: "names with commas between them",
              kind: "flag",
            }),
          )
    }),
  )

/** A flag that may be left out. */
export const optional = <A>(flag: Flag.Flag<A>): Flag.Flag<A | undefined> =>
  Flag.map(Flag.optional(flag), Option.getOrUndefined)

/** A list of things that ship, by their names. */
export const known = <A>(
  flag: Flag.Flag<ReadonlyArray<string>>,
  kind: string,
  table: Readonly<Record<string, A>>,
): Flag.Flag<ReadonlyArray<A>> =>
  flag.pipe(
    Flag.mapEffect((list) => {
      const unknown = list.find((name) => !Object.hasOwn(table, name))
      if (unknown === undefined) return Effect.succeed(list.map((name) => table[name]!))
      const near = nearest(unknown, Object.keys(table))
      const meant = near === undefined ? ";" : `; did you mean "${near}"?`
      return Effect.fail(
        new CliError.ValidationError({
          message: `there is no ${kind} "${unknown}"${meant} the ${kind}s are: ${Object.keys(table).join(", ")}`,
        }),
      )
    }),
  )
