import * as Schema from "effect/Schema"
import type { Forest } from "./Forest.ts"
import type { Link } from "./Link.ts"
import type { Sym } from "./Sym.ts"

/**
 * y = beta_0 + sum_j beta_j f_j(x) + eps with the conjugate normal-inverse-gamma prior on (beta, sigma^2), which is
 * integrated out (paper, Eq. vasst-model and "Marginalization over model regression parameters"):
 *
 *     beta | sigma^2 ~ N(mu0, sigma^2 Sigma0),   sigma^2 ~ IG(a0, b0)
 */
export interface ConjugateLinear {
  readonly _tag: "ConjugateLinear"
  readonly forest: Forest
  /** prior means of the K + 1 coefficients, intercept first; on the scale of y */
  readonly mu0: ReadonlyArray<number>
  /** diagonal of Sigma0, length K + 1: prior variances of the coefficients in units of sigma^2 */
  readonly sigma0: ReadonlyArray<number>
  readonly a0: number
  readonly b0: number
}

/**
 * The hyper-g/n prior of the coefficients of centred columns (Liang et al. 2008), with a flat intercept and
 * p(sigma^2) = 1 / sigma^2:
 *
 *     beta | g, sigma^2 ~ N(0, g sigma^2 (Xc'Xc)^-1),   p(g) = (a - 2) / (2 n) (1 + g / n)^(-a / 2)
 *
 * It has no scale to set, and finds the truth with growing n as with shrinking noise (docs/adr/0009).
 */
export interface HyperG {
  readonly _tag: "HyperG"
  /** > 2; 3 is the authors' choice */
  readonly a: number
}

/** Which links of the response a model may take, and the latent site that says which it is. */
export interface Response {
  readonly site: Sym<"categorical">
  readonly links: ReadonlyArray<Link>
  /**
   * Where the noise is: `"response"`, y = h(b_0 + sum_k b_k f_k) + eps, or `"link"`, g(y) = b_0 + sum_k b_k f_k + eps.
   */
  readonly noise: "response" | "link"
}

/**
 * g(y) = beta_0 + sum_(j included) beta_j f_j(x) with trees that may be left out, coefficients integrated out under a
 * mixture of g-priors, and an optional response link g. A hard ensemble of it is a link and a set of distinct trees:
 * K of them, or 0 to K with inclusion indicators.
 */
export interface SelectedLinear {
  readonly _tag: "SelectedLinear"
  readonly forest: Forest
  readonly coefficients: HyperG
  /** how far values of y are rounded, relative to themselves: fits closer than that are equally good */
  readonly resolution: number
  /** inclusion indicators, one for each tree; all trees are in without */
  readonly included: Sym<"binary"> | undefined
  /** the response's links; y itself without */
  readonly link: Response | undefined
}

/** What can be observed. */
export type Likelihood = ConjugateLinear | SelectedLinear

/** A likelihood with an impossible hyperparameter. Thrown while the model is declared. */
export class LikelihoodError extends Schema.TaggedError<LikelihoodError>()("LikelihoodError", {
  message: Schema.String,
}) {}

/**
 * The collapsed linear likelihood over the trees of a forest.
 *
 * @param hyper.mu0 prior mean of the coefficients: one for all, or K + 1 of them (intercept first)
 * @param hyper.sigma0 prior variance of the coefficients in units of sigma^2: one for all (Sigma0 = sigma0 I), or K + 1
 * @param hyper.a0 shape of the inverse gamma prior of sigma^2, > 0
 * @param hyper.b0 scale of the inverse gamma prior of sigma^2, > 0, in squared units of y
 * @throws LikelihoodError naming the hyperparameter
 */
export const conjugateLinear = (
  forest: Forest,
  hyper: {
    readonly mu0: number | ReadonlyArray<number>
    readonly sigma0: number | ReadonlyArray<number>
    readonly a0: number
    readonly b0: number
  },
): ConjugateLinear => {
  const coefficients = forest.trees + 1
  const spread = (name: string, value: number | ReadonlyArray<number>): ReadonlyArray<number> => {
    const values = typeof value === "number" ? Array.from({ length: coefficients }, () => value) : value
    if (values.length !== coefficients)
      throw new LikelihoodError({
        message: `${name} has ${values.length} entries, but ${forest.trees} trees and an intercept need ${coefficients}`,
      })
    if (!values.every(Number.isFinite)) throw new LikelihoodError({ message: `${name} must be finite` })
    return values
  }
  const sigma0 = spread("sigma0", hyper.sigma0)
  if (!sigma0.every((variance) => variance > 0))
    throw new LikelihoodError({ message: "sigma0 must be positive" })
  for (const name of ["a0", "b0"] as const)
    if (!(hyper[name] > 0 && Number.isFinite(hyper[name])))
      throw new LikelihoodError({ message: `${name} must be positive and finite, but is ${hyper[name]}` })
  return {
    _tag: "ConjugateLinear",
    forest,
    mu0: spread("mu0", hyper.mu0),
    sigma0,
    a0: hyper.a0,
    b0: hyper.b0,
  }
}

/**
 * The hyper-g/n prior of coefficients.
 *
 * @param a > 2: the larger, the more mass near g = 0
 * @throws LikelihoodError for another a
 */
export const hyperG = (a = 3): HyperG => {
  if (!(a > 2 && Number.isFinite(a)))
    throw new LikelihoodError({ message: `a of the hyper-g/n prior must be above 2 and finite, but is ${a}` })
  return { _tag: "HyperG", a }
}

/** How closely y is taken to be known unless said otherwise, in standard deviations: as float32 holds what varies. */
export const defaultResolution = 1e-7

/**
 * A linear likelihood over at most K trees: which are in, what their coefficients are and which function of y is linear
 * is inferred. It has no relaxation: fit it with `Objective.inclusive`.
 *
 * @param options.coefficients `hyperG(3)` by default
 * @param options.resolution how closely y is known, relative to its standard deviation; in [0, 1), 1e-7 by default
 * @param options.included inclusion indicators, sampled inside the trees' plate; all trees are in without
 * @param options.link the links of the response and the latent site, outside of any plate, that says which
 * @throws LikelihoodError naming what does not fit
 *
 * @example
 * Likelihood.selectedLinear(forest, { included, link: { site: yield* Model.sample("link", Dist.categorical([0.8, 0.2])),
 *   links: [Link.identity, Link.log] } })
 */
export const selectedLinear = (
  forest: Forest,
  options: {
    readonly coefficients?: HyperG | undefined
    readonly resolution?: number | undefined
    readonly included?: Sym<"binary"> | undefined
    readonly link?:
      | {
          readonly site: Sym<"categorical">
          readonly links: ReadonlyArray<Link>
          /** `"response"` by default */
          readonly noise?: Response["noise"]
        }
      | undefined
  } = {},
): SelectedLinear => {
  const { coefficients = hyperG(), resolution = defaultResolution, included, link } = options
  if (!(resolution >= 0 && resolution < 1))
    throw new LikelihoodError({ message: `resolution must lie in [0, 1), but is ${resolution}` })
  if (included !== undefined) checkIncluded(forest, included)
  if (link !== undefined) checkLink(link)
  return {
    _tag: "SelectedLinear",
    forest,
    coefficients,
    resolution,
    included,
    link: link === undefined ? undefined : { noise: "response", ...link },
  }
}

const checkIncluded = ({ trees, sites }: Forest, included: Sym<"binary">): void => {
  const count = included.shape.reduce((product, length) => product * length, 1)
  const plate = (site: string): string => site.slice(0, Math.max(0, site.lastIndexOf(".")))
  if (count !== trees || plate(included.site) !== plate(sites.split))
    throw new LikelihoodError({
      message:
        `the site "${included.site}" has ${count} indicators, one of "${sites.split}" for each of ${trees} trees is needed; ` +
        `sample it inside the trees' plate`,
    })
}

const checkLink = ({ site, links }: { readonly site: Sym; readonly links: ReadonlyArray<Link> }): void => {
  if (site.size !== links.length)
    throw new LikelihoodError({
      message: `the site "${site.site}" has ${site.size} categories, but there are ${links.length} links`,
    })
  const names = links.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new LikelihoodError({ message: `the link "${twice}" is given twice` })
  if (site.shape.length > 0)
    throw new LikelihoodError({
      message: `the site "${site.site}" lies inside a plate; the response has one link, declare its site outside`,
    })
}
