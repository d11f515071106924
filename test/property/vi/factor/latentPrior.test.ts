import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Dist from "../../../../src/prob/Dist.ts"
import { digamma } from "../../../../src/numeric/Special.ts"
import * as Family from "../../../../src/vi/Family.ts"
import {
  divergence,
  integrate,
  moments,
  near,
  normalExpectation,
  shared,
  sigmoid,
  siteOf,
  softmax,
  sum,
} from "../../../support/factors.ts"
import { runs } from "../../../support/property.ts"

// Priors whose parameters are other sites: the divergence is averaged over the factors of those sites, from their moments.

const { factors } = Family
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const vector = (value: fc.Arbitrary<number>, length: number) =>
  fc.array(value, { minLength: length, maxLength: length })

describe("a factor under a prior whose parameters are latent", () => {
  it("averages over a Beta probability", () =>
    fc.assert(
      fc.property(number(-5, 5), number(0, 2), number(0, 2), (l, logA, logB) => {
        const probability = factors.beta().make(siteOf("unit", shared(Dist.beta(1, 1))))
        const own = moments(probability, [[logA], [logB]])
        const latent = Dist.bernoulli({ _tag: "Sym", site: "p", support: "unit", shape: [], size: 1 })
        const factor = factors.bernoulli().make(siteOf("binary", shared(latent)))
        const q = Dist.beta(Math.exp(logA), Math.exp(logB))
        // Over t = logit(p), where the integrand vanishes at both ends.
        const expected = integrate(
          (t) => {
            const p = sigmoid(t)
            const density = Math.exp(Dist.logDensity(q, p)) * p * (1 - p)
            return density === 0 ? 0 : density * Dist.kl(Dist.bernoulli(sigmoid(l)), Dist.bernoulli(p))
          },
          -34,
          34,
          1000,
        )
        near(
          divergence(factor, [[l]], () => own),
          expected,
          1000,
        )
      }),
      runs(40),
    ))

  it("averages over Dirichlet weights (Eq. kl-operator-indices)", () =>
    fc.assert(
      fc.property(vector(number(-6, 6), 3), vector(number(-2, 3), 3), (a, log) => {
        const weights = factors.dirichlet().make(siteOf("simplex", shared(Dist.dirichlet([1, 1, 1])), [], 3))
        const own = moments(weights, [log])
        const latent = Dist.categorical({ _tag: "Sym", site: "w", support: "simplex", shape: [], size: 3 })
        const factor = factors.categorical().make(siteOf("categorical", shared(latent), [2], 3))
        const pi = softmax(a)
        const eta = log.map(Math.exp)
        const expected = sum(pi.map((p, k) => p * (Math.log(p) - digamma(eta[k]!) + digamma(sum(eta)))))
        near(
          divergence(factor, [[...a, ...a]], () => own),
          2 * expected,
          100,
        )
      }),
      runs(60),
    ))

  it("averages over a normal mean and a log-normal standard deviation", () =>
    fc.assert(
      fc.property(
        fc.tuple(number(-2, 2), number(-2, 1)),
        fc.tuple(number(-2, 2), number(-2, 0)),
        fc.tuple(number(-1, 1), number(-2, -0.5)),
        fc.constantFrom("mean", "sd", "both"),
        ([loc, log], [m, logM], [r, logR], which) => {
          const mean = factors.normal().make(siteOf("real", shared(Dist.normal(0, 1))))
          const sd = factors.logNormal().make(siteOf("positive", shared(Dist.gamma(1, 1))))
          const symMean = { _tag: "Sym", site: "m", support: "real", shape: [], size: 1 } as const
          const symSd = { _tag: "Sym", site: "s", support: "positive", shape: [], size: 1 } as const
          const prior =
            which === "mean"
              ? Dist.normal(symMean, 1.5)
              : which === "sd"
                ? Dist.normal(0.25, symSd)
                : Dist.normal(symMean, symSd)
          const factor = factors.normal().make(siteOf("real", shared(prior)))
          const found = divergence(factor, [[loc], [log]], (name) =>
            name === "m" ? moments(mean, [[m], [logM]]) : moments(sd, [[r], [logR]]),
          )
          const q = Dist.normal(loc, Math.exp(log))
          const kl = (z: number, w: number): number =>
            Dist.kl(
              q,
              Dist.normal(
                which === "sd" ? 0.25 : m + Math.exp(logM) * z,
                which === "mean" ? 1.5 : Math.exp(r + Math.exp(logR) * w),
              ),
            )
          // A quadratic in z: three points are exact; the nodes of the Gauss-Hermite rule.
          const root = Math.sqrt(3)
          const expected = normalExpectation((w) => (kl(-root, w) + 4 * kl(0, w) + kl(root, w)) / 6)
          near(found, expected, 1000)
        },
      ),
      runs(40),
    ))

  it("says that there are no draws where the parents do not give the moments", () => {
    const latent = Dist.bernoulli({ _tag: "Sym", site: "p", support: "unit", shape: [], size: 1 })
    const factor = factors.bernoulli().make(siteOf("binary", shared(latent)))
    const weights = factors.dirichlet().make(siteOf("simplex", shared(Dist.dirichlet([1, 1])), [], 2))
    const { mean } = moments(weights, [[0, 0]])
    expect(() => divergence(factor, [[0]], () => ({ mean }))).toThrow(
      'the prior Bernoulli of the site "site" has no closed divergence from the moments that its factor and that of "p" give',
    )
  })
})

describe("moments", () => {
  const values = (x: { data: ArrayLike<number> } | undefined) => Array.from(x?.data ?? [])
  it("of Bernoulli, Categorical and Dirichlet are probabilities, and logarithms of weights", () => {
    const bernoulli = factors.bernoulli().make(siteOf("binary", shared(Dist.bernoulli(0.5)), [2]))
    expect(values(moments(bernoulli, [[2, -12]]).mean)).toEqual([sigmoid(2), sigmoid(-10)])
    const categorical = factors
      .categorical()
      .make(siteOf("categorical", shared(Dist.categorical([0.5, 0.5])), [], 2))
    near(values(moments(categorical, [[1, -1]]).mean)[0]!, sigmoid(2))
    const dirichlet = factors.dirichlet().make(siteOf("simplex", shared(Dist.dirichlet([1, 1])), [], 2))
    const own = moments(dirichlet, [[Math.log(3), Math.log(1)]])
    near(values(own.mean)[0]!, 0.75)
    near(values(own.log)[0]!, digamma(3) - digamma(4))
  })

  it("of Normal and LogNormal are their integrals", () =>
    fc.assert(
      fc.property(number(-1, 1), number(-2, -0.5), (loc, log) => {
        const z = (x: number) => loc + Math.exp(log) * x
        const normal = moments(factors.normal().make(siteOf("real", shared(Dist.normal(0, 1)))), [
          [loc],
          [log],
        ])
        near(values(normal.mean)[0]!, loc)
        near(
          values(normal.square)[0]!,
          normalExpectation((x) => z(x) ** 2),
        )
        const own = moments(factors.logNormal().make(siteOf("positive", shared(Dist.gamma(1, 1)))), [
          [loc],
          [log],
        ])
        near(
          values(own.mean)[0]!,
          normalExpectation((x) => Math.exp(z(x))),
        )
        near(values(own.log)[0]!, loc)
        near(
          values(own.square)[0]!,
          normalExpectation((x) => Math.exp(2 * z(x))),
          10,
        )
        near(
          values(own.inverse)[0]!,
          normalExpectation((x) => Math.exp(-z(x))),
        )
        near(
          values(own.inverseSquare)[0]!,
          normalExpectation((x) => Math.exp(-2 * z(x))),
          10,
        )
      }),
      runs(20),
    ))

  it("of Beta are its mean and E[log x], E[log(1 - x)]", () => {
    const own = moments(factors.beta().make(siteOf("unit", shared(Dist.beta(1, 1)))), [
      [Math.log(2)],
      [Math.log(5)],
    ])
    near(values(own.mean)[0]!, 2 / 7)
    near(values(own.log)[0]!, digamma(2) - digamma(7))
    near(values(own.log1m)[0]!, digamma(5) - digamma(7))
  })
})
