// Likelihoods that select among trees and links, over given data: what tests of their evidence and ranking share.
import * as Dist from "../../src/prob/Dist.ts"
import type { Grammar } from "../../src/prob/Grammar.ts"
import * as Likelihood from "../../src/evidence/Likelihood.ts"
import type { Link } from "../../src/prob/Link.ts"
import type { Noise } from "../../src/evidence/Noise.ts"
import * as Prior from "../../src/prob/Prior.ts"
import * as Sym from "../../src/prob/Sym.ts"
import type { Dataset } from "../../src/data/Data.ts"

/** Data from columns by name. */
export const dataset = (
  columns: Readonly<Record<string, ArrayLike<number>>>,
  y: ArrayLike<number>,
): Dataset => ({
  features: Object.keys(columns),
  columns: Object.values(columns).map((column) => Float64Array.from(column)),
  target: "y",
  y: Float64Array.from(y),
  rows: y.length,
})

/** A likelihood with fair inclusion indicators and links of equal prior, and the sites that its prior reads. */
export const problem = (
  grammar: Grammar,
  settings: {
    readonly trees: number
    readonly depth: number
    readonly links?: ReadonlyArray<Link>
    readonly noise?: Likelihood.Response["noise"]
    readonly resolution?: number
    /** kinds of noise, one additive by default */
    readonly kinds?: Noise
  },
) => {
  const { trees, depth, links, noise = "response", resolution, kinds } = settings
  const dirichlet = (name: string, size: number) => ({
    name,
    prior: { _tag: "Shared" as const, dist: Dist.dirichlet.symmetric(size, 1) },
  })
  const indicator = { name: "trees.included", prior: { _tag: "Shared" as const, dist: Dist.bernoulli(0.5) } }
  const weights = links?.map(() => 1 / links.length) ?? [1]
  const link = { name: "link", prior: { _tag: "Shared" as const, dist: Dist.categorical(weights) } }
  const forest = {
    _tag: "Forest" as const,
    grammar,
    depth,
    trees,
    split: Prior.depthDecay(0.95, 2),
    weights: {
      operators: Sym.make("o", "simplex", [], grammar.operators.length),
      terminals: Sym.make("t", "simplex", [], grammar.terminals.length),
    },
    sites: { split: "trees.split", operator: "trees.operator", terminal: "trees.terminal" },
  }
  const site: Sym.Sym<"categorical"> = { ...Sym.make("link", "categorical", []), size: weights.length }
  return {
    likelihood: Likelihood.selectedLinear(forest, {
      resolution,
      noise: kinds,
      included: Sym.make("trees.included", "binary", [trees]),
      link: links && { site, links, noise },
    }),
    sites: [
      dirichlet("o", grammar.operators.length),
      dirichlet("t", grammar.terminals.length),
      indicator,
      link,
    ],
  }
}
