import type { Dataset } from "vasst/data/Data"
import { infix } from "vasst/expr/text/infix"
import { latex as latexOf } from "vasst/expr/text/latex"
import type { Fitted } from "vasst/models/law"
import * as Document from "vasst/report/Document"
import * as FormulaText from "../../../src/report/FormulaText.ts"
import * as NoiseText from "../../../src/report/NoiseText.ts"
import * as UnseenText from "../../../src/report/UnseenText.ts"
import * as Drawn from "./Drawn.ts"
import type { FinalLaw, Outcome } from "./Messages.ts"
import * as Posterior from "./Posterior.ts"

/** Kinds of noise whose size is in proportion to the law. */
const relative = ["proportional", "log"]

/** The result of a fit as the page shows it, and its document, of which a report is made. */
export const of = (
  fit: Fitted,
  data: Dataset,
): { readonly outcome: Outcome; readonly document: Document.Document } => {
  const { target } = data
  const { models, unseen, posterior, seconds } = fit
  const { seed, stopReason, steps } = posterior
  const fitted = { models, unseen, seed, stopReason, steps, seconds, objective: "inclusive", backend: "simd" }
  const document = Document.make(fitted, target)
  // A ranking has at least one model.
  if (document === undefined) throw new Error("no law was ranked")
  const points = Drawn.points(data)
  const laws = models.slice(0, Posterior.shown).map((model, place): FinalLaw => {
    const { sympy, numpy, latex } = document.models[place]!
    const law = model.law()
    const named =
      law === undefined || law.names.length === 0
        ? undefined
        : { latex: latexOf(law.formula), text: infix(law.formula) }
    return {
      ...Posterior.law(model),
      sympy,
      numpy,
      exactLatex: latex,
      named,
      numbers: law === undefined ? [] : FormulaText.numbers(law),
      noise: model.noise === undefined ? [] : NoiseText.lines(model.noise, target),
      relative: model.noise !== undefined && relative.includes(model.noise.kind),
      drawn: Drawn.of(model, points),
    }
  })
  const outcome: Outcome = {
    posterior: Posterior.of(fit.ranking),
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
