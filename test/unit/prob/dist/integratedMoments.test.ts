import { describe, expect, it } from "vitest"
import * as Dist from "../../../../src/prob/Dist.ts"
import { integratedMoments, type Numbers } from "../../../../src/prob/dist/integratedMoments.ts"

// Mean and variance by quadrature, against those in closed form.
const priors: ReadonlyArray<Dist.Dist<Numbers>> = [
  Dist.normal(3, 0.5),
  Dist.normal(-1e30, 1e28),
  Dist.laplace(2, 1),
  Dist.studentT(5, -1, 2),
  Dist.gamma(0.5, 2),
  Dist.gamma(30, 1e-9),
  Dist.logNormal(1, 0.7),
  Dist.inverseGamma(6, 2),
  Dist.beta(0.7, 4),
  Dist.beta(200, 300),
]

describe("moments by quadrature", () => {
  it.each(
    priors.map((prior) => [`${prior.name}(${Object.values(prior.parameters).join()})`, prior] as const),
  )("%s", (_, prior) => {
    const out = new Float64Array(1)
    const { mean, variance } = integratedMoments(
      prior.support,
      (x) => prior.logDensity([x]),
      (source) => {
        prior.draw(source, out, 0)
        return out[0]!
      },
    )
    const [expected = NaN] = prior.mean()
    const [spread = NaN] = prior.variance()
    expect(Math.abs(mean - expected)).toBeLessThan(1e-4 * Math.sqrt(spread))
    expect(Math.abs(variance / spread - 1)).toBeLessThan(1e-4)
  })

  it("are those of a distribution that leaves them out", () => {
    const gumbel = Dist.make({
      name: "Gumbel",
      support: "real",
      parameters: { location: Dist.finite, scale: Dist.positive },
      logDensity: (A, x, p) => {
        const z = A.binary.div(A.binary.sub(x, p.location), p.scale)
        return A.unary.neg(A.binary.add(A.binary.add(z, A.unary.exp(A.unary.neg(z))), A.unary.log(p.scale)))
      },
      draw: ({ location, scale }, random) => location - scale * Math.log(-Math.log(random.next())),
    })({ location: 1, scale: 2 })
    expect(gumbel.mean()[0]).toBeCloseTo(1 + 2 * 0.5772156649015329, 6)
    expect(gumbel.variance()[0]).toBeCloseTo((2 * Math.PI) ** 2 / 6, 5)
  })

  it("are NaN where the density does not integrate to 1", () => {
    const { mean } = integratedMoments(
      "real",
      (x) => -(x ** 2),
      (source) => source.normal(),
    )
    expect(mean).toBeNaN()
  })
})
