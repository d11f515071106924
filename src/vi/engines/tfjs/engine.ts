import * as tf from "@tensorflow/tfjs-core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { CompileError } from "../../../errors/Errors.ts"
import * as Engine from "../Engine.ts"
import type { EvidenceNode, Relaxable } from "../../../prob/Observation.ts"
import * as Graph from "../../../prob/Graph.ts"
import type { Plan } from "../../../prob/Plan.ts"
import * as Target from "../../../wasm/Target.ts"
import * as Terminals from "../../../prob/Terminals.ts"
import { algebra } from "./algebra.ts"
import * as Evidence from "./evidence.ts"
import * as Forest from "./forest.ts"
import { registerGradients } from "./gradients.ts"
import * as Kernel from "./kernel.ts"

registerGradients()

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
  plan: Plan<Relaxable>,
  node: EvidenceNode,
  forest: (draws: Forest.SoftDraws) => tf.Tensor,
  relaxation: Engine.SoftTrees,
  objective: Engine.ObjectiveForm,
) => {
  const evidence = Evidence.operation(node)
  const interpreter: Graph.Interpreter<tf.Tensor> = {
    algebra,
    array: (values, shape) => tf.tensor([...values], [...shape], "float32"),
    forest: (_, draws) => forest(draws),
    evidence: (_, design) => evidence(design),
  }
  return (parameters: ReadonlyArray<tf.Tensor>, noise: Float32Array, controls: Engine.Controls): Terms => {
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

const report = ({ objective, evidence, divergence }: Terms): Engine.Evaluation => ({
  objective: scalar(objective),
  evidence: scalar(tf.mean(evidence)),
  divergence: scalar(divergence),
})

const failed: Engine.Evaluation = { objective: Number.NaN, evidence: Number.NaN, divergence: Number.NaN }

/** How the trees of a plan are evaluated: the operation from draws to [S, K, n], for as long as the scope is open. */
type Trees = (
  forest: Plan["likelihood"]["forest"],
  columns: ReadonlyArray<Float64Array>,
  relaxation: Engine.SoftTrees,
  samples: number,
) => Effect.Effect<(draws: Forest.SoftDraws) => tf.Tensor, CompileError, Scope.Scope>

/** Trees as a graph of tfjs operations. */
const graph: Trees = (forest, columns, { valueClip }) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        tf.tensor2d(Float32Array.from(columns.flatMap((column) => [...column])), [
          columns.length,
          columns[0]!.length,
        ]),
      ),
      (tensor) => Effect.sync(() => tensor.dispose()),
    ),
    (terminals) => Forest.evaluator(forest, terminals, valueClip),
  )

/** Trees as one operation, computed by the simd kernel. */
const kernel: Trees = (forest, columns, { valueClip }, samples) =>
  Effect.gen(function* () {
    const target = Target.detect()
    if (target === undefined)
      return yield* new CompileError({
        message: "this machine has no WebAssembly SIMD; use the tfjs engine without the kernel",
      })
    const { evaluate } = yield* Effect.acquireRelease(
      Effect.sync(() => Kernel.evaluator(forest, columns, samples, { target, valueClip })),
      ({ dispose }) => Effect.sync(dispose),
    )
    return evaluate
  })

const make = (name: string, trees: Trees): Engine.Engine =>
  Engine.make(name, (plan, data, relaxation, objective) =>
    Effect.gen(function* () {
      const { forest } = plan.likelihood
      const columns = yield* Terminals.columns(forest.grammar, data)
      const evaluate = yield* trees(forest, columns, relaxation, objective.samples)
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

/**
 * The reference engine: a plan as one batched tfjs graph, differentiated by tfjs. It runs any model on whatever tfjs
 * backend is active. Values are float32; the evidence is computed in float64 (see `evidence.ts`).
 */
export const engine: Engine.Engine = make("tfjs", graph)

/**
 * The reference engine with the forest as one node of its graph: the kernel of the simd engine, registered with its
 * gradient on every tfjs backend. For graphs that need tfjs around fast trees.
 */
export const withKernel: Engine.Engine = make("tfjs with the simd kernel", kernel)
