import * as Schema from "effect/Schema"
import type { GroupNumber } from "../rank/groups/GroupModel.ts"
import * as Table from "./Table.ts"

/** The numbers of a law over groups, as a report needs them. */
export interface Numbers {
  readonly column: string
  readonly labels: ReadonlyArray<string>
  readonly numbers: ReadonlyArray<GroupNumber>
  /** the standard deviation of each group's noise */
  readonly noiseByGroup: ReadonlyArray<number>
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
  /** the names of the groups */
  groups: Schema.Array(Schema.String),
  /** the standard deviation of the noise in each group */
  noise: Schema.Array(Schema.NullOr(Schema.Finite)),
})

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** The numbers for a document. */
export const groups = ({ column, labels, numbers, noiseByGroup }: Numbers): typeof Groups.Type => ({
  column,
  numbers: numbers.map(({ name, mean, meanError, spread, values, errors }) => ({
    name,
    mean: { value: mean, error: finite(meanError) },
    spread: finite(spread),
    values: values.map((value, group) => ({ value, error: finite(errors[group]!) })),
  })),
  groups: [...labels],
  noise: noiseByGroup.map(finite),
})

/** A value to the digits that its error leaves. */
const text = (value: number, error: number): string => {
  const digits = Math.ceil(Math.log10(Math.abs(value) / error)) + 1
  return Table.significant(value, Number.isFinite(digits) ? Math.min(8, Math.max(2, digits)) : 4)
}

/** The table of the numbers of each group, with the mean and the spread between groups below. */
export const lines = ({ column, labels, numbers, noiseByGroup }: Numbers): ReadonlyArray<string> => {
  if (numbers.length === 0) return ["all numbers are shared by all groups"]
  const cell = (value: number, error: number): string =>
    `${text(value, error)} ± ${Table.significant(error, 2)}`
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
          ...numbers.map(({ values, errors }) => cell(values[group]!, errors[group]!)),
          Table.significant(noiseByGroup[group]!, 3),
        ]),
        ["mean", ...numbers.map(({ mean, meanError }) => cell(mean, meanError)), ""],
        ["spread", ...numbers.map(({ spread }) => Table.significant(spread, 3)), ""],
      ],
    ),
  ]
}
