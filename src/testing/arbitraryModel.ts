import * as fc from "fast-check"
import * as Plan from "../prob/Plan.ts"
import * as Constant from "../prob/Constant.ts"
import * as Dist from "../prob/Dist.ts"
import * as Grammar from "../prob/Grammar.ts"
import * as Likelihood from "../evidence/Likelihood.ts"
import * as Model from "../prob/Model.ts"
import * as Operator from "../expr/Operator.ts"
import * as Prior from "../prob/Prior.ts"
import * as Skeleton from "../prob/Skeleton.ts"
import type * as Term from "../expr/Term.ts"
import * as Tree from "../prob/Tree.ts"
import type { Dataset } from "../data/Data.ts"
import * as Rng from "../random/Rng.ts"
import { arbitraryTerm, binaryOperations, unaryOperations } from "./arbitraryTerm.ts"

/** Numbers as in formulas: small integers, and decimals of three digits between -10 and 10. */
export const everydayNumber: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: -10_000, max: 10_000 }).map((thousandths) => thousandths / 1000),
)

/** Options of `arbitraryOperator`. */
export interface OperatorOptions {
  /** The operations of its term; all by default. */
  readonly operations?: ReadonlyArray<Term.UnaryOperation | Term.BinaryOperation>
  /** The greatest depth of its term, 2 by default. */
  readonly depth?: number
}

/** An operator of one or two arguments with a random term, which need not mention them. */
export const arbitraryOperator = <const N extends string>(
  name: N,
  { operations = [...unaryOperations, ...binaryOperations], depth = 2 }: OperatorOptions = {},
): fc.Arbitrary<Operator.Operator<N>> => {
  const shape = { operations, depth, constants: everydayNumber }
  return fc.oneof(
    arbitraryTerm({ ...shape, variables: ["x"] }).map((term) => Operator.unary(name, () => term)),
    arbitraryTerm({ ...shape, variables: ["x", "y"] }).map((term) => Operator.binary(name, () => term)),
  )
}

/** Options of `arbitraryGrammar`. */
export interface GrammarOptions extends OperatorOptions {
  /** Operators to choose from beside random ones: all shipped operators by default. */
  readonly pool?: ReadonlyArray<Operator.Operator>
  /**
   * The largest number of features, and below of operators, constants and forbidden pairs: 3, 4, 2 and 2 by default.
   */
  readonly features?: number
  readonly operators?: number
  readonly constants?: number
  readonly forbidden?: number
  /** whether constants are fitted, under normal priors around their numbers; false by default */
  readonly fitted?: boolean
}

/**
 * Grammars of features x0, x1, ..., given and random operators, constants as terminals, and forbidden pairs. They
 * shrink towards one feature, one operator and no forbidden pair.
 */
export const arbitraryGrammar = (options: GrammarOptions = {}): fc.Arbitrary<Grammar.Grammar> => {
  const { pool = Object.values(Operator.shipped), features = 3, operators = 4 } = options
  const { constants = 2, forbidden = 2, fitted = false } = options
  const operator = (index: number): fc.Arbitrary<Operator.Operator> => {
    const random = arbitraryOperator(`f${index}`, options)
    return pool.length === 0 ? random : fc.oneof(fc.constantFrom(...pool), random)
  }
  return fc
    .record({
      features: fc.integer({ min: 1, max: features }),
      operators: fc.integer({ min: 1, max: operators }).chain((count) => {
        const each = Array.from({ length: count }, (_, index) => operator(index))
        return fc.tuple(...each).map((found) => unique(found, ({ name }) => name))
      }),
      constants: fc.array(everydayNumber, { maxLength: constants }),
      rules: fc.array(fc.tuple(fc.nat({ max: 99 }), fc.nat({ max: 99 })), { maxLength: forbidden }),
    })
    .map(({ features: count, operators: found, constants: values, rules }) => {
      const grammar: Grammar.Grammar = Grammar.make({
        features: Array.from({ length: count }, (_, index) => `x${index}`),
        operators: found,
        constants: Object.fromEntries(
          values.map((value, index) => [
            `c${index}`,
            fitted ? Constant.fitted(Dist.normal(value, 1 + index)) : value,
          ]),
        ),
      })
      const name = (index: number): string => found[index % found.length]!.name
      return rules.reduce(
        (current, [inside, rule]) => Grammar.forbid({ inside: name(inside), operator: name(rule) })(current),
        grammar,
      )
    })
}

const unique = <A>(values: ReadonlyArray<A>, by: (value: A) => string): ReadonlyArray<A> => [
  ...new Map(values.map((value) => [by(value), value])).values(),
]

/** Any assignment of a full skeleton of the depth, meaningful or not: pruning makes a tree of it. */
export const arbitrarySkeleton = (
  grammar: Grammar.Grammar,
  depth: number,
): fc.Arbitrary<Skeleton.Skeleton> => {
  const length = Skeleton.size(depth)
  const indices = (count: number): fc.Arbitrary<ReadonlyArray<number>> =>
    fc.array(fc.nat({ max: count - 1 }), { minLength: length, maxLength: length })
  return fc.record({
    split: indices(2),
    operator: indices(grammar.operators.length),
    terminal: indices(grammar.terminals.length),
  })
}

/** Trees of a grammar up to a depth; none has a forbidden operator. */
export const arbitraryTree = (grammar: Grammar.Grammar, depth: number): fc.Arbitrary<Tree.Tree> =>
  arbitrarySkeleton(grammar, depth).map((skeleton) => Tree.prune(grammar, depth, skeleton))

/** Data for features x0, x1, ...: values in [-5, 5], with zeros and equal values. */
export const arbitraryDataset = (
  features: number,
  rows: { readonly min: number; readonly max: number } = { min: 1, max: 20 },
): fc.Arbitrary<Dataset> => {
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.double({ min: -5, max: 5, noNaN: true }) },
    { weight: 1, arbitrary: fc.integer({ min: -2, max: 2 }) },
  )
  const row = fc.array(value, { minLength: features + 1, maxLength: features + 1 })
  return fc.array(row, { minLength: rows.min, maxLength: rows.max }).map((table) => ({
    features: Array.from({ length: features }, (_, index) => `x${index}`),
    columns: Array.from({ length: features }, (_, index) => Float64Array.from(table, (r) => r[index]!)),
    target: "y",
    y: Float64Array.from(table, (r) => r[features]!),
    rows: table.length,
  }))
}

/** The sites of an `Ensemble`: those of the paper's model. */
export type EnsembleSites =
  | Model.Site<"operatorWeights", "simplex">
  | Model.Site<"featureWeights", "simplex">
  | Model.Site<"trees.split", "binary">
  | Model.Site<"trees.operator", "categorical">
  | Model.Site<"trees.terminal", "categorical">

/** The paper's model with a random grammar, random sizes and random hyperparameters, and data for it. */
export interface Ensemble {
  readonly grammar: Grammar.Grammar
  readonly depth: number
  readonly trees: number
  readonly split: Prior.Split
  /** concentrations of the prior of the operators' weights, and of the terminals' */
  readonly concentration: {
    readonly operators: ReadonlyArray<number>
    readonly terminals: ReadonlyArray<number>
  }
  readonly hyper: {
    readonly mu0: number
    readonly sigma0: number
    readonly a0: number
    readonly b0: number
  }
  readonly data: Dataset
  readonly model: Model.Model<void, EnsembleSites>
}

/** Options of `arbitraryEnsemble`. */
export interface EnsembleOptions extends GrammarOptions {
  /** the largest depth, at least 1, and below the largest numbers of trees and rows: 3, 3 and 20 by default */
  readonly depth?: number
  readonly trees?: number
  readonly rows?: number
}

/** Random ensembles; see `Ensemble`. */
export const arbitraryEnsemble = (options: EnsembleOptions = {}): fc.Arbitrary<Ensemble> => {
  const { depth = 3, trees = 3, rows = 20 } = options
  const positive = fc.double({ min: 0.25, max: 4, noNaN: true })
  return arbitraryGrammar(options).chain((grammar) => {
    const vector = (length: number) => fc.array(positive, { minLength: length, maxLength: length })
    return fc
      .record({
        depth: fc.integer({ min: 1, max: depth }),
        trees: fc.integer({ min: 1, max: trees }),
        split: fc.oneof(
          fc.record({
            alpha: fc.double({ min: 0.1, max: 0.95, noNaN: true }),
            delta: fc.double({ min: 0.1, max: 2, noNaN: true }),
          }),
          fc
            .array(fc.double({ min: 0.05, max: 0.95, noNaN: true }), { minLength: 1, maxLength: 4 })
            .map(Prior.splitTable),
        ),
        concentration: fc.record({
          operators: vector(grammar.operators.length),
          terminals: vector(grammar.terminals.length),
        }),
        hyper: fc.record({
          mu0: fc.double({ min: -1, max: 1, noNaN: true }),
          sigma0: positive,
          a0: positive,
          b0: positive,
        }),
        data: arbitraryDataset(grammar.features.length, { min: 1, max: rows }),
      })
      .map((drawn) => ({ ...drawn, grammar, model: ensembleModel({ ...drawn, grammar }) }))
  })
}

const ensembleModel = (declared: Omit<Ensemble, "model" | "data">): Model.Model<void, EnsembleSites> =>
  Model.gen(function* () {
    const { grammar, depth, trees, split, concentration, hyper } = declared
    const operators = yield* Model.sample("operatorWeights", Dist.dirichlet(concentration.operators))
    const features = yield* Model.sample("featureWeights", Dist.dirichlet(concentration.terminals))
    const forest = yield* Model.plate(
      "trees",
      trees,
      Tree.prior({ grammar, depth, split, operators, features, values: true }),
    )
    yield* Model.observe("y", Likelihood.conjugateLinear(forest, hyper))
  })

/** A point at which an objective is evaluated: flat parameters and noise in the layout of a plan. */
export interface Point {
  readonly parameters: Float64Array
  readonly noise: Float32Array
}

/** Normal parameters of standard deviation `scale`, and the base noise of S samples. */
export const point = (plan: Plan.Plan, samples: number, seed: number, scale: number): Point => {
  const [parameterKey, noiseKey] = Rng.split(Rng.key(seed), 2)
  const noise = new Float32Array(samples * plan.noiseCount)
  Plan.noiseDrawer(plan, samples, noise)(noiseKey)
  const parameters = Rng.normal(parameterKey, new Float64Array(plan.parameterCount)).map((z) => z * scale)
  return { parameters, noise }
}
