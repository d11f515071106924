import type { Dataset } from "vasst/data/Data"
import { infix } from "vasst/expr/text/infix"
import { latex as latexOf } from "vasst/expr/text/latex"
import type { Fitted } from "vasst/models/law"
import * as Document from "vasst/report/Document"
import * as FormulaText from "../../../src/report/FormulaText.ts"
import type { Fitted as GroupFitted } from "../../../src/models/groupLaw.ts"
import * as GroupText from "../../../src/report/GroupText.ts"
import * as NoiseText from "../../../src/report/NoiseText.ts"
import * as Table from "../../../src/report/Table.ts"
import * as UnseenText from "../../../src/report/UnseenText.ts"
import * as Drawn from "./Drawn.ts"
import type { FinalLaw, Outcome, Points } from "./Messages.ts"
import * as Posterior from "./Posterior.ts"

/** Kinds of noise whose size is in proportion to the law. */
const relative = ["proportional", "log"]

/** A fit as the page shows it, and its document, of which a report is made. */
interface Shown {
  readonly outcome: Outcome
  readonly document: Document.Document
}

/** What fits with and without groups have. */
type Ended = Pick<GroupFitted, "posterior" | "seconds" | "unseen">

const shown = (
  { posterior, seconds, unseen }: Ended,
  models: Parameters<typeof Document.make>[0]["models"],
  { target }: Dataset,
  points: Points,
  lawOf: (place: number) => Pick<FinalLaw, "named" | "numbers" | "noise" | "relative" | "drawn">,
): Shown => {
  const { seed, stopReason, steps } = posterior
  const fitted = { models, unseen, seed, stopReason, steps, seconds, objective: "inclusive", backend: "simd" }
  const document = Document.make(fitted, target)
  // A ranking has at least one model.
  if (document === undefined) throw new Error("no law was ranked")
  const laws = models.slice(0, Posterior.shown).map((model, place): FinalLaw => {
    const { sympy, numpy, latex } = document.models[place]!
    return { ...Posterior.law(model), sympy, numpy, exactLatex: latex, ...lawOf(place) }
  })
  const outcome: Outcome = {
    posterior: Posterior.of({ models, unseen }),
    laws,
    points,
    target,
    seconds,
    ended: unseen === undefined ? [] : UnseenText.lines(unseen, stopReason, target),
    columns: document.inclusion.columns,
    json: Document.toJson(document),
  }
  return { outcome, document }
}

/** The result of a fit. */
export const of = (fit: Fitted, data: Dataset): Shown => {
  const points = Drawn.points(data)
  return shown(fit, fit.models, data, points, (place) => {
    const model = fit.models[place]!
    const law = model.law()
    return {
      named:
        law === undefined || law.names.length === 0
          ? undefined
          : { latex: latexOf(law.formula), text: infix(law.formula) },
      numbers: law === undefined ? [] : FormulaText.numbers(law),
      noise: model.noise === undefined ? [] : NoiseText.lines(model.noise, data.target),
      relative: model.noise !== undefined && relative.includes(model.noise.kind),
      drawn: Drawn.of(model, points),
    }
  })
}

/** The result of a fit over groups: each row by the numbers of its group. */
export const ofGroups = (fit: GroupFitted, data: Dataset, column: string): Shown => {
  const { labels } = fit
  const models = fit.models.map((model) => ({ ...model, groups: { column, labels, ...model } }))
  const every = Drawn.points(data)
  const { [column]: _, ...columns } = every.columns
  const points = { columns, y: every.y }
  const number = (value: number): string => Table.significant(value, 4)
  return shown(fit, models, data, points, (place) => {
    const { varying, noiseByGroup, residuals } = fit.models[place]!
    const off = Drawn.rowsOf(data, residuals())
    return {
      named: undefined,
      numbers: [
        ...labels.map(
          (label, group) =>
            `${label}: ${varying.map(({ name, values, errors }) => `${name} = ${GroupText.cell({ value: values[group]!, error: errors[group]! })}`).join(", ")}`,
        ),
        ...varying.map(
          ({ name, mean, spread }) =>
            `${name}: mean ${number(mean)}, standard deviation between groups ${number(spread)}`,
        ),
      ],
      noise: [
        `noise: standard deviation ${labels.map((label, group) => `${number(noiseByGroup[group]!)} in ${label}`).join(", ")}`,
      ],
      relative: false,
      drawn: { values: points.y.map((value, row) => value - off[row]!), curve: undefined },
    }
  })
}
