import { describe, expect, it } from "vitest"
import * as BinaryConcrete from "../../../../src/prob/dist/BinaryConcrete.ts"
import * as GumbelSoftmax from "../../../../src/prob/dist/GumbelSoftmax.ts"
import * as Nd from "../../../../src/numeric/Nd.ts"

const A = Nd.algebra

/** The trapezoid rule, which converges exponentially for analytic integrands that vanish at both ends. */
const trapezoid = (f: (x: number) => number, low: number, high: number, steps: number): number => {
  const h = (high - low) / steps
  let sum = 0
  for (let i = 0; i <= steps; i++) sum += (i === 0 || i === steps ? 0.5 : 1) * f(low + i * h)
  return sum * h
}

const cases = [
  { logit: 0, temperature: 1 },
  { logit: 1.3, temperature: 0.5 },
  { logit: -4, temperature: 0.2 },
  { logit: 2, temperature: 3 },
]

describe("Binary-Concrete", () => {
  const parameters = ({ logit, temperature }: { logit: number; temperature: number }) => ({
    logits: Nd.scalar(logit),
    temperature: Nd.scalar(temperature),
  })

  it.each(cases)("the density of the logit integrates to 1, %o", (c) => {
    const density = (y: number) =>
      Math.exp(Nd.toNumber(BinaryConcrete.logDensityLogit(A)(Nd.scalar(y), parameters(c))))
    const [centre, width] = [c.logit / c.temperature, 40 / c.temperature]
    expect(trapezoid(density, centre - width, centre + width, 4000)).toBeCloseTo(1, 12)
  })

  it.each(cases)("the density on (0, 1) is that of the logit times its Jacobian, %o", (c) => {
    for (const x of [1e-6, 0.2, 0.5, 0.97]) {
      const y = Math.log(x / (1 - x))
      const onLogit = Nd.toNumber(BinaryConcrete.logDensityLogit(A)(Nd.scalar(y), parameters(c)))
      const onUnit = Nd.toNumber(BinaryConcrete.logDensity(A)(Nd.scalar(x), parameters(c)))
      expect(onUnit).toBeCloseTo(onLogit - Math.log(x) - Math.log(1 - x), 9)
    }
  })

  it("is the formula of Maddison et al. (2017), Eq. 24", () => {
    const [alpha, tau, x] = [1.7, 0.6, 0.3]
    const numerator = tau * alpha * x ** (-tau - 1) * (1 - x) ** (-tau - 1)
    const expected = numerator / (alpha * x ** -tau + (1 - x) ** -tau) ** 2
    const p = parameters({ logit: Math.log(alpha), temperature: tau })
    expect(Math.exp(Nd.toNumber(BinaryConcrete.logDensity(A)(Nd.scalar(x), p)))).toBeCloseTo(expected, 12)
  })

  it("draws from the median and quantiles of the noise", () => {
    const p = parameters({ logit: 0.8, temperature: 0.5 })
    expect(Nd.toNumber(BinaryConcrete.draw(A)(Nd.scalar(0.5), p))).toBeCloseTo(1 / (1 + Math.exp(-1.6)), 14)
    // P(X > 1/2) is the probability of the coin, at every temperature.
    const threshold = 1 / (1 + Math.exp(0.8))
    expect(Nd.toNumber(BinaryConcrete.draw(A)(Nd.scalar(threshold), p))).toBeCloseTo(0.5, 14)
  })
})

describe("Gumbel-Softmax", () => {
  it.each(cases)("on two categories is Binary-Concrete, %o", ({ logit, temperature }) => {
    const two = { logits: Nd.vector([logit + 0.4, 0.4]), temperature: Nd.scalar(temperature) }
    const one = { logits: Nd.scalar(logit), temperature: Nd.scalar(temperature) }
    for (const x of [1e-3, 0.2, 0.5, 0.97]) {
      const simplex = Nd.toNumber(GumbelSoftmax.logDensity(A, 2)(Nd.vector([x, 1 - x]), two))
      expect(simplex).toBeCloseTo(Nd.toNumber(BinaryConcrete.logDensity(A)(Nd.scalar(x), one)), 10)
    }
  })

  it.each([
    { logits: [0, 0, 0], temperature: 1 },
    { logits: [1, -0.5, 0.2], temperature: 0.7 },
    { logits: [-1, 2, 0], temperature: 2 },
  ])("the density on three categories integrates to 1, %o", ({ logits, temperature }) => {
    const p = { logits: Nd.vector(logits), temperature: Nd.scalar(temperature) }
    // The plane of log ratios (s, t) to the last category; the Jacobian of the simplex is x0 x1 x2.
    const atRatios = (s: number, t: number): number => {
      const logX = A.logSoftmaxLast(Nd.vector([s, t, 0]))
      return Math.exp(Nd.toNumber(GumbelSoftmax.logDensityLog(A, 3)(logX, p)))
    }
    const reach = 36 / temperature
    const total = trapezoid((s) => trapezoid((t) => atRatios(s, t), -reach, reach, 180), -reach, reach, 180)
    expect(total).toBeCloseTo(1, 7)
  })

  it("is the formula of Maddison et al. (2017), Eq. 10", () => {
    const [alpha, tau, x] = [[0.5, 1.5, 3], 0.6, [0.2, 0.3, 0.5]]
    const terms = alpha.map((a, k) => a * x[k]! ** (-tau - 1))
    const total = alpha.reduce((sum, a, k) => sum + a * x[k]! ** -tau, 0)
    const expected = 2 * tau ** 2 * terms.reduce((product, term) => product * (term / total), 1)
    const p = { logits: Nd.vector(alpha.map(Math.log)), temperature: Nd.scalar(tau) }
    expect(Math.exp(Nd.toNumber(GumbelSoftmax.logDensity(A, 3)(Nd.vector(x), p)))).toBeCloseTo(expected, 11)
  })

  it("broadcasts over plates, with a temperature of any shape", () => {
    const logits = Nd.of([2, 3], [0, 1, 2, 3, 4, 6])
    const u = Nd.of([2, 3], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    for (const temperature of [Nd.scalar(0.5), Nd.of([2, 1], [0.5, 0.5])]) {
      const draw = GumbelSoftmax.draw(A)(u, { logits, temperature })
      expect(draw.shape).toEqual([2, 3])
      for (const total of A.sumLast(draw).data) expect(total).toBeCloseTo(1, 14)
      const density = GumbelSoftmax.logDensity(A, 3)(draw, { logits, temperature })
      expect(density.shape).toEqual([2])
      const first = GumbelSoftmax.logDensity(A, 3)(Nd.vector(draw.data.slice(0, 3)), {
        logits: Nd.vector([0, 1, 2]),
        temperature: Nd.scalar(0.5),
      })
      expect(density.data[0]).toBeCloseTo(Nd.toNumber(first), 11)
    }
  })

  it("the log draw is the logarithm of the draw, and survives where the draw underflows", () => {
    const p = { logits: Nd.vector([0, 0]), temperature: Nd.scalar(1e-3) }
    const noise = GumbelSoftmax.noiseFromUniform(A)(Nd.vector([0.9, 0.1]))
    expect(GumbelSoftmax.drawFromNoise(A)(noise, p).data[1]).toBe(0)
    const logs = GumbelSoftmax.logDrawFromNoise(A)(noise, p)
    expect(logs.data[1]).toBeCloseTo((noise.data[1]! - noise.data[0]!) / 1e-3, 6)
    expect(Number.isFinite(Nd.toNumber(GumbelSoftmax.logDensityLog(A, 2)(logs, p)))).toBe(true)
  })
})
