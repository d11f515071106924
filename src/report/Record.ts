import * as Schema from "effect/Schema"
import type { Dataset } from "../data/Data.ts"
import * as Rng from "../random/Rng.ts"
import type { Document } from "./DocumentSchema.ts"

/** The version of the form of records; a record of another version is not read. */
export const version = 1

/** The role of a column in a fit. */
const Role = Schema.Literals(["target", "feature", "error", "weights", "group"])

/** A column of the data with its values on the rows of the sample. */
const Column = Schema.Struct({
  name: Schema.String,
  role: Role,
  unit: Schema.NullOr(Schema.String),
  /** least, lower quartile, median, upper quartile and most of all rows; of a column of groups it has no meaning */
  quantiles: Schema.Array(Schema.Finite),
  distinct: Schema.Finite,
  /** on the rows of the sample; of a column of groups places in `labels` */
  values: Schema.Array(Schema.Finite),
})

const Points = Schema.Array(Schema.Tuple([Schema.Finite, Schema.Finite]))

/** How the search came to its best law. */
export const Trace = Schema.Struct({
  /** the unit of the first number of each point */
  along: Schema.Literals(["ensembles scored", "steps"]),
  objective: Schema.Literals(["log posterior", "ELBO"]),
  /** none of a fit over groups */
  points: Points,
  /** of a fit over groups its searches: those of single groups with their names, and that of all rows. Their scores are of their own rows. */
  searches: Schema.optionalKey(
    Schema.Array(Schema.Struct({ group: Schema.NullOr(Schema.String), points: Points })),
  ),
})

/**
 * The circumstances of a fit that its document does not have: the command, the program's version, a sample of the data, and how the
 * search went. `vasst fit --out` writes it beside the document, and a report needs both.
 */
export const Record = Schema.Struct({
  version: Schema.Literal(version),
  program: Schema.String,
  /** the arguments of the command line after `vasst` */
  command: Schema.Array(Schema.String),
  data: Schema.Struct({
    name: Schema.String,
    rows: Schema.Finite,
    /** the number of columns that were read, those that are not in `columns` included */
    width: Schema.Finite,
    /** the columns and rows left out of the file, in words; records of earlier versions lack it */
    left: Schema.optionalKey(Schema.Array(Schema.String)),
    /** the share of the rows that was set aside to test the laws on */
    testFraction: Schema.Finite,
    /** the number of each row of the sample in the table, from 1 */
    numbers: Schema.Array(Schema.Finite),
    /** the target first, then the columns of laws by their probability */
    columns: Schema.Array(Column),
    /** the names of groups */
    labels: Schema.NullOr(Schema.Array(Schema.String)),
  }),
  trace: Schema.NullOr(Trace),
})

export type Record = typeof Record.Type
export type Trace = typeof Trace.Type
export type Column = typeof Column.Type

const [mostRows, mostColumns] = [2000, 40]
const mostPoints = 300

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)

/** Rows of a table, in order: all, or a random sample, the same on every machine, with those that laws call wrong. */
const sample = (data: Dataset, wrong: ReadonlySet<number>): ReadonlyArray<number> => {
  if (data.rows <= mostRows) return Array.from({ length: data.rows }, (_, row) => row)
  const chosen = new Set<number>()
  for (let row = 0; row < data.rows && wrong.size > 0 && chosen.size < mostRows / 4; row++)
    if (wrong.has(data.numbers?.[row] ?? row + 1)) chosen.add(row)
  for (const row of Rng.generator(Rng.fold(Rng.key(0), "record")).permutation(data.rows)) {
    if (chosen.size >= mostRows) break
    chosen.add(row)
  }
  return [...chosen].toSorted((a, b) => a - b)
}

const summaryOf = (values: Float64Array): Pick<Column, "quantiles" | "distinct"> => {
  const sorted = values.toSorted()
  let distinct = 0
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) distinct++
  const quantiles = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const place = share * (sorted.length - 1)
    const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
    return finite(low + (high - low) * (place - Math.floor(place)))
  })
  return { quantiles, distinct }
}

/** At most some hundred points, the first and the last among them. */
const thinned = (points: Trace["points"]): Trace["points"] => {
  const good = points.filter(([at, value]) => Number.isFinite(at) && Number.isFinite(value))
  if (good.length <= mostPoints) return good
  return Array.from(
    { length: mostPoints },
    (_, k) => good[Math.round((k * (good.length - 1)) / (mostPoints - 1))]!,
  )
}

/** What a record is made of beside the document. */
export interface Circumstances {
  readonly program: string
  readonly command: ReadonlyArray<string>
  readonly name: string
  readonly data: Dataset
  /** the columns and rows left out of the file, in words */
  readonly left?: ReadonlyArray<string> | undefined
  readonly testFraction: number
  /** the columns that are no features, with their roles */
  readonly roles: ReadonlyArray<readonly [column: string, role: Column["role"]]>
  readonly group: string | undefined
  /** units of columns, as texts */
  readonly units: Readonly<globalThis.Record<string, string>>
  readonly trace: Trace | undefined
}

/** The roles of columns of laws with one response. */
export const rolesOf = (columns: {
  readonly [R in "error" | "weights" | "group"]: string | undefined
}): Circumstances["roles"] =>
  (["error", "weights", "group"] as const).flatMap((role) => {
    const column = columns[role]
    return column === undefined ? [] : [[column, role] as const]
  })

export const make = (
  { program, command, name, data, left = [], testFraction, roles, group, units, trace }: Circumstances,
  { best, inclusion }: Document,
): Record => {
  const wrong = new Set(best.noise?.wrongRows.map(({ row }) => row))
  const rows = sample(data, wrong)
  const roleOf = (column: string): Column["role"] => roles.find(([one]) => one === column)?.[1] ?? "feature"
  const rank = new Map(inclusion.columns.map((one, place) => [one.name, place]))
  const features = data.features
    .map((column, place) => ({ column, place, role: roleOf(column) }))
    .toSorted(
      (a, b) =>
        Number(a.role === "feature") - Number(b.role === "feature") ||
        (rank.get(a.column) ?? Infinity) - (rank.get(b.column) ?? Infinity) ||
        a.place - b.place,
    )
    .slice(0, mostColumns)
  const labels = best.groups?.groups ?? null
  const labelOf = (value: number): string =>
    (group === undefined ? undefined : data.texts?.[group]?.[value]) ?? String(value)
  const column = (own: string, role: Column["role"], values: Float64Array): Column => ({
    name: own,
    role,
    unit: Object.hasOwn(units, own) ? units[own]! : null,
    ...summaryOf(values),
    values: rows.map((row) =>
      role === "group" ? (labels?.indexOf(labelOf(values[row]!)) ?? -1) : values[row]!,
    ),
  })
  return {
    version,
    program,
    command: [...command],
    data: {
      name,
      rows: data.rows,
      width: data.features.length + 1,
      left: [...left],
      testFraction,
      numbers: rows.map((row) => data.numbers?.[row] ?? row + 1),
      columns: [
        column(data.target, "target", data.y),
        ...features.map((one) => column(one.column, one.role, data.columns[one.place]!)),
      ],
      labels,
    },
    trace:
      trace === undefined
        ? null
        : {
            ...trace,
            points: thinned(trace.points),
            ...(trace.searches && {
              searches: trace.searches.map((one) => ({ ...one, points: thinned(one.points) })),
            }),
          },
  }
}
