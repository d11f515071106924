import type { Law } from "./corpus.ts"
import * as KnownForms from "../../src/prob/KnownForms.ts"
import { formOf } from "./corpus.ts"
import { both, fit, type FormPrior, isCurve, nested as nestingOf, priceOf, score } from "./fit.ts"
import { distinct, known } from "./known.ts"

/** The mean log prior of laws under priors that were fitted without them, in nats a law. */
export interface HeldOut {
  /** without and with the counts of what stands below what */
  readonly weightsAlone: number
  readonly nested: number
  /** with a prior of their own for laws of one column */
  readonly curves: number
  /** with the mass of known forms as well */
  readonly known: number
}

/** Each law is in one of ten parts, and is scored under the prior of the other nine. */
const folds = 10

/** @param laws each is represented as under the prior of all */
export const heldOut = (laws: ReadonlyArray<Law>): HeldOut => {
  const { represented } = fit(laws)
  const { discount, concentration } = known(laws)
  let [weightsAlone, nested, curves, knownForms] = [0, 0, 0, 0]
  for (let fold = 0; fold < folds; fold++) {
    const others = laws.filter((_, index) => index % folds !== fold)
    const own = new Set(laws.filter((_, index) => index % folds === fold))
    const fitted = both(distinct(others))
    const plain: FormPrior = { ...fitted.laws.prior, uses: {} }
    const nestings = { laws: nestingOf(fitted.laws.prior), curves: nestingOf(fitted.curves.prior) }
    const forms = { ...known(others), discount, concentration }
    for (const one of represented.filter(({ law }) => own.has(law))) {
      weightsAlone += score(plain, one)
      nested += score(fitted.laws.prior, one, nestings.laws)
      const kind = isCurve(one.law) ? "curves" : "laws"
      const logScore = score(fitted[kind].prior, one, nestings[kind])
      curves += logScore
      const form = formOf(one.law)
      const among = KnownForms.among(forms, form.columns.length)
      const found = among.find(form, new Set(one.law.formula.match(/\bc\d+\b/g)).size)
      const price = priceOf(one)
      knownForms +=
        Math.log(Math.exp(found?.logMass ?? -Infinity) + Math.exp(among.logNew + logScore + price)) - price
    }
  }
  const mean = (sum: number): number => sum / represented.length
  return {
    weightsAlone: mean(weightsAlone),
    nested: mean(nested),
    curves: mean(curves),
    known: mean(knownForms),
  }
}
