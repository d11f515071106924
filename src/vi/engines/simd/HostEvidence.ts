import type { EvidenceNode } from "../../../prob/Observation.ts"
import type { SoftForest } from "./SoftForest.ts"

/**
 * The evidence of the samples of a forest from its columns, [S, K, n], by the likelihood's evidence node, for
 * likelihoods that are no function of sums over rows. The same contract as `Collapse.make`, at the cost of copying the
 * columns to the host.
 */
export const make = (
  node: EvidenceNode,
  forest: SoftForest,
  rows: number,
): ((evidence: Float64Array, gradients: boolean) => void) => {
  const design = new Float32Array(forest.samples * forest.shape.trees * rows)
  const adjoint = new Float32Array(design.length)
  return (evidence, gradients) => {
    forest.columns(design)
    evidence.set(node.evidence(design, gradients ? adjoint : undefined))
    if (gradients) forest.pullback(adjoint)
  }
}
