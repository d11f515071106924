import * as Real from "../../numeric/Real.ts"
import type { Joint, Values, WeightedValues } from "../../prob/Joint.ts"
import * as Rng from "../../random/Rng.ts"
import { logitsOf, logProbabilities } from "../factor/Categorical.ts"
import { scattered } from "../factor/Initial.ts"
import { allOf, slotsOf } from "./Product.ts"

type Parameters = ReadonlyArray<ArrayLike<number>>

/** The rounds of expectation and maximisation of one projection. */
const rounds = 20

/** The logits of the weights are clamped to [-10, 10], as those of factors are by default. */
const clip = 10

/**
 * A mixture of M distributions of the same sites, with learned weights:
 *
 *     q(x) = sum_m w_m q_m(x),   w = softmax(logits)
 *
 * The component is summed out of densities, by log sum exp. The first slot has the logits of the weights; those of the
 * components follow. Weights start equal; components that start equal stay equal, as their slopes are.
 *
 * `project` is expectation and maximisation (Dempster, Laird and Rubin 1977): each component moves towards the draws by
 * their probabilities of being its own, and keeps its share of q.
 *
 * @param components at least one
 */
export const mixture = (components: ReadonlyArray<Joint>): Joint => {
  const M = components.length
  const densities = allOf(components, "logDensity")
  const scores = allOf(components, "score")
  const projections = allOf(components, "project")
  const of = ([logits, ...rest]: Parameters) => ({
    logits: logits!,
    logWeights: logProbabilities(logits!, M, clip),
    each: slotsOf(components, rest),
  })
  /** log w_m + log q_m(x) of each draw, component by component */
  const logsOf = (parameters: Parameters, values: Values): ReadonlyArray<Float64Array> => {
    const { logWeights, each } = of(parameters)
    return densities!.map((logDensity, m) => logDensity(each[m]!, values).map((log) => log + logWeights[m]!))
  }
  /** log q(x) of each draw */
  const totalOf = (logs: ReadonlyArray<Float64Array>): Float64Array =>
    logs[0]!.map((_, h) => {
      const most = logs.reduce((max, own) => Math.max(max, own[h]!), -Infinity)
      return most + Real.log(logs.reduce((sum, own) => sum + Real.exp(own[h]! - most), 0))
    })
  /** the weights of draws, times the probabilities that a component drew them */
  const shared = (
    parameters: Parameters,
    values: Values,
    weights: ArrayLike<number>,
  ): ReadonlyArray<Float64Array> => {
    const logs = logsOf(parameters, values)
    const total = totalOf(logs)
    return logs.map((own) => own.map((log, h) => weights[h]! * Real.exp(log - total[h]!)))
  }
  const project = (parameters: Parameters, { values, weights }: WeightedValues, rate: number) => {
    const before = of(parameters)
    let now: ReadonlyArray<Float64Array> = parameters.map((slot) => Float64Array.from(slot))
    for (let round = 0; round < rounds; round++) {
      const own = shared(now, values, weights)
      const drawn = own.map((each) => rate * sum(each))
      const kept = before.logWeights.map((log) => (1 - rate) * Real.exp(log))
      const parts = projections!.map((move, m) => {
        const mass = drawn[m]! + kept[m]!
        // A component without draws stays where it is.
        if (!(drawn[m]! > 1e-300 * rate)) return before.each[m]!.map((slot) => Float64Array.from(slot))
        const draws = { values, weights: own[m]!.map((weight) => (rate * weight) / drawn[m]!) }
        return move(before.each[m]!, draws, drawn[m]! / mass)
      })
      now = [
        logitsOf(
          drawn.map((mass, m) => mass + kept[m]!),
          before.logits,
          M,
          clip,
        ),
        ...parts.flat(),
      ]
    }
    return now
  }
  return {
    name: `Mixture(${M})`,
    sites: components[0]!.sites,
    parameters: [
      { name: "weights", shape: [M], initialise: scattered([0], M, 0) },
      ...components.flatMap(({ parameters }, m) =>
        parameters.map((slot) => ({ ...slot, name: `${m}: ${slot.name}` })),
      ),
    ],
    sample: (key, parameters, count) => {
      const { logWeights, each } = of(parameters)
      const drawn = components.map(({ sample }, m) => sample(Rng.fold(key, m), each[m]!, count))
      const generator = Rng.generator(Rng.fold(key, "component"))
      const chosen = Array.from({ length: count }, () => {
        let left = generator.next()
        let m = 0
        while (m < M - 1 && (left -= Real.exp(logWeights[m]!)) >= 0) m++
        return m
      })
      return new Map(
        Array.from(drawn[0]!, ([site, { length }]) => {
          const values = new Float64Array(length)
          const size = length / Math.max(1, count)
          chosen.forEach((m, h) =>
            values.set(drawn[m]!.get(site)!.subarray(h * size, (h + 1) * size), h * size),
          )
          return [site, values]
        }),
      )
    },
    logDensity: densities && ((parameters, values) => totalOf(logsOf(parameters, values))),
    score:
      scores &&
      densities &&
      ((parameters, values, weights) => {
        const { logits, logWeights, each } = of(parameters)
        const own = shared(parameters, values, weights)
        const all = sum(Float64Array.from(weights))
        const slopes = Float64Array.from(logits, (logit, m) =>
          // Clamped logits have the slope 0.
          Math.abs(logit) > clip ? 0 : sum(own[m]!) - all * Real.exp(logWeights[m]!),
        )
        return [slopes, ...scores.flatMap((score, m) => score(each[m]!, values, own[m]!))]
      }),
    project: projections && densities && project,
  }
}

const sum = (values: Float64Array): number => values.reduce((total, x) => total + x, 0)
