import * as CliError from "effect/cli/CliError"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import type { Restriction } from "../prob/tree/Restriction.ts"
import { decimal, names, optional, whole } from "./Flags.ts"

/** A list of parts of one shape between separators. */
const list = <A>(
  name: string,
  metavar: string,
  description: string,
  separator: RegExp,
  expected: string,
  read: (part: string) => A | undefined,
) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.mapEffect((text) => {
      const parts = text.split(separator).map((part) => read(part.trim()))
      const good = parts.filter((part) => part !== undefined)
      return good.length === parts.length
        ? Effect.succeed(good)
        : Effect.fail(new CliError.InvalidValue({ option: name, value: text, expected, kind: "flag" }))
    }),
    optional,
  )

/** Both sides of the last equals sign. */
const sides = (part: string): readonly [string, string] | undefined => {
  const at = part.lastIndexOf("=")
  const [left, right] = [part.slice(0, at).trim(), part.slice(at + 1).trim()]
  return at < 0 || left === "" || right === "" ? undefined : [left, right]
}

/** The flags of `vasst fit` about what may appear in a law. */
export const parameters = {
  contains: optional(names("contains", "NAMES", "Columns and operators that a law must have (default none)")),
  without: optional(names("without", "NAMES", "Columns and operators that no law has (default none)")),
  atMost: list(
    "at-most",
    "NAME=N,...",
    "How often a law may have an operator or column, such as sin=1,t=2; with links, their operators count (default any number)",
    /,/,
    "names with numbers, such as sin=1,t=2",
    (part) => {
      const found = sides(part)
      const most = decimal(found?.[1] ?? "")
      return found !== undefined && Number.isInteger(most) && most >= 0
        ? ([found[0], most] as const)
        : undefined
    },
  ),
  forbid: list(
    "forbid",
    "OUTER(INNER),...",
    "What may stand nowhere inside of an operator, such as sin(sin),exp(log),log(t) (default: the usual grammar)",
    /,(?![^(]*\))/,
    "nestings such as sin(sin),log(t)",
    (part) => {
      const [, outer, inner] = /^([^()\s]+)\s*\(\s*(.*[^\s])\s*\)$/.exec(part) ?? []
      return outer === undefined || inner === undefined ? undefined : { outer, inner }
    },
  ),
  over: list(
    "over",
    "NAME=COLUMNS;...",
    "The columns that an operator may be a function of, such as 'log=p,V; sin=t' (default all columns)",
    /;/,
    "operators with columns, such as 'log=p,V; sin=t'",
    (part) => {
      const found = sides(part)
      const columns = found?.[1].split(",").map((column) => column.trim()) ?? [""]
      return found === undefined || columns.includes("") ? undefined : { operator: found[0], columns }
    },
  ),
  exponents: optional(
    Flag.String("exponents").pipe(
      Flag.withMetavar("LEAST,MOST"),
      Flag.withDescription(
        "The smallest and the largest exponent of a power; one number for both signs (default any)",
      ),
      Flag.mapEffect((text) => {
        const numbers = text.split(",").map((part) => decimal(part.trim()))
        const [first = NaN, second = first] = numbers
        const [least, most] = numbers.length === 1 ? [-Math.abs(first), Math.abs(first)] : [first, second]
        return numbers.length <= 2 && least <= 1 && most >= 1
          ? Effect.succeed([least, most] as const)
          : Effect.fail(
              new CliError.InvalidValue({
                option: "exponents",
                value: text,
                expected: "a number from 1 on, or two numbers such as -1,3 with 1 between them",
                kind: "flag",
              }),
            )
      }),
    ),
  ),
  size: optional(
    whole(
      "size",
      "N",
      "The most operators, columns and numbers of a law, coefficients and the sum of its terms not counted (default: what --depth and --trees allow)",
      1,
      1000,
    ),
  ),
} as const

type Flags = typeof parameters

/** What may appear in a law, as the command line has it; undefined for no restriction. */
export type Appearance = { readonly [K in keyof Flags]: Flags[K] extends Flag.Flag<infer A> ? A : never }

/** The flags as they are written, by their names. */
export const written = {
  contains: "--contains",
  without: "--without",
  atMost: "--at-most",
  forbid: "--forbid",
  over: "--over",
  exponents: "--exponents",
  size: "--size",
} as const satisfies Readonly<Record<keyof Flags, string>>

/** The settings of these flags; undefined where none is given. */
export const of = (input: Appearance): Appearance | undefined => {
  const { contains, without, atMost, forbid, over, exponents, size } = input
  const own = { contains, without, atMost, forbid, over, exponents, size }
  return Object.values(own).every((value) => value === undefined) ? undefined : own
}

/** The restrictions that the flags ask for. The library is loaded where there are some. */
export const restrictions = ({
  contains = [],
  without = [],
  atMost = [],
  forbid = [],
  over = [],
  exponents,
  size,
}: Appearance): Effect.Effect<ReadonlyArray<Restriction>> =>
  Effect.promise(async () => {
    const [Tree, { GrammarError }] = await Promise.all([
      import("../prob/Tree.ts"),
      import("../prob/Grammar.ts"),
    ])
    /** A restriction that tells its flag where the grammar lacks a name. */
    const by =
      (flag: keyof Appearance) =>
      (restriction: Restriction): Restriction => ({
        ...restriction,
        rule: (grammar) => {
          try {
            return restriction.rule(grammar)
          } catch (error) {
            if (error instanceof GrammarError)
              throw new GrammarError({ message: `${written[flag]}: ${error.message}` })
            throw error
          }
        },
      })
    return [
      ...contains.map(Tree.contains).map(by("contains")),
      ...without.map((name) => Tree.inLaw(Tree.atMostUses(name, 0))).map(by("without")),
      ...atMost.map(([name, most]) => Tree.inLaw(Tree.atMostUses(name, most))).map(by("atMost")),
      ...forbid.map(({ inner, outer }) => Tree.notInside(inner, outer)).map(by("forbid")),
      ...over.map(({ operator, columns }) => Tree.over(operator, columns)).map(by("over")),
      ...(exponents === undefined ? [] : [by("exponents")(Tree.exponents(...exponents))]),
      ...(size === undefined ? [] : [by("size")(Tree.inLaw(Tree.atMostNodes(size)))]),
    ]
  })
