import * as Effect from "effect/Effect"
import * as Columns from "../evidence/columns.ts"
import * as EnsemblePrior from "../evidence/ensemblePrior.ts"
import { once } from "../internal/once.ts"
import { dot } from "../numeric/orthogonal.ts"
import * as Selected from "../evidence/selected.ts"
import type { SelectedLinear } from "../prob/Likelihood.ts"
import * as Term from "../expr/Term.ts"
import * as Tree from "../prob/Tree.ts"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import type { Drawn, Ensemble } from "./Ensemble.ts"
import * as Ensembles from "./Ensemble.ts"
import * as Law from "../evidence/Law.ts"
import { type Model, replace } from "./Model.ts"
import * as TermWriter from "../evidence/TermWriter.ts"
import * as Rounded from "../evidence/exact/Rounded.ts"
import type { Problem, Scored, Scorer } from "./Scorer.ts"

/** The scorer of ensembles of a link and up to K distinct trees; see `Scorer.make`. Equal trees of a draw count once. */
export const make = (
  likelihood: SelectedLinear,
  sites: Problem["sites"],
  { train, test }: { readonly train: Dataset; readonly test?: Dataset | undefined },
): Effect.Effect<Scorer, CompileError> =>
  Effect.gen(function* () {
    const { grammar } = likelihood.forest
    const columns = yield* Columns.make(grammar, train)
    const tested = test === undefined ? undefined : yield* Columns.make(grammar, test)
    const data = tested === undefined ? [columns] : [columns, tested]
    const { logPrior: logPriorOf } = yield* EnsemblePrior.of(likelihood, sites)
    const selected = Selected.make(likelihood, columns, train.y)
    const write = TermWriter.writer(grammar, data)

    const assess = (given: Ensemble) => {
      const { link } = given
      const learned = selected.learn(link, given.trees)
      const ensemble = learned === undefined ? given : Ensembles.ofSet(grammar, learned.trees, link)
      const { trees } = ensemble
      const assessment = selected.assess(link, trees)
      if (assessment === undefined) return undefined
      const logPrior = logPriorOf(link, trees)
      const logVolume = learned?.logVolume ?? 0
      const logEvidence = assessment.logEvidence + logVolume
      const numbers = learned?.numbers.length ?? 0
      return {
        ensemble,
        assessment,
        logEvidence,
        logVolume,
        logPrior,
        numbers,
        lmpse: logEvidence + logPrior,
      }
    }
    const score = (ensemble: Ensemble): Scored | undefined => Law.scores(assess(ensemble))
    const model = ({ ensemble: given, draws }: Drawn): Model | undefined => {
      const found = assess(given)
      if (found === undefined) return undefined
      const { ensemble, assessment, logEvidence, logVolume, logPrior, numbers, lmpse } = found
      const { trees } = ensemble
      const { response, posterior, rank, deviance } = assessment
      const coefficients = once(assessment.coefficients)
      const linkEvidence = once(() => assessment.linkEvidence() + logVolume)
      const fitted = (over: Columns.Columns, by: Float64Array): Float64Array =>
        Law.solved(response, Law.linear(over, trees, by))
      const residuals = (by: Float64Array): Float64Array => {
        const law = fitted(columns, by)
        return train.y.map((value, i) => value - law[i]!)
      }
      const rmseTrain = once(() => Law.rmse(train.y, fitted(columns, coefficients())))
      const rmseTest = once(() =>
        tested && test ? Law.rmse(test.y, fitted(tested, coefficients())) : undefined,
      )
      const terms = once(() => trees.map(write))
      const expression = once(() => {
        const lengths = trees.map((tree) => {
          const { values } = columns.column(tree)
          return Math.sqrt(dot(values, values) / values.length)
        })
        const written = Law.legible(coefficients(), [1, ...lengths])
        const part = Law.express(trees, written, write)
        const ranges = data.map((over) => Law.linear(over, trees, written))
        return Term.simplify(Law.solve(response, part, ranges))
      })
      const described: Model = {
        ensemble,
        link: response.link,
        lmpse,
        logEvidence,
        logPrior,
        posterior: 1,
        draws,
        ensembles: 1,
        sigma2: posterior.sigma2,
        collapsed: undefined,
        complexity:
          response.link.complexity + trees.reduce((sum, tree) => sum + Tree.complexity(grammar, tree), 0),
        bic: deviance + (rank + numbers + 1) * Math.log(train.rows),
        get linkEvidence() {
          return linkEvidence()
        },
        get coefficients() {
          return coefficients()
        },
        get terms() {
          return terms()
        },
        get expression() {
          return expression()
        },
        get rmseTrain() {
          return rmseTrain()
        },
        get rmseTest() {
          return rmseTest()
        },
        residuals: () => residuals(assessment.leastSquares()),
        rounded: (prior) => {
          const leastSquares = assessment.leastSquares()
          const problem = { likelihood, train, data, response, trees, terms: terms(), leastSquares }
          const rounded = Rounded.make(problem, prior)
          if (rounded === undefined) return undefined
          const roundedLink = once(() => Rounded.linkEvidence(problem, prior, rounded) + logVolume)
          const { rounding, deviance, constants } = rounded
          const logConstants = logPrior + rounding.logMass
          const law = once(rounded.expression)
          const errors = data.map((over, index) =>
            once(() =>
              Law.rmse((index === 0 ? train : (test ?? train)).y, fitted(over, rounded.coefficients)),
            ),
          )
          return replace(described, {
            logEvidence: rounded.logEvidence + logVolume,
            logPrior: logConstants,
            lmpse: rounded.logEvidence + logVolume + logConstants,
            coefficients: rounded.coefficients,
            sigma2: rounding.sigma2,
            bic: deviance + (rounding.fitted + numbers) * Math.log(train.rows),
            constants,
            residuals: () => residuals(rounded.leastSquares),
            rounded: undefined,
            get linkEvidence() {
              return roundedLink()
            },
            get expression() {
              return law()
            },
            get rmseTrain() {
              return errors[0]!()
            },
            get rmseTest() {
              return errors[1]?.()
            },
          })
        },
      }
      return described
    }
    return {
      scale: Law.scaleOf(train.y),
      dropped: selected.responses.flatMap((one) => (one._tag === "Dropped" ? [one.reason] : [])),
      score,
      model,
    }
  })
