import type { Operator } from "../../expr/Operator.ts"
import * as Result from "effect/Result"
import { compileColumn, scalarFunction } from "../../expr/evaluate.ts"
import { parse } from "../../expr/text/parse.ts"
import * as Term from "../../expr/Term.ts"
import type { FittedLaw } from "../../evidence/fitted/FittedLaw.ts"
import * as Prediction from "../../rank/Prediction.ts"
import type { Document } from "../DocumentSchema.ts"
import * as LawDocument from "../LawDocument.ts"
import type { Column, Record } from "../Record.ts"
import * as Real from "../../numeric/Real.ts"

/** A table of columns with the group of each row; -1 for a group that was not there. */
export interface Rows {
  /** the columns by name, of one length */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly values: Float64Array }>
  readonly count: number
  readonly groups: Int32Array
  /** the standard error of each row, or one over the root of its weight */
  readonly errors: Float64Array | undefined
}

/** The laws of a run over the rows of its record. */
export interface Values {
  readonly features: ReadonlyArray<Column>
  readonly target: Column
  readonly rows: Rows
  /** the best law on each row; NaN where it has no value */
  readonly law: Float64Array
  /** observed less predicted, in standard deviations of the noise where it has one */
  readonly residuals: Float64Array
  /** whether residuals are in standard deviations of the noise */
  readonly standard: boolean
  readonly bestOn: (rows: Rows) => Float64Array
  /** the prediction of all laws on rows of any kind; undefined where laws have no noise scale */
  readonly predictOn: (rows: Rows) => Prediction.Prediction | undefined
  /** an observation as it would be where the law has another value */
  readonly moved: (observed: number, from: number, to: number) => number
  /** the columns that the best law reads */
  readonly read: ReadonlyArray<string>
}

/** The share of probability of the bands of a report. */
export const level = 0.9

const withNumbers = (formula: Term.Term, numbers: ReadonlyMap<string, number>): Term.Term =>
  Term.substitute(formula, (name) => numbers.get(name) ?? Term.variable(name))

/** The best law in a group, with its numbers in it. */
const formulaIn = (
  { best }: Document,
  operators: ReadonlyArray<Operator>,
  group: number,
): Term.Term | undefined => {
  const law = best.groups?.laws[group] ?? (best.groups === undefined || group < 0 ? best.law : null)
  if (law !== null)
    return Result.getOrUndefined(
      Result.map(parse(law.formula, { operators }), (formula) =>
        withNumbers(formula, new Map(law.numbers.map(({ name, value }) => [name, value]))),
      ),
    )
  const own = best.groups?.numbers.map(
    ({ name, mean, values }) => [name, (values[group] ?? mean).value] as const,
  )
  return Result.getOrUndefined(
    Result.map(parse(best.expression, { operators }), (term) => withNumbers(term, new Map(own))),
  )
}

const places = (groups: Int32Array): ReadonlyMap<number, ReadonlyArray<number>> => {
  const found = new Map<number, Array<number>>()
  groups.forEach((group, row) => {
    const list = found.get(group)
    if (list === undefined) found.set(group, [row])
    else list.push(row)
  })
  return found
}

export const pick = ({ columns, groups, errors }: Rows, chosen: ReadonlyArray<number>): Rows => ({
  columns: columns.map(({ name, values }) => ({
    name,
    values: Float64Array.from(chosen, (row) => values[row]!),
  })),
  count: chosen.length,
  groups: Int32Array.from(chosen, (row) => groups[row]!),
  errors: errors && Float64Array.from(chosen, (row) => errors[row]!),
})

/** Columns of these names; of one that is not there NaN, so that laws that read it have no value. */
const columnsFor = (rows: Rows, names: ReadonlyArray<string>): ReadonlyArray<Float64Array> =>
  names.map(
    (own) =>
      rows.columns.find(({ name }) => name === own)?.values ?? new Float64Array(rows.count).fill(Number.NaN),
  )

const lawsIn = (
  { models }: Document,
  operators: ReadonlyArray<Operator>,
  group: number,
): ReadonlyArray<Prediction.Weighted> =>
  models.flatMap(({ law, groups, posterior }) => {
    const own = group < 0 ? law : (groups?.laws[group] ?? null)
    if (own === null) return []
    return Result.match(LawDocument.read(own, operators), {
      onFailure: () => [],
      onSuccess: (read) => [{ law: read, probability: posterior }],
    })
  })

const bestOn =
  (document: Document, operators: ReadonlyArray<Operator>) =>
  (rows: Rows): Float64Array => {
    const out = new Float64Array(rows.count).fill(Number.NaN)
    for (const [group, own] of places(rows.groups)) {
      const formula = formulaIn(document, operators, group)
      if (formula === undefined) continue
      const names = Term.variables(formula)
      const part = new Float64Array(own.length)
      compileColumn(formula, names)(columnsFor(pick(rows, own), names), part)
      own.forEach((row, i) => (out[row] = part[i]!))
    }
    return out
  }

const predictOn = (document: Document, operators: ReadonlyArray<Operator>) => {
  const known = new Map<number, ReadonlyArray<Prediction.Weighted>>()
  return (rows: Rows): Prediction.Prediction | undefined => {
    const empty = (): Float64Array => new Float64Array(rows.count).fill(Number.NaN)
    const interval = () => ({ low: empty(), high: empty() })
    const out = { mean: empty(), bands: [{ level, credible: interval(), predictive: interval() }] }
    for (const [group, own] of places(rows.groups)) {
      const laws = known.get(group) ?? lawsIn(document, operators, group)
      known.set(group, laws)
      if (laws.length === 0) return undefined
      const part = pick(rows, own)
      const names = [
        ...new Set(
          laws.flatMap(({ law }) => Term.variables(law.formula).filter((one) => !law.names.includes(one))),
        ),
      ]
      const found = Prediction.make(
        laws,
        { features: names, columns: columnsFor(part, names), count: part.count, errors: part.errors },
        [level],
      )
      own.forEach((row, i) => {
        out.mean[row] = found.mean[i]!
        for (const kind of ["credible", "predictive"] as const)
          for (const end of ["low", "high"] as const)
            out.bands[0]![kind][end][row] = found.bands[0]![kind][end][i]!
      })
    }
    return out
  }
}

/** The noise of the best law: the deviation of a response, and whether it is of logarithms. */
const noiseOf = (law: FittedLaw | undefined) => {
  if (law === undefined || !(law.sigma > 0)) return undefined
  const deviation = scalarFunction(law.noise.deviation, ["mu"])
  return {
    sigma: law.sigma,
    logarithms: law.noise.residual === "logarithm",
    deviation: (mu: number) => deviation([mu]),
  }
}

/**
 * Evaluates the laws of a run on the sample of its data.
 *
 * @param operators those of the user's own that laws may have
 */
export const make = (document: Document, { data }: Record, operators: ReadonlyArray<Operator>): Values => {
  const byRole = (role: Column["role"]) => data.columns.filter((one) => one.role === role)
  const [target] = byRole("target")
  if (target === undefined) throw new RangeError("a record has no target")
  const features = byRole("feature")
  const [error] = byRole("error")
  const [weights] = byRole("weights")
  const [group] = byRole("group")
  const rows: Rows = {
    columns: features.map(({ name, values }) => ({ name, values: Float64Array.from(values) })),
    count: target.values.length,
    groups: Int32Array.from(target.values, (_, row) => group?.values[row] ?? -1),
    errors:
      error === undefined && weights === undefined
        ? undefined
        : Float64Array.from(
            target.values,
            (_, row) => (error?.values[row] ?? 1) / Math.sqrt(weights?.values[row] ?? 1),
          ),
  }
  const onRows = bestOn(document, operators)
  const law = onRows(rows)
  const noises = new Map(
    [...new Set(rows.groups)].map((own) => {
      const written = own < 0 ? document.best.law : (document.best.groups?.laws[own] ?? null)
      return [
        own,
        noiseOf(written === null ? undefined : Result.getOrUndefined(LawDocument.read(written, operators))),
      ] as const
    }),
  )
  const standard = [...noises.values()].every((one) => one !== undefined)
  const residuals = Float64Array.from(target.values, (observed, row) => {
    const noise = noises.get(rows.groups[row]!)
    const value = law[row]!
    if (!standard || noise === undefined) return observed - value
    if (noise.logarithms) return Real.log(observed / value) / noise.sigma
    return (observed - value) / (noise.sigma * noise.deviation(value) * (rows.errors?.[row] ?? 1))
  })
  const [any] = noises.values()
  const ratio = any !== undefined && (any.logarithms || any.deviation(2) !== any.deviation(1))
  const formula = formulaIn(document, operators, -1)
  return {
    features,
    target,
    rows,
    law,
    residuals,
    standard,
    bestOn: onRows,
    predictOn: predictOn(document, operators),
    moved: (observed, from, to) => (ratio ? (observed / from) * to : observed - from + to),
    read: formula === undefined ? [] : Term.variables(formula),
  }
}
