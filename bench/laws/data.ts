import * as Result from "effect/Result"
import { format } from "../../src/data/Csv.ts"
import { parse } from "../../src/expr/text/parse.ts"
import { scalarFunction } from "../../src/expr/evaluate.ts"
import * as Term from "../../src/expr/Term.ts"
import * as Rng from "../../src/random/Rng.ts"
import { type Case, type Generated, isMeasured, type ProblemSet, type Variable } from "./sets.ts"

/** The rows of a case as a solver sees them. */
export interface Rows {
  readonly target: string
  /** by name: the features in their order, then the target */
  readonly columns: Readonly<Record<string, ReadonlyArray<number>>>
}

/** A law as a term over its features, the values of the source in place of its parameters. */
export const lawOf = ({ formula, parameters = {} }: Case): Term.Term =>
  Term.substitute(Result.getOrThrow(parse(formula)), parameters)

const column = ({ low, high, kind }: Variable, key: Rng.Key, rows: number): ReadonlyArray<number> => {
  const [place, sign] = Rng.split(key, 2)
  const at = Rng.uniform(place, new Float64Array(rows))
  const signs = Rng.uniform(sign, new Float64Array(rows))
  const plain = kind.replace(/^\+?-/, "")
  const size = (u: number, i: number): number => {
    switch (plain) {
      case "log":
        return low * (high / low) ** u
      case "int":
        return Math.floor(low + (high - low) * u)
      case "grid":
        return low + ((high - low) * i) / (rows - 1)
      default:
        return low + (high - low) * u
    }
  }
  return [...at].map((u, i) => {
    const negative = kind.startsWith("-") || (kind.startsWith("+-") && signs[i]! < 0.5)
    return negative ? -size(u, i) : size(u, i)
  })
}

/** The largest and the smallest positive number that 32 bits hold: published sets have no others. */
const single = { most: 3.4028234663852886e38, least: 1.1754943508222875e-38 } as const

const usable = (y: number): boolean =>
  Number.isFinite(y) && Math.abs(y) <= single.most && (y === 0 || Math.abs(y) >= single.least)

/** More batches than these without a sufficient number of rows, and the ranges are wrong. */
const batches = 200

/** Rows of a law without noise. Rows on which it is not finite, or beyond what 32 bits hold, are drawn again. */
const drawn = (
  one: Generated,
  count: number,
  key: Rng.Key,
  numbers: Readonly<Record<string, number>> = {},
): Rows => {
  const features = one.variables.map(({ name }) => name)
  const law = scalarFunction(Term.substitute(lawOf(one), numbers), features)
  const rows: Array<ReadonlyArray<number>> = []
  for (let batch = 0; rows.length < count; batch++) {
    if (batch === batches) throw new Error(`${one.name} is not finite on its ranges`)
    const columns = one.variables.map((variable) =>
      column(variable, Rng.fold(Rng.fold(key, variable.name), batch), count),
    )
    for (let i = 0; i < count && rows.length < count; i++) {
      const row = columns.map((values) => values[i]!)
      const y = law(row)
      if (usable(y)) rows.push([...row, y])
    }
  }
  const target = features.includes("y") ? "target" : "y"
  return {
    target,
    columns: Object.fromEntries([...features, target].map((name, k) => [name, rows.map((row) => row[k]!)])),
  }
}

/** The column with the number of the group. */
export const groupColumn = "group"

/** The numbers of each group of a case. */
const groupsOf = (
  one: Generated,
  key: Rng.Key,
  groups: number,
): ReadonlyArray<Readonly<Record<string, number>>> =>
  Array.from({ length: groups }, (_, group) =>
    Object.fromEntries(
      (one.perGroup ?? []).map((number) => [
        number.name,
        column(number, Rng.fold(Rng.fold(key, `group ${group}`), number.name), 1)[0]!,
      ]),
    ),
  )

/** The numbers of each group, as `rowsOf` draws them. */
export const numbersOf = (
  set: ProblemSet,
  one: Generated,
  seed: number,
  groups: number,
): ReadonlyArray<Readonly<Record<string, number>>> => {
  const [rowKey] = Rng.split(Rng.fold(Rng.fold(Rng.key(seed), set.name), one.name), 2)
  return groupsOf(one, rowKey, groups)
}

/** Rows in groups; noise is a share of the root mean square of y in the group. */
const grouped = (
  one: Generated,
  count: number,
  key: Rng.Key,
  { groups, noise }: { readonly groups: number; readonly noise: number },
): Rows => {
  const [rowKey, noiseKey] = Rng.split(key, 2)
  const parts = groupsOf(one, rowKey, groups).map((numbers, group): Rows => {
    const { target, columns } = drawn(one, count, Rng.fold(rowKey, group), numbers)
    const y = columns[target]!
    const size = Math.sqrt(y.reduce((sum, value) => sum + value * value, 0) / y.length)
    const errors = Rng.normal(Rng.fold(noiseKey, group), new Float64Array(y.length))
    return {
      target,
      columns: {
        [groupColumn]: y.map(() => group + 1),
        ...columns,
        [target]: y.map((value, i) => value + noise * size * errors[i]!),
      },
    }
  })
  const [first] = parts
  return {
    target: first!.target,
    columns: Object.fromEntries(
      Object.keys(first!.columns).map((name) => [name, parts.flatMap(({ columns }) => columns[name]!)]),
    ),
  }
}

/** Rows of a set that says nothing of its own. */
const usual = 2000

/**
 * The rows of a case. Of a law that is drawn, they depend on set, case and seed; noise is in proportion: y (1 + noise z), with
 * standard normal z that the levels of one seed share. Measured rows are as they are; noise and seed mean nothing to them.
 *
 * @param groups the number of groups, of a case with numbers of each group
 *
 * Throws when the law has no values on its ranges.
 */
export const rowsOf = (set: ProblemSet, one: Case, noise: number, seed: number, groups = 1): Rows => {
  if (isMeasured(one)) return { target: one.target, columns: one.columns }
  const key = Rng.fold(Rng.fold(Rng.key(seed), set.name), one.name)
  if (one.perGroup !== undefined) return grouped(one, one.rows ?? set.rows ?? usual, key, { groups, noise })
  const [rowKey, noiseKey] = Rng.split(key, 2)
  const clean = drawn(one, one.rows ?? set.rows ?? usual, rowKey)
  if (noise === 0) return clean
  const y = clean.columns[clean.target]!
  const errors = Rng.normal(noiseKey, new Float64Array(y.length))
  const noisy = y.map((value, i) => value * (1 + noise * errors[i]!))
  return { ...clean, columns: { ...clean.columns, [clean.target]: noisy } }
}

/** Rows as a file of comma-separated values, all digits. */
export const csv = ({ columns }: Rows): string => {
  const entries = Object.entries(columns)
  const count = entries[0]?.[1].length ?? 0
  return format([
    entries.map(([name]) => name),
    ...Array.from({ length: count }, (_, i) => entries.map(([, values]) => values[i]!)),
  ])
}
