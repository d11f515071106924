import * as Effect from "effect/Effect"
import type { EvidenceNode } from "../../../prob/Observation.ts"
import * as Nd from "../../../numeric/Nd.ts"
import { type Compiled, type Engine, make } from "../Engine.ts"
import * as Interpreter from "../../../prob/Interpreter.ts"
import type { Plan } from "../../../prob/Plan.ts"
import * as Terminals from "../../../prob/Terminals.ts"
import * as Forest from "./forest.ts"

/** log p(y | T) of each sample, [S, K, n] -> [S]. */
const evidenceOf =
  (node: EvidenceNode) =>
  (design: Nd.Nd): Nd.Nd => {
    const [samples = 1, trees = 1, rows = 1] = design.shape
    return Nd.vector(
      Array.from({ length: samples }, (_, s) => {
        const columns = Array.from({ length: trees }, (__, k) =>
          design.data.subarray((s * trees + k) * rows, (s * trees + k + 1) * rows),
        )
        return node.exact(columns)
      }),
    )
  }

const slots = (plan: Plan["parameters"], flat: Float64Array): ReadonlyArray<Nd.Nd> =>
  plan.map(({ offset, length, shape }) => Nd.of(shape, flat.subarray(offset, offset + length)))

const mean = ({ data }: Nd.Nd): number => data.reduce((sum, x) => sum + x, 0) / data.length

/** The step of the central differences. */
const step = 1e-6

/**
 * The oracle: a plan run in float64 over plain arrays, row by row and node by node as in the paper. Its gradient is a
 * central difference: two evaluations for each parameter. *When to use*: in tests, and on tiny models.
 */
export const engine: Engine = make("scalar", (plan, data, relaxation, objective) =>
  Effect.gen(function* () {
    const columns = yield* Terminals.columns(plan.likelihood.forest.grammar, data)
    const evidence = evidenceOf(yield* plan.likelihood.relaxed.bind(data, objective.samples))
    const forest = Forest.evaluator(plan.likelihood.forest, columns, data.rows, relaxation.valueClip)
    const interpreter: Interpreter.Interpreter<Nd.Nd> = {
      algebra: Nd.algebra,
      array: (values, shape) => Nd.of(shape, values),
      forest: (_, draws) => forest(draws),
      evidence: (_, design) => evidence(design),
    }
    const value: Compiled["value"] = (parameters, noise, controls) => {
      const terms = Interpreter.run(plan.graph, interpreter, {
        parameters: slots(plan.parameters, parameters),
        noise: plan.noise.map(({ offset, length, shape }) =>
          Nd.of(
            [objective.samples, ...shape],
            noise.subarray(objective.samples * offset, objective.samples * (offset + length)),
          ),
        ),
        samples: objective.samples,
        divergence: objective.divergence,
        relaxation,
        temperature: Nd.scalar(controls.temperature),
      })
      const weight = Nd.scalar(controls.divergenceWeight)
      const { evidence, divergence } = terms
      return {
        objective: Nd.toNumber(objective.combine(Nd.algebra, evidence, divergence, weight)),
        evidence: mean(evidence),
        divergence: mean(divergence),
      }
    }
    return {
      value,
      valueAndGradient: (parameters, noise, controls, gradient) => {
        const moved = parameters.slice()
        const at = (index: number, x: number): number => {
          moved[index] = x
          return value(moved, noise, controls).objective
        }
        parameters.forEach((x, index) => {
          gradient[index] = (at(index, x + step) - at(index, x - step)) / (2 * step)
          moved[index] = x
        })
        return value(parameters, noise, controls)
      },
    } satisfies Compiled
  }),
)
