import * as Effect from "effect/Effect"
import type { CompileError } from "../errors/Errors.ts"
import * as EnsemblePrior from "../evidence/ensemblePrior.ts"
import * as Constants from "../evidence/exact/Constants.ts"
import { exactly } from "../evidence/exact/hypothesisPrior.ts"
import * as Term from "../expr/Term.ts"
import { once } from "../internal/once.ts"
import * as Real from "../numeric/Real.ts"
import { normalised } from "../numeric/logSum.ts"
import type { Grammar } from "../prob/Grammar.ts"
import * as KnownForms from "../prob/KnownForms.ts"
import type * as Tree from "../prob/Tree.ts"
import type { Dataset } from "../data/Data.ts"
import { instances } from "./knownInstance.ts"
import { hasTerms } from "./Ensemble.ts"
import { type Model, replace } from "./Model.ts"
import { numbers } from "./Numbers.ts"
import { hasPoleAmong } from "./poles.ts"
import { type Ranking, withModels } from "./Ranking.ts"
import type { Problem } from "./Scorer.ts"

/** The prior of known forms over the models of a problem. */
export interface Known {
  /** a model with the prior of its known form, as the only way to write it */
  readonly under: (model: Model) => Model
  /**
   * Models with the prior of known forms. Models of one form with as many numbers are ways to write it: each has a share of its mass, by the
   * priors of their trees.
   */
  readonly all: (models: ReadonlyArray<Model>) => ReadonlyArray<Model>
  /** A ranking with the prior of known forms. */
  readonly considered: (ranking: Ranking) => Ranking
}

/** Models that are further below the best, in nats, are of no known form: the form of a law has less prior than that. */
const hopeless = 60

/** The log prior mass of the leaves of trees that are exact numbers other than 1: that which coefficients of their values have. */
const logExactInside = (grammar: Grammar, trees: ReadonlyArray<Tree.Tree>): number => {
  const inside = (tree: Tree.Tree): number => {
    if (tree._tag === "Branch") return tree.children.reduce((sum, child) => sum + inside(child), 0)
    const term = grammar.terminals[tree.terminal]?.term
    return tree.value === undefined && term?._tag === "Constant" && term.value !== 1
      ? exactly(term.value, exactNumbers).logMass
      : 0
  }
  return trees.reduce((sum, tree) => sum + inside(tree), 0)
}

const exactNumbers = Constants.tableOf(Constants.defaults)

/** How many numbers of a model are fitted: coefficients and numbers inside of terms that are not exact, of those on one scale that scale. */
const numbersOf = ({ ensemble: { trees }, states, hypothesis }: Model): number => {
  const free = states?.filter((one) => one?._tag === "Free").length ?? trees.length + 1
  const scaled = states?.some((one) => one?._tag === "Ratio") ?? false
  return free + Number(scaled) + numbers(trees) - trees.length - (hypothesis?.exactInside ?? 0)
}

const logSum = (a: number, b: number): number =>
  a < b ? logSum(b, a) : b === -Infinity ? a : a + Real.log1p(Real.exp(b - a))

/** By how much the log prior of a model rises, and the named laws that it is one of. */
interface Change {
  readonly gain: number
  /** the ways to write its known form that it is one of; none of a form that is not known */
  readonly formulas: ReadonlyArray<KnownForms.KnownFormula>
}

const none: Change = { gain: 0, formulas: [] }

const changed = (model: Model, { gain, formulas }: Change): Model =>
  replace(model, {
    logPrior: model.logPrior + gain,
    lmpse: model.lmpse + gain,
    ...(formulas.length > 0 && { known: formulas.flatMap(({ laws }) => laws) }),
  })

const unknown: Known = {
  under: (model) => model,
  all: (models) => models,
  considered: (ranking) => ranking,
}

/** A model's known form, and the models that are written with as many numbers. */
interface Written {
  readonly found: KnownForms.Found
  readonly key: string
}

/**
 * The prior of a problem's known forms (`KnownForms`): the log prior of a law with terms is
 *
 *     log ((1 - p_0) m v + n p h)
 *
 * in place of log p + log h, with p the prior of its link and trees, h that of the hypothesis about its coefficients, v the part of it that exact
 * numbers have by their values, m the mass of its known form, n that of new forms, and p_0 the prior probability that nothing explains y, which stays
 * as it is. A law with a pole among the rows is of no known form. A form says itself whether it has an intercept, and how many numbers are fitted: what
 * h says of these would count twice.
 *
 * @param data rows on which laws are compared with forms that tie their numbers (`instances`)
 *
 * @errors CompileError as of `Scorer.make`
 */
export const make = ({ likelihood, sites }: Problem, data: Dataset): Effect.Effect<Known, CompileError> =>
  Effect.gen(function* () {
    const { known, forest } = likelihood
    if (known === undefined || known.forms.length === 0) return unknown
    const prior = yield* EnsemblePrior.of(likelihood, sites)
    const logSome = Real.log1p(-Real.exp(prior.sizes[0] ?? -Infinity))
    const among = KnownForms.among(known, forest.grammar.features.length)
    const find = (model: Model): Written | undefined => {
      if (!hasTerms(model) || Term.variables(model.expression).length > among.widest) return undefined
      const family = Term.family(model.expression)
      const [numbers, exact] = [numbersOf(model), logExactInside(forest.grammar, model.ensemble.trees)]
      const hasPole = once(() => hasPoleAmong(model.expression, data))
      const isWritten = instances(model.expression, family.columns, data)
      const found = among.find(
        family,
        numbers,
        (one, form, inUnits) => !hasPole() && isWritten(one, form, inUnits),
        exact,
      )
      if (found === undefined) return undefined
      const ways = found.formulas.map(({ formula }) => formula)
      // Over other columns, and in another way to write its form, it is another law.
      return { found, key: [numbers, exact, ...ways, ...family.columns.toSorted(), family.key].join(" ") }
    }
    /** the log prior of its link and trees, without that of the hypothesis about its coefficients */
    const logTrees = ({ ensemble: { link, trees } }: Model): number => prior.logPrior(link, trees)
    /** that, and the prior of the hypothesis but for the values of exact numbers */
    const logRest = (model: Model): number => {
      const { logMass = 0, logMassOfValues = 0 } = model.hypothesis ?? {}
      return logTrees(model) + logMass - logMassOfValues
    }
    /** @param share the log of the model's share of its form */
    const changeOf = (model: Model, found: KnownForms.Found | undefined, share = 0): Change =>
      hasTerms(model)
        ? {
            gain: logSum(
              among.logNew,
              found === undefined ? -Infinity : logSome + found.logMass + share - logRest(model),
            ),
            formulas: found?.formulas ?? [],
          }
        : none
    const changes = (models: ReadonlyArray<Model>): ReadonlyArray<Change> => {
      const best = models.reduce((most, { lmpse }) => Math.max(most, lmpse), -Infinity)
      const written = models.map((model) => (model.lmpse < best - hopeless ? undefined : find(model)))
      const totals = new Map<string, number>()
      written.forEach((one, at) => {
        if (one !== undefined)
          totals.set(one.key, logSum(logTrees(models[at]!), totals.get(one.key) ?? -Infinity))
      })
      return models.map((model, at) => {
        const one = written[at]
        return changeOf(model, one?.found, one && logTrees(model) - totals.get(one.key)!)
      })
    }
    const all: Known["all"] = (models) => {
      const by = changes(models)
      return models.map((model, at) => changed(model, by[at]!))
    }
    const considered: Known["considered"] = (ranking) => {
      const { models } = ranking
      const by = changes(models)
      const held = models.reduce((sum, { posterior }) => sum + posterior, 0)
      const shares = normalised(models.map(({ posterior }, at) => Real.log(posterior) + by[at]!.gain))
      return withModels(
        ranking,
        models
          .map((model, at) => replace(changed(model, by[at]!), { posterior: held * shares[at]! }))
          .sort((a, b) => b.lmpse - a.lmpse),
      )
    }
    return { under: (model) => changed(model, changeOf(model, find(model)?.found)), all, considered }
  })
