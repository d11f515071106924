import type * as Effect from "effect/Effect"
import type { Dataset } from "../../data/Data.ts"
import type { CompileError } from "../../errors/Errors.ts"
import type { Term } from "../../expr/Term.ts"
import type { Link } from "../../prob/Link.ts"
import type { Observation } from "../../prob/Observation.ts"
import type { Tree } from "../../prob/Tree.ts"
import type { Columns } from "../columns.ts"
import type { Collapsed } from "../conjugate.ts"
import type { ConstantSelection } from "../exact/ConstantSelection.ts"
import type { Constants } from "../exact/Constants.ts"
import type { Among } from "../exact/Declared.ts"
import type { State } from "../exact/Hypothesis.ts"
import type { Kind } from "../Noise.ts"
import type { WorkingResponse } from "../workingResponse.ts"

/** Trees with their fitted constants at the posterior mode, and the change in log evidence by integrating the constants out. */
export interface FittedConstants {
  readonly trees: ReadonlyArray<Tree>
  readonly numbers: ArrayLike<number>
  /** log evidence with the constants integrated out, minus log evidence at the mode, in nats */
  readonly logVolume: number
}

/** The trees of a model, and the data sets on which their written form has to agree with them. */
export interface Written {
  readonly train: Dataset
  /** the training data's columns, then those of the test data if there are any */
  readonly data: ReadonlyArray<Columns>
  readonly trees: ReadonlyArray<Tree>
  readonly write: (tree: Tree) => Term
}

/** A row that a law explains only as wrong. */
export interface WrongRow {
  /** its number in the table, from 1, without the header */
  readonly row: number
  /** the response there */
  readonly value: number
  /** the law's value there; not finite where the law is not defined */
  readonly law: number
  /** the distance from the law in standard deviations of the noise; infinite where the law has none */
  readonly sigmas: number
  /** the posterior probability that the row is wrong, given the law and the kind of noise */
  readonly probability: number
}

/** The weights of rows under a kind of noise, by which a search regresses; plain data. */
export interface RowWeights {
  /** one over the standard deviation of each row, up to a factor, length n; 0 for rows that are wrong */
  readonly by: Float64Array
  /** the number of rows that count */
  readonly count: number
  /** what the log density of weighted values lacks to be that of y, in nats, on these rows */
  readonly logDensity: number
  /** Whether noise is on the logarithm of y: where a law is far off, responses are linearised around y itself. */
  readonly logarithms?: boolean
}

/** The noise that explains the response best, given a law. */
export interface FoundNoise {
  /** the name of the kind; "none" where the law fits to the resolution of the data */
  readonly kind: string
  /** the kind itself, also where the law is exact */
  readonly form: Kind
  /** whether the law fits to the resolution of the data, so that its noise is of no kind */
  readonly exact: boolean
  /** whether rows have known standard errors, beside the deviation that the kind has */
  readonly knownErrors: boolean
  /** the posterior probability of the kind with these wrong rows, given the law */
  readonly probability: number
  /**
   * the noise scale: the standard deviation in units of y of additive noise, of relative errors, or of logarithms; the factor of known
   * errors; the scale of Student's t noise
   */
  readonly sigma: number
  /** rows that are wrong with a probability above 0.99, in the order of the table */
  readonly wrongRows: ReadonlyArray<WrongRow>
  /** undefined where no row has a weight */
  readonly weights: () => RowWeights | undefined
}

/** The properties that a model and the same model with exact constants share. */
export interface Described {
  /** log p(y | link, trees), normalised: a log density of y in y's units for any link, in nats */
  readonly logEvidence: number
  /** log p(y | link, trees) with noise on the scale of the link, in nats. */
  readonly linkEvidence: () => number
  /** Posterior mean of the noise variance in squared units of y; NaN for likelihoods without a noise variance. */
  readonly sigma2: number
  /** Posterior means of the coefficients, or their mode; length K + 1, intercept first, on the scale of the link. */
  readonly coefficients: () => Float64Array
  /**
   * -2 log of the maximal likelihood plus the logarithm of n for each free parameter, up to a constant that all models
   * of the likelihood share.
   *
   * @param numbers the number of fitted constants inside of the trees
   */
  readonly bic: (numbers: number) => number
  /** The law solved for the mean of y, simplified. */
  readonly expression: (written: Written) => Term
  /** y minus the maximum-likelihood fit on the training rows, length n, in units of y. */
  readonly residuals: () => Float64Array
}

/** A model under a hypothesis about its exact constants. */
export interface ExactAssessment extends Described {
  /** log prior mass of the hypothesis about the constants */
  readonly logMass: number
  /** the part of it that exact numbers have by their values, given which numbers are exact */
  readonly logMassOfValues: number
  /** the number of fitted constants inside of terms that are exact under it */
  readonly exactInside: number
  /** log of the odds that its exact numbers need to be called exact (`Constants.odds`) */
  readonly logThreshold: number
  /**
   * The hypothesis about the coefficient of the intercept and of each basis function of the law; undefined for columns that lie in the span of
   * others.
   */
  readonly states: ReadonlyArray<State | undefined>
  /** the derivatives of the sum of terms by the coefficients that are free, and by the scale that exact ones share, length n each */
  readonly slopes: () => ReadonlyArray<Float64Array>
  /**
   * The trees with the fitted numbers inside moved to where the hypothesis has them, around which it is to be asked again; undefined where they
   * stay, or none if left out.
   */
  readonly moved?: ((share?: number) => ReadonlyArray<Tree> | undefined) | undefined
  /** The hypothesis, by which it is asked again; none if left out. */
  readonly selection?: ConstantSelection | undefined
}

/** The evidence and the fit of one hard ensemble: a link and trees. */
export interface Assessment extends Described {
  readonly link: Link
  /** The posterior of coefficients and sigma^2 under a normal-inverse-gamma prior; undefined for other priors. */
  readonly collapsed: Collapsed | undefined
  /** The noise that explains the rows best; undefined for likelihoods of one kind of noise. */
  readonly noise: FoundNoise | undefined
  /**
   * The same law without the noise that explains the rows best: under the next best, and all after it. Exact constants may need it: a law whose
   * values have two signs has no logarithms. Undefined, or none if left out, where there is no other.
   */
  readonly others?: (() => Assessment | undefined) | undefined
  /** The mode of each nuisance parameter, by name; empty for closed forms, which integrate them out. */
  readonly nuisance: Readonly<Record<string, number>>
  /**
   * The standard deviation of y on each row around the law, length n, in units of y and above 0: from the residuals, by the kind of noise.
   * Infinite for rows that are wrong.
   *
   * @param numbers the number of fitted constants inside of the trees
   */
  readonly deviations: (numbers: number) => Float64Array
  /** The mean of y from the linear predictor on the rows of `data`, length n; NaN if the data lack a column that it reads. */
  readonly solved: (z: Float64Array, data: Dataset) => Float64Array
  /** The model with exact constants; undefined for likelihoods without exact constants. */
  readonly exact:
    | ((
        prior: Constants,
        written: Written,
        terms: ReadonlyArray<Term>,
        among?: Among,
        before?: ConstantSelection,
      ) => ExactAssessment | undefined)
    | undefined
}

/** The exact evidence of hard ensembles on one data set. */
export interface Assessor {
  /** A sentence for each link that the data rule out. */
  readonly dropped: ReadonlyArray<string>
  /** Fits the constants of trees (`Constant.fitted`); undefined for trees without fitted constants. */
  readonly fitConstants: (link: number, trees: ReadonlyArray<Tree>) => FittedConstants | undefined
  /**
   * Trees with their constants fitted under each hypothesis about the intercept that has no coefficient of its own: where the
   * hypotheses about exact constants (`Assessment.exact`) are asked as well. None for likelihoods without such hypotheses.
   */
  readonly tied?: (link: number, trees: ReadonlyArray<Tree>) => ReadonlyArray<ReadonlyArray<Tree>>
  /**
   * The evidence of trees, at the given values of their fitted constants.
   *
   * @returns undefined when the link was dropped, a column is not finite or reaches 1e150 in magnitude, or the law is not
   *   finite on every row
   */
  readonly assess: (link: number, trees: ReadonlyArray<Tree>) => Assessment | undefined
}

/**
 * A likelihood: the distribution of the response given the trees. The search, ELBO descent and the ranking use this
 * interface only; no code outside of this folder depends on which likelihood it is.
 */
export interface Likelihood extends Observation {
  /** Marks a likelihood among observations at run time. */
  readonly "~likelihood": true
  /** The penalty of the search for each tree that a model must have and a partial ensemble lacks, in nats. */
  readonly missing: number
  /** Exact evidence. Fails with a `CompileError` when the data lack a column that the likelihood names. */
  readonly assessor: (columns: Columns, data: Dataset) => Effect.Effect<Assessor, CompileError>
  /** Checks columns and response of data without a fit. Fails as `assessor` does for them. */
  readonly check: (data: Dataset) => Effect.Effect<void, CompileError>
  /**
   * The working response of each link, on which the search regresses; undefined for links that the data rule out. Fails as
   * `assessor` does.
   */
  readonly working: (data: Dataset) => Effect.Effect<ReadonlyArray<WorkingResponse | undefined>, CompileError>
  /**
   * The weights of rows that are known without a law, from columns of errors and weights; undefined where there are none. Fails
   * as `assessor` does.
   */
  readonly weights: (data: Dataset) => Effect.Effect<RowWeights | undefined, CompileError>
  /**
   * Whether the kind of noise or wrong rows are latent, so that the weights of rows are to be chosen anew with better laws
   * (`Assessment.noise`).
   */
  readonly latentNoise: boolean
  /**
   * The prior of the closed evidence from sums of squares of normal noise of one scale on y (`GPrior.target`), by which laws over groups are
   * scored: `a` of the mixture of g-priors, and the relative resolution of y. None if left out.
   */
  readonly squares?: { readonly a: number; readonly resolution: number } | undefined
  /**
   * The search's approximation of log p(y | ensemble), up to a constant that all ensembles share, as a function of the
   * number of linearly independent trees and the residual sum of squares of the working response. Fails as `assessor` does.
   *
   * @param resolution fits that are closer than this, relative to y, score equally in the search
   * @param weights the weights of the rows of `data`, where the noise has such; sums of squares are then weighted ones
   * @param each the number of observations that each row of `data` stands for; 1 by default
   */
  readonly approximate: (
    data: Dataset,
    resolution: number,
    weights?: RowWeights,
    each?: number,
  ) => Effect.Effect<(rank: number, rss: number) => number, CompileError>
}
