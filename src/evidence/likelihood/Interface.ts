import type * as Effect from "effect/Effect"
import type { Dataset } from "../../data/Data.ts"
import type { CompileError } from "../../errors/Errors.ts"
import type { Term } from "../../expr/Term.ts"
import type { Link } from "../../prob/Link.ts"
import type { Observation } from "../../prob/Observation.ts"
import type { Tree } from "../../prob/Tree.ts"
import type { Columns } from "../columns.ts"
import type { Collapsed } from "../conjugate.ts"
import type { Constants } from "../exact/Constants.ts"
import type { Working } from "../workingResponse.ts"

/** Trees with their learned numbers at the mode, and what integrating the numbers out adds to the evidence. */
export interface Learned {
  readonly trees: ReadonlyArray<Tree>
  readonly numbers: ArrayLike<number>
  /** natural logarithm */
  readonly logVolume: number
}

/** The trees of a model as they are written. */
export interface Written {
  readonly train: Dataset
  /** the training data's columns, then those of the test data if there are any */
  readonly data: ReadonlyArray<Columns>
  readonly trees: ReadonlyArray<Tree>
  readonly write: (tree: Tree) => Term
}

/** What both a model and a model with exact constants have. */
interface Described {
  /** log p(y | link, trees), with all constants: a density of y in y's units, whatever the link */
  readonly logEvidence: number
  /** The same with noise on the scale of the link. */
  readonly linkEvidence: () => number
  /** Posterior mean of the noise variance in squared units of y; NaN for likelihoods that have none. */
  readonly sigma2: number
  /** Posterior means of the coefficients, or their mode; intercept first, on the scale of the link. */
  readonly coefficients: () => Float64Array
  /**
   * -2 log of the maximal likelihood plus the logarithm of n for each free parameter, up to a constant that all models
   * of the likelihood share.
   *
   * @param numbers how many numbers inside of trees have been learned
   */
  readonly bic: (numbers: number) => number
  /** The law solved for the mean of y, simplified. */
  readonly expression: (written: Written) => Term
  /** y less the fitted law of highest likelihood on the training rows, length n. */
  readonly residuals: () => Float64Array
}

/** What is said of the constants of a model. */
export interface Rounded extends Described {
  /** log prior mass of the hypothesis about the constants */
  readonly logMass: number
  readonly constants: ReadonlyArray<string>
}

/** What the data say of one hard ensemble, a link and trees. */
export interface Assessment extends Described {
  readonly link: Link
  /** The whole posterior of coefficients and sigma^2 under a normal-inverse-gamma prior; undefined elsewhere. */
  readonly collapsed: Collapsed | undefined
  /** The mode of each nuisance parameter, by name; none in closed forms, which integrate them out. */
  readonly nuisance: Readonly<Record<string, number>>
  /** The mean of y from values of the linear part on the rows of some data; NaN where these lack a column that it reads. */
  readonly solved: (z: Float64Array, data: Dataset) => Float64Array
  /** What of the constants is exact; undefined for likelihoods that do not round. */
  readonly rounded:
    ((prior: Constants, written: Written, terms: ReadonlyArray<Term>) => Rounded | undefined) | undefined
}

/** The exact evidence of hard ensembles on one data set. */
export interface Assessor {
  /** Links that the data rule out, in words. */
  readonly dropped: ReadonlyArray<string>
  /** Learns the numbers of trees (`Constant.learned`); undefined for trees without any. */
  readonly learn: (link: number, trees: ReadonlyArray<Tree>) => Learned | undefined
  /**
   * The evidence of trees; learned numbers count as given.
   *
   * @returns undefined when the link was dropped, a column is not finite or reaches 1e15 in magnitude, or the law is not
   *   finite on every row
   */
  readonly assess: (link: number, trees: ReadonlyArray<Tree>) => Assessment | undefined
}

/**
 * How trees make data. It is all that the search, the descent of an ELBO and the ranking know of a likelihood: no code
 * outside of this folder asks which one it is.
 */
export interface Likelihood extends Observation {
  /** What tells a likelihood from other observations at run time. */
  readonly "~likelihood": true
  /** What a search charges for a tree that a model must have and an ensemble on the way lacks, in nats. */
  readonly missing: number
  /** Exact evidence. Fails with a `CompileError` when the data lack a column that the likelihood names. */
  readonly assessor: (columns: Columns, data: Dataset) => Effect.Effect<Assessor, CompileError>
  /**
   * What a search regresses on: a working response for each link, undefined for those that the data rule out. Fails as
   * `assessor` does.
   */
  readonly working: (data: Dataset) => Effect.Effect<ReadonlyArray<Working | undefined>, CompileError>
  /**
   * log p(y | ensemble) as a search has it, up to a constant that all ensembles share, from the number of linearly
   * independent trees and the residual sum of squares of the working response. Fails as `assessor` does.
   *
   * @param resolution fits that are closer than this, relative to y, are equally good to the search
   */
  readonly approximate: (
    data: Dataset,
    resolution: number,
  ) => Effect.Effect<(rank: number, rss: number) => number, CompileError>
}
