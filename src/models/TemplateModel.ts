import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import * as SharedLaw from "../evidence/fitted/SharedLaw.ts"
import type * as Output from "../evidence/Output.ts"
import type * as Shape from "../expr/Shape.ts"
import * as Term from "../expr/Term.ts"
import { lazy, once } from "../internal/once.ts"
import { dot } from "../numeric/orthogonal.ts"
import * as Template from "../prob/Template.ts"
import type { FittedNumber } from "../rank/FittedNumbers.ts"

/** The law of one output of a template. */
export interface OutputModel {
  /** the law over the columns */
  readonly expression: Term.Term
  /** the fitted numbers of the expression with their standard errors, which all outputs together give them */
  readonly numbers: ReadonlyArray<FittedNumber>
  /** the root mean square error on the rows, in units of the output */
  readonly rmse: number
  /** the leave-one-out root mean square error to first order, in units of the output: of each row from a fit to all others */
  readonly rmseLoo: number
  /** the expression with its numbers by names, which outputs share, their covariance, and the scale of the noise */
  readonly law: () => FittedLaw.FittedLaw
  /** y less the law, length n, in units of the output */
  readonly residuals: () => Float64Array
}

/**
 * A law of a template.
 *
 * @typeParam N the names of its holes
 * @typeParam O the names of its outputs
 */
export interface Model<N extends string = string, O extends string = string> {
  /** the function in each hole, over its arguments */
  readonly holes: Readonly<Record<N, Term.Term>>
  /** the law of each output; of a template whose form is one term the output is `y` */
  readonly outputs: Readonly<Record<O, OutputModel>>
  /** log evidence plus log prior, in nats */
  readonly lmpse: number
  /** log p(outputs | law), the sum over outputs given the numbers and holes that they share, normalised, in nats */
  readonly logEvidence: number
  readonly logPrior: number
  /** its share among the laws that were kept */
  readonly posterior: number
  /** the probability that this is the law: `posterior` less the share of laws that were not seen (`Fitted.unseen`) */
  readonly probability: number
  /** the sum of `Tree.complexity` over the trees of all holes */
  readonly complexity: number
  /** the verdicts on the shapes of each hole, in the order in which they were given */
  readonly shapes: Readonly<Record<N, ReadonlyArray<Shape.Verdict>>>
}

/**
 * The laws of the outputs of a template with terms in its holes.
 *
 * @param holes the term of each hole with its numbers as constants
 * @param exact magnitudes of numbers that are no fitted ones
 */
export const outputsOf = (
  template: Template.Template,
  outputs: ReadonlyArray<Output.Output>,
  holes: Readonly<Record<string, Term.Term>>,
  exact: ReadonlySet<number>,
): ReadonlyArray<OutputModel> => {
  const shared = once(() => SharedLaw.make(outputs, numbered(template, outputs, holes, exact)))
  const laws = Template.laws(template, holes)
  return outputs.map((output, k): OutputModel => {
    const expression = Term.arrange(laws[k]!)
    const residuals = (): Float64Array => shared()[k]!.residuals
    const counts = (i: number): boolean => output.weights?.by[i] !== 0
    /** The root mean square of residuals that are changed by their rows. */
    const rootMeanSquare = (of: (residual: number, row: number) => number): number => {
      const column = residuals()
        .map((value, i) => of(value, i))
        .filter((_, i) => counts(i))
      return Math.sqrt(dot(column, column) / column.length)
    }
    return lazy<OutputModel>({
      expression: () => expression,
      numbers: () => numbersOf(expression, shared()[k]!, output, exact),
      rmse: () => rootMeanSquare((residual) => residual),
      rmseLoo: () => rootMeanSquare((residual, i) => residual / Math.max(0, 1 - shared()[k]!.leverages[i]!)),
      law: () => () => shared()[k]!.law,
      residuals: () => residuals,
    })
  })
}

/** The laws of outputs with names for the numbers of holes. */
const numbered = (
  template: Template.Template,
  outputs: ReadonlyArray<Output.Output>,
  holes: Readonly<Record<string, Term.Term>>,
  exact: ReadonlySet<number>,
): SharedLaw.SharedLaws => {
  const taken = [...outputs[0]!.data.features, ...template.columns]
  const names: Array<string> = []
  const values: Array<number> = []
  const formulas: Record<string, Term.Term> = {}
  for (const [hole, term] of Object.entries(holes)) {
    const own = FittedLaw.numbered(term, [...taken, ...names, ...(template.holes[hole] ?? [])], exact)
    formulas[hole] = own.formula
    names.push(...own.names)
    values.push(...own.values)
  }
  return { formulas: Template.laws(template, formulas), names, values: Float64Array.from(values) }
}

/** The numbers of an expression, with their errors as the numbers of all outputs have them. */
const numbersOf = (
  expression: Term.Term,
  shared: SharedLaw.OutputLaw,
  output: Output.Output,
  exact: ReadonlySet<number>,
): ReadonlyArray<FittedNumber> => {
  const { data, weights } = output
  const own = FittedLaw.numbered(expression, data.features, exact)
  const { slopes } = FittedLaw.rows(own, data.features, data.columns, data.rows)
  const errors = SharedLaw.errorsOf(slopes, shared, output)
  const { sigma } = shared.law
  return own.names.map((_, j) => {
    const effect = slopes[j]!.map((value, i) => (value * (weights?.by[i] ?? 1)) / sigma)
    return {
      value: Math.abs(own.values[j]!),
      error: errors[j]!,
      effect: Math.sqrt(dot(effect, effect) / data.rows),
    }
  })
}
