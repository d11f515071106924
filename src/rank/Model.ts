import type { Collapsed } from "../evidence/conjugate.ts"
import type { Constants } from "../evidence/exact/Constants.ts"
import type { Among } from "../evidence/exact/Declared.ts"
import type { State } from "../evidence/exact/Hypothesis.ts"
import type { FittedLaw } from "../evidence/fitted/FittedLaw.ts"
import type { FoundNoise } from "../evidence/likelihood/Interface.ts"
import type { Link } from "../prob/Link.ts"
import type { Term } from "../expr/Term.ts"
import type { FittedNumber } from "./FittedNumbers.ts"
import type { Ensemble } from "./Ensemble.ts"

/**
 * A ranked model y = h(b_0 + sum_k b_k f_k(x)) + noise, with h the inverse of its link, the identity except for
 * `Likelihood.selectedLinear`. Costly properties (errors, terms, expression, ...) are computed when first read.
 */
export interface Model {
  readonly ensemble: Ensemble
  /** The link of the response; `Link.identity` where the model has none. */
  readonly link: Link
  /** The expression solved for y, simplified, with coefficients, over the features of the data. */
  readonly expression: Term
  /** The fitted numbers of the expression with their standard errors, in the order in which they stand in it. */
  readonly numbers: ReadonlyArray<FittedNumber>
  /** The terms f_1 ... f_K of the coefficients after the intercept, over the features of the data. */
  readonly terms: ReadonlyArray<Term>
  /** log marginal posterior of the symbolic ensemble, logEvidence + logPrior; natural logarithm (Eq. LMPSE) */
  readonly lmpse: number
  /**
   * log p(y | T) with all constants (Eq. marginal-likelihood-app), a density of y in y's units under every link, so
   * that models of different links are comparable
   */
  readonly logEvidence: number
  /**
   * The log evidence with noise on the scale of the link: log p(g(y) | T) and the Jacobian. Equal to `logEvidence` for
   * the identity. After `Rank.exactConstants`, with the constants that are exact on that scale.
   */
  readonly linkEvidence: number
  /**
   * log prior of the trees, weights integrated out (Eq. actual-tree-marginal-posterior-2); of the link and the number of
   * trees too where these are latent
   */
  readonly logPrior: number
  /**
   * exp(lmpse), normalised over all distinct models of the ranking. A selection of models does not change it: their sum
   * is the posterior probability of the selection.
   */
  readonly posterior: number
  /**
   * The probability that this is the law: `posterior`, less the share of laws that were not seen (`Ranking.unseen`). Undefined
   * before a search is ranked, and for rankings of draws.
   */
  readonly probability?: number | undefined
  readonly draws: number
  /** The number of distinct ensembles that it stands for: 1, or more after `Rank.groupEquivalent`. */
  readonly ensembles: number
  /** The other models that it stands for, after `Rank.groupEquivalent` and `Rank.groupForms`; none if left out. */
  readonly alike?: ReadonlyArray<Model> | undefined
  /** The names of laws that have its form; none if left out. */
  readonly known?: ReadonlyArray<string> | undefined
  /** Posterior means of the coefficients, intercept first, one for each tree in order; on the scale of the link. */
  readonly coefficients: Float64Array
  /** Posterior mean of sigma^2, b_n / (a_n - 1), in squared units of y (of g(y) with noise there, of relative errors with proportional noise); infinite when a_n <= 1. */
  readonly sigma2: number
  /**
   * The kind of noise that explains the rows best under this law, its scale, and the rows that are wrong. Undefined for likelihoods
   * of one kind.
   */
  readonly noise: FoundNoise | undefined
  /** The mode of each nuisance parameter of the likelihood, by name; none where they are integrated out in closed form. */
  readonly nuisance: Readonly<Record<string, number>>
  /** The whole posterior of coefficients and sigma^2 under a normal-inverse-gamma prior, undefined under a mixture. */
  readonly collapsed: Collapsed | undefined
  /** How many columns of the data its terms have. */
  readonly columns: number
  /** The number of fitted constants inside of terms that have the prior of coefficients (`Constant.scaleFree`); 0 if left out. */
  readonly inside?: number | undefined
  /** The sum of `Tree.complexity` over the distinct trees, plus the link's complexity. */
  readonly complexity: number
  /**
   * n log(RSS / n) + k log n with the residual sum of squares of least squares on [1, t_1, ..., t_K], and k the rank of
   * that matrix: columns inside the span of others cost nothing, and neither does the structure of trees. Smaller is
   * better (Schwarz 1978). RSS counts as at least n (2^-52)^2 times the mean square of y, the rounding error of an
   * exact fit, or as the declared resolution of y. With a link RSS is that of y, or with noise on its scale that of
   * g(y) less the Jacobian.
   */
  readonly bic: number
  /** Root mean square error with the posterior mean coefficients on the training data, in units of y; without wrong rows. */
  readonly rmseTrain: number
  /** Root mean square error on the test data; undefined without test data, NaN or infinite where the expression is. */
  readonly rmseTest: number | undefined
  /**
   * Leave-one-out root mean square error on the training data, in units of y: of each row from a fit to all others. Exact for least
   * squares on the terms; to first order for links and fitted constants. A row that determines a number by itself is predicted by the mean of the others.
   */
  readonly rmseLoo: number
  /**
   * The expression with its fitted numbers as variables, their covariance, and the scale of the noise. Undefined for likelihoods
   * without a noise scale. Computed when first called.
   */
  readonly law: () => FittedLaw | undefined
  /**
   * y less the fit of least squares on the training data, or that of the law with its exact constants, length n:
   * `Rank.groupEquivalent` compares them. Computed at every call.
   */
  readonly residuals: () => Float64Array
  /**
   * The hypothesis about the intercept and each term of the law by `Rank.exactConstants`: its number is free, exact, or an exact multiple of a free
   * scale; undefined for terms that lie in the span of others, and before `Rank.exactConstants`.
   */
  readonly states?: ReadonlyArray<State | undefined> | undefined
  /** `states` as texts: `"free"`, `"1/2"`, `"pi"`, `"2 s"` for twice a free scale; `"-"` in the span of others. */
  readonly constants?: ReadonlyArray<string> | undefined
  /**
   * The log prior mass of the hypothesis about its constants, which `logPrior` has, the part of it that exact constants have by their
   * values, and how many fitted constants inside of terms are exact under it; undefined before `Rank.exactConstants`.
   */
  readonly hypothesis?:
    { readonly logMass: number; readonly logMassOfValues: number; readonly exactInside?: number } | undefined
  /**
   * The model with the exact constants that prior and data support, `posterior` 1 and one draw; see `Rank.exactConstants`.
   * Undefined for models whose likelihood has no exact constants.
   *
   * @param among the hypotheses about constants, of which prior and data support the one of the model best; all if left out
   * @param least the log posterior from which on the model is of interest: it is undefined where exact numbers cannot raise it so far; any if left out
   */
  readonly exact?: ((prior: Constants, among?: Among, least?: number) => Model | undefined) | undefined
}

/** The properties of both, those of the second where both have them; properties that were not computed yet stay so. */
export const joined = <A extends object, B extends object>(one: A, other: B): A & B =>
  // The type of a copy made property by property is beyond TypeScript; all properties are copied.
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(one), ...Object.getOwnPropertyDescriptors(other) },
  ) as A & B

/** A copy with some properties replaced; properties that were not computed yet stay so. */
export const replace = (model: Model, change: Partial<Model>): Model => joined(model, change)

/** A copy with other values of the properties that groups and selections change. */
export const update = (
  model: Model,
  change: Partial<Pick<Model, "posterior" | "draws" | "ensembles" | "alike">>,
): Model => replace(model, change)
