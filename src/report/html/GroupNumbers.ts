import type { Document } from "../DocumentSchema.ts"
import * as GroupText from "../GroupText.ts"
import * as Table from "../Table.ts"
import * as Charts from "./Charts.ts"
import { details, type Html, html, name, shortened, table } from "./Html.ts"
import { figure, type Run } from "./Section.ts"
import * as Typeset from "./Typeset.ts"

/** Groups of a table that is open, of one on request, and of a picture. */
const [grouped, onRequest] = [40, 1000]

/** The numbers of each group with their errors, a row for each: open for few groups, on request for more. */
const groupTable = ({
  column,
  numbers: varying,
  groups,
  noise,
}: NonNullable<Document["best"]["groups"]>): Html => {
  const kept = groups.slice(0, onRequest)
  const body = table(
    "the numbers of each group with standard errors, and the standard deviation of its noise",
    [name(column), ...varying.map((one) => one.name), "noise"],
    kept.map((label, group) => [
      name(label),
      ...varying.map(({ values }) => GroupText.cell(values[group]!)),
      noise[group] === null || noise[group] === undefined ? "-" : Table.significant(noise[group], 3),
    ]),
  )
  if (groups.length <= grouped) return body
  const which =
    kept.length < groups.length ? `the first ${kept.length} of ${groups.length}` : `all ${kept.length}`
  return html`${details(`The numbers of ${which} groups as a table`, body)}
    <p class="note">
      The pictures show the first ${grouped} of ${groups.length} groups. The numbers of all are in fit.json,
      which
      <code>vasst fit --out FOLDER</code> writes, at <code>best.groups</code>.
    </p>`
}

/** What a law over groups has of each group: a table of its numbers, and a picture of each number. */
export const of = async (run: Run, groups: NonNullable<Document["best"]["groups"]>): Promise<Html> => {
  const labels = groups.groups.slice(0, grouped)
  const figures: Array<Html> = []
  for (const [index, { name: own, mean, values }] of groups.numbers.entries()) {
    const points = labels.map((label, group) => {
      const { value, error } = values[group]!
      const reach = 1.96 * (error ?? 0)
      // Two labels that are shortened to one text have rows of their own.
      const text = shortened(label, 16)
      const again = labels.slice(0, group).filter((other) => shortened(other, 16) === text).length
      return {
        group: again === 0 ? text : `${text} (${again + 1})`,
        x: value,
        low: value - reach,
        high: value + reach,
      }
    })
    figures.push(
      await figure(
        run,
        Charts.groups(
          `group-${index}`,
          `The number ${own} of each group with its 95 % interval, and the mean of the groups.`,
          own,
          points,
          mean.value,
        ),
        html`The number ${Typeset.variable(own)} of each group with its 95 % interval; the line is their mean.`,
        table(
          `the number ${own} by ${shortened(groups.column)}`,
          [name(groups.column), own],
          labels.map((label, group) => [name(label), GroupText.cell(values[group]!)]),
        ),
      ),
    )
  }
  return groups.numbers.length === 0
    ? html`<p>All numbers are shared by all groups.</p>`
    : html`${table(
          "numbers of the groups: their mean, and the standard deviation between groups",
          ["number", "mean", "between groups"],
          groups.numbers.map((one) => [
            Typeset.variable(one.name),
            GroupText.cell(one.mean),
            one.spread === null ? "-" : Table.significant(one.spread, 3),
          ]),
        )}
        ${groupTable(groups)}
        <div class="figures">${figures}</div>`
}
