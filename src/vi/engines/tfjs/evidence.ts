import * as tf from "@tensorflow/tfjs-core"
import type { EvidenceNode } from "../../../prob/Observation.ts"
import { customGradient } from "./customGradient.ts"

/**
 * log p(y | T) of each sample as a tfjs operation with its gradient, [S, K, n] -> [S].
 *
 * Evidences with coefficients integrated out need float64 (Gram matrices of columns up to 200 over thousands of rows
 * lose the prior precision of 0.1 in float32), which tfjs does not have; value and adjoint have closed forms and cost
 * less than a tenth of the forest, so that both are computed on the host in one pass.
 */
export const operation = (node: EvidenceNode) =>
  customGradient((design) => {
    const adjoint = new Float32Array(design.size)
    const evidence = node.evidence(design.dataSync<"float32">(), adjoint)
    return {
      value: tf.tensor1d(Float32Array.from(evidence)),
      keep: tf.tensor(adjoint, design.shape, "float32"),
      pullback: (dy, kept) => tf.mul(kept, tf.reshape(dy, [evidence.length, 1, 1])),
    }
  })
