import fs from "node:fs"
import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import type { Dataset } from "../../../../src/data/Data.ts"
import type { Density } from "../../../../src/evidence/likelihood/Density.ts"
import * as Likelihood from "../../../../src/evidence/Likelihood.ts"
import * as Laplace from "../../../../src/evidence/likelihood/Laplace.ts"
import * as Rows from "../../../../src/evidence/likelihood/Rows.ts"
import * as Term from "../../../../src/expr/Term.ts"

// Densities against SciPy, fits without a prior against statsmodels (scripts/fixtures/likelihoods.py).

type Point = readonly [y: number, eta: number, at: Readonly<Record<string, number>>, expected: number]
interface Reference {
  readonly densities: Readonly<Record<string, ReadonlyArray<Point>>>
  readonly data: Readonly<Record<"x" | "z" | "error" | "weight", ReadonlyArray<number>>>
  readonly fits: Readonly<
    Record<
      string,
      {
        readonly y: ReadonlyArray<number>
        readonly params: ReadonlyArray<number>
        readonly llf: number
        readonly size?: number
      }
    >
  >
}
// The script writes it in this shape.
const reference = JSON.parse(
  fs.readFileSync(new URL("../../../fixtures/likelihoods.json", import.meta.url), "utf8"),
) as Reference

/** Without a prior, as a maximum of the likelihood is. */
const free = (density: Density): Density => ({
  ...density,
  nuisance: density.nuisance.map((parameter) => ({ ...parameter, prior: undefined })),
})

describe("the density", () => {
  const densities: Readonly<Record<string, Density>> = {
    normal: Likelihood.normal(),
    studentT: Likelihood.studentT(),
    logNormal: Likelihood.logNormal(),
    proportional: Likelihood.proportional(),
    bernoulli: Likelihood.bernoulli,
    poisson: Likelihood.poisson,
    negativeBinomial: Likelihood.negativeBinomial(),
  }
  it.each(Object.entries(reference.densities))("%s is SciPy's", (name, points) => {
    const run = Term.interpret(Term.arithmetic)(densities[name]!.logDensity)
    for (const [y, eta, at, expected] of points) {
      const found = run((variable) => ({ y, eta, ...at })[variable] ?? NaN)
      // lgamma(y + 1) of large counts cancels.
      expect(Math.abs(found - expected)).toBeLessThan(1e-12 * Math.max(100, Math.abs(y) < 1e6 ? 100 * y : 0))
    }
  })
})

describe("the fit", () => {
  const densities: Readonly<Record<string, Density>> = {
    poisson: Likelihood.poisson,
    weighted: Likelihood.weighted(Likelihood.poisson, "weight"),
    bernoulli: Likelihood.bernoulli,
    negativeBinomial: free(Likelihood.negativeBinomial()),
    normalError: Likelihood.normalError("error"),
  }
  const { x, z, error, weight } = reference.data
  const columns = [x, z, error, weight].map((column) => Float64Array.from(column))
  it.each(Object.entries(reference.fits))("%s is that of statsmodels", (name, { y, params, llf, size }) => {
    const data: Dataset = {
      features: ["x", "z", "error", "weight"],
      columns,
      target: "y",
      y: Float64Array.from(y),
      rows: y.length,
    }
    const rows = Effect.runSync(Rows.make(densities[name]!, data))
    const design = [columns[0]!.map(() => 1), columns[0]!, columns[1]!]
    const flat = new Float64Array(3)
    const start = new Float64Array(3 + (size === undefined ? 0 : 1))
    const mode = Laplace.modeOf(rows, { design, centre: flat, precision: flat }, start, undefined)!
    expect(mode.value).toBeCloseTo(llf, 6)
    params.forEach((value, k) => expect(mode.x[k]).toBeCloseTo(value, 4))
    if (size !== undefined) expect(rows.named(mode.tau)["size"]).toBeCloseTo(size, 2)
  })
})
