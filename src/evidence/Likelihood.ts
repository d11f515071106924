/**
 * Likelihoods: the distribution of the response given the trees of an ensemble. A model observes one likelihood. The
 * search, ELBO descent and the ranking use its interface only (`likelihood/Interface`, docs/adr/0015).
 *
 * *When to use*: `selectedLinear` for a search under normal noise of unknown scale, without a prior scale to choose.
 * `conjugateLinear` for the paper's method (normal-inverse-gamma prior, ELBO descent). `linear` with a density (`poisson`,
 * `bernoulli`, `studentT`, ...) for all other noise; `make` declares a density of your own.
 *
 * @example
 * yield* Model.observe("y", Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 10, a0: 2, b0: 2 }))
 */
import * as Effect from "effect/Effect"
import { CompileError } from "../errors/Errors.ts"
import type { Observation } from "../prob/Observation.ts"
import type { Likelihood } from "./likelihood/Interface.ts"

export type {
  Assessment,
  Assessor,
  FoundNoise,
  Likelihood,
  RowWeights,
  WrongRow,
} from "./likelihood/Interface.ts"
export { LikelihoodError } from "./likelihood/LikelihoodError.ts"
export { hyperG, type HyperG } from "./likelihood/hyperG.ts"
export { conjugateLinear, type ConjugateLinear } from "./likelihood/conjugateLinear.ts"
export { defaultResolution, selectedLinear, type SelectedLinear } from "./likelihood/selectedLinear.ts"
export { linear } from "./likelihood/linear.ts"
export { type Density, make, type Nuisance, weighted } from "./likelihood/Density.ts"
export { draw } from "./likelihood/predictive.ts"
export { lgamma } from "./likelihood/lgamma.ts"
export { bernoulli } from "./likelihood/bernoulli.ts"
export { logNormal } from "./likelihood/logNormal.ts"
export { negativeBinomial } from "./likelihood/negativeBinomial.ts"
export { normal } from "./likelihood/normal.ts"
export { normalError } from "./likelihood/normalError.ts"
export { poisson } from "./likelihood/poisson.ts"
export { proportional } from "./likelihood/proportional.ts"
export { studentT } from "./likelihood/studentT.ts"
export type { Response } from "../prob/Observation.ts"

/** The observation of a plan as a likelihood. Fails with a `CompileError` when the observation has no evidence of hard trees. */
export const of = (observation: Observation): Effect.Effect<Likelihood, CompileError> =>
  isLikelihood(observation)
    ? Effect.succeed(observation)
    : Effect.fail(
        new CompileError({
          message: `the observation "${observation.name}" has no evidence of hard trees; observe a likelihood of vasst/evidence/Likelihood`,
        }),
      )

const isLikelihood = (observation: Observation): observation is Likelihood => "~likelihood" in observation
