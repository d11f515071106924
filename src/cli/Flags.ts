import * as CliError from "effect/cli/CliError"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { meant } from "../internal/nearest.ts"
import * as Size from "./memory/Size.ts"

/** A number as people write it; NaN for any other text. */
export const decimal = (text: string): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN

export const text = (name: string, metavar: string, description: string): Flag.Flag<string> =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

/** A flag that takes no value: false where it is left out. */
export const present = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(
    Flag.withDescription(`${description} (default off)`),
    Flag.withoutNegation,
    Flag.withDefault(false),
  )

/** A flag whose text is read as a value: undefined for a text that is not as `expected`, which completes "must be". */
const read = <A>(
  flag: Flag.Flag<string>,
  name: string,
  expected: string,
  of: (text: string) => A | undefined,
): Flag.Flag<A> =>
  Flag.mapEffect(flag, (given) => {
    const value = of(given)
    return value === undefined
      ? Effect.fail(new CliError.InvalidValue({ option: name, value: given, expected, kind: "flag" }))
      : Effect.succeed(value)
  })

/** A flag that takes the path of a file or directory. */
export const path = (name: string, metavar: string, description: string): Flag.Flag<string> =>
  read(text(name, metavar, description), name, "a path", (given) => (given === "" ? undefined : given))

/** A flag that takes a number; `expected` completes "must be". */
export const number = (
  name: string,
  metavar: string,
  description: string,
  expected: string,
  accepts: (value: number) => boolean,
): Flag.Flag<number> =>
  read(text(name, metavar, description), name, expected, (given) => {
    const value = decimal(given)
    return Number.isFinite(value) && accepts(value) ? value : undefined
  })

/** A flag that takes an amount of memory; its value is in bytes. */
export const size = (name: string, metavar: string, description: string): Flag.Flag<number> =>
  read(text(name, metavar, description), name, "an amount of memory such as 500MB or 2GB", Size.parse)

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

const parts = (given: string): ReadonlyArray<string> => given.split(",").map((part) => part.trim())

/** Names with commas between them; one with a comma stands in quotation marks, which are doubled inside. */
const quoted = (given: string): ReadonlyArray<string> | undefined => {
  const part = /\s*(?:"((?:[^"]|"")*)"|([^,"]*))\s*(?:,|$)/y
  const list: Array<string> = []
  while (part.lastIndex < given.length) {
    const found = part.exec(given)
    if (found === null) return undefined
    list.push(found[1]?.replaceAll('""', '"') ?? found[2]!.trim())
  }
  return given.trimEnd().endsWith(",") ? undefined : list
}

/** A list of names, separated by commas. */
export const names = (name: string, metavar: string, description: string): Flag.Flag<ReadonlyArray<string>> =>
  read(text(name, metavar, description), name, "names with commas between them", (given) => {
    const list = quoted(given)
    return list === undefined || list.length === 0 || list.includes("") ? undefined : [...new Set(list)]
  })

/** A list of numbers, separated by commas, or `none`; `expected` says which numbers. */
export const numbers = (
  name: string,
  metavar: string,
  description: string,
  expected: string,
  of: (part: string) => number,
): Flag.Flag<ReadonlyArray<number>> =>
  read(text(name, metavar, description), name, `${expected} with commas between them, or none`, (given) => {
    const values = given === "none" ? [] : parts(given).map(of)
    return values.every(Number.isFinite) ? values : undefined
  })

/** A flag that may be left out. */
export const optional = <A>(flag: Flag.Flag<A>): Flag.Flag<A | undefined> =>
  Flag.map(Flag.optional(flag), Option.getOrUndefined)

/** A list of things that ship, by their names. */
export const known = <A>(
  flag: Flag.Flag<ReadonlyArray<string>>,
  kind: string,
  table: Readonly<Record<string, A>>,
  kinds = `${kind}s`,
): Flag.Flag<ReadonlyArray<A>> =>
  flag.pipe(
    Flag.mapEffect((list) => {
      const unknown = list.find((name) => !Object.hasOwn(table, name))
      if (unknown === undefined) return Effect.succeed(list.map((name) => table[name]!))
      const all = Object.keys(table)
      return Effect.fail(
        new CliError.ValidationError({
          message: `there is no ${kind} "${unknown}"${meant(unknown, all, { otherwise: ";" })} the ${kinds} are: ${all.join(", ")}`,
        }),
      )
    }),
  )
