import * as Effect from "effect/Effect"
import * as Columns from "../evidence/columns.ts"
import * as EnsemblePrior from "../evidence/ensemblePrior.ts"
import * as ConstantSelection from "../evidence/exact/ConstantSelection.ts"
import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import * as ParametricTrees from "../evidence/fitted/ParametricTrees.ts"
import * as Law from "../evidence/Law.ts"
import * as Likelihood from "../evidence/Likelihood.ts"
import type { Described, ExactAssessment } from "../evidence/likelihood/Interface.ts"
import { lazy, once } from "../internal/once.ts"
import type { SiteRecord } from "../prob/Model.ts"
import type { Observation } from "../prob/Observation.ts"
import type { Term } from "../expr/Term.ts"
import * as Tree from "../prob/Tree.ts"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Descriptions from "./Descriptions.ts"
import type { Drawn, Ensemble } from "./Ensemble.ts"
import * as Ensembles from "./Ensemble.ts"
import { columnsOf, complexityOf, type Facts } from "./Facts.ts"
import * as FittedNumbers from "./FittedNumbers.ts"
import * as LeaveOneOut from "./LeaveOneOut.ts"
import { joined, type Model, replace } from "./Model.ts"

/** The scores of an ensemble, computed at every evaluation; a `Model` has the rest. */
export interface Scored {
  /** log p(y | ensemble), with all constants */
  readonly logEvidence: number
  readonly logPrior: number
  /** logEvidence + logPrior */
  readonly lmpse: number
}

/**
 * Scores ensembles exactly on one data set. It caches columns and inner products between calls.
 *
 * *When to use*: to score your own laws beside those of a search, to join the archives of several searches
 * (`Ranking.fromEnsembles` takes any list), or to change the score: a scorer is two functions, and a wrapper of another
 * scorer is a scorer too. Error bars and grouped rows belong to the likelihood: `Likelihood.normalError`, and
 * `Likelihood.weighted` for rows that stand for several observations.
 *
 * @example
 * // One law for several groups of rows: its evidence is the sum over groups, each with coefficients of its own.
 * const groups = yield* Effect.forEach(tables, (train) => Scorer.make(plan, { train }))
 * const score = (ensemble) => groups.reduce((sum, group) => sum + group.score(ensemble).logEvidence, 0)
 */
export interface Scorer {
  /** The standard deviation of the training data's y, as in `Law.scaleOf`. */
  readonly scale: number
  /** Links of the likelihood that the training data rule out, each as text; empty without links. */
  readonly dropped: ReadonlyArray<string>
  /**
   * Evidence, prior and LMPSE (Eq. LMPSE) of an ensemble.
   *
   * @returns undefined when a column is not finite or reaches 1e150 in magnitude, when the ensemble's link was dropped,
   *   or its law is not finite on every row
   */
  readonly score: (ensemble: Ensemble) => Scored | undefined
  /**
   * The model of an ensemble, a new object with `posterior` 1: only a ranking normalises it. Undefined as for `score`.
   */
  readonly model: (drawn: Drawn) => Model | undefined
}

/** The properties of a model that are computed when first read. */
type Costly = Pick<
  Model,
  "linkEvidence" | "coefficients" | "expression" | "numbers" | "bic" | "rmseTrain" | "rmseTest" | "rmseLoo"
>

/** The model of a scorer: a compiled `Plan` has both fields. */
export interface Problem {
  readonly likelihood: Observation
  /** The model's sites, with the priors of the weights. */
  readonly sites: ReadonlyArray<Pick<SiteRecord, "name" | "prior">>
}

/**
 * The scorer of a likelihood's ensembles. Fitted constants are integrated out by Laplace's method, from their values
 * in the ensemble.
 *
 * Fails with a `CompileError` when the data lack a feature of the grammar or a column that the likelihood names, or
 * when a prior has no closed form: weights of the tree prior or of the links without a Dirichlet prior, inclusion
 * probabilities that are neither fixed nor Beta distributed.
 *
 * @example
 * const scorer = yield* Scorer.make(posterior.plan, { train, test })
 */
export const make = (
  { likelihood: observation, sites }: Problem,
  { train, test }: { readonly train: Dataset; readonly test?: Dataset | undefined },
): Effect.Effect<Scorer, CompileError> =>
  Effect.gen(function* () {
    const likelihood = yield* Likelihood.of(observation)
    const { grammar } = likelihood.forest
    const columns = yield* Columns.make(grammar, train)
    const tested = test === undefined ? undefined : yield* Columns.make(grammar, test)
    const data = tested === undefined ? [columns] : [columns, tested]
    const prior = yield* EnsemblePrior.of(likelihood, sites)
    const assessor = yield* likelihood.assessor(columns, train)
    const exactNumbers = FittedLaw.exactNumbers(grammar)
    const write = (tree: Tree.Tree): Term => Tree.toNamedTerm(grammar, tree)
    const arranged = Law.arranger(test === undefined ? [train] : [train, test])
    const canonical = likelihood.ensembles === "sets" ? Ensembles.ofSet : Ensembles.make

    /** a buffer that the errors of every model overwrite */
    const fitted = data.map(({ rows }) => new Float64Array(rows))
    // Equal trees of draws are one object, which is the key of the cache.
    const facts = new WeakMap<Tree.Tree, Facts>()
    const factsOf = (tree: Tree.Tree): Facts => {
      const known = facts.get(tree)
      if (known !== undefined) return known
      const made = {
        key: Tree.key(tree),
        counts: prior.trees.count(tree),
        complexity: Tree.complexity(grammar, tree),
        features: Tree.features(grammar, tree),
      }
      facts.set(tree, made)
      return made
    }
    const logPriorOf = ({ link, trees }: Ensemble): number =>
      prior.ofLink(link, trees) +
      (prior.sizes[trees.length] ?? -Infinity) +
      prior.trees.total(trees.map((tree) => factsOf(tree).counts))

    const assess = (given: Ensemble) => {
      const constants = assessor.fitConstants(given.link, given.trees)
      // Numbers that cannot be fitted would count as known ones.
      if (constants === undefined && ParametricTrees.any(grammar, given.trees)) return undefined
      const ensemble = constants === undefined ? given : canonical(grammar, constants.trees, given.link)
      const assessment = assessor.assess(ensemble.link, ensemble.trees)
      if (assessment === undefined) return undefined
      const [logVolume, logPrior] = [constants?.logVolume ?? 0, logPriorOf(ensemble)]
      const logEvidence = assessment.logEvidence + logVolume
      return {
        ensemble,
        assessment,
        numbers: constants?.numbers.length ?? 0,
        logVolume,
        logEvidence,
        logPrior,
        lmpse: logEvidence + logPrior,
      }
    }
    const score = (ensemble: Ensemble): Scored | undefined => {
      const found = assess(ensemble)
      return found && { logEvidence: found.logEvidence, logPrior: found.logPrior, lmpse: found.lmpse }
    }
    type Found = NonNullable<ReturnType<typeof assess>>
    const describe = (found: Found, draws: number): Descriptions.Descriptions => {
      const { ensemble, assessment, numbers, logVolume, logPrior } = found
      const { trees } = ensemble
      const { link, collapsed, noise, nuisance, exact: exactOf } = assessment
      /** the rows of the training data that are right; undefined for all */
      const right = once(() => noise?.weights()?.by)
      const written = { train, data, trees, write }
      const terms = once(() => trees.map(write))
      const deviations = once(() => assessment.deviations(numbers))
      /** The properties of the model, or of it with exact constants. Costly ones are computed when first read. */
      const properties = (one: Described, exact: ExactAssessment | undefined, logPrior: number) => {
        const logEvidence = one.logEvidence + logVolume
        const errorOn = (part: Dataset, index: number, by?: Float64Array): number =>
          Law.rmse(
            part.y,
            assessment.solved(Law.linear(data[index]!, trees, costly.coefficients, fitted[index]), part),
            by,
          )
        const costly: Costly = lazy<Costly>({
          linkEvidence: () => one.linkEvidence() + logVolume,
          coefficients: one.coefficients,
          expression: () => arranged(one.expression(written)),
          numbers: () => FittedNumbers.of(costly.expression, train, deviations(), exactNumbers),
          bic: () => one.bic(numbers),
          rmseTrain: () => errorOn(train, 0, right()),
          rmseTest: () => (test === undefined ? undefined : errorOn(test, 1)),
          rmseLoo: () =>
            LeaveOneOut.rmse(
              {
                trees,
                coefficients: costly.coefficients,
                slopes: exact?.slopes,
                solved: (z) => assessment.solved(z, train),
                by: right(),
              },
              columns,
              train.y,
            ),
        })
        return joined(costly, {
          logEvidence,
          logPrior,
          lmpse: logEvidence + logPrior,
          sigma2: one.sigma2,
          states: exact?.states,
          constants: exact?.states.map(ConstantSelection.describe),
          law: once(() => FittedLaw.of(costly.expression, train, assessment, exactNumbers)),
          residuals: one.residuals,
        })
      }
      const exactly: Descriptions.Descriptions["exactly"] = ([constants, among, least], before) => {
        const asked = least === undefined ? among : { ...among, rise: least - found.lmpse }
        const exact = exactOf?.(constants, written, terms(), asked, before)
        return (
          exact && {
            model: replace(
              replace(model, { exact: undefined, hypothesis: exact }),
              properties(exact, exact, logPrior + exact.logMass),
            ),
            logThreshold: exact.logThreshold,
            moved: exact.moved,
            selection: exact.selection,
          }
        )
      }
      const model: Model = joined(
        {
          ensemble,
          link,
          posterior: 1,
          draws,
          ensembles: 1,
          noise,
          nuisance,
          collapsed,
          columns: columnsOf(trees.map(factsOf)),
          inside: ParametricTrees.areScaleFree(grammar, trees) ? numbers : 0,
          complexity: link.complexity + complexityOf(trees.map(factsOf)),
          exact: exactOf && ((...asked) => exactly(asked)?.model),
        } satisfies Partial<Model>,
        joined(lazy({ terms: () => terms().map(arranged) }), properties(assessment, undefined, logPrior)),
      )
      return { model, exactly }
    }
    /** An ensemble of the same form and prior with an assessment of its own. */
    const assessedBy = (of: Found, ensemble: Ensemble, assessment: Found["assessment"]): Found => {
      const logEvidence = assessment.logEvidence + of.logVolume
      return { ...of, ensemble, assessment, logEvidence, lmpse: logEvidence + of.logPrior }
    }
    /** The ensemble with other values of its constants; undefined where it has no value, or these are excluded. */
    const around = (free: Found, trees: ReadonlyArray<Tree.Tree>): Found | undefined => {
      const ensemble = canonical(grammar, trees, free.ensemble.link)
      const assessment = assessor.assess(ensemble.link, ensemble.trees)
      if (assessment === undefined || !(logPriorOf(ensemble) > -Infinity)) return undefined
      return assessedBy(free, ensemble, assessment)
    }
    const model = ({ ensemble, draws }: Drawn): Model | undefined => {
      const found = assess(ensemble)
      if (found === undefined) return undefined
      const described = describe(found, draws)
      if (described.model.exact === undefined) return described.model
      /** The trees with their constants fitted under hypotheses about the intercept. */
      const tied = once(() => assessor.tied?.(found.ensemble.link, found.ensemble.trees) ?? [])
      /** Declared constants under the other kinds of noise, where the best does not allow them. */
      const otherwise = (asked: Descriptions.Asked, others = found.assessment.others): Model | undefined => {
        const assessment = others?.()
        if (assessment === undefined) return undefined
        const one = describe(assessedBy(found, found.ensemble, assessment), draws)
        return one.exactly(asked)?.model ?? otherwise(asked, assessment.others)
      }
      return replace(described.model, {
        exact: (...asked) => {
          const declared = asked[1]?.declared
          // The numbers of a declared law are fitted already: free coefficients may have others.
          const given =
            found.numbers === 0 ? [] : [...(declared === undefined ? [] : [ensemble.trees]), ...tied()]
          const again = (trees: ReadonlyArray<Tree.Tree>): Descriptions.Descriptions | undefined => {
            const moved = around(found, trees)
            return moved && describe(moved, draws)
          }
          const all = [described, ...given.flatMap((trees) => again(trees) ?? [])]
          const settled = all.map((one) => Descriptions.settled(one, asked, again))
          const best = Descriptions.best(
            declared === undefined ? settled : Descriptions.whole(settled),
          )?.model
          return best ?? (declared && otherwise(asked))
        },
      })
    }
    return {
      scale: Law.scaleOf(train.y),
      get dropped() {
        return assessor.dropped
      },
      score,
      model,
    }
  })
