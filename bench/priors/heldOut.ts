import type { Law } from "./corpus.ts"
import { fit, type FormPrior, score } from "./fit.ts"

/** The mean log prior of laws under priors that were fitted without them, in nats a law. */
export interface HeldOut {
  /** without and with the counts of what stands below what */
  readonly weightsAlone: number
  readonly nested: number
}

/** Each law is in one of ten parts, and is scored under the prior of the other nine. */
const folds = 10

/** @param laws each is represented as under the prior of all */
export const heldOut = (laws: ReadonlyArray<Law>): HeldOut => {
  const { represented } = fit(laws)
  let [weightsAlone, nested] = [0, 0]
  for (let fold = 0; fold < folds; fold++) {
    const others = laws.filter((_, index) => index % folds !== fold)
    const own = new Set(laws.filter((_, index) => index % folds === fold))
    const { prior } = fit(others)
    const plain: FormPrior = { ...prior, uses: {} }
    for (const one of represented.filter(({ law }) => own.has(law))) {
      weightsAlone += score(plain, one)
      nested += score(prior, one)
    }
  }
  return { weightsAlone: weightsAlone / represented.length, nested: nested / represented.length }
}
