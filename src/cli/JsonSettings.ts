import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Fitter from "./Fitter.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Setting from "../errors/Setting.ts"
import * as Noise from "../evidence/Noise.ts"
import * as Operator from "../expr/Operator.ts"
import * as UnitTexts from "../expr/UnitTexts.ts"
import { meant } from "../internal/nearest.ts"
import * as Declared from "../models/Declared.ts"
import * as Link from "../prob/Link.ts"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const names = Schema.Array(Schema.String)

/** The settings of a fit as plain data; null and a missing name stand for the default. */
export const Settings = Schema.Struct({
  operators: optional(names),
  constants: optional(Schema.Array(Schema.Finite)),
  /** the size of numbers inside of terms, 0 for none */
  learned: optional(Schema.Finite),
  links: optional(names),
  noise: optional(names),
  /** texts by column */
  units: optional(Schema.Record(Schema.String, Schema.String)),
  trees: optional(Schema.Finite),
  depth: optional(Schema.Finite),
  time: optional(Schema.Finite),
  effort: optional(Schema.Finite),
  workers: optional(Schema.Finite),
  seed: optional(Schema.Finite),
  start: optional(Schema.String),
  /** the columns of standard errors and of weights */
  error: optional(Schema.String),
  weights: optional(Schema.String),
  /** the column of groups, whose values are places of labels */
  group: optional(Schema.String),
  contains: optional(names),
  without: optional(names),
  /** the largest number of uses by name */
  atMost: optional(Schema.Record(Schema.String, Schema.Finite)),
  /** pairs: what stands outside, and what may stand nowhere inside of it */
  forbid: optional(Schema.Array(Schema.Tuple([Schema.String, Schema.String]))),
  /** columns by the operator that may be a function of them */
  over: optional(Schema.Record(Schema.String, names)),
  exponents: optional(Schema.Tuple([Schema.Finite, Schema.Finite])),
  size: optional(Schema.Finite),
})

export type Settings = typeof Settings.Type

/** The values of some names. @throws SettingError for a name that is not known */
const known = <A>(
  kind: string,
  chosen: ReadonlyArray<string>,
  all: Readonly<Record<string, A>>,
): ReadonlyArray<A> =>
  chosen.map((name) => {
    const found = Object.hasOwn(all, name) ? all[name] : undefined
    if (found !== undefined) return found
    const names = Object.keys(all)
    throw new Setting.SettingError({
      message: `there is no ${kind} ${JSON.stringify(name)}${meant(name, names, { otherwise: ";" })} they are: ${names.join(", ")}`,
    })
  })

/** The library's own lists of names, with the names as values. */
const links = Object.fromEntries(Link.shipped.map((link) => [link.name, link]))
const kinds = Object.fromEntries(Noise.names.map((name) => [name, name]))

/** Settings for the search. @throws SettingError for an unknown name, or a number out of range */
const read = (settings: Settings): Fitter.Inclusive => {
  const { time, seed, effort, trees, depth, size, learned } = settings
  const { atMost, forbid, over, exponents, contains, without } = settings
  /** A number that is given, checked. */
  const number = (value: number | null | undefined, check: (value: number) => number): number | undefined =>
    value === null || value === undefined ? undefined : check(value)
  const whole = (what: string, value: number | null | undefined, least: number, most?: number) =>
    number(value, (given) => Setting.whole(what, given, least, most))
  const appearance = {
    contains: contains ?? undefined,
    without: without ?? undefined,
    atMost: atMost ? Object.entries(atMost) : undefined,
    forbid: forbid?.map(([outer, inner]) => ({ outer, inner })),
    over: over
      ? Object.entries(over).map(([operator, columns]) => ({ operator, columns: [...columns] }))
      : undefined,
    exponents: exponents ?? undefined,
    size: whole("size", size, 1),
  }
  return {
    objective: "inclusive",
    operators: settings.operators
      ? known("operator", settings.operators, Operator.shipped).map(({ name }) => name)
      : undefined,
    constants: settings.constants ?? undefined,
    fitted: number(learned, (given) => (given === 0 ? 0 : Setting.positive("learned", given))),
    links: settings.links ? known("link", settings.links, links) : undefined,
    noise: settings.noise ? known("kind of noise", settings.noise, kinds) : undefined,
    trees: whole("trees", trees, 1, 50),
    depth: whole("depth", depth, 1, 10),
    time: number(time, (given) => Setting.positive("time", given)),
    effort: whole("effort", effort, 1),
    workers: whole("workers", settings.workers, 1),
    seed: whole("seed", seed, 0),
    testFraction: undefined,
    group: settings.group ?? undefined,
    start: settings.start ?? undefined,
    error: settings.error ?? undefined,
    weights: settings.weights ?? undefined,
    appearance: Object.values(appearance).some((value) => value !== undefined) ? appearance : undefined,
  }
}

/**
 * The settings of `Law.fit` as the command line has them.
 *
 * @errors CompileError for an unknown name, a number out of range, or a text that is no unit
 */
export const of = (settings: Settings): Effect.Effect<Fitter.Inclusive, CompileError> =>
  Effect.gen(function* () {
    const found = read(settings)
    const units = yield* Effect.orDie(UnitTexts.read(settings.units ?? {}))
    return { ...found, ...(units && { units }) }
  }).pipe(Declared.orFail)
