import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Evidence from "../../../src/evidence/conjugate.ts"
import * as Moments from "../../../src/evidence/moments.ts"

const real = fc.double({ min: -5, max: 5, noNaN: true })
const positive = fc.double({ min: 0.05, max: 20, noNaN: true })

/** Any shape: more columns than rows, repeated, constant and zero columns, columns of other units. */
const problems = fc
  .record({ n: fc.integer({ min: 1, max: 12 }), K: fc.integer({ min: 0, max: 5 }) })
  .chain(({ n, K }) => {
    const column = fc.array(real, { minLength: n, maxLength: n })
    const kind = fc.oneof(
      { weight: 3, arbitrary: column },
      real.map((value) => Array.from({ length: n }, () => value)),
      fc.tuple(column, fc.integer({ min: -6, max: 9 })).map(([values, e]) => values.map((v) => v * 10 ** e)),
    )
    return fc.record({
      y: column,
      columns: fc
        .tuple(
          fc.array(kind, { minLength: K, maxLength: K }),
          fc.array(fc.nat(), { minLength: K, maxLength: K }),
        )
        .map(([fresh, copy]) =>
          fresh.map((values, k) => (copy[k]! % 4 === 0 && k > 0 ? fresh[k - 1]! : values)),
        ),
      mu0: fc.array(real, { minLength: K + 1, maxLength: K + 1 }),
      sigma0: fc.array(positive, { minLength: K + 1, maxLength: K + 1 }),
      a0: positive,
      b0: positive,
    })
  })

/** A prior mean far from zero on a huge column takes y's digits: y - T mu0 is all that the evidence sees. */
const moderate = (p: { readonly columns: ReadonlyArray<ReadonlyArray<number>> }) =>
  p.columns.flat().every((value) => Math.abs(value) < 1e4)

const cancelling = {
  y: Array.from({ length: 8 }, () => 0),
  columns: [0, 0, 19.414948072904018, 19.414948072904018, 0].map((value) => [0, 0, value, 0, 0, 0, 0, 0]),
  mu0: [0, 0, 0, 4.38977027541201, -3.9836514878098153, 0],
  sigma0: [0.05, 0.05, 0.05, 0.05, 1.256301032460764, 0.05],
  a0: 0.5264060994442604,
  b0: 0.05,
}

const close = (a: number, b: number, tolerance = 1e-8) =>
  expect(Math.abs(a - b)).toBeLessThanOrEqual(tolerance * (1 + Math.abs(a)))

describe("evidence", () => {
  it("is finite, with a positive scale and variances", () => {
    fc.assert(
      fc.property(problems, (p) => {
        const found = Evidence.posterior(p, p.y, p.columns)
        expect(Number.isFinite(found.logEvidence)).toBe(true)
        expect(found.scale).toBeGreaterThanOrEqual(p.b0)
        p.sigma0.forEach((prior, k) => {
          const variance = found.covariance[k * p.sigma0.length + k]!
          expect(variance).toBeGreaterThan(0)
          // Data never widen a prior.
          expect(variance).toBeLessThanOrEqual(prior * (1 + 1e-9))
        })
      }),
    )
  })

  it("does not depend on the order of the columns", () => {
    fc.assert(
      fc.property(problems, (p) => {
        fc.pre(moderate(p))
        const [intercept, ...rest] = p.sigma0
        const [m, ...means] = p.mu0
        const reversed = {
          ...p,
          sigma0: [intercept!, ...rest.toReversed()],
          mu0: [m!, ...means.toReversed()],
        }
        const a = Evidence.posterior(p, p.y, p.columns)
        const b = Evidence.posterior(reversed, p.y, p.columns.toReversed())
        close(a.logEvidence, b.logEvidence)
      }),
    )
  })

  it("does not depend on the units of the columns, nor of y up to the Jacobian", () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: -8, max: 8 }), (p, e) => {
        fc.pre(moderate(p))
        const c = 10 ** e
        const a = Evidence.posterior(p, p.y, p.columns)
        const units = {
          ...p,
          sigma0: p.sigma0.map((v, k) => (k === 0 ? v : v / c ** 2)),
          mu0: p.mu0.map((v, k) => (k === 0 ? v : v / c)),
        }
        const scaled = p.columns.map((column) => column.map((value) => value * c))
        close(a.logEvidence, Evidence.posterior(units, p.y, scaled).logEvidence)
        const inY = { ...p, mu0: p.mu0.map((v) => v * c), b0: p.b0 * c ** 2 }
        const b = Evidence.posterior(
          inY,
          p.y.map((value) => value * c),
          p.columns,
        )
        close(a.logEvidence, b.logEvidence + p.y.length * Math.log(c))
      }),
    )
  })

  it("is the product of one-step predictions: p(y) = p(y_1 ... y_n-1) p(y_n | before)", () => {
    fc.assert(
      fc.property(problems, (p) => {
        const n = p.y.length
        const head = Evidence.posterior(
          p,
          p.y.slice(0, n - 1),
          p.columns.map((column) => column.slice(0, n - 1)),
        )
        // The posterior of the head is the prior of the last row: a Student t by its mean, variance and 2 a_n.
        const t = [1, ...p.columns.map((column) => column[n - 1]!)]
        const d = t.length
        // Huge rows make the quadratic form cancel: they are for the other properties.
        fc.pre(t.every((value) => Math.abs(value) < 1e3))
        let spread = 1
        for (let i = 0; i < d; i++)
          for (let j = 0; j < d; j++) spread += t[i]! * head.covariance[i * d + j]! * t[j]!
        const mean = t.reduce((sum, value, k) => sum + value * head.mean[k]!, 0)
        // Over one observation with this prior the evidence is that of an intercept with variance spread - 1.
        const last = Evidence.posterior(
          { mu0: [mean], sigma0: [Math.max(spread - 1, 1e-300)], a0: head.shape, b0: head.scale },
          [p.y[n - 1]!],
          [],
        )
        close(Evidence.posterior(p, p.y, p.columns).logEvidence, head.logEvidence + last.logEvidence, 1e-7)
      }),
    )
  })

  it("from moments errs by no more than it says", () => {
    fc.assert(
      fc.property(problems, (p) => {
        const design = [p.y.map(() => 1), ...p.columns]
        const inner = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) =>
          a.reduce((s, v, i) => s + v * b[i]!, 0)
        const estimate = Moments.fromMoments(p, {
          rows: p.y.length,
          gram: Float64Array.from(design.flatMap((a) => design.map((b) => inner(a, b)))),
          cross: Float64Array.from(design, (column) => inner(column, p.y)),
          square: inner(p.y, p.y),
        })
        const { logEvidence } = Evidence.posterior(p, p.y, p.columns)
        expect(Math.abs(estimate.logEvidence - logEvidence)).toBeLessThanOrEqual(
          10 * estimate.error + 1e-11 * (1 + Math.abs(logEvidence)),
        )
      }),
      {
        numRuns: 300,
        // Means of two equal columns that cancel: what is left of T mu0 is far below its terms.
        examples: [[cancelling]],
      },
    )
  })

  it("has its gradient in any direction", () => {
    fc.assert(
      fc.property(problems, fc.array(real, { minLength: 60, maxLength: 60 }), (p, direction) => {
        fc.pre(p.columns.length > 0 && p.columns.flat().every((value) => Math.abs(value) < 10))
        const out = p.columns.map((column) => new Float64Array(column.length))
        Evidence.gradient(p, p.y, p.columns, out)
        const n = p.y.length
        const step = (h: number) =>
          Evidence.posterior(
            p,
            p.y,
            p.columns.map((column, k) => column.map((value, i) => value + h * direction[k * n + i]!)),
          ).logEvidence
        const slope = out.reduce((sum, g, k) => g.reduce((s, v, i) => s + v * direction[k * n + i]!, sum), 0)
        const size = out.reduce(
          (sum, g, k) => g.reduce((s, v, i) => s + Math.abs(v * direction[k * n + i]!), sum),
          0,
        )
        const h = 1e-4
        const difference = (8 * (step(h) - step(-h)) - (step(2 * h) - step(-2 * h))) / (12 * h)
        expect(Math.abs(difference - slope)).toBeLessThan(1e-5 * (1 + size))
      }),
    )
  })
})
