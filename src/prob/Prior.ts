import * as Dist from "./Dist.ts"
import type { Support } from "./Support.ts"
import * as Skeleton from "./Skeleton.ts"
import { type Split, splitProbability } from "./Split.ts"

export {
  depthDecay,
  type DepthDecay,
  type Split,
  splitProbability,
  splitTable,
  type SplitTable,
} from "./Split.ts"
export { type CorpusPrior, type CorpusSettings, fromCorpus } from "./Corpus.ts"

/**
 * The prior of a site: one distribution that all its elements share, or one for each element of its innermost axis.
 * A parameter may be the symbolic value of another site.
 */
export type Prior<S extends Support = Support> =
  | { readonly _tag: "Shared"; readonly dist: Dist.Dist<S> | Dist.Conditional<S> }
  | { readonly _tag: "Each"; readonly dists: ReadonlyArray<Dist.Dist<S>> }

/** One Bernoulli for each node of the skeleton of `depth`, in heap order. */
export const splits = (split: Split, depth: number): ReadonlyArray<Dist.Dist<"binary">> =>
  Array.from({ length: Skeleton.size(depth) }, (_, node) =>
    Dist.bernoulli(splitProbability(split, Skeleton.depthOf(node))),
  )
