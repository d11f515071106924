import * as tf from "@tensorflow/tfjs-core"
import * as Effect from "effect/Effect"
import * as Engine from "../Engine.ts"
import type { EvidenceNode, Relaxable } from "../../../prob/Observation.ts"
import * as Interpreter from "../../../prob/Interpreter.ts"
import type { Plan } from "../../../prob/Plan.ts"
import * as Terminals from "../../../prob/Terminals.ts"
import * as Protection from "../Protection.ts"
import { algebra } from "./algebra.ts"
import * as Evidence from "./evidence.ts"
import * as Forest from "./forest.ts"
import { registerGradients } from "./gradients.ts"

registerGradients()

/** The terms of an objective as tensors; evidence [S], divergence [S] or a scalar. */
interface Terms {
  readonly objective: tf.Scalar
  readonly evidence: tf.Tensor
  readonly divergence: tf.Tensor
}

/** The flat parameter vector as one float32 tensor for each slot. */
const upload = (plan: Plan, parameters: Float64Array): Array<tf.Tensor> =>
  plan.parameters.map(({ offset, length, shape }) =>
    tf.tensor(Float32Array.from(parameters.subarray(offset, offset + length)), [...shape], "float32"),
  )

/** The flat noise vector as one tensor [S, ...] for each slot. */
const uploadNoise = (plan: Plan, noise: Float32Array, samples: number): Array<tf.Tensor> =>
  plan.noise.map(({ offset, length, shape }) =>
    tf.tensor(noise.subarray(samples * offset, samples * (offset + length)), [samples, ...shape], "float32"),
  )

const bind = (
  plan: Plan<Relaxable>,
  node: EvidenceNode,
  forest: (draws: Forest.SoftDraws) => tf.Tensor,
  relaxation: Engine.SoftTrees,
  objective: Engine.ObjectiveForm,
) => {
  const evidence = Evidence.operation(node)
  const interpreter: Interpreter.Interpreter<tf.Tensor> = {
    algebra,
    array: (values, shape) => tf.tensor([...values], [...shape], "float32"),
    forest: (_, draws) => forest(draws),
    evidence: (_, design) => evidence(design),
  }
  return (parameters: ReadonlyArray<tf.Tensor>, noise: Float32Array, controls: Engine.Controls): Terms => {
    const terms = Interpreter.run(plan.graph, interpreter, {
      parameters,
      noise: uploadNoise(plan, noise, objective.samples),
      samples: objective.samples,
      divergence: objective.divergence,
      relaxation,
      temperature: tf.scalar(controls.temperature, "float32"),
    })
    const weight = tf.scalar(controls.divergenceWeight, "float32")
    return {
      ...terms,
      objective: tf.reshape(objective.combine(algebra, terms.evidence, terms.divergence, weight), []),
    }
  }
}

const scalar = (x: tf.Tensor): number => x.dataSync()[0] ?? Number.NaN

const report = ({ objective, evidence, divergence }: Terms): Engine.Evaluation => ({
  objective: scalar(objective),
  evidence: scalar(tf.mean(evidence)),
  divergence: scalar(tf.mean(divergence)),
})

const failed: Engine.Evaluation = { objective: Number.NaN, evidence: Number.NaN, divergence: Number.NaN }

/** The columns of terminals as a tensor [p, n], for as long as the scope is open. */
const hold = (columns: ReadonlyArray<Float64Array>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      tf.tensor2d(Float32Array.from(columns.flatMap((column) => [...column])), [
        columns.length,
        columns[0]!.length,
      ]),
    ),
    (tensor) => Effect.sync(() => tensor.dispose()),
  )

/**
 * The reference engine: a plan as one batched tfjs graph, differentiated by tfjs. It runs any model on the active tfjs
 * backend. Values are float32; the evidence is computed in float64 (see `evidence.ts`).
 */
export const engine: Engine.Engine = Engine.make("tfjs", (plan, data, relaxation, objective) =>
  Effect.gen(function* () {
    const { forest } = plan.likelihood
    const columns = yield* Terminals.columns(forest.grammar, data)
    const terminals = yield* hold(columns)
    const evaluate = Forest.evaluator(forest, terminals, relaxation.valueClip, Protection.unitOf(columns))
    const node = yield* plan.likelihood.relaxed.bind(data, objective.samples)
    const terms = bind(plan, node, evaluate, relaxation, objective)
    return {
      value: (parameters, noise, controls) => {
        let evaluation = failed
        tf.tidy(() => {
          evaluation = report(terms(upload(plan, parameters), noise, controls))
        })
        return evaluation
      },
      valueAndGradient: (parameters, noise, controls, gradient) => {
        let evaluation = failed
        tf.tidy(() => {
          const { grads } = tf.valueAndGrads((...slots) => {
            const result = terms(slots, noise, controls)
            evaluation = report(result)
            return result.objective
          })(upload(plan, parameters))
          plan.parameters.forEach(({ offset }, index) => gradient.set(grads[index]!.dataSync(), offset))
        })
        return evaluation
      },
    }
  }),
)
