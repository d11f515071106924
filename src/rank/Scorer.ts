import * as Effect from "effect/Effect"
import * as Columns from "../compile/scalar/columns.ts"
import type { Collapsed } from "../compile/scalar/evidence.ts"
import { dot, orthogonalise } from "../compile/scalar/orthogonal.ts"
import * as Products from "../compile/scalar/products.ts"
import * as TreePrior from "../compile/scalar/treePrior.ts"
import type { Likelihood } from "../declare/Likelihood.ts"
import type { SiteRecord } from "../declare/Model.ts"
import * as Term from "../declare/Term.ts"
import * as Tree from "../declare/Tree.ts"
import type { Dataset } from "../runtime/Data.ts"
import type { CompileError } from "../runtime/Errors.ts"
import type { Drawn, Ensemble } from "./Ensemble.ts"
import type { Model } from "./Model.ts"
import * as Plain from "./Plain.ts"

/** The scores of an ensemble: what every evaluation costs; a `Model` has the rest. */
export interface Scored {
  readonly collapsed: Collapsed
  readonly logPrior: number
  readonly lmpse: number
}

/** Scores ensembles on one data set, exactly, remembering columns and inner products from one call to the next. */
export interface Scorer {
  /** Root mean square of the training data's y. */
  readonly scale: number
  /**
   * Evidence, prior and LMPSE (Eq. LMPSE) of an ensemble.
   *
   * @returns undefined when a column is not finite or reaches 1e15 in magnitude: such an ensemble is no model
   */
  readonly score: (ensemble: Ensemble) => Scored | undefined
  /** The model of an ensemble, with `posterior` 1: it is a probability only among others. Undefined as for `score`. */
  readonly model: (drawn: Drawn) => Model | undefined
}

/** What a scorer is made from: a compiled `Plan` has the first two. */
export interface Problem {
  readonly likelihood: Likelihood
  /** The model's sites, where the prior of the weights is found. */
  readonly sites: ReadonlyArray<Pick<SiteRecord, "name" | "prior">>
}

/**
 * A scorer of the likelihood's ensembles.
 *
 * Fails with a `CompileError` when the data lack a feature of the grammar, or the weights of the tree prior are not
 * Dirichlet distributed.
 *
 * @example
 * const scorer = yield* Scorer.make(posterior.plan, { train, test })
 */
export const make = (
  { likelihood, sites }: Problem,
  data: { readonly train: Dataset; readonly test?: Dataset | undefined },
): Effect.Effect<Scorer, CompileError> =>
  Effect.gen(function* () {
    const { train, test } = data
    const { grammar } = likelihood.forest
    const columns = yield* Columns.make(grammar, train)
    const tested = test === undefined ? undefined : yield* Columns.make(grammar, test)
    const prior = yield* TreePrior.of(likelihood.forest, sites)
    const logPriorOf = TreePrior.logPrior(prior)
    const products = Products.make(columns, train.y)
    const write = Plain.writer(grammar, tested === undefined ? [columns] : [columns, tested])

    const score = ({ trees }: Ensemble): Scored | undefined => {
      const numbers = trees.map(products.number)
      if (!numbers.every(products.admissible)) return undefined
      const collapsed = products.collapse(likelihood, numbers)
      const logPrior = logPriorOf(trees)
      return { collapsed, logPrior, lmpse: collapsed.logEvidence + logPrior }
    }
    const model = ({ ensemble, draws }: Drawn): Model | undefined => {
      const scored = score(ensemble)
      if (scored === undefined) return undefined
      const { trees } = ensemble
      const { collapsed, logPrior, lmpse } = scored
      const { mean, shape, scale, logEvidence } = collapsed
      const bic = once(() => {
        const { rss, rank } = products.leastSquares(trees.map(products.number))
        const n = train.rows
        const floor = Number.EPSILON ** 2 * dot(train.y, train.y)
        return n * Math.log(Math.max(rss, floor) / n) + rank * Math.log(n)
      })
      const rmseTrain = once(() => rmse(columns, train.y, trees, mean))
      const rmseTest = once(() => (tested && test ? rmse(tested, test.y, trees, mean) : undefined))
      const terms = once(() => trees.map(write))
      const expression = once(() => express(trees, mean, write))
      return {
        ensemble,
        lmpse,
        logEvidence,
        logPrior,
        posterior: 1,
        draws,
        ensembles: 1,
        coefficients: mean,
        sigma2: shape > 1 ? scale / (shape - 1) : Infinity,
        collapsed,
        complexity: distinct(trees).reduce((sum, tree) => sum + Tree.complexity(grammar, tree), 0),
        get terms() {
          return terms()
        },
        get expression() {
          return expression()
        },
        get bic() {
          return bic()
        },
        get rmseTrain() {
          return rmseTrain()
        },
        get rmseTest() {
          return rmseTest()
        },
        residuals: () =>
          orthogonalise(
            [new Float64Array(train.rows).fill(1), ...trees.map((tree) => columns.column(tree).values)],
            train.y,
          ).residual,
      }
    }
    return { scale: Math.sqrt(dot(train.y, train.y) / train.rows), score, model }
  })

/** Works a value out when first asked for. */
const once = <A>(evaluate: () => A): (() => A) => {
  let known: { readonly value: A } | undefined
  return () => (known ??= { value: evaluate() }).value
}

const distinct = (trees: ReadonlyArray<Tree.Tree>): ReadonlyArray<Tree.Tree> => [
  ...new Map(trees.map((tree) => [Tree.key(tree), tree])).values(),
]

const rmse = (
  columns: Columns.Columns,
  y: Float64Array,
  trees: ReadonlyArray<Tree.Tree>,
  coefficients: Float64Array,
): number => {
  const fitted = new Float64Array(columns.rows).fill(coefficients[0]!)
  trees.forEach((tree, k) => {
    const { values } = columns.column(tree)
    for (let i = 0; i < fitted.length; i++) fitted[i]! += coefficients[k + 1]! * values[i]!
  })
  return Math.sqrt(y.reduce((sum, value, i) => sum + (value - fitted[i]!) ** 2, 0) / y.length)
}

/** b_0 + sum_k b_k f_k, equal trees as one addend. */
const express = (
  trees: ReadonlyArray<Tree.Tree>,
  coefficients: Float64Array,
  write: (tree: Tree.Tree) => Term.Term,
): Term.Term => {
  const addends = new Map<string, { readonly tree: Tree.Tree; readonly coefficient: number }>()
  trees.forEach((tree, k) => {
    const key = Tree.key(tree)
    addends.set(key, { tree, coefficient: coefficients[k + 1]! + (addends.get(key)?.coefficient ?? 0) })
  })
  const sum = [...addends.values()].reduce<Term.Term>(
    (sum, { tree, coefficient }) => Term.add(sum, Term.mul(coefficient, write(tree))),
    Term.constant(coefficients[0]!),
  )
  return Term.simplify(sum)
}
