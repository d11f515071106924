import type * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import type { KnownForms } from "./KnownForms.ts"
import type { Link } from "./Link.ts"
import type { Sym } from "./Sym.ts"
import type { Forest } from "./Forest.ts"

/** The links of the response that a model may take, and the latent site of their index. */
export interface Response {
  readonly site: Sym<"categorical">
  readonly links: ReadonlyArray<Link>
  /**
   * The scale of the noise: `"response"`, y = h(b_0 + sum_k b_k f_k) + eps, or `"link"`, g(y) = b_0 + sum_k b_k f_k +
   * eps.
   */
  readonly noise: "response" | "link"
}

/** The conjugate normal-inverse-gamma prior of coefficients and noise variance (paper, Eq. vasst-model). */
export interface NormalInverseGamma {
  /** prior means of the K + 1 coefficients, intercept first; on the scale of y */
  readonly mu0: ReadonlyArray<number>
  /** diagonal of Sigma0, length K + 1: prior variances of the coefficients in units of sigma^2 */
  readonly sigma0: ReadonlyArray<number>
  readonly a0: number
  readonly b0: number
}

/** The evidence node of a graph, bound to data: log p(y | T) of S design matrices at a time. */
export interface EvidenceNode {
  /**
   * log p(y | T_s) of each sample, [S]: a new array, or one that the next call overwrites.
   *
   * @param design [S, K, n] row-major, the columns without the intercept
   * @param adjoint overwritten, where given, with the derivative of each sample's evidence by its design, [S, K, n]
   */
  readonly evidence: (design: Float32Array, adjoint?: Float32Array) => Float64Array
  /** log p(y | T) of one design matrix of K columns in double precision: the oracle. */
  readonly exact: (columns: ReadonlyArray<Float64Array>) => number
}

/** The evidence of relaxed trees under a likelihood. */
export interface Relaxed {
  /**
   * The prior of coefficients and noise where the evidence has the closed form of normal noise: kernels compute it from
   * sums over rows, without the columns. Undefined for all other likelihoods.
   */
  readonly conjugate: NormalInverseGamma | undefined
  /** Fails with a `CompileError` when the data lack a column that the likelihood names. */
  readonly bind: (data: Dataset, samples: number) => Effect.Effect<EvidenceNode, CompileError>
}

/**
 * The observation of a model: the latent sites that it reads, and the evidence of relaxed trees. An
 * `evidence/Likelihood` is one, with the evidence of hard trees as well.
 */
export interface Observation {
  readonly name: string
  readonly forest: Forest
  /** Whether a hard ensemble is a list of K trees, or a set of at most K distinct ones. */
  readonly ensembles: "lists" | "sets"
  /** inclusion indicators, one for each tree; if undefined all trees are included */
  readonly included: Sym<"binary"> | undefined
  /** the response's links; if undefined the identity */
  readonly link: Response | undefined
  /** the forms that named laws have, and their prior; none if left out */
  readonly known?: KnownForms | undefined
  /** Whether the values of fitted constants are latent sites of the model, or integrated out by the likelihood. */
  readonly values: "sites" | "integrated"
  /** undefined for likelihoods that take hard trees only */
  readonly relaxed: Relaxed | undefined
}

/** An observation that takes relaxed trees. */
export interface Relaxable extends Observation {
  readonly relaxed: Relaxed
}

/** The latent sites beside the trees' that an observation reads: inclusion indicators and the link of the response. */
export const selection = ({
  included,
  link,
}: Pick<Observation, "included" | "link">): ReadonlyArray<string> =>
  [included, link?.site].flatMap((site) => (site === undefined ? [] : [site.site]))
