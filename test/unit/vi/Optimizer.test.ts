import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as Optimizer from "../../../src/vi/Optimizer.ts"
import { runs } from "../../support/property.ts"

/** The parameters after each gradient of a list. */
const trajectory = <S>(
  form: Optimizer.Transformation<S>,
  start: ReadonlyArray<number>,
  gradients: ReadonlyArray<ReadonlyArray<number>>,
): ReadonlyArray<ReadonlyArray<number>> => {
  let parameters = Float64Array.from(start)
  let state = form.init(start.length)
  return gradients.map((gradient) => {
    const { updates, state: next } = form.update(Float64Array.from(gradient), state, parameters)
    state = next
    parameters = parameters.map((x, i) => x + updates[i]!)
    return Array.from(parameters)
  })
}

/** AdamW as Algorithm 2 of Loshchilov and Hutter (2019) prints it, which minimises, one parameter at a time. */
const published = (
  settings: { rate: (t: number) => number; beta1: number; beta2: number; epsilon: number; decay: number },
  start: number,
  gradients: ReadonlyArray<number>,
): ReadonlyArray<number> => {
  const { rate, beta1, beta2, epsilon, decay } = settings
  const history: Array<number> = []
  let theta = start
  gradients.forEach((_, index) => {
    const t = index + 1
    // The moments written out as weighted sums over the past, rather than as recursions.
    let m = 0
    let v = 0
    for (let i = 0; i < t; i++) {
      const g = -gradients[i]!
      m += (1 - beta1) * beta1 ** (t - 1 - i) * g
      v += (1 - beta2) * beta2 ** (t - 1 - i) * g * g
    }
    const step = m / (1 - beta1 ** t) / (Math.sqrt(v / (1 - beta2 ** t)) + epsilon)
    theta -= rate(t) * (step + decay * theta)
    history.push(theta)
  })
  return history
}

describe("AdamW", () => {
  it("is the published algorithm, turned to maximise", () => {
    const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(number(-10, 10), number(-10, 10)), { minLength: 1, maxLength: 30 }),
        number(1e-4, 0.5),
        number(0, 0.99),
        number(0.5, 0.999),
        number(0, 0.2),
        (gradients, learningRate, beta1, beta2, weightDecay) => {
          const form = Optimizer.adamW({ learningRate, betas: [beta1, beta2], epsilon: 1e-6, weightDecay })
          const found = trajectory(form, [1, -2], gradients)
          const settings = { rate: () => learningRate, beta1, beta2, epsilon: 1e-6, decay: weightDecay }
          ;([0, 1] as const).forEach((which) => {
            const expected = published(
              settings,
              [1, -2][which]!,
              gradients.map((g) => g[which]),
            )
            expected.forEach((theta, i) => expect(found[i]![which]).toBeCloseTo(theta, 9))
          })
        },
      ),
      runs(100),
    )
  })

  it("has the usual constants, and no decay", () => {
    const gradients = [[1], [-3], [0.5], [2]]
    const settings = { rate: () => 0.01, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: 0 }
    const expected = published(settings, 0, gradients.flat())
    const found = trajectory(Optimizer.adamW({ learningRate: 0.01 }), [0], gradients)
    found.forEach(([theta], i) => expect(theta).toBeCloseTo(expected[i]!, 12))
  })

  it("goes a learning rate uphill for a constant gradient of any size, and along a schedule", () => {
    const form = Optimizer.adamW({ learningRate: (step) => 0.1 / step })
    const gradients = Array.from({ length: 4 }, () => [1e-3, -1e3])
    const found = trajectory(form, [0, 0], gradients)
    let sum = 0
    found.forEach((theta, i) => {
      sum += 0.1 / (i + 1)
      expect(theta[0]).toBeCloseTo(sum, 4)
      expect(theta[1]).toBeCloseTo(-sum, 9)
    })
  })

  it("does not move without gradient but by its decay, which the gradient does not see", () => {
    const plain = Optimizer.adamW({ learningRate: 0.1 })
    expect(trajectory(plain, [3], [[0], [0]])).toEqual([[3], [3]])
    const decaying = Optimizer.adamW({ learningRate: 0.1, weightDecay: 0.5 })
    const [[one], [two]] = trajectory(decaying, [3], [[0], [0]]) as [[number], [number]]
    expect(one).toBeCloseTo(3 * 0.95, 12)
    expect(two).toBeCloseTo(3 * 0.95 ** 2, 12)
  })

  it("keeps the states that it is given", () => {
    const { init, update } = Optimizer.adamW({ learningRate: 0.1 })
    const state = init(2)
    const gradient = Float64Array.of(1, 2)
    const parameters = Float64Array.of(3, 4)
    const once = update(gradient, state, parameters)
    expect(update(gradient, state, parameters)).toEqual(once)
    expect(state).toEqual({ step: 0, first: new Float64Array(2), second: new Float64Array(2) })
    expect([gradient, parameters]).toEqual([Float64Array.of(1, 2), Float64Array.of(3, 4)])
    // A step may be taken twice: a fit that skips a step goes on from the same one.
    const first = update(gradient, state, parameters)
    update(gradient, first.state, parameters)
    expect(update(gradient, state, parameters).updates).toEqual(first.updates)
  })
})

describe("clipByNorm", () => {
  const clip = (gradient: ReadonlyArray<number>, threshold: number) =>
    Array.from(
      Optimizer.clipByNorm(threshold).update(Float64Array.from(gradient), null, new Float64Array(2)).updates,
    )

  it("scales long gradients back and leaves the others", () => {
    expect(clip([3, 4], 1)).toEqual([0.6, 0.8])
    expect(clip([0.3, 0.4], 1)).toEqual([0.3, 0.4])
    expect(clip([3, 4], 5)).toEqual([3, 4])
    expect(clip([0, 0], 1)).toEqual([0, 0])
  })

  it("knows the norm", () => {
    expect(Optimizer.norm(Float64Array.of(2, -3, 6))).toBe(7)
    expect(Optimizer.norm(Float64Array.of(1, Number.NaN))).toBeNaN()
  })
})

describe("chain", () => {
  const gradients = [
    [30, 40],
    [-0.3, 0.1],
    [5, -12],
  ]

  it("hands the updates of the first to the second", () => {
    const { chain, clipByNorm, adamW } = Optimizer
    const chained = chain(clipByNorm(1), adamW({ learningRate: 0.1 }))
    const clipped = [
      [0.6, 0.8],
      [-0.3, 0.1],
      [5 / 13, -12 / 13],
    ]
    const expected = trajectory(adamW({ learningRate: 0.1 }), [0, 0], clipped)
    trajectory(chained, [0, 0], gradients).forEach((theta, i) =>
      theta.forEach((x, j) => expect(x).toBeCloseTo(expected[i]![j]!, 14)),
    )
    // In the other order the updates are clipped, not the gradients.
    const reversed = chain(adamW({ learningRate: 0.1 }), clipByNorm(0.05))
    const [[x, y]] = trajectory(reversed, [0, 0], gradients) as [[number, number]]
    expect(Math.hypot(x, y)).toBeCloseTo(0.05, 12)
  })

  it("is associative", () => {
    const { chain, clipByNorm, adamW } = Optimizer
    const [a, b, c] = [clipByNorm(2), adamW({ learningRate: 0.1 }), clipByNorm(0.12)]
    expect(trajectory(chain(chain(a, b), c), [0, 0], gradients)).toEqual(
      trajectory(chain(a, chain(b, c)), [0, 0], gradients),
    )
  })
})

it.effect("a layer provides a transformation with its state hidden", () =>
  Effect.gen(function* () {
    const form = yield* Optimizer.Optimizer
    const expected = trajectory(Optimizer.adamW({ learningRate: 0.1 }), [0], [[1], [2]])
    expect(trajectory(form, [0], [[1], [2]])).toEqual(expected)
  }).pipe(Effect.provide(Optimizer.layer(Optimizer.adamW({ learningRate: 0.1 })))),
)
