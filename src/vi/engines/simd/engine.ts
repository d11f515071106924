import * as Effect from "effect/Effect"
import { CompileError } from "../../../errors/Errors.ts"
import { type Compiled, type Engine, type Evaluation, make } from "../Engine.ts"
import * as Interpreter from "../../../prob/Interpreter.ts"
import * as Tape from "../tape/Tape.ts"
import * as Terminals from "../../../prob/Terminals.ts"
import * as Collapse from "./Collapse.ts"
import * as Gates from "./Gates.ts"
import * as HostEvidence from "./HostEvidence.ts"
import * as SoftForest from "./SoftForest.ts"
import * as Target from "../../../wasm/Target.ts"

/**
 * The default engine of fits: soft trees and their adjoints in WebAssembly SIMD, generated for the grammar, in float32
 * with float64 sums; draws, divergences and the objective on a tape in float64. It does not load tfjs, and a step
 * allocates next to nothing.
 *
 * Not finite values: NaN and overflow propagate as in IEEE 754 float32, the evidence of a sample with such a column is
 * NaN, as are the objective and the gradient; a fit skips the step.
 *
 * Fails with a `CompileError` when the data lack a feature, or the machine has no WebAssembly SIMD.
 */
export const engine: Engine = make("simd", (plan, data, relaxation, objective) =>
  Effect.gen(function* () {
    const target = Target.detect()
    if (target === undefined)
      return yield* new CompileError({
        message: "this machine has no WebAssembly SIMD; fit on the tfjs engine",
      })
    const { likelihood } = plan
    const columns = yield* Terminals.columns(likelihood.forest.grammar, data)
    const { samples } = objective
    const forest = SoftForest.make(likelihood.forest, columns, data.y, samples, {
      target,
      valueClip: relaxation.valueClip,
    })
    const gates = Gates.make(forest.shape, samples)
    const { conjugate } = likelihood.relaxed
    const collapse =
      conjugate === undefined
        ? HostEvidence.make(yield* likelihood.relaxed.bind(data, samples), forest, data.rows)
        : Collapse.make(conjugate, data.y, forest)
    /** whether a gradient follows: the kernel computes it sample by sample with the evidence */
    let wanted = false

    const tape = Tape.record(({ algebra, array, parameter, input, external }) => {
      const parameters = plan.parameters.map(({ shape }) => parameter(shape))
      const noise = plan.noise.map(({ shape }) => input([samples, ...shape]))
      const temperature = input([])
      const weight = input([])
      const { evidence, divergence } = Interpreter.run<Tape.Value>(
        plan.graph,
        {
          algebra,
          array,
          // The kernel computes the evidence from the draws: only sums over the rows leave it.
          forest: (_, { split, operator, terminal }) => {
            const draws = { split: split.data, operator: operator.data, terminal: terminal.data }
            const adjoints = {
              split: adjointOf(split),
              operator: adjointOf(operator),
              terminal: adjointOf(terminal),
            }
            return external({
              inputs: [split, operator, terminal],
              shape: [samples],
              forward: (output) => {
                gates.weigh(draws, forest.weights)
                collapse(output.data, wanted)
              },
              backward: (output) => gates.pull(draws, forest.gradients, output.adjoint!, adjoints),
            })
          },
          evidence: (_, design) => design,
        },
        { parameters, noise, samples, divergence: objective.divergence, relaxation, temperature },
      )
      const value = objective.combine(algebra, evidence, divergence, weight)
      return { parameters, noise, temperature, weight, evidence, divergence, value }
    })
    const { outputs } = tape

    const forward: Compiled["value"] = (parameters, noise, { temperature, divergenceWeight }) => {
      plan.parameters.forEach(({ offset, length }, i) =>
        outputs.parameters[i]!.data.set(parameters.subarray(offset, offset + length)),
      )
      plan.noise.forEach(({ offset, length }, i) =>
        outputs.noise[i]!.data.set(noise.subarray(samples * offset, samples * (offset + length))),
      )
      outputs.temperature.data[0] = temperature
      outputs.weight.data[0] = divergenceWeight
      tape.forward()
      return {
        objective: outputs.value.data[0]!,
        evidence: mean(outputs.evidence.data),
        divergence: mean(outputs.divergence.data),
      } satisfies Evaluation
    }
    return {
      value: (parameters, noise, controls) => {
        wanted = false
        return forward(parameters, noise, controls)
      },
      valueAndGradient: (parameters, noise, controls, gradient) => {
        wanted = true
        const evaluation = forward(parameters, noise, controls)
        tape.backward(outputs.value)
        plan.parameters.forEach(({ offset }, i) => gradient.set(adjointOf(outputs.parameters[i]!), offset))
        return evaluation
      },
    }
  }),
)

/** The array of a value's adjoint; one that is not read if the value does not depend on a parameter. */
const adjointOf = ({ adjoint, data }: Tape.Value): Float64Array => adjoint ?? new Float64Array(data.length)

const mean = (values: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]!
  return sum / values.length
}
