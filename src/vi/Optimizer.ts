import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Schedule } from "./Schedule.ts"
import { zeros } from "./zeros.ts"
import { pow } from "../numeric/Power.ts"

/**
 * A gradient transformation as a record of pure functions (the shape of optax): `update` turns the gradient of an
 * objective to **maximise** into the step to add to the parameters. States are immutable to the caller.
 */
export interface Transformation<S> {
  readonly init: (length: number) => S
  readonly update: (
    gradient: Float64Array,
    state: S,
    parameters: Float64Array,
  ) => { readonly updates: Float64Array; readonly state: S }
}

/**
 * The optimiser of a fit. Its state is plain data of a type that only the transformation knows.
 *
 * *When to use*: as the service that an algorithm of your own asks for, when its user should choose the optimiser.
 */
export class Optimizer extends Context.Service<Optimizer, Transformation<unknown>>()("vasst/vi/Optimizer") {}

/**
 * A layer with the optimiser of a fit.
 *
 * *When to use*: for `Infer`, `Elbo` and `ScoreFunction`, which have no default; `Vasst.fit` brings its own.
 */
export const layer = <S>(transformation: Transformation<S>): Layer.Layer<Optimizer> =>
  // A fit passes each state only to the transformation that made it.
  Layer.succeed(Optimizer, transformation as Transformation<unknown>)

/**
 * Two transformations in sequence: `second` gets the update of `first`.
 *
 * *When to use*: to clip or mask gradients before a step is made of them, as in `chain(clipByNorm(10), adamW(...))`: the order matters.
 */
export const chain = <S, T>(
  first: Transformation<S>,
  second: Transformation<T>,
): Transformation<readonly [S, T]> => ({
  init: (length) => [first.init(length), second.init(length)],
  update: (gradient, [one, two], parameters) => {
    const a = first.update(gradient, one, parameters)
    const b = second.update(a.updates, two, parameters)
    return { updates: b.updates, state: [a.state, b.state] }
  },
})

/** The Euclidean norm. */
export const norm = (vector: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!
  return Math.sqrt(sum)
}

/**
 * Scales gradients whose Euclidean norm exceeds `threshold` back to that norm (Pascanu, Mikolov and Bengio 2013). *When
 * to use*: before `adamW`, in a `chain`: relaxed trees have rare steep gradients.
 */
export const clipByNorm = (threshold: number): Transformation<null> => ({
  init: () => null,
  update: (gradient) => {
    const length = norm(gradient)
    if (!(length > threshold)) return { updates: gradient, state: null }
    const updates = zeros(gradient.length)
    for (let i = 0; i < updates.length; i++) updates[i] = (gradient[i]! * threshold) / length
    return { updates, state: null }
  },
})

/** First and second moments of the gradient, and the number of steps taken. */
export interface AdamState {
  readonly step: number
  readonly first: Float64Array
  readonly second: Float64Array
}

/**
 * AdamW (Loshchilov and Hutter 2019): Adam with bias correction, and weight decay apart from the gradient.
 *
 * *When to use*: for all fits by gradients, since logits and scales have gradients of different sizes. Leave weight decay at 0 for the
 * paper's ELBO, whose divergence pulls parameters to the prior already.
 *
 * @param settings.learningRate step size, a number or a schedule
 * @param settings.betas decay of the first and second moment, (0.9, 0.999) if left out
 * @param settings.epsilon 1e-8 if left out
 * @param settings.weightDecay 0 if left out
 */
export const adamW = (settings: {
  readonly learningRate: number | Schedule
  readonly betas?: readonly [number, number]
  readonly epsilon?: number
  readonly weightDecay?: number
}): Transformation<AdamState> => {
  const { betas = [0.9, 0.999], epsilon = 1e-8, weightDecay = 0, learningRate } = settings
  const [beta1, beta2] = betas
  const rate = typeof learningRate === "number" ? () => learningRate : learningRate
  return {
    init: (length) => ({ step: 0, first: zeros(length), second: zeros(length) }),
    // Loops, because the callbacks of `map` take ten times as long: a noticeable share of a step of a fast engine.
    update: (gradient, state, parameters) => {
      const step = state.step + 1
      const correction1 = 1 - pow(beta1, step)
      const correction2 = 1 - pow(beta2, step)
      const eta = rate(step)
      const first = zeros(gradient.length)
      const second = zeros(gradient.length)
      const updates = zeros(gradient.length)
      for (let i = 0; i < gradient.length; i++) {
        const g = gradient[i]!
        const m = beta1 * state.first[i]! + (1 - beta1) * g
        const v = beta2 * state.second[i]! + (1 - beta2) * (g * g)
        first[i] = m
        second[i] = v
        const direction = m / correction1 / (Math.sqrt(v / correction2) + epsilon)
        updates[i] = eta * (direction - weightDecay * parameters[i]!)
      }
      return { updates, state: { step, first, second } }
    },
  }
}
