import * as SharedFit from "../evidence/fitted/sharedFit.ts"
import * as Output from "../evidence/Output.ts"
import type { Term } from "../expr/Term.ts"
import type * as Template from "../prob/Template.ts"
import type { HoleLibrary } from "./HoleLibrary.ts"
import * as TemplateForm from "./TemplateForm.ts"

/** A law that is to be fitted, and the values that its numbers begin with. */
export interface Candidate {
  readonly forms: ReadonlyArray<TemplateForm.HoleForm>
  readonly start: ReadonlyArray<number>
}

/** A law of a template that was scored: a form for each hole, and its numbers. */
export interface Scored {
  /** in the order of the template's holes */
  readonly forms: ReadonlyArray<TemplateForm.HoleForm>
  /** the values of the numbers, in the order of `TemplateForm.laws` */
  readonly values: Float64Array
  /** the weighted residual sum of squares of each output */
  readonly rss: ReadonlyArray<number>
  /** `Output.logEvidence`, in nats */
  readonly logEvidence: number
  /** the sum over holes of the log priors of their forms, in nats */
  readonly logPrior: number
  /** log evidence plus log prior */
  readonly score: number
}

export interface Settings {
  /** Whether a hole, by its place, may be a term with these numbers. */
  readonly allows: (hole: number, term: Term) => boolean
}

/**
 * Fits and scores laws on all rows of the outputs.
 *
 * @returns undefined for a law that is not finite on every row, that a hole does not allow, or that has as many numbers as there are rows
 */
export const make = (
  template: Template.Template,
  outputs: ReadonlyArray<Output.Output>,
  libraries: ReadonlyArray<Pick<HoleLibrary, "grammar" | "logPrior">>,
  { allows }: Settings,
): ((candidate: Candidate) => Scored | undefined) => {
  const rows = outputs.reduce((sum, one) => sum + Output.counted(one) - 1, 0)
  return ({ forms, start }) => {
    const { terms, numbers } = TemplateForm.laws(template, libraries, forms)
    // A law with as many numbers as rows explains anything.
    if (numbers.length >= rows) return undefined
    const fit = SharedFit.fit(outputs, terms, numbers, Float64Array.from(start))
    if (fit === undefined) return undefined
    const valued = TemplateForm.valued(forms, fit.values)
    const holes = TemplateForm.holes(libraries, valued, fit.values)
    if (!holes.every((term, h) => allows(h, term))) return undefined
    const logPrior = valued.reduce((sum, form, h) => sum + libraries[h]!.logPrior(form), 0)
    const logEvidence = Output.logEvidence(outputs, numbers.length, fit.rss)
    const score = logEvidence + logPrior
    return Number.isFinite(score) ? { ...fit, forms: valued, logEvidence, logPrior, score } : undefined
  }
}
