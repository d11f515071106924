import * as Effect from "effect/Effect"
import * as Columns from "../evidence/columns.ts"
import type { Collapsed } from "../evidence/conjugate.ts"
import * as Learned from "../evidence/learned.ts"
import * as LearnedCollapsed from "../evidence/learnedCollapsed.ts"
import { once } from "../internal/once.ts"
import { dot, orthogonalise } from "../numeric/orthogonal.ts"
import * as Products from "../evidence/products.ts"
import * as TreePrior from "../evidence/treePrior.ts"
import type { ConjugateLinear } from "../prob/Likelihood.ts"
import * as Link from "../prob/Link.ts"
import * as Term from "../expr/Term.ts"
import * as Tree from "../prob/Tree.ts"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import type { Drawn, Ensemble } from "./Ensemble.ts"
import * as Ensembles from "./Ensemble.ts"
import * as Law from "../evidence/Law.ts"
import type { Model } from "./Model.ts"
import * as TermWriter from "../evidence/TermWriter.ts"
import type { Problem, Scored, Scorer } from "./Scorer.ts"

/** What is known of a tree beside its column. */
interface Facts {
  /** in `Products`: the same for equal trees */
  readonly number: number
  readonly counts: TreePrior.Counts
  readonly complexity: number
}

interface Assessed extends Scored {
  /** with its numbers learned */
  readonly ensemble: Ensemble
  /** how many numbers have been learned */
  readonly numbers: number
  /** of the ensemble's trees, in order */
  readonly known: ReadonlyArray<Facts>
  readonly collapsed: Collapsed
}

/** The sum over distinct trees. */
const complexityOf = (known: ReadonlyArray<Facts>): number => {
  let sum = 0
  known.forEach(({ number, complexity }, k) => {
    if (known.findIndex((other) => other.number === number) === k) sum += complexity
  })
  return sum
}

/**
 * The scorer of ensembles of K trees under the normal-inverse-gamma prior; see `Scorer.make`. Learned constants are
 * integrated out from where they stand, each occurrence a number of its own.
 */
export const make = (
  likelihood: ConjugateLinear,
  sites: Problem["sites"],
  { train, test }: { readonly train: Dataset; readonly test?: Dataset | undefined },
): Effect.Effect<Scorer, CompileError> =>
  Effect.gen(function* () {
    const { grammar } = likelihood.forest
    const columns = yield* Columns.make(grammar, train)
    const tested = test === undefined ? undefined : yield* Columns.make(grammar, test)
    const prior = yield* TreePrior.of(likelihood.forest, sites)
    const counting = TreePrior.counting(prior)
    const products = Products.make(columns, train.y)
    // The same trees are addends of many models.
    const simplify = Term.foldShared(Term.simplifying)
    const write = TermWriter.writer(grammar, tested === undefined ? [columns] : [columns, tested])

    /** overwritten by every model's errors */
    const fitted = new Float64Array(train.rows)
    const predicted = new Float64Array(test?.rows ?? 0)
    // Draws share the trees that they have in common: what is known of a tree is found by the tree itself.
    const facts = new WeakMap<Tree.Tree, Facts>()
    const factsOf = (tree: Tree.Tree): Facts => {
      const known = facts.get(tree)
      if (known !== undefined) return known
      const made = {
        number: products.number(tree),
        counts: counting.count(tree),
        complexity: Tree.complexity(grammar, tree),
      }
      facts.set(tree, made)
      return made
    }
    const numbered = once(() => Learned.make(columns, { apart: true }))
    const learn = (trees: Ensemble["trees"]) =>
      Learned.any(grammar, trees)
        ? LearnedCollapsed.refine(
            numbered()(trees),
            likelihood,
            train.y,
            (terminal) => grammar.terminals[terminal]!.learned!,
          )
        : undefined
    const assess = (given: Ensemble): Assessed | undefined => {
      const learned = learn(given.trees)
      const ensemble = learned === undefined ? given : Ensembles.make(grammar, learned.trees)
      const known = ensemble.trees.map(factsOf)
      const numbers = known.map(({ number }) => number)
      if (!numbers.every(products.admissible)) return undefined
      const collapsed = products.collapse(likelihood, numbers)
      const logPrior = counting.total(known.map(({ counts }) => counts))
      const logEvidence = collapsed.logEvidence + (learned?.logVolume ?? 0)
      return {
        ensemble,
        numbers: learned?.numbers.length ?? 0,
        known,
        collapsed,
        logEvidence,
        logPrior,
        lmpse: logEvidence + logPrior,
      }
    }
    const score = (ensemble: Ensemble): Scored | undefined => Law.scores(assess(ensemble))
    const model = ({ ensemble: given, draws }: Drawn): Model | undefined => {
      const scored = assess(given)
      if (scored === undefined) return undefined
      const { ensemble, numbers, known, collapsed, logEvidence, logPrior, lmpse } = scored
      const { trees } = ensemble
      const { mean, shape, scale } = collapsed
      const bic = once(() => {
        const { rss, rank } = products.leastSquares(trees.map(products.number))
        const n = train.rows
        const floor = Number.EPSILON ** 2 * dot(train.y, train.y)
        return n * Math.log(Math.max(rss, floor) / n) + (rank + numbers) * Math.log(n)
      })
      const rmseTrain = once(() => Law.rmse(train.y, Law.linear(columns, trees, mean, fitted)))
      const rmseTest = once(() =>
        tested && test ? Law.rmse(test.y, Law.linear(tested, trees, mean, predicted)) : undefined,
      )
      const terms = once(() => trees.map(write))
      const expression = once(() => simplify(Law.express(trees, mean, write)))
      return {
        ensemble,
        link: Link.identity,
        lmpse,
        logEvidence,
        linkEvidence: logEvidence,
        logPrior,
        posterior: 1,
        draws,
        ensembles: 1,
        coefficients: mean,
        sigma2: shape > 1 ? scale / (shape - 1) : Infinity,
        collapsed,
        complexity: complexityOf(known),
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
    return { scale: Law.scaleOf(train.y), dropped: [], score, model }
  })
