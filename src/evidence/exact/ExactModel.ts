import type { Columns } from "../columns.ts"
import { combine, condensed } from "../responseFit.ts"
import * as Responses from "../response.ts"
import * as GPrior from "../gPrior.ts"
import type { Explanation } from "../noise/Explain.ts"
import * as Weighing from "../noise/Weighing.ts"
import type { Prior } from "../selected.ts"
import { columnOf } from "../../expr/columnOf.ts"
import { type Constants, ofLaw, tableOf } from "./Constants.ts"
import * as Term from "../../expr/Term.ts"
import * as Link from "../../prob/Link.ts"
import type * as Tree from "../../prob/Tree.ts"
import type { Dataset } from "../../data/Data.ts"
import type { Among } from "./Declared.ts"
import * as BasisFunctions from "./BasisFunctions.ts"
import * as InnerNumbers from "./InnerNumbers.ts"
import * as Law from "../Law.ts"
import { absent, restriction } from "./Hypothesis.ts"
import * as ExactLaw from "./ExactLaw.ts"
import { select, type ConstantSelection } from "./ConstantSelection.ts"
import { withExactConstants } from "./ExactConstants.ts"

/** A model whose coefficients may be exact constants. */
export interface Problem {
  readonly likelihood: Prior
  readonly train: Dataset
  /** the training data's columns, then those of the test data if there are any */
  readonly data: ReadonlyArray<Columns>
  readonly response: Responses.Response
  readonly trees: ReadonlyArray<Tree.Tree>
  readonly terms: ReadonlyArray<Term.Term>
  /** coefficients of the trees, intercept first, from least squares */
  readonly leastSquares: Float64Array
  /** the weights of the rows under the most probable noise; undefined where no row has one */
  readonly explanation?: Explanation | undefined
  /** `Assessment.extra` of the model, in nats: it is added to the closed form; the Jacobian of the link if left out */
  readonly extra?: number | undefined
  /** the fitted numbers inside of the trees; undefined where there are none, or they have a prior of their own */
  readonly inner?: InnerNumbers.InnerNumbers | undefined
  /** the hypotheses about the constants of which the most probable is taken; all if left out */
  readonly among?: Among | undefined
  /** the hypothesis, as it was selected around other numbers inside of the same trees */
  readonly before?: ConstantSelection | undefined
}

export interface ExactModel {
  readonly selection: ConstantSelection
  /**
   * The number of fitted coefficients and numbers inside of terms; a shared scale counts as one.
   *
   * @param numbers the number of fitted constants inside of the trees, whether the hypothesis has them exact or not
   */
  readonly fitted: (numbers: number) => number
  /** log p(y | link, trees, hypothesis about the constants), normalised */
  readonly logEvidence: number
  /** of the trees, intercept first, on the scale of the link */
  readonly coefficients: Float64Array
  /** the least-squares coefficients under the hypothesis, in the same order */
  readonly leastSquares: Float64Array
  /** -2 log of the maximal likelihood, as in `Assessment` */
  readonly deviance: number
  readonly expression: () => Term.Term
  /**
   * The trees with the numbers inside moved to where the hypothesis has them, or by a share of the way; undefined where they stay. `logEvidence` is to
   * first order around the trees that were given: it is right where they stay.
   */
  readonly moved: (share?: number) => ReadonlyArray<Tree.Tree> | undefined
  /** the derivatives of the linear part by each free coefficient, and by the scale that others share, length n each */
  readonly slopes: () => ReadonlyArray<Float64Array>
}

/** Of more rows than this a linear regression is condensed before hypotheses are fitted. */
const many = 20_000
/** The largest allowed difference between the values of a basis and those of the trees, relative to the largest value. */
const close = 1e-9
/** Numbers inside of terms stay where the sum of squares falls by less than these variances of the noise: a hundredth of a nat. */
const still = 0.02

/** The basis of the terms and its columns. The terms themselves are the basis if splitting them loses digits. */
const columnsOf = ({ train, data, trees, terms, among }: Problem) => {
  const evaluate = (basis: BasisFunctions.BasisFunctions) =>
    basis.functions.map((term) => columnOf(term, train.features, train.columns, train.rows))
  const basis = BasisFunctions.of(terms)
  const columns = evaluate(basis)
  const same = trees.every((tree, k) => {
    const { values } = data[0]!.column(tree)
    const size = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const row = basis.matrix[k]!
    return values.every((value, i) => {
      const again = row.reduce(
        (sum, by, j) => (by === 0 ? sum : sum + by * columns[j]![i]!),
        basis.constants[k]!,
      )
      return Math.abs(again - value) <= close * size
    })
  })
  if (same && among?.declared === undefined) return { basis, columns }
  return { basis: BasisFunctions.trivial(terms), columns: trees.map((tree) => data[0]!.column(tree).values) }
}

const isIdentity = ({ inverse }: Responses.Response): boolean => inverse._tag === "Variable"

/**
 * The log evidence with noise on the link's scale, constants selected under that noise. It equals that of `model` for the
 * identity link and for models whose noise is on the link's scale. Minus infinity if the link is not defined on all rows.
 */
export const linkEvidence = (problem: Problem, prior: Constants, model: ExactModel): number => {
  const { likelihood, response } = problem
  const { link } = likelihood
  if (link === undefined || link.noise === "link" || isIdentity(response)) return model.logEvidence
  if (response.logJacobian === -Infinity) return -Infinity
  const onLink = {
    ...problem,
    explanation: undefined,
    extra: undefined,
    // The model is there.
    among: problem.among && { ...problem.among, rise: undefined },
    likelihood: { ...likelihood, link: { ...link, noise: "link" as const } },
  }
  return make(onLink, prior)?.logEvidence ?? -Infinity
}

/**
 * The model with the exact constants of highest posterior probability among the hypotheses of the problem.
 *
 * @returns undefined when there is none among them, when the law is not finite on every row, or there are less than two rows more than
 *   coefficients, the intercept's included
 */
export const make = (problem: Problem, prior: Constants): ExactModel | undefined => {
  const { likelihood, train, response, trees, leastSquares, among } = problem
  const declared = among?.declared
  const { y, rows } = train
  const settings = { a: likelihood.coefficients.a, resolution: likelihood.resolution }
  const onLink = likelihood.link?.noise === "link"
  const identity = isIdentity(response)
  const target =
    problem.explanation?.target ??
    (onLink ? Responses.target(response, y, settings) : GPrior.target(y, settings))
  const jacobian = onLink ? response.logJacobian : 0
  const { explanation, extra = jacobian } = problem
  const logJacobian = explanation?.weighing.logDensity ?? jacobian
  const { basis, columns } = columnsOf(problem)
  const all = [new Float64Array(rows).fill(1), ...columns]
  const pick = (column: Float64Array): Float64Array =>
    explanation === undefined ? column : Weighing.pick(column, explanation.weighing.rows)
  const design = all.map(pick)
  const logarithmic = Link.isExponential(response.inverse)
  const weighing = explanation?.weighing
  const way = onLink || identity ? undefined : Responses.back(response)
  const regression = {
    y: weighing === undefined ? (onLink ? response.values : y) : Weighing.values(weighing, y),
    way: weighing === undefined ? way : Weighing.wayOf(weighing, y, way ?? Responses.back(response)),
    design,
  }
  const start = BasisFunctions.toBasis(basis, leastSquares)
  const inner = problem.inner && InnerNumbers.beside(problem.inner, leastSquares, regression, start, pick)
  const whole = { ...regression, design: [...design, ...(inner?.columns ?? [])] }
  const own = ofLaw(prior, Term.variablesOf(problem.terms).length, logarithmic)
  const selection = select(
    whole.way === undefined && rows > many ? condensed(whole.design, whole.y) : whole,
    target,
    Float64Array.of(...start, ...new Float64Array(whole.design.length - start.length)),
    {
      prior: own,
      table: tableOf(prior),
      logarithmic,
      linear: identity,
      inner: inner?.values,
      intercept: among?.intercept,
    },
    declared && {
      coefficients: [declared.intercept, ...trees.map(declared.of)],
      inside: declared.inside ?? [],
    },
    problem.before,
    among?.rise,
  )
  if (selection === undefined) return undefined
  // The evidence of the model has the numbers inside of terms by an approximation that all hypotheses share (`fitConstants`).
  const rank = selection.states.filter((state) => state !== undefined).length - 1
  const more = inner?.values.length ?? 0
  const volume = GPrior.logFurther({ ...target, rank, rss: selection.rssFree }, more)
  // Posterior means may lie outside of the domain of the inverse link where least squares do not.
  const isPossible = (own: ReadonlyArray<Float64Array>, b: Float64Array): boolean =>
    Law.solved(response, combine(own, b)).every(Number.isFinite)
  const means = isPossible(design, selection.coefficients) ? selection.coefficients : selection.leastSquares
  if (onLink && !isPossible(design, means)) return undefined
  const coefficients = BasisFunctions.toTerms(basis, means)
  return {
    selection,
    fitted: (numbers) => selection.fitted + numbers - more,
    logEvidence: selection.logEvidence - volume + extra,
    coefficients,
    leastSquares: BasisFunctions.toTerms(basis, selection.leastSquares),
    deviance: GPrior.deviance(target, selection.rss) - 2 * logJacobian,
    slopes: () =>
      restriction(selection.states.map((state) => state ?? absent)).basis.map((direction) =>
        combine(all, direction),
      ),
    moved: (share = 1) => {
      const isElsewhere = selection.inner.some((one) => one?.state._tag === "Fixed" && one.by !== 0)
      return selection.gain > still || isElsewhere ? inner?.moved(selection.inner, share) : undefined
    },
    expression: () => {
      const parts: ExactLaw.Parts = {
        functions: basis.functions,
        states: selection.states,
        coefficients: Law.written(response, all, means),
        scale: selection.scale,
      }
      // exp(intercept) has to be finite.
      if (logarithmic && Math.abs(parts.coefficients[0]!) < 700)
        return withExactConstants(Term.simplify(ExactLaw.exponential(parts)), prior)
      return withExactConstants(Term.simplify(Law.solve(response, ExactLaw.linear(parts))), prior)
    },
  }
}
