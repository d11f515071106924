import * as Schema from "effect/Schema"
import type { FittedLaw } from "../evidence/fitted/FittedLaw.ts"
import type { GroupNumber } from "../rank/groups/GroupModel.ts"
import * as LawDocument from "./LawDocument.ts"
import * as Table from "./Table.ts"
import * as Real from "../numeric/Real.ts"

/** The numbers of a law over groups, as a report needs them. */
export interface Numbers {
  readonly column: string
  readonly labels: ReadonlyArray<string>
  readonly varying: ReadonlyArray<GroupNumber>
  /** the standard deviation of each group's noise */
  readonly noiseByGroup: ReadonlyArray<number>
  /** the law in a group, by its place among the labels */
  readonly law: (group: number) => FittedLaw
}

const Value = Schema.Struct({ value: Schema.Finite, error: Schema.NullOr(Schema.Finite) })

/** The numbers that vary between groups, by group. */
export const Groups = Schema.Struct({
  column: Schema.String,
  numbers: Schema.Array(
    Schema.Struct({
      /** its name in the expression */
      name: Schema.String,
      /** the mean of the groups' numbers */
      mean: Value,
      /** the standard deviation between groups */
      spread: Schema.NullOr(Schema.Finite),
      /** in the order of `groups` */
      values: Schema.Array(Value),
    }),
  ),
  groups: Schema.Array(Schema.String),
  /** the standard deviation of the noise in each group */
  noise: Schema.Array(Schema.NullOr(Schema.Finite)),
  /** the law in each group, as `law` is that in a group that was not there; none of models for which that is null */
  laws: Schema.Array(Schema.NullOr(LawDocument.Law)),
})

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/**
 * The numbers for a document.
 *
 * @param leads whether its laws are in it
 */
export const groups = (
  { column, labels, varying, noiseByGroup, law }: Numbers,
  leads: boolean,
): typeof Groups.Type => ({
  column,
  numbers: varying.map(({ name, mean, meanError, spread, values, errors }) => ({
    name,
    mean: { value: mean, error: finite(meanError) },
    spread: finite(spread),
    values: values.map((value, group) => ({ value, error: finite(errors[group]!) })),
  })),
  groups: [...labels],
  noise: noiseByGroup.map(finite),
  laws: leads ? labels.map((_, group) => LawDocument.of(law(group))) : [],
})

/** A value to the digits that its error leaves. */
const text = (value: number, error: number): string => {
  const digits = Math.ceil(Real.log10(Math.abs(value) / error)) + 1
  return Table.significant(value, Number.isFinite(digits) ? Math.min(8, Math.max(2, digits)) : 4)
}

export const cell = ({ value, error }: typeof Value.Type): string =>
  error === null ? text(value, Number.NaN) : `${text(value, error)} ± ${Table.significant(error, 2)}`

/** The table of the numbers of each group, with the mean and the spread between groups below. */
export const lines = ({
  column,
  numbers,
  groups: labels,
  noise,
}: typeof Groups.Type): ReadonlyArray<string> => {
  if (numbers.length === 0) return ["all numbers are shared by all groups"]
  return [
    "",
    ...Table.render(
      [
        { title: column, align: "left", cut: true },
        ...numbers.map(({ name }) => ({ title: name, align: "left" }) as const),
        { title: "noise", align: "right" },
      ],
      [
        ...labels.map((label, group) => [
          label,
          ...numbers.map(({ values }) => cell(values[group]!)),
          Table.significant(noise[group] ?? Number.NaN, 3),
        ]),
        ["mean", ...numbers.map(({ mean }) => cell(mean)), ""],
        ["spread", ...numbers.map(({ spread }) => Table.significant(spread ?? Number.NaN, 3)), ""],
      ],
    ),
  ]
}
