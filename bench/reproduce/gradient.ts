/**
 * The paper's gradient-variance diagnostic (Eqs. coordinate-wise-gradient-variance and var-summary), and the time of a
 * forward-backward pass, before and after training.
 */
import type { Plan } from "../../src/prob/Plan.ts"
import * as Rng from "../../src/random/Rng.ts"
import type { Controls } from "../../src/vi/engines/Engine.ts"
import { median } from "../harness/statistics.ts"
import { fit, grammarOf, initialParameters, modelOf, objectiveOf } from "../library/paper.ts"
import { published } from "../library/settings.ts"
import { make, problemOf } from "../problems.ts"
import type { GradientCase, GradientResult, Variance } from "./case.ts"

/** R of the paper */
const gradients = 100
export const temperatures = [1, 0.75, 0.5, 0.25] as const
export const sampleCounts = [1, 2, 4, 8] as const
/** The paper's figure: one sample a gradient, at the temperature where training begins or ends. */
export const figure = { samples: 1, before: 1, after: 0.5 } as const
const passes = 60

const fillers = {
  uniform: Rng.uniform,
  normal: Rng.normal,
  logistic: Rng.logistic,
  gumbel: Rng.gumbel,
}

/** Noise of S samples for a plan: slot by slot, samples outermost. */
const noiseOf = (plan: Plan, samples: number, key: Rng.Key): Float32Array => {
  const noise = new Float32Array(samples * plan.noiseCount)
  plan.noise.forEach(({ kind, offset, length }, index) => {
    fillers[kind](Rng.fold(key, index), noise.subarray(samples * offset, samples * (offset + length)))
  })
  return noise
}

/** Sums of squared deviations of each coordinate, one gradient at a time (Welford 1962). */
const varianceOf = (draw: (index: number) => Float64Array, length: number): Float64Array => {
  const mean = new Float64Array(length)
  const squares = new Float64Array(length)
  for (let r = 0; r < gradients; r++) {
    const gradient = draw(r)
    for (let j = 0; j < length; j++) {
      const before = gradient[j]! - mean[j]!
      mean[j] = mean[j]! + before / (r + 1)
      squares[j] = squares[j]! + before * (gradient[j]! - mean[j]!)
    }
  }
  return squares.map((sum) => sum / (gradients - 1))
}

const controls = (temperature: number): Controls => ({ temperature, divergenceWeight: 1 })

/** Runs the diagnostic at one depth: trains as published, and looks at the gradient there and where it started. */
export const runGradient = async (one: GradientCase): Promise<GradientResult> => {
  const { depth, seed } = one
  const problem = problemOf(one.problem)
  // All rows are for training: the paper has n = 2000 of them here.
  const { data } = make(problem, one.noise, seed, one.rows, one.features)
  const settings = { ...published, depth }
  const program = modelOf(grammarOf(data.features, one.operators ?? problem.operators), settings, {
    sigma0: settings.sigma0,
  })
  const posterior = await fit(program, data, settings, seed)
  const { plan } = posterior
  const states = [
    { trained: false, parameters: initialParameters(plan, seed) },
    { trained: true, parameters: posterior.parameters },
  ]
  const source = Rng.fold(Rng.key(seed), "gradients")
  const variances: Array<Variance> = []
  for (const samples of sampleCounts)
    await objectiveOf(plan, data, samples, (objective) => {
      const gradient = new Float64Array(plan.parameterCount)
      for (const { trained, parameters } of states)
        for (const temperature of temperatures) {
          const variance = varianceOf((r) => {
            const noise = noiseOf(plan, samples, Rng.fold(source, r))
            objective.valueAndGradient(parameters, noise, controls(temperature), gradient)
            return gradient
          }, plan.parameterCount)
          const total = variance.reduce((sum, v) => sum + v, 0)
          variances.push({ trained, temperature, samples, coordinate: total / plan.parameterCount, total })
        }
    })
  const pass = await objectiveOf(plan, data, published.samples, (objective) => {
    const gradient = new Float64Array(plan.parameterCount)
    const noise = noiseOf(plan, published.samples, source)
    const time = (parameters: Float64Array): number =>
      median(
        Array.from({ length: passes }, () => {
          const started = process.cpuUsage()
          objective.valueAndGradient(parameters, noise, controls(1), gradient)
          const { user, system } = process.cpuUsage(started)
          return (user + system) / 1000
        }),
      )
    const [before = Number.NaN, after = Number.NaN] = states.map(({ parameters }) => time(parameters))
    return { before, after }
  })
  return { parameters: plan.parameterCount, variances, pass }
}
