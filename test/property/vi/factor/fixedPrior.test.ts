import * as fc from "fast-check"
import { describe, it } from "vitest"
import * as Dist from "../../../../src/prob/Dist.ts"
import type { Prior } from "../../../../src/prob/Prior.ts"
import * as Family from "../../../../src/vi/Family.ts"
import {
  divergence,
  near,
  normalExpectation,
  shared,
  sigmoid,
  siteOf,
  softmax,
  sum,
} from "../../../support/factors.ts"
import { runs } from "../../../support/property.ts"

// Divergences of the factors from every prior that their support has: Dist.kl where that is closed, else quadrature.

const { factors } = Family
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const positive = number(0.2, 5)
const vector = (value: fc.Arbitrary<number>, length: number) =>
  fc.array(value, { minLength: length, maxLength: length })

/** A plate of two times a site of three elements: one prior for all, or one for each of the three. */
const shape = [2, 3]

describe("a factor's divergence from a fixed prior is Dist.kl, summed over the site", () => {
  const check = <Q, P>(
    make: (priors: ReadonlyArray<P>) => (parameters: ReadonlyArray<Q>) => number,
    kl: (q: Q, p: P) => number,
    parameters: fc.Arbitrary<Q>,
    prior: fc.Arbitrary<P>,
  ): void =>
    fc.assert(
      fc.property(
        fc.oneof(vector1(prior, 1), vector1(prior, 3)),
        fc.array(parameters, { minLength: 6, maxLength: 6 }),
        (priors, elements) => {
          const expected = sum(elements.map((q, i) => kl(q, priors[i % priors.length]!)))
          near(make(priors)(elements), expected, 100)
        },
      ),
      runs(60),
    )
  const vector1 = <A>(value: fc.Arbitrary<A>, length: number) =>
    fc.array(value, { minLength: length, maxLength: length })
  /** one prior is shared, three are for each element */
  const priorOf = <D>(dists: ReadonlyArray<D>) =>
    dists.length === 1 ? shared(dists[0]!) : ({ _tag: "Each", dists } as const)

  it("Bernoulli", () =>
    check(
      (priors) => {
        const prior: Prior<"binary"> = priorOf(priors.map((p) => Dist.bernoulli(p)))
        const factor = factors.bernoulli().make(siteOf("binary", prior, shape))
        return (logits) => divergence(factor, [logits])
      },
      (l, p) => Dist.kl(Dist.bernoulli(sigmoid(l)), Dist.bernoulli(p)),
      number(-9, 9),
      number(0.01, 0.99),
    ))

  it("Categorical", () =>
    check(
      (priors) => {
        const prior: Prior<"categorical"> = priorOf(priors.map((w) => Dist.categorical(softmax(w))))
        const factor = factors.categorical().make(siteOf("categorical", prior, shape, 3))
        return (logits) => divergence(factor, [logits.flat()])
      },
      (a, w) => Dist.kl(Dist.categorical(softmax(a)), Dist.categorical(softmax(w))),
      vector(number(-9, 9), 3),
      vector(number(-2, 2), 3),
    ))

  it("Dirichlet", () =>
    check(
      (priors) => {
        const prior: Prior<"simplex"> = priorOf(priors.map((eta) => Dist.dirichlet(eta)))
        const factor = factors.dirichlet().make(siteOf("simplex", prior, shape, 3))
        return (log) => divergence(factor, [log.flat()])
      },
      (log, eta) => Dist.kl(Dist.dirichlet(log.map(Math.exp)), Dist.dirichlet(eta)),
      vector(number(-2, 3), 3),
      vector(positive, 3),
    ))

  it("Normal", () =>
    check(
      (priors) => {
        const prior: Prior<"real"> = priorOf(priors.map(([m, s]) => Dist.normal(m, s)))
        const factor = factors.normal().make(siteOf("real", prior, shape))
        return (q) => divergence(factor, [q.map(([loc]) => loc), q.map(([, log]) => log)])
      },
      ([loc, log], [m, s]) => Dist.kl(Dist.normal(loc, Math.exp(log)), Dist.normal(m, s)),
      fc.tuple(number(-5, 5), number(-3, 2)),
      fc.tuple(number(-5, 5), positive),
    ))

  it("LogNormal", () =>
    check(
      (priors) => {
        const prior: Prior<"positive"> = priorOf(priors.map(([m, s]) => Dist.logNormal(m, s)))
        const factor = factors.logNormal().make(siteOf("positive", prior, shape))
        return (q) => divergence(factor, [q.map(([loc]) => loc), q.map(([, log]) => log)])
      },
      ([loc, log], [m, s]) => Dist.kl(Dist.logNormal(loc, Math.exp(log)), Dist.logNormal(m, s)),
      fc.tuple(number(-3, 3), number(-3, 1)),
      fc.tuple(number(-3, 3), positive),
    ))

  it("Beta", () =>
    check(
      (priors) => {
        const prior: Prior<"unit"> = priorOf(priors.map(([a, b]) => Dist.beta(a, b)))
        const factor = factors.beta().make(siteOf("unit", prior, shape))
        return (q) => divergence(factor, [q.map(([a]) => a), q.map(([, b]) => b)])
      },
      ([a, b], [c, d]) => Dist.kl(Dist.beta(Math.exp(a), Math.exp(b)), Dist.beta(c, d)),
      fc.tuple(number(-2, 3), number(-2, 3)),
      fc.tuple(positive, positive),
    ))
})

describe("a log-normal factor under a prior without closed divergence", () => {
  const priors: ReadonlyArray<readonly [string, (a: number, b: number) => Dist.Dist<"positive">]> = [
    ["Gamma", Dist.gamma],
    ["InverseGamma", Dist.inverseGamma],
    ["HalfNormal", Dist.halfNormal],
  ]
  it.each(priors)("%s is off by its quadrature at most", (_, make) =>
    fc.assert(
      fc.property(positive, positive, number(-1, 1), number(-2, 0), (a, b, loc, log) => {
        const prior = make(a, b)
        const q = Dist.logNormal(loc, Math.exp(log))
        const factor = factors.logNormal().make(siteOf("positive", shared(prior)))
        const expected = normalExpectation((z) => {
          const x = Math.exp(loc + Math.exp(log) * z)
          return Dist.logDensity(q, x) - Dist.logDensity(prior, x)
        })
        near(divergence(factor, [[loc], [log]]), expected, 100)
      }),
      runs(40),
    ),
  )
})
