import type * as Effect from "effect/Effect"
import type { Likelihood } from "../prob/Likelihood.ts"
import type { SiteRecord } from "../prob/Model.ts"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Conjugate from "./ConjugateScorer.ts"
import type { Drawn, Ensemble } from "./Ensemble.ts"
import type { Model } from "./Model.ts"
import * as Selected from "./SelectedScorer.ts"

/** The scores of an ensemble: what every evaluation costs; a `Model` has the rest. */
export interface Scored {
  /** log p(y | ensemble), with all constants */
  readonly logEvidence: number
  readonly logPrior: number
  /** their sum */
  readonly lmpse: number
}

/** Scores ensembles on one data set, exactly, remembering columns and inner products from one call to the next. */
export interface Scorer {
  /** The standard deviation of the training data's y, as `Law.scaleOf` has it. */
  readonly scale: number
  /** Links of the likelihood that the training data rule out, in words; none without links. */
  readonly dropped: ReadonlyArray<string>
  /**
   * Evidence, prior and LMPSE (Eq. LMPSE) of an ensemble.
   *
   * @returns undefined when a column is not finite or reaches 1e15 in magnitude, when the ensemble's link was dropped, or
   *   its law is not finite on every row: such an ensemble is no model
   */
  readonly score: (ensemble: Ensemble) => Scored | undefined
  /**
   * The model of an ensemble, a new object with `posterior` 1: it is a probability only among others. Undefined as for
   * `score`.
   */
  readonly model: (drawn: Drawn) => Model | undefined
}

/** What a scorer is made from: a compiled `Plan` has the first two. */
export interface Problem {
  readonly likelihood: Likelihood
  /** The model's sites, where the prior of the weights is found. */
  readonly sites: ReadonlyArray<Pick<SiteRecord, "name" | "prior">>
}

/**
 * A scorer of the likelihood's ensembles.
 *
 * Fails with a `CompileError` when the data lack a feature of the grammar, or what the likelihood does not say is not
 * integrated out in closed form: weights of the tree prior or of the links that are not Dirichlet distributed,
 * inclusion probabilities that are neither fixed nor Beta distributed.
 *
 * @example
 * const scorer = yield* Scorer.make(posterior.plan, { train, test })
 */
export const make = (
  { likelihood, sites }: Problem,
  data: { readonly train: Dataset; readonly test?: Dataset | undefined },
): Effect.Effect<Scorer, CompileError> => {
  switch (likelihood._tag) {
    case "ConjugateLinear":
      return Conjugate.make(likelihood, sites, data)
    case "SelectedLinear":
      return Selected.make(likelihood, sites, data)
  }
}
