/** The model of a law of unknown form. */
import * as Effect from "effect/Effect"
import * as Dist from "../prob/Dist.ts"
import type * as Grammar from "../prob/Grammar.ts"
import * as Likelihood from "../evidence/Likelihood.ts"
import * as Noise from "../evidence/Noise.ts"
import type { KnownForms } from "../prob/KnownForms.ts"
import * as Link from "../prob/Link.ts"
import * as Model from "../prob/Model.ts"
import * as Tree from "../prob/Tree.ts"
import * as Dimensions from "../prob/Dimensions.ts"
import * as FormPrior from "./FormPrior.ts"
import { named } from "./NamedForms.ts"

/** The default settings of the model and of a fit. The default prior over forms is that of `FormPrior`. */
export const defaults = {
  /** the largest number of terms, K */
  trees: 3,
  /** maximum depth of a term's tree */
  depth: 7,
  links: Link.shipped,
  /** seconds that a fit takes at most */
  time: 60,
} as const

/** Settings of the model. Fields that are left out have the values of `defaults`. */
export interface Settings {
  readonly trees?: number | undefined
  readonly depth?: number | undefined
  /** The links of the response, in any order; `[Link.identity]` for models of y. */
  readonly links?: ReadonlyArray<Link.Link> | undefined
  /** the resolution of y, in standard deviations of y; `Likelihood.defaultResolution` if left out */
  readonly resolution?: number | undefined
  readonly coefficients?: Likelihood.HyperG | undefined
  /** the kind of noise, wrong rows, known errors and weights; `Noise.latent()` if left out */
  readonly noise?: Noise.Noise | undefined
  /** the prior of forms that named laws have; `NamedForms.named` if left out, `KnownForms.none` for that of trees alone */
  readonly known?: KnownForms | undefined
  /** factors of the prior of every tree, such as `Tree.atMostUses("sin", 1)`; none if left out */
  readonly restrictions?: ReadonlyArray<Tree.Restriction> | undefined
  /** the units of columns (`Units.of`): laws that are inconsistent in them have the prior 0; none if left out */
  readonly units?: Dimensions.Units | undefined
  /**
   * A density over the sum of terms in place of normal noise, such as `Likelihood.poisson`; it has a link and noise of its own, so
   * that `links` and `noise` are left out.
   */
  readonly likelihood?: Likelihood.Density | undefined
}

/**
 * The model of a law of unknown form: at most K terms, each with an inclusion indicator, under a response link, with a
 * mixture of g-priors of the coefficients (Liang et al. 2008). Its prior over forms is fitted on named laws (`FormPrior`).
 *
 *     y = h(b_0 + sum_(k included) b_k f_k(x)) + noise
 *
 * Its sites are `operatorWeights`, `featureWeights`, `trees.split`, `trees.operator`, `trees.terminal`,
 * `trees.included` and `link`. `Search.fit` fits it, or `Inclusive.fit` with a family.
 *
 * *When to use*: for laws from data in general; `Vasst.model` for the paper's model, which `Infer.fit` fits.
 *
 * @throws GrammarError for a restriction about a name that the grammar lacks (where names are literal, this does not even compile);
 *   LikelihoodError when `links` is empty or names a link twice, or `likelihood` is given beside `links` or `noise`
 */
export const model = <const G extends Grammar.Grammar, const N extends string = never>(
  grammar: G,
  settings: Omit<Settings, "restrictions"> & {
    readonly restrictions?: ReadonlyArray<Tree.Restriction<Grammar.Known<Grammar.Name<G>, N>>> | undefined
  } = {},
) =>
  Model.gen(function* () {
    const { trees = defaults.trees, depth = defaults.depth, links = defaults.links } = settings
    if (links.length === 0)
      throw new Likelihood.LikelihoodError({
        message: "a law has no link; give [Link.identity] where y itself is a sum of terms",
      })
    const forms = FormPrior.of(grammar)
    const restrictions = [
      forms.nesting,
      ...Dimensions.restrictions(grammar.features, settings),
      ...forms.numbers(depth, settings.units),
    ]
    const operators = yield* Model.sample("operatorWeights", Dist.dirichlet(forms.operators))
    const features = yield* Model.sample("featureWeights", Dist.dirichlet(forms.terminals))
    const { split } = forms
    const [forest, included] = yield* Model.plate(
      "trees",
      trees,
      Effect.all([
        Tree.prior({ grammar, depth, split, operators, features, restrictions }),
        Model.sample("included", Dist.bernoulli(forms.inclusion)),
      ]),
    )
    const { likelihood } = settings
    if (likelihood !== undefined) {
      if (settings.links !== undefined || settings.noise !== undefined)
        throw new Likelihood.LikelihoodError({
          message: `the likelihood "${likelihood.name}" has a link and noise of its own; leave out links and noise, or the likelihood`,
        })
      yield* Model.observe("y", Likelihood.linear(forest, likelihood, { ...settings, included }))
      return
    }
    const site = yield* Model.sample("link", Dist.categorical(forms.links(links)))
    const { coefficients, resolution, noise = Noise.latent(), known = named } = settings
    yield* Model.observe(
      "y",
      Likelihood.selectedLinear(forest, {
        coefficients,
        resolution,
        included,
        link: { site, links },
        noise,
        known,
      }),
    )
  })

export type Law = ReturnType<typeof model>
