import type { Name as Noise } from "vasst/evidence/Noise"
import type { ShippedName } from "vasst/expr/Operator"

/** The part of a column in a fit. */
export type Role = "target" | "feature" | "error" | "weights" | "group" | "none"

/** The settings of a fit, and the table that they are for. A link holds them; it never holds values of the table. */
export interface Settings {
  /** the name of an example; undefined for a table of the user's */
  readonly example: string | undefined
  readonly target: string | undefined
  readonly features: ReadonlyArray<string>
  /** the column of standard errors */
  readonly error: string | undefined
  /** the column of weights */
  readonly weights: string | undefined
  /** the column of groups */
  readonly group: string | undefined
  /** units by column, where they differ from those of the header */
  readonly units: Readonly<Record<string, string>>
  /** undefined for those of the library */
  readonly operators: ReadonlyArray<ShippedName> | undefined
  /** the one kind of noise; undefined where the evidence decides */
  readonly noise: Noise | undefined
  /** columns and operators that a law must have, and that no law has */
  readonly contains: ReadonlyArray<string>
  readonly without: ReadonlyArray<string>
  /** the most nodes of a law; undefined without such a limit */
  readonly size: number | undefined
  /** seconds */
  readonly time: number
  /** the most ensembles that are scored; undefined without such a limit */
  readonly effort: number | undefined
  readonly seed: number
}

/** Settings of a new page. */
export const defaults: Settings = {
  example: undefined,
  target: undefined,
  features: [],
  error: undefined,
  weights: undefined,
  group: undefined,
  units: {},
  operators: undefined,
  noise: undefined,
  contains: [],
  without: [],
  size: undefined,
  time: 60,
  effort: undefined,
  seed: 0,
}

/** Every column that settings name. */
export const named = ({
  target,
  features,
  error,
  weights,
  group,
  units,
}: Settings): ReadonlyArray<string> => [
  ...new Set([
    ...[target, error, weights, group].flatMap((name) => name ?? []),
    ...features,
    ...Object.keys(units),
  ]),
]

/** The role of a column. */
export const roleOf = ({ target, features, error, weights, group }: Settings, column: string): Role => {
  if (column === target) return "target"
  if (column === error) return "error"
  if (column === weights) return "weights"
  if (column === group) return "group"
  return features.includes(column) ? "feature" : "none"
}

/** Settings in which a column has another role. There is one target at most, and one column of errors, of weights and of groups. */
export const withRole = (settings: Settings, column: string, role: Role): Settings => {
  const features = settings.features.filter((name) => name !== column)
  const without = (name: string | undefined): string | undefined => (name === column ? undefined : name)
  const cleared = {
    ...settings,
    features,
    target: without(settings.target),
    error: without(settings.error),
    weights: without(settings.weights),
    group: without(settings.group),
  }
  switch (role) {
    case "none":
      return cleared
    case "feature":
      return { ...cleared, features: [...features, column] }
    case "target": {
      // The old target explains the new one.
      const old = cleared.target
      return { ...cleared, target: column, features: old === undefined ? features : [...features, old] }
    }
    case "error":
      return { ...cleared, error: column }
    case "weights":
      return { ...cleared, weights: column }
    case "group":
      return { ...cleared, group: column }
  }
}

/** The fragment of a link to the page with these settings, without the `#`; empty for the defaults. */
export const toFragment = (settings: Settings): string => {
  const fields = new URLSearchParams()
  const put = (name: string, value: string | number | undefined): void => {
    if (value !== undefined) fields.append(name, String(value))
  }
  put("example", settings.example)
  put("target", settings.target)
  for (const name of settings.features) put("feature", name)
  put("error", settings.error)
  put("weights", settings.weights)
  put("group", settings.group)
  for (const [name, unit] of Object.entries(settings.units)) put(`unit.${name}`, unit)
  if (settings.operators !== undefined) put("operators", settings.operators.join(","))
  put("noise", settings.noise)
  for (const name of settings.contains) put("contains", name)
  for (const name of settings.without) put("without", name)
  put("size", settings.size)
  if (settings.time !== defaults.time) put("time", settings.time)
  put("effort", settings.effort)
  if (settings.seed !== defaults.seed) put("seed", settings.seed)
  return fields.toString()
}

/** The kinds of noise; the library has the list too, which a link is read without. */
export const noises = [
  "additive",
  "proportional",
  "log",
  "heavy",
  "contaminated",
] as const satisfies ReadonlyArray<Noise>

const whole = (text: string | null, least: number): number | undefined => {
  const value = text === null || text.trim() === "" ? Number.NaN : Number(text)
  return Number.isSafeInteger(value) && value >= least ? value : undefined
}

/**
 * The settings of a fragment. Fields that are unknown or wrong are left out: a link is not an order.
 *
 * @param operators the names of the operators that exist
 */
export const fromFragment = (fragment: string, operators: ReadonlyArray<ShippedName>): Settings => {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""))
  const text = (name: string): string | undefined => fields.get(name) ?? undefined
  const asked = fields.get("operators")?.split(",")
  const known = asked === undefined ? undefined : operators.filter((name) => asked.includes(name))
  const time = Number(fields.get("time"))
  return {
    example: text("example"),
    target: text("target"),
    features: fields.getAll("feature"),
    error: text("error"),
    weights: text("weights"),
    group: text("group"),
    units: Object.fromEntries(
      [...fields].flatMap(([name, unit]) =>
        name.startsWith("unit.") ? [[name.slice("unit.".length), unit] as const] : [],
      ),
    ),
    operators: known === undefined || known.length === 0 ? undefined : known,
    noise: noises.find((name) => name === fields.get("noise")),
    contains: fields.getAll("contains"),
    without: fields.getAll("without"),
    size: whole(fields.get("size"), 1),
    time: time > 0 && time <= 3600 ? time : defaults.time,
    effort: whole(fields.get("effort"), 1),
    seed: whole(fields.get("seed"), 0) ?? defaults.seed,
  }
}
