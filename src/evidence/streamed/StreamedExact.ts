import type { Target } from "../gPrior.ts"
import * as GPrior from "../gPrior.ts"
import { type Constants, ofLaw, tableOf } from "../exact/Constants.ts"
import * as BasisFunctions from "../exact/BasisFunctions.ts"
import { select } from "../exact/ConstantSelection.ts"
import { withExactConstants } from "../exact/ExactConstants.ts"
import * as ExactLaw from "../exact/ExactLaw.ts"
import type { State } from "../exact/Hypothesis.ts"
import * as Law from "../Law.ts"
import * as Real from "../../numeric/Real.ts"
import * as Term from "../../expr/Term.ts"
import type { Passed } from "./StreamedFit.ts"

/** The evidence of a law from the moments of all rows, with the exact constants that prior and data support. */
export interface StreamedExact {
  /** log p(y | law, hypothesis about the constants), at fixed constants inside of terms */
  readonly logEvidence: number
  /** the change of it by integrating out the constants inside of terms, which have the prior of coefficients */
  readonly logVolume: number
  readonly logMass: number
  /** the part of it that exact numbers have by their values, given which numbers are exact */
  readonly logMassOfValues: number
  readonly logThreshold: number
  /** posterior means of the terms' coefficients, intercept first */
  readonly coefficients: Float64Array
  /** the hypothesis about the intercept and each basis function's coefficient */
  readonly states: ReadonlyArray<State | undefined>
  readonly rss: number
  /** the number of fitted numbers, those inside of terms included */
  readonly fitted: number
  readonly sigma2: number
  readonly expression: Term.Term
}

/**
 * @param terms with their constants
 * @returns undefined when there are less than two rows more than coefficients
 */
export const make = (
  { all, linear, linearRank, further, basis, at }: Passed,
  terms: ReadonlyArray<Term.Term>,
  target: Target,
  prior: Constants,
): StreamedExact | undefined => {
  const regression = linear.condensed(at)
  const start = at.map((value, k) => value + linear.change[k]!)
  const own = ofLaw(prior, Term.variablesOf(terms).length, false)
  const selection = select(regression, target, start, {
    prior: own,
    table: tableOf(prior),
    logarithmic: false,
    linear: true,
  })
  if (selection === undefined) return undefined
  const lengths = regression.design.map((column) =>
    Math.sqrt(column.reduce((sum, value) => sum + value * value, 0) / target.rows),
  )
  const parts: ExactLaw.Parts = {
    functions: basis.functions,
    states: selection.states,
    coefficients: Law.legible(selection.coefficients, lengths),
    scale: selection.scale,
  }
  return {
    logEvidence: selection.logEvidence,
    logVolume: GPrior.logFurther({ ...target, rank: linearRank - 1, rss: all.rss }, further),
    // Numbers inside of terms are free here.
    logMass: selection.logMass + further * Real.log1p(-own.exact),
    logMassOfValues: selection.logMassOfValues,
    logThreshold: selection.logThreshold,
    coefficients:
      terms.length === 0 ? selection.coefficients : BasisFunctions.toTerms(basis, selection.coefficients),
    states: selection.states,
    rss: selection.rss,
    fitted: selection.fitted + further,
    sigma2: selection.sigma2,
    expression: Term.arrange(withExactConstants(Term.simplify(ExactLaw.linear(parts)), prior)),
  }
}
