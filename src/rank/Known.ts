import * as Effect from "effect/Effect"
import type { CompileError } from "../errors/Errors.ts"
import * as EnsemblePrior from "../evidence/ensemblePrior.ts"
import * as Term from "../expr/Term.ts"
import * as Real from "../numeric/Real.ts"
import { normalised } from "../numeric/logSum.ts"
import * as KnownForms from "../prob/KnownForms.ts"
import { type Model, replace } from "./Model.ts"
import { numbers } from "./Numbers.ts"
import { type Ranking, withModels } from "./Ranking.ts"
import type { Problem } from "./Scorer.ts"

/** The prior of known forms over the models of a problem. */
export interface Known {
  /** a model with the prior of its known form */
  readonly under: (model: Model) => Model
  /**
   * Models with the prior of known forms. Of models of one known form the one of highest evidence has the mass: the others are special cases of
   * it, or the same law written otherwise.
   */
  readonly considered: (ranking: Ranking) => Ranking
}

/** Models that are further below the best, in nats, are of no known form: the form of a law has less prior than that. */
const hopeless = 60

/** How many numbers of a model are fitted: coefficients that are not exact, of those on one scale that scale, and numbers inside of terms. */
const numbersOf = ({ ensemble: { trees }, constants }: Model): number => {
  const coefficients = constants ?? Array.from({ length: trees.length + 1 }, () => "free")
  const free = coefficients.filter((one) => one === "free").length
  const scaled = coefficients.some((one) => one.endsWith(" s"))
  return free + Number(scaled) + numbers(trees) - trees.length
}

const hasTerms = ({ ensemble }: Model): boolean => ensemble.trees.length > 0

const logSum = (a: number, b: number): number =>
  a < b ? logSum(b, a) : b === -Infinity ? a : a + Real.log1p(Real.exp(b - a))

/** By how much the log prior of a model rises, and its known form. */
interface Change {
  readonly gain: number
  readonly form: KnownForms.KnownForm | undefined
}

const none: Change = { gain: 0, form: undefined }

const changed = (model: Model, { gain, form }: Change): Model =>
  replace(model, {
    logPrior: model.logPrior + gain,
    lmpse: model.lmpse + gain,
    ...(form !== undefined && { known: form.laws.map(({ name }) => name) }),
  })

const unknown: Known = { under: (model) => model, considered: (ranking) => ranking }

/**
 * The prior of a problem's known forms (`KnownForms`): the log prior of a law with terms is
 *
 *     log ((1 - p_0) m + n exp(log prior))
 *
 * in place of that by its trees, with m the mass of its known form, n that of new forms, and p_0 the prior probability that nothing explains y,
 * which stays as it is.
 *
 * @errors CompileError as of `Scorer.make`
 */
export const make = ({ likelihood, sites }: Problem): Effect.Effect<Known, CompileError> =>
  Effect.gen(function* () {
    const { known, forest } = likelihood
    if (known === undefined || known.forms.length === 0) return unknown
    const { sizes } = yield* EnsemblePrior.of(likelihood, sites)
    const logSome = Real.log1p(-Real.exp(sizes[0] ?? -Infinity))
    const among = KnownForms.among(known, forest.grammar.features.length)
    const find = (model: Model): KnownForms.Found | undefined =>
      hasTerms(model) ? among.find(Term.family(model.expression), numbersOf(model)) : undefined
    const changeOf = (model: Model, found: KnownForms.Found | undefined): Change =>
      hasTerms(model)
        ? {
            gain: logSum(
              among.logNew,
              found === undefined ? -Infinity : logSome + found.logMass - model.logPrior,
            ),
            form: found?.form,
          }
        : none
    const considered: Known["considered"] = (ranking) => {
      const { models } = ranking
      const best = models.reduce((most, { lmpse }) => Math.max(most, lmpse), -Infinity)
      const found = models.map((model) => (model.lmpse < best - hopeless ? undefined : find(model)))
      const leaders = new Map<KnownForms.KnownForm, { readonly at: number; readonly score: number }>()
      found.forEach((one, at) => {
        if (one === undefined) return
        const score = models[at]!.logEvidence + one.logMass
        if (score > (leaders.get(one.form)?.score ?? -Infinity)) leaders.set(one.form, { at, score })
      })
      const changes = models.map((model, at): Change => {
        const one = found[at]
        const leads = one !== undefined && leaders.get(one.form)?.at === at
        return { ...changeOf(model, leads ? one : undefined), form: one?.form }
      })
      const held = models.reduce((sum, { posterior }) => sum + posterior, 0)
      const shares = normalised(models.map(({ posterior }, at) => Real.log(posterior) + changes[at]!.gain))
      return withModels(
        ranking,
        models
          .map((model, at) => replace(changed(model, changes[at]!), { posterior: held * shares[at]! }))
          .sort((a, b) => b.lmpse - a.lmpse),
      )
    }
    return { under: (model) => changed(model, changeOf(model, find(model))), considered }
  })
