import * as Link from "../prob/Link.ts"
import type { Response as LinkChoice } from "../prob/Observation.ts"
import type { Tree } from "../prob/Tree.ts"
import type { Assessment } from "./Assessment.ts"
import * as Cancellation from "./cancellation.ts"
import * as InnerNumbers from "./exact/InnerNumbers.ts"
import type { Columns } from "./columns.ts"
import * as GPrior from "./gPrior.ts"
import * as ParametricTrees from "./fitted/ParametricTrees.ts"
import * as GPriorFit from "./fitted/gPriorFit.ts"
import { tiedFits } from "./fitted/tiedFit.ts"
import { leastSquares } from "../numeric/leastSquares.ts"
import * as Products from "./products.ts"
import { once } from "../internal/once.ts"
import { logSumExp } from "../numeric/logSum.ts"
import * as Real from "../numeric/Real.ts"
import * as Noise from "./Noise.ts"
import * as Explain from "./noise/Explain.ts"
import type { Known } from "./noise/Deviations.ts"
import * as Weighing from "./noise/Weighing.ts"
import * as PosteriorMeans from "./posteriorMeans.ts"
import * as Responses from "./response.ts"
import * as ResponseFit from "./responseFit.ts"
import { allFinite } from "../numeric/finite.ts"

/** The settings of the evidence, which a `SelectedLinear` likelihood has. */
export interface Prior {
  readonly coefficients: { readonly a: number }
  readonly resolution: number
  readonly link: LinkChoice | undefined
  /** undefined for additive noise of one scale */
  readonly noise?: Noise.Noise | undefined
}

/** The exact evidence of a `SelectedLinear` likelihood's ensembles on one data set. */
export interface Selected {
  /**
   * Fits the constants of trees (`Constant.fitted`) to their posterior mode, from their values in the trees, and integrates
   * them out by Laplace's approximation. Undefined for trees without such constants, and where `assess` is undefined.
   */
  readonly fitConstants: (link: number, trees: ReadonlyArray<Tree>) => GPriorFit.FittedTrees | undefined
  /**
   * Trees with their constants fitted under each hypothesis that leaves the law without an intercept of its own (`tiedFits`);
   * none for trees without fitted constants or with priors of them, and under links other than the identity.
   */
  readonly tied: (link: number, trees: ReadonlyArray<Tree>) => ReadonlyArray<ReadonlyArray<Tree>>
  /**
   * The fitted constants of trees to first order; undefined for trees without them, or with priors of them, which an exact hypothesis about the
   * coefficients leaves as they are.
   */
  readonly inner: (trees: ReadonlyArray<Tree>) => InnerNumbers.InnerNumbers | undefined
  /** The reasons why links are dropped, in the order of the likelihood's links. */
  readonly dropped: () => ReadonlyArray<string>
  /**
   * The evidence of trees, at the given values of their fitted constants.
   *
   * @param trees any number of trees, distinct or not: the evidence depends on the span of their columns
   * @returns undefined when the link was dropped, a column is not finite or reaches 1e150 in magnitude, or the law is
   *   not finite on every row
   */
  readonly assess: (link: number, trees: ReadonlyArray<Tree>) => Assessment | undefined
}

const linear = ({ link, inverse }: Responses.Response): boolean =>
  link.forward._tag === "Variable" && inverse._tag === "Variable"

/** The model of one link, made when it is first needed. */
interface Side {
  readonly products: Products.Products
  readonly target: GPrior.Target
  /** log p(y | the mean alone) with noise on the scale of the link */
  readonly nothing: number
}

export const make = (
  { coefficients: { a }, resolution, link: declared, noise: kinds }: Prior,
  columns: Columns,
  y: Float64Array,
  known: Known = {},
): Selected => {
  const prior = { a, resolution }
  const explainer = kinds && !Noise.isPlain(kinds) ? Explain.make(kinds, y, prior, known) : undefined
  const noise = declared?.noise ?? "response"
  // Of a link that no ensemble has nothing is computed, but for a complaint.
  const responses = (declared?.links ?? [Link.identity]).map((link) =>
    once(() => Responses.apply(link, y, noise === "response" ? Responses.strayRows : 0)),
  )
  const plain = GPrior.target(y, prior)
  const nothing = GPrior.logNull(plain)
  const sides = new Map<Responses.Response, Side>()
  const sideOf = (response: Responses.Response): Side => {
    const known = sides.get(response)
    if (known !== undefined) return known
    const target = Responses.target(response, y, prior)
    const made = {
      products: Products.make(columns, response.values),
      target,
      nothing: GPrior.logNull(target) + response.logJacobian,
    }
    sides.set(response, made)
    return made
  }
  const fitters = new Map<Responses.Response, ReturnType<typeof ResponseFit.fitter>>()
  const fitterOf = (response: Responses.Response): ReturnType<typeof ResponseFit.fitter> => {
    const known = fitters.get(response) ?? ResponseFit.fitter(response, y)
    fitters.set(response, known)
    return known
  }
  const ones = new Float64Array(y.length).fill(1)
  const { grammar } = columns
  const model = once(() => ParametricTrees.make(columns))

  const fitOnLink =
    ({ values }: Responses.Response) =>
    (design: ReadonlyArray<Float64Array>): GPriorFit.Fit => {
      const { coefficients, rank, residual, rss } = leastSquares([ones, ...design], values)
      return { coefficients, rank: rank - 1, residual, rss, slopes: ones }
    }
  const fitOnResponse =
    (response: Responses.Response) =>
    (design: ReadonlyArray<Float64Array>): GPriorFit.Fit | undefined => {
      const fit = fitterOf(response)(design)
      if (fit === undefined) return undefined
      const { coefficients, residual, slopes } = fit.point
      return { coefficients, rank: fit.rank, residual, rss: fit.rss, slopes }
    }
  const fitConstants: Selected["fitConstants"] = (link, trees) => {
    const response = responses[link]?.()
    if (response === undefined || response._tag === "Dropped" || !ParametricTrees.any(grammar, trees))
      return undefined
    const priorOf = (terminal: number) => grammar.terminals[terminal]!.fitted!
    const explained = explainer && assess(link, trees)?.noise?.explanation
    if (explainer !== undefined && explained !== undefined) {
      const { weighing } = explained
      const fit = explainer.again(response, weighing)
      return GPriorFit.fitConstants(
        model()(trees),
        (design) => Weighing.spread(fit(design), weighing, y.length),
        explained.target,
        priorOf,
      )
    }
    const plainly = noise === "link" || linear(response)
    return GPriorFit.fitConstants(
      model()(trees),
      plainly ? fitOnLink(response) : fitOnResponse(response),
      plainly ? sideOf(response).target : plain,
      priorOf,
    )
  }

  /** Trees as functions of fitted constants that have the prior of coefficients: a declared prior would have its say in a fit. */
  const parametricOf = (trees: ReadonlyArray<Tree>): ParametricTrees.ParametricTrees | undefined => {
    const isFree = ParametricTrees.any(grammar, trees) && ParametricTrees.areScaleFree(grammar, trees)
    return isFree ? model()(trees) : undefined
  }
  const inner: Selected["inner"] = (own) => {
    const parametric = parametricOf(own)
    return parametric && InnerNumbers.of(parametric)
  }

  const tied: Selected["tied"] = (link, trees) => {
    const response = responses[link]?.()
    if (response === undefined || response._tag === "Dropped" || !linear(response)) return []
    const parametric = parametricOf(trees)
    if (parametric === undefined) return []
    const weighing = explainer && assess(link, trees)?.noise?.explanation?.weighing
    // With one parameter less another kind of noise may explain the rows best. On the scale of logarithms a law is no sum of its terms.
    const weighings = weighing === undefined ? [undefined] : [undefined, weighing]
    return weighings
      .filter((one) => one?.logarithms !== true)
      .flatMap((one) => tiedFits(parametric, y, Weighing.ofAllRows(one, y.length)))
      .map(parametric.trees)
  }

  const onLink = (response: Responses.Response, trees: ReadonlyArray<Tree>): Assessment => {
    const side = sideOf(response)
    const { rss, rank } = side.products.leastSquares(trees.map(side.products.number))
    const posterior = GPrior.posterior({ ...side.target, rank: rank - 1, rss })
    const logEvidence = side.nothing + posterior.logBayesFactor
    const design = (): ReadonlyArray<Float64Array> => trees.map((tree) => columns.column(tree).values)
    const solve = once(() => leastSquares([ones, ...design()], response.values).coefficients)
    return {
      response,
      logEvidence,
      noise: undefined,
      extra: response.logJacobian,
      linkEvidence: () => logEvidence,
      rank: rank - 1,
      rss,
      deviance: GPrior.deviance(side.target, rss) - 2 * response.logJacobian,
      posterior,
      leastSquares: solve,
      coefficients: () =>
        PosteriorMeans.shrink(solve(), design().map(PosteriorMeans.mean), posterior.leftover),
    }
  }
  const onResponse = (response: Responses.Response, trees: ReadonlyArray<Tree>): Assessment | undefined => {
    const fit = fitterOf(response)(trees.map((tree) => columns.column(tree).values))
    if (fit === undefined) return undefined
    const posterior = GPrior.posterior({ ...plain, rank: fit.rank, rss: fit.rss })
    return {
      response,
      logEvidence: nothing + posterior.logBayesFactor,
      noise: undefined,
      extra: 0,
      linkEvidence: () =>
        response.logJacobian === -Infinity ? -Infinity : onLink(response, trees).logEvidence,
      rank: fit.rank,
      rss: fit.rss,
      deviance: GPrior.deviance(plain, fit.rss),
      posterior,
      leastSquares: fit.coefficients,
      coefficients: () => PosteriorMeans.shrink(fit.coefficients(), fit.centres(), posterior.leftover),
    }
  }
  /** The closed form without weights; undefined where the law has no value on some row. */
  const assessPlainly = (
    response: Responses.Response,
    trees: ReadonlyArray<Tree>,
  ): Assessment | undefined => {
    if (linear(response)) return onLink(response, trees)
    if (noise === "response") return onResponse(response, trees)
    const found = onLink(response, trees)
    const design = [ones, ...trees.map((tree) => columns.column(tree).values)]
    const values = new Float64Array(y.length)
    Responses.back(response).run(
      ResponseFit.combine(design, found.leastSquares()),
      values,
      new Float64Array(y.length),
    )
    return allFinite(values) ? found : undefined
  }

  const startsPlain = kinds !== undefined && Explain.startsPlain(kinds)
  /**
   * @param skipped the number of the most probable explanations that are left out. The others are found again when they are asked for: each holds
   *   columns of all rows, and of a hundred models they would take a gigabyte of ten thousand rows
   */
  const assessUnder = (
    explain: Explain.Explainer,
    response: Responses.Response,
    trees: ReadonlyArray<Tree>,
    skipped = 0,
  ): Assessment | undefined => {
    const design = trees.map((tree) => columns.column(tree).values)
    const explanations = explain.explain(response, design).slice(skipped)
    const [best] = explanations
    if (best === undefined) return undefined
    const total = logSumExp(explanations.map((one) => one.logEvidence()))
    const { weighing, fit, target } = best
    const posterior = best.posterior()
    const isPlain = startsPlain && weighing.kind === 0 && weighing.rows.length === y.length
    return {
      response,
      logEvidence: total,
      noise: {
        explanation: isPlain ? undefined : best,
        kind: best.kind,
        // Heavy tails leave rows that are far out next to no weight, however many these are.
        exact: best.kind.degrees === undefined && Explain.isExact(fit.rss, target),
        probability: Real.exp(best.logEvidence() - total),
        logOdds: once(() => explain.logOdds(best)),
      },
      others: () => assessUnder(explain, response, trees, skipped + 1),
      extra: total - GPrior.logNull(target) - posterior.logBayesFactor,
      linkEvidence: () =>
        response.logJacobian === -Infinity ? -Infinity : onLink(response, trees).logEvidence,
      rank: fit.rank,
      rss: fit.rss,
      deviance: GPrior.deviance(target, fit.rss) - 2 * weighing.logDensity,
      posterior,
      leastSquares: fit.coefficients,
      coefficients: () => PosteriorMeans.shrink(fit.coefficients(), fit.centres(), posterior.leftover),
    }
  }
  const assess: Selected["assess"] = (link, trees) => {
    const response = responses[link]?.()
    if (response === undefined || response._tag === "Dropped") return undefined
    if (!trees.every((tree) => columns.column(tree).admissible)) return undefined
    return Cancellation.considered(
      explainer === undefined ? assessPlainly(response, trees) : assessUnder(explainer, response, trees),
      trees.map((tree) => columns.column(tree).values),
    )
  }
  const dropped: Selected["dropped"] = () =>
    responses.flatMap((response) => {
      const one = response()
      return one._tag === "Dropped" ? [one.reason] : []
    })
  return { dropped, fitConstants, tied, inner, assess }
}
