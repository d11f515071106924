// The whole of tfjs, for its side effect: it registers the gradients, which the node build of tfjs-core leaves out.
import "@tensorflow/tfjs"
import * as tf from "@tensorflow/tfjs-core"
import * as Effect from "effect/Effect"
import type { Dataset } from "../../runtime/Data.ts"
import type { Controls, Engine, Evaluation, ObjectiveForm, SoftTrees } from "../Engine.ts"
import * as Graph from "../Graph.ts"
import type { Plan } from "../Plan.ts"
import * as Terminals from "../Terminals.ts"
import { algebra } from "./algebra.ts"
import * as Evidence from "./evidence.ts"
import * as Forest from "./forest.ts"

/** The terms of an objective as tensors; evidence [S], the other two scalars. */
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
  plan: Plan,
  data: Dataset,
  terminals: tf.Tensor2D,
  relaxation: SoftTrees,
  objective: ObjectiveForm,
) => {
  const forest = Forest.evaluator(plan.likelihood.forest, terminals, relaxation.valueClip)
  const evidence = Evidence.operation(plan.likelihood, data.y, objective.samples)
  const interpreter: Graph.Interpreter<tf.Tensor> = {
    algebra,
    array: (values, shape) => tf.tensor([...values], [...shape], "float32"),
    forest: (_, draws) => forest(draws),
    evidence: (_, design) => evidence(design),
  }
  return (parameters: ReadonlyArray<tf.Tensor>, noise: Float32Array, controls: Controls): Terms => {
    const terms = Graph.run(plan.graph, interpreter, {
      parameters,
      noise: uploadNoise(plan, noise, objective.samples),
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

const report = ({ objective, evidence, divergence }: Terms): Evaluation => ({
  objective: scalar(objective),
  evidence: scalar(tf.mean(evidence)),
  divergence: scalar(divergence),
})

const failed: Evaluation = { objective: Number.NaN, evidence: Number.NaN, divergence: Number.NaN }

/**
 * The reference engine: a plan as one batched tfjs graph, differentiated by tfjs. It runs any model on whatever tfjs
 * backend is active. Values are float32; the evidence is computed in float64 (see `evidence.ts`).
 */
export const engine: Engine = {
  name: "tfjs",
  compile: (plan, data, relaxation, objective) =>
    Effect.gen(function* () {
      const columns = yield* Terminals.columns(plan.likelihood.forest.grammar, data)
      const terminals = yield* Effect.acquireRelease(
        Effect.sync(() =>
          tf.tensor2d(Float32Array.from(columns.flatMap((column) => [...column])), [
            columns.length,
            data.rows,
          ]),
        ),
        (tensor) => Effect.sync(() => tensor.dispose()),
      )
      const terms = bind(plan, data, terminals, relaxation, objective)
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
}
