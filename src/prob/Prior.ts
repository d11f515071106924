import * as Dist from "./Dist.ts"
import type { Support } from "./Support.ts"
import * as Skeleton from "./Skeleton.ts"

/**
 * The prior of a site: one distribution that all its elements share, or one for each element of its innermost axis.
 * A parameter may be the symbolic value of another site.
 */
export type Prior<S extends Support = Support> =
  | { readonly _tag: "Shared"; readonly dist: Dist.Dist<S> | Dist.Conditional<S> }
  | { readonly _tag: "Each"; readonly dists: ReadonlyArray<Dist.Dist<S>> }

/**
 * The probability that a skeleton node splits as a function of its depth: alpha (1 + d)^(-delta)
 * (Eq. skeleton-prior of the paper; Chipman, George and McCulloch 1998).
 */
export interface DepthDecay {
  readonly alpha: number
  readonly delta: number
}

/**
 * Split probabilities that decay with depth.
 *
 * @param alpha in (0, 1): the root's probability
 * @param delta > 0: how fast it falls
 */
export const depthDecay = (alpha: number, delta: number): DepthDecay => ({ alpha, delta })

/** p_d = alpha (1 + d)^(-delta). */
export const splitProbability = ({ alpha, delta }: DepthDecay, depth: number): number =>
  alpha * (1 + depth) ** -delta

/** One Bernoulli for each node of the skeleton of `depth`, in heap order. */
export const splits = (decay: DepthDecay, depth: number): ReadonlyArray<Dist.Dist<"binary">> =>
  Array.from({ length: Skeleton.size(depth) }, (_, node) =>
    Dist.bernoulli(splitProbability(decay, Skeleton.depthOf(node))),
  )
