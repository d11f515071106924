import { describe, expect, it } from "vitest"
import * as Evidence from "../../../src/evidence/conjugate.ts"
import { evidenceNode } from "../../../src/evidence/likelihood/evidenceNode.ts"
import * as Moments from "../../../src/evidence/moments.ts"
import { lgamma } from "../../../src/numeric/Special.ts"
import cases from "../../fixtures/evidence.json" with { type: "json" }

const inner = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0)

const moments = (
  y: ReadonlyArray<number>,
  columns: ReadonlyArray<ReadonlyArray<number>>,
): Moments.Moments => {
  const design = [y.map(() => 1), ...columns]
  return {
    rows: y.length,
    gram: Float64Array.from(design.flatMap((a) => design.map((b) => inner(a, b)))),
    cross: Float64Array.from(design, (column) => inner(column, y)),
    square: inner(y, y),
  }
}

/** Columns of length one make errors comparable: coefficients are compared as contributions to the fit. */
const lengths = (y: ReadonlyArray<number>, columns: ReadonlyArray<ReadonlyArray<number>>) =>
  [y.map(() => 1), ...columns].map((column) => Math.sqrt(inner(column, column)))

describe("posterior", () => {
  it.each(cases)("$name ($source)", (c) => {
    const found = Evidence.posterior(c, c.y, c.columns)
    expect(found.logEvidence).toBeCloseTo(c.logEvidence, 9)
    expect(found.shape).toBe(c.shape)
    expect(Math.abs(found.scale / c.scale - 1)).toBeLessThan(1e-11)
    const norm = lengths(c.y, c.columns)
    const scale = Math.sqrt(inner(c.y, c.y))
    c.mean.forEach((value, k) =>
      expect(Math.abs(found.mean[k]! - value) * Math.min(norm[k]!, scale)).toBeLessThan(1e-9 * scale),
    )
    const d = norm.length
    c.covariance.forEach((value, index) => {
      const i = Math.floor(index / d)
      const j = index % d
      const bound = Math.sqrt(c.covariance[i * d + i]! * c.covariance[j * d + j]!)
      expect(Math.abs(found.covariance[index]! - value)).toBeLessThan(1e-7 * bound)
    })
  })

  it("integrates beta and sigma^2 out, as quadrature over both does", () => {
    const y = [0.3, 2.1, 2.9, 4.2]
    const t = [0.1, 1.2, 1.9, 3.1]
    const hyper = { mu0: [0.2, 0.5], sigma0: [2, 0.7], a0: 3, b0: 1.5 }
    // The intercept is integrated by Gauss-free midpoint sums too: a grid over (b0, b1, log sigma^2).
    const steps = 120
    let sum = 0
    for (let s = 0; s < steps; s++) {
      const log2 = -4.5 + (9 * (s + 0.5)) / steps
      const v = Math.exp(log2)
      const inverseGamma = hyper.a0 * Math.log(hyper.b0) - lgamma(hyper.a0) - hyper.a0 * log2 - hyper.b0 / v
      for (let p = 0; p < steps; p++)
        for (let q = 0; q < steps; q++) {
          const z0 = -7 + (14 * (p + 0.5)) / steps
          const z1 = -7 + (14 * (q + 0.5)) / steps
          const b0 = hyper.mu0[0]! + z0 * Math.sqrt(v * hyper.sigma0[0]!)
          const b1 = hyper.mu0[1]! + z1 * Math.sqrt(v * hyper.sigma0[1]!)
          let log = inverseGamma - 0.5 * (z0 * z0 + z1 * z1) - Math.log(2 * Math.PI)
          for (let i = 0; i < 4; i++)
            log -= 0.5 * (Math.log(2 * Math.PI * v) + (y[i]! - b0 - b1 * t[i]!) ** 2 / v)
          sum += Math.exp(log)
        }
    }
    sum *= (9 / steps) * (14 / steps) ** 2
    expect(Evidence.posterior(hyper, y, [t]).logEvidence).toBeCloseTo(Math.log(sum), 4)
  })

  it("takes equal columns as one whose prior mean and variance are the sums", () => {
    const y = [1, 3, 2, 5, 4]
    const t = [1e9, 2e9, 4e9, 3e9, 5e9]
    const twice = Evidence.posterior({ mu0: [0, 1e-9, 2e-9], sigma0: [10, 3, 4], a0: 2, b0: 2 }, y, [t, t])
    const once = Evidence.posterior({ mu0: [0, 3e-9], sigma0: [10, 7], a0: 2, b0: 2 }, y, [t])
    expect(twice.logEvidence).toBeCloseTo(once.logEvidence, 11)
    expect((twice.mean[1]! + twice.mean[2]!) / once.mean[1]!).toBeCloseTo(1, 11)
  })

  it("says NaN when a column is not finite", () => {
    const hyper = { mu0: [0, 0], sigma0: [10, 10], a0: 2, b0: 2 }
    expect(Evidence.posterior(hyper, [1, 2, 3], [[1, NaN, 2]]).logEvidence).toBeNaN()
    expect(Evidence.posterior(hyper, [1, 2, 3], [[1, Infinity, 2]]).logEvidence).toBeNaN()
  })
})

describe("fromMoments", () => {
  it.each(cases)("errs by no more than it says: $name", (c) => {
    const estimate = Moments.fromMoments(c, moments(c.y, c.columns))
    expect(Math.abs(estimate.logEvidence - c.logEvidence)).toBeLessThan(estimate.error + 1e-12)
    if (estimate.error < 1e-9) {
      expect(Math.abs(estimate.scale / c.scale - 1)).toBeLessThan(1e-9)
      expect(estimate.mean.every(Number.isFinite)).toBe(true)
    }
  })

  it("is trusted on ordinary data, and not on exact or collinear fits", () => {
    const trusted = cases
      .filter((c) => Moments.fromMoments(c, moments(c.y, c.columns)).error < Moments.tolerable)
      .map(({ name }) => name)
    expect(trusted).toContain("three columns, the paper's prior")
    expect(trusted).toContain("sixteen columns")
    expect(trusted).not.toContain("exact fit")
    expect(trusted).not.toContain("exact fit, collinear")
    expect(trusted).not.toContain("huge duplicates")
  })
})

/** S samples of K columns of n rows by the node of a graph. */
const nodeOf = (hyper: Evidence.Hyper, y: ReadonlyArray<number>, samples: number) =>
  evidenceNode({ trees: hyper.mu0.length - 1, rows: y.length, samples }, (columns, out) =>
    out === undefined
      ? Evidence.posterior(hyper, y, columns).logEvidence
      : Evidence.gradient(hyper, y, columns, out).logEvidence,
  )

describe("the evidence node", () => {
  // float32 columns: the reference is the evidence of the rounded columns.
  it.each(cases)("agrees with the columns rounded to float32: $name", (c) => {
    const T = Float32Array.from(c.columns.flat())
    const rounded = c.columns.map((column) => Array.from(column, Math.fround))
    const adjoint = new Float32Array(T.length)
    const found = nodeOf(c, c.y, 1).evidence(T, adjoint)[0]!
    expect(adjoint.every(Number.isFinite)).toBe(true)
    expect(found).toBe(Evidence.posterior(c, c.y, rounded).logEvidence)
  })

  it("treats every sample of a batch by itself and leaves the adjoint as `gradient` has it", () => {
    const y = Array.from({ length: 30 }, (_, i) => Math.sin(i) + 0.1 * i)
    const hyper = { mu0: [0.5, 0, -1, 2, 0, 1], sigma0: [10, 5, 1, 2, 3, 4], a0: 2.5, b0: 1 }
    const T = Float32Array.from({ length: 2 * 5 * 30 }, (_, i) => Math.cos(1.7 * i) + (i % 7))
    const adjoint = new Float32Array(T.length)
    const evidence = nodeOf(hyper, y, 2).evidence(T, adjoint)
    for (let s = 0; s < 2; s++) {
      const columns = Array.from({ length: 5 }, (_, k) => T.slice((s * 5 + k) * 30, (s * 5 + k + 1) * 30))
      const out = columns.map(() => new Float64Array(30))
      expect(evidence[s]).toBe(Evidence.gradient(hyper, y, columns, out).logEvidence)
      out.forEach((column, k) =>
        column.forEach((value, i) => expect(adjoint[(s * 5 + k) * 30 + i]).toBe(Math.fround(value))),
      )
    }
  })
})

describe("gradient", () => {
  it.each(cases.filter((c) => c.columns.length > 0 && c.source === "scipy"))(
    "is the derivative by finite differences: $name",
    (c) => {
      const out = c.columns.map((column) => new Float64Array(column.length))
      Evidence.gradient(c, c.y, c.columns, out)
      c.columns.forEach((column, k) =>
        column.forEach((value, i) => {
          const at = (t: number) =>
            Evidence.posterior(
              c,
              c.y,
              c.columns.map((other, j) => (j === k ? other.with(i, t) : other)),
            ).logEvidence
          const h = 1e-3
          const difference =
            (8 * (at(value + h) - at(value - h)) - (at(value + 2 * h) - at(value - 2 * h))) / (12 * h)
          expect(out[k]![i]).toBeCloseTo(difference, 6)
        }),
      )
    },
  )
})
