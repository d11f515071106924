import * as Effect from "effect/Effect"
import * as Dist from "../declare/Dist.ts"
import type * as Grammar from "../declare/Grammar.ts"
import * as Likelihood from "../declare/Likelihood.ts"
import * as Link from "../declare/Link.ts"
import * as Model from "../declare/Model.ts"
import * as Prior from "../declare/Prior.ts"
import * as Tree from "../declare/Tree.ts"

/** What the model is when nothing is said. */
export const defaults = {
  /** the most terms, K */
  trees: 3,
  /** maximum depth of a term's tree */
  depth: 4,
  /** as in the paper (Chipman, George and McCulloch 1998) */
  split: { alpha: 0.95, delta: 2 },
  /** of the Dirichlet priors of operator and terminal weights */
  concentration: 1,
  /** prior probability that a term is in */
  inclusion: 0.5,
  links: Link.shipped,
  /** prior probability of the first link; the others share the rest */
  firstLink: 0.5,
} as const

/** What of the model a user changes most. Whatever is left out is in `defaults`. */
export interface Settings {
  readonly trees?: number | undefined
  readonly depth?: number | undefined
  /** The links of the response, the likeliest first; `[Link.identity]` for y itself. */
  readonly links?: ReadonlyArray<Link.Link> | undefined
  /** how far values of y are rounded, relative to themselves; `Likelihood.defaultResolution` if left out */
  readonly resolution?: number | undefined
  readonly coefficients?: Likelihood.HyperG | undefined
}

/** The prior of links: `firstLink` for the first, the rest in equal parts. */
const linkWeights = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => {
    if (count === 1) return 1
    return index === 0 ? defaults.firstLink : (1 - defaults.firstLink) / (count - 1)
  })

/**
 * The law behind data, nothing known of it: at most K terms, each in or out, under a response link, coefficients with a
 * mixture of g-priors.
 *
 *     y = h(b_0 + sum_(k included) b_k f_k(x)) + noise
 *
 * Its sites are `operatorWeights`, `featureWeights`, `trees.split`, `trees.operator`, `trees.terminal`, `trees.included`
 * and `link`. Fit it with `Objective.inclusive`.
 *
 * @throws LikelihoodError when `links` is empty or names a link twice
 */
export const model = (grammar: Grammar.Grammar, settings: Settings = {}) =>
  Model.gen(function* () {
    const { trees = defaults.trees, depth = defaults.depth, links = defaults.links } = settings
    const weights = (size: number) => Dist.dirichlet.symmetric(size, defaults.concentration)
    const operators = yield* Model.sample("operatorWeights", weights(grammar.operators.length))
    const features = yield* Model.sample("featureWeights", weights(grammar.terminals.length))
    const split = Prior.depthDecay(defaults.split.alpha, defaults.split.delta)
    const [forest, included] = yield* Model.plate(
      "trees",
      trees,
      Effect.all([
        Tree.prior({ grammar, depth, split, operators, features }),
        Model.sample("included", Dist.bernoulli(defaults.inclusion)),
      ]),
    )
    const site = yield* Model.sample("link", Dist.categorical(linkWeights(links.length)))
    const { coefficients, resolution } = settings
    yield* Model.observe(
      "y",
      Likelihood.selectedLinear(forest, { coefficients, resolution, included, link: { site, links } }),
    )
  })
