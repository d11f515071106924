import * as Effect from "effect/Effect"
import type { NormalInverseGamma, Relaxed } from "../../prob/Observation.ts"
import * as Link from "../../prob/Link.ts"
import * as Term from "../../expr/Term.ts"
import { once } from "../../internal/once.ts"
import { dot, orthogonalise } from "../../numeric/orthogonal.ts"
import * as Real from "../../numeric/Real.ts"
import type { Forest } from "../../prob/Forest.ts"
import type { Tree } from "../../prob/Tree.ts"
import * as Evidence from "../conjugate.ts"
import * as Law from "../Law.ts"
import * as ParametricTrees from "../fitted/ParametricTrees.ts"
import * as ConjugateFit from "../fitted/conjugateFit.ts"
import * as Products from "../products.ts"
import * as WorkingResponse from "../workingResponse.ts"
import { evidenceNode } from "./evidenceNode.ts"
import type { Assessor, Likelihood } from "./Interface.ts"
import { LikelihoodError } from "./LikelihoodError.ts"

/**
 * y = beta_0 + sum_j beta_j f_j(x) + eps with the conjugate normal-inverse-gamma prior on (beta, sigma^2), which is
 * integrated out (paper, Eq. vasst-model and "Marginalization over model regression parameters"):
 *
 *     beta | sigma^2 ~ N(mu0, sigma^2 Sigma0),   sigma^2 ~ IG(a0, b0)
 */
export interface ConjugateLinear extends Likelihood, NormalInverseGamma {
  readonly relaxed: Relaxed
}

/**
 * The paper's linear likelihood over the trees of a forest: coefficients and noise variance have the conjugate
 * normal-inverse-gamma prior and are integrated out in closed form (Eq. nig-def, Eq. marginal-likelihood-app).
 *
 * *When to use*: for ELBO descent and the paper's results, or where prior means and variances of the coefficients are known.
 * `selectedLinear` needs no prior scale and selects among trees and links.
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
  const prior = checked(forest.trees, hyper)
  return {
    "~likelihood": true,
    ...prior,
    name: "conjugate linear",
    forest,
    ensembles: "lists",
    included: undefined,
    link: undefined,
    values: "sites",
    missing: 1,
    relaxed: relaxed(prior),
    assessor: (columns, { y }) => Effect.sync(() => assessor(prior, columns, y)),
    check: () => Effect.void,
    working: ({ y }) => Effect.succeed([WorkingResponse.make(Link.identity, y)]),
    weights: () => Effect.succeed(undefined),
    latentNoise: false,
    approximate: ({ rows }) => {
      // The limit of the evidence where data dominate the prior: each coefficient costs half the log of its variance ratio.
      const { a0, b0, sigma0 } = prior
      const shape = a0 + rows / 2
      const costs = 0.5 * Real.log(rows * Math.max(...sigma0))
      return Effect.succeed((rank, rss) => -shape * Real.log(b0 + rss / 2) - costs * rank)
    },
  }
}

const checked = (trees: number, hyper: Parameters<typeof conjugateLinear>[1]): NormalInverseGamma => {
  const coefficients = trees + 1
  const spread = (name: string, value: number | ReadonlyArray<number>): ReadonlyArray<number> => {
    const values = typeof value === "number" ? Array.from({ length: coefficients }, () => value) : value
    if (values.length !== coefficients)
      throw new LikelihoodError({
        message: `${name} has ${values.length} entries, but ${trees} trees and an intercept need ${coefficients}`,
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
  return { mu0: spread("mu0", hyper.mu0), sigma0, a0: hyper.a0, b0: hyper.b0 }
}

const relaxed = (prior: NormalInverseGamma): Relaxed => ({
  conjugate: prior,
  bind: ({ y, rows }, samples) =>
    Effect.sync(() =>
      evidenceNode({ trees: prior.mu0.length - 1, rows, samples }, (columns, out) =>
        out === undefined
          ? Evidence.posterior(prior, y, columns).logEvidence
          : Evidence.gradient(prior, y, columns, out).logEvidence,
      ),
    ),
})

const assessor = (
  prior: NormalInverseGamma,
  columns: Parameters<typeof Products.make>[0],
  y: Float64Array,
): Assessor => {
  const { grammar, rows } = columns
  const products = Products.make(columns, y)
  // Models share trees, so that the simplified terms of trees are shared too.
  const simplify = Term.foldShared(Term.simplifying)
  // Equal trees of several draws are one object, so that the object identifies the tree's number.
  const numbers = new WeakMap<Tree, number>()
  const numberOf = (tree: Tree): number => {
    const known = numbers.get(tree) ?? products.number(tree)
    numbers.set(tree, known)
    return known
  }
  const numbered = once(() => ParametricTrees.make(columns, { apart: true }))
  return {
    dropped: [],
    fitConstants: (_, trees) =>
      ParametricTrees.any(grammar, trees)
        ? ConjugateFit.fitConstants(
            numbered()(trees),
            prior,
            y,
            (terminal) => grammar.terminals[terminal]!.fitted!,
          )
        : undefined,
    assess: (_, trees) => {
      const known = trees.map(numberOf)
      if (!known.every(products.admissible)) return undefined
      const collapsed = products.collapse(prior, known)
      const { logEvidence, mean, shape, scale } = collapsed
      return {
        link: Link.identity,
        logEvidence,
        linkEvidence: () => logEvidence,
        sigma2: shape > 1 ? scale / (shape - 1) : Infinity,
        collapsed,
        noise: undefined,
        nuisance: {},
        coefficients: () => mean,
        bic: (fitted) => {
          const { rss, rank } = products.leastSquares(known)
          const floor = Number.EPSILON ** 2 * dot(y, y)
          return rows * Real.log(Math.max(rss, floor) / rows) + (rank + fitted) * Real.log(rows)
        },
        deviations: () => new Float64Array(rows).fill(Math.sqrt(scale / shape)),
        solved: (z) => z,
        expression: ({ trees, write }) => simplify(Law.express(trees, mean, write)),
        residuals: () =>
          orthogonalise(
            [new Float64Array(rows).fill(1), ...trees.map((tree) => columns.column(tree).values)],
            y,
          ).residual,
        exact: undefined,
      }
    },
  }
}
