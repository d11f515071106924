import type { Key } from "../random/Rng.ts"
import type { Algebra } from "../numeric/Algebra.ts"
import type { Moments } from "./Moments.ts"
import type { Prior } from "./Prior.ts"
import type { Support } from "./Support.ts"

export type { Moments } from "./Moments.ts"

/** A variational parameter of a factor: an array that the optimiser changes. */
export interface ParameterSlot {
  readonly name: string
  readonly shape: ReadonlyArray<number>
  /** Initial values in row-major order, length the product of `shape`. A function of the key alone. */
  readonly initialise: (key: Key) => ArrayLike<number>
}

/** The base randomness that a reparameterised draw consumes; the engine adds the leading axis of samples. */
export interface NoiseSlot {
  readonly kind: "uniform" | "normal" | "logistic" | "gumbel"
  readonly shape: ReadonlyArray<number>
}

/**
 * How discrete draws become differentiable, as a factor sees it. `logits` and noise have the sites' shape (the noise with a
 * leading axis of samples); the result lies in [0, 1] for `binary` and on the simplex along the last axis for `categorical`.
 */
export interface DiscreteRelaxation<T> {
  readonly binary: (A: Algebra<T>, logits: T, logistic: T, temperature: T) => T
  readonly categorical: (A: Algebra<T>, logits: T, gumbel: T, temperature: T) => T
}

/**
 * A relaxation over any algebra. Beside the noise of the factor it may take further noise of the same kind and shape, which
 * `Plan.widened` lays out.
 */
export interface RelaxationForm {
  /** the number of further noise arrays of each discrete draw; 0 if left out */
  readonly further?: number | undefined
  readonly binary: <T>(A: Algebra<T>, logits: T, logistic: T, temperature: T, further: ReadonlyArray<T>) => T
  readonly categorical: <T>(
    A: Algebra<T>,
    logits: T,
    gumbel: T,
    temperature: T,
    further: ReadonlyArray<T>,
  ) => T
}

/** A relaxation with the further noise of one site. */
export const relaxedBy = <T>(form: RelaxationForm, further: ReadonlyArray<T>): DiscreteRelaxation<T> => ({
  binary: (A, logits, logistic, temperature) => form.binary(A, logits, logistic, temperature, further),
  categorical: (A, logits, gumbel, temperature) => form.categorical(A, logits, gumbel, temperature, further),
})

/**
 * The role of a site in its model, by which families choose its factor. Roles do not depend on names or plates.
 * `Tree.prior` gives its sites the first four; any other text is a user's role.
 */
export type Role = "split" | "operator" | "terminal" | "constant" | (string & Record<never, never>)

/** A site as its factor sees it: its name, shape, role and prior. */
export interface FactorSite<S extends Support = Support> {
  readonly name: string
  readonly support: S
  /** The sizes of the enclosing plates, outermost first, then the site's own plate if its priors differ. */
  readonly shape: ReadonlyArray<number>
  /** The length of the event axis: the number of categories or weights; 1 for scalar supports. */
  readonly size: number
  /** the role, if the declaration gives one */
  readonly role?: Role | undefined
  readonly prior: Prior<S>
}

/**
 * Weighted draws of a site from hard ensembles, draws outermost, then the axes of the site.
 *
 * Sites whose values are parameters of other priors, such as weights and probabilities, are integrated out of a hard
 * ensemble. Their draws are counts: how often each category was drawn by the sites whose prior they are. Given the
 * counts, such a site has its conjugate prior with the counts added.
 *
 * | support             | `values`                                                              |
 * | ------------------- | --------------------------------------------------------------------- |
 * | binary, categorical | `[count, ...shape]`, a value, or NaN where a draw has none        |
 * | real, positive      | the same                                                              |
 * | simplex             | `[count, ...shape, size]`, how often each category was drawn          |
 * | unit                | `[count, ...shape, 2]`, how often 1 was drawn, and how often 0        |
 */
export interface WeightedDraws {
  readonly values: ArrayLike<number>
  /** one for each draw, not negative, with the sum 1 */
  readonly weights: ArrayLike<number>
}

/** The reparameterised draws of a step, from which a divergence without a closed form is estimated. */
export interface Draws<T> {
  /** the number of samples S, the leading axis of every draw */
  readonly samples: number
  /**
   * The draw of a site, `[S, ...]` so that it broadcasts against that of the site that asks; `undefined` where its
   * factor has none. The likelihood gets the same draw in this step.
   */
  readonly of: (site: string) => T | undefined
}

/**
 * The factor of one site in a variational family: a distribution q(x; parameters) with a divergence from its prior.
 * Members that an engine runs are written once against `Algebra<T>`. `draw` is reparameterised, for gradients; `sample`
 * is exact, for ranking. A user's factor is a value of this type.
 */
export interface Factor<S extends Support = Support> {
  /** The name in a printed plan, such as `Bernoulli(logit)`. */
  readonly name: string
  readonly support: S
  readonly parameters: ReadonlyArray<ParameterSlot>
  readonly noise: ReadonlyArray<NoiseSlot>
  /**
   * A relaxed draw: shape `[S, ...site.shape]`, with the event axis last where the support has one. A factor without a
   * reparameterised draw leaves it out; compilation then fails if the likelihood needs one.
   */
  readonly draw?: <T>(
    A: Algebra<T>,
    parameters: ReadonlyArray<T>,
    noise: ReadonlyArray<T>,
    relaxation: DiscreteRelaxation<T>,
    temperature: T,
  ) => T
  readonly moments: <T>(A: Algebra<T>, parameters: ReadonlyArray<T>) => Moments<T>
  /**
   * KL(q || prior), summed over the site; `parent` gives the moments of the sites that the prior names. Without a
   * closed form it is estimated from `draws`, which an engine always gives.
   */
  readonly divergence: <T>(
    A: Algebra<T>,
    constant: (values: ReadonlyArray<number>, shape: ReadonlyArray<number>) => T,
    parameters: ReadonlyArray<T>,
    parent: (site: string) => Moments<T>,
    draws?: Draws<T>,
  ) => T
  /**
   * log q(x) - log p(x) of the site's relaxed draw x, elementwise, `[S, ...site.shape]`; for a prior whose weights are
   * another site's, log p is its mean over that site. Discrete log densities are taken linear in x, which is exact where x
   * is hard. Bounds over several relaxed draws need it (`ObjectiveForm.divergence`).
   *
   * @param noise as `draw` has it
   */
  readonly drawnDivergence?: <T>(
    A: Algebra<T>,
    constant: (values: ReadonlyArray<number>, shape: ReadonlyArray<number>) => T,
    parameters: ReadonlyArray<T>,
    noise: ReadonlyArray<T>,
    parent: (site: string) => Moments<T>,
    draws: Draws<T>,
  ) => T
  /** Exact draws at the given parameter values, `count` times the site, draws outermost. */
  readonly sample: (key: Key, parameters: ReadonlyArray<ArrayLike<number>>, count: number) => Float64Array
  /**
   * log q of hard draws: one number for each, summed over the site. `values` are as `sample` returns them, with NaN for
   * an element that is summed out. `ScoreFunction.fit` and `Inclusive.fit` need it for the sites of trees.
   */
  readonly logDensity?: (
    parameters: ReadonlyArray<ArrayLike<number>>,
    values: ArrayLike<number>,
  ) => Float64Array
  /**
   * The derivatives of sum_h weights_h log q(x_h) by the parameters, slot by slot; `values` are as for `logDensity`.
   * Weights may be negative. `ScoreFunction.fit` and the ELBO of a restricted tree prior (`Tree.prior`) need it for the
   * sites of trees.
   */
  readonly score?: (
    parameters: ReadonlyArray<ArrayLike<number>>,
    values: ArrayLike<number>,
    weights: ArrayLike<number>,
  ) => ReadonlyArray<Float64Array>
  /**
   * Moves the factor towards weighted draws p^: the parameters that minimise the inclusive divergence KL((1 - rate) q +
   * rate p^ || q'), q being the current factor, in closed form where there is one. With a rate of 1 the parameters
   * maximise E_p^[log q']. Elements without a value in any draw do not change; elements that are NaN in a draw are
   * summed out of it. Parameters stay finite. `Inclusive.fit` needs it.
   *
   * @param rate in [0, 1]
   */
  readonly project?: (
    parameters: ReadonlyArray<ArrayLike<number>>,
    draws: WeightedDraws,
    rate: number,
  ) => ReadonlyArray<Float64Array>
}
