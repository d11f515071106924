import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import { bind } from "../evidence/likelihood/bound.ts"
import type { Density, Values } from "../evidence/likelihood/Density.ts"
import * as Laplace from "../evidence/likelihood/Laplace.ts"
import * as Predictive from "../evidence/likelihood/predictive.ts"
import type * as Rows from "../evidence/likelihood/Rows.ts"
import * as Rng from "../random/Rng.ts"
import { chiSquare, kolmogorovSmirnov } from "./goodnessOfFit.ts"
import * as Real from "../numeric/Real.ts"

/**
 * A law of likelihoods. *When to use*: in the tests of your own density: check it at values of eta, the nuisance
 * parameters and the columns, and expect no complaints. Scales of continuous densities must lie between 0.02 and 100.
 *
 * @example
 * it.each(LikelihoodLaws.all)("$name", ({ check }) => expect(check(density, { eta: 1, sigma: 0.5 })).toEqual([]))
 */
export interface LikelihoodLaw {
  readonly name: string
  /** @returns complaints, none when the law holds */
  readonly check: (density: Density, at: Values) => ReadonlyArray<string>
}

const differ = (what: string, found: number, expected: number, tolerance: number): ReadonlyArray<string> =>
  Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected))
    ? []
    : [`${what} is ${found}, not ${expected} to ${tolerance}`]

const gridAt = (density: Density, at: Values): Predictive.Grid =>
  Predictive.gridOf(density.support, Predictive.meanAt(density, at))

/** The sum or integral of p(y) is 1, to 1e-7. */
export const normalised: LikelihoodLaw = {
  name: "is a probability distribution of y",
  check: (density, at) => {
    const total = Predictive.masses(density, at, gridAt(density, at)).reduce((sum, mass) => sum + mass, 0)
    return differ("the integral of the density over y", total, 1, 1e-7)
  },
}

/** The sum or integral of y p(y) is the term of the mean, to 1e-6. */
export const mean: LikelihoodLaw = {
  name: "has the mean of its term",
  check: (density, at) => {
    const grid = gridAt(density, at)
    const found = Predictive.masses(density, at, grid).reduce(
      (sum, mass, i) => sum + mass * grid.points[i]!,
      0,
    )
    return differ("E[y]", Predictive.meanAt(density, at), found, 1e-6)
  },
}

/** 4,000 draws against the distribution function or the probabilities; fails by chance once in 10^4 seeds. */
export const sampler: LikelihoodLaw = {
  name: "draws from itself",
  check: (density, at) => {
    const draws = Predictive.draw(density, at, Rng.key(20), 4000)
    const grid = gridAt(density, at)
    const mass = Predictive.masses(density, at, grid)
    const { pValue } =
      density.support === "binary" || density.support === "counts"
        ? countsFit(draws, mass)
        : kolmogorovSmirnov(draws, cumulative(grid, mass))
    return pValue > 1e-4 ? [] : [`draws do not follow the density: p = ${pValue}`]
  },
}

/** Cells of expected counts of 5 or more; the last has the rest. */
const countsFit = (draws: Float64Array, mass: Float64Array) => {
  const cells: Array<{ count: number; probability: number }> = [{ count: 0, probability: 0 }]
  const counts = new Float64Array(mass.length)
  for (const draw of draws) counts[draw]! += 1
  mass.forEach((probability, y) => {
    const last = cells.at(-1)!
    last.count += counts[y]!
    last.probability += probability
    if (last.probability * draws.length >= 5) cells.push({ count: 0, probability: 0 })
  })
  // The remaining mass goes into the last cell.
  const rest = cells.pop()!
  const last = cells.at(-1)!
  last.count += rest.count
  last.probability = 1 - cells.slice(0, -1).reduce((sum, { probability }) => sum + probability, 0)
  return chiSquare(
    cells.map(({ count }) => count),
    cells.map(({ probability }) => probability),
  )
}

const cumulative = ({ points }: Predictive.Grid, mass: Float64Array): ((y: number) => number) => {
  const sums = new Float64Array(mass.length)
  let sum = 0
  mass.forEach((value, i) => {
    // The mass of a cell lies half on either side of its point.
    sums[i] = sum + value / 2
    sum += value
  })
  return (y) => {
    let [low, high] = [0, points.length - 1]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (points[middle]! > y) high = middle
      else low = middle
    }
    const share = (y - points[low]!) / (points[high]! - points[low]!)
    return sums[low]! + Math.min(1, Math.max(0, share)) * (sums[high]! - sums[low]!)
  }
}

/** 40 rows with eta from 0.7 to 1.3 times the given eta, and y drawn from the density. */
const datasetOf = (density: Density, at: Values): { readonly data: Dataset; readonly x: Float64Array } => {
  const x = Float64Array.from({ length: 40 }, (_, i) => (i - 19.5) / 19.5)
  const y = x.map((value, i) => {
    const eta = (at["eta"] ?? 0) * (1 + 0.3 * value)
    return Predictive.draw(density, { ...at, eta }, Rng.fold(Rng.key(3), i), 1)[0]!
  })
  const columns = density.columns.map((name) => new Float64Array(x.length).fill(at[name] ?? NaN))
  return {
    x,
    data: { features: ["x", ...density.columns], columns: [x, ...columns], target: "y", y, rows: x.length },
  }
}

/** Score, curvature and their parts by the nuisance parameters against central differences, to 1e-5. */
export const derivatives: LikelihoodLaw = {
  name: "has the derivatives of its log density",
  check: (density, at) => {
    const { data } = datasetOf(density, at)
    const { rows, prior } = Effect.runSync(bind(density, data, 3, 0))
    const tau = prior.nothing.tau.map((value) => value + 0.1)
    const eta = Float64Array.from({ length: rows.rows }, (_, i) => (at["eta"] ?? 0) * (1 + 0.004 * (i - 20)))
    const { score, curvature, cross, gradient, hessian } = rows.expand(eta, tau)
    const h = 1e-4 * Math.max(1, Math.abs(at["eta"] ?? 0))
    const moved = (i: number, by: number): Float64Array => eta.with(i, eta[i]! + by)
    const wrong: Array<string> = []
    for (const i of [0, 17, 39]) {
      const [above, below] = [rows.expand(moved(i, h), tau), rows.expand(moved(i, -h), tau)]
      wrong.push(
        ...differ(`the score of row ${i}`, score[i]!, (above.value - below.value) / (2 * h), 1e-5),
        ...differ(
          `the curvature of row ${i}`,
          curvature[i]!,
          -(above.score[i]! - below.score[i]!) / (2 * h),
          1e-5,
        ),
      )
    }
    const q = tau.length
    const step = 1e-4
    tau.forEach((value, j) => {
      const [above, below] = [step, -step].map((by) => rows.expand(eta, tau.with(j, value + by)))
      if (above === undefined || below === undefined) return
      const by = (one: number, other: number): number => (one - other) / (2 * step)
      wrong.push(
        ...differ(`the derivative by coordinate ${j}`, gradient[j]!, by(above.value, below.value), 1e-5),
        ...differ(`the cross derivative ${j}`, cross[j]![3]!, -by(above.score[3]!, below.score[3]!), 1e-5),
      )
      for (let k = 0; k < q; k++)
        wrong.push(
          ...differ(
            `the second derivative ${j}, ${k}`,
            hessian[j * q + k]!,
            -by(above.gradient[k]!, below.gradient[k]!),
            1e-4,
          ),
        )
    })
    return wrong
  },
}

/** The largest error of Laplace's approximation on 40 rows, in nats: it falls as 1 / n. */
export const laplaceTolerance = 0.1

/**
 * The log evidence of one column by brute force: the trapezoidal rule over intercept, coefficient, nuisance coordinates
 * and log g, on a grid with steps of 0.7 standard deviations, up to 4.9 around each mode.
 */
export const bruteForce = (rows: Rows.Rows, prior: Laplace.Prior, x: Float64Array): number => {
  const { nothing, a } = prior
  const mass = nothing.weights.reduce((sum, weight) => sum + weight, 0)
  const n = rows.rows
  const middle = x.reduce((sum, value, i) => sum + nothing.weights[i]! * value, 0) / mass
  const length = Math.sqrt(x.reduce((sum, value, i) => sum + nothing.weights[i]! * (value - middle) ** 2, 0))
  const u = x.map((value) => (value - middle) / length)
  const normal = (value: number, precision: number): number =>
    0.5 * Real.log(precision / (2 * Math.PI)) - 0.5 * precision * value ** 2
  const logJoint = (at: Float64Array, g: number): number =>
    rows.value(
      u.map((value) => at[0]! + at[1]! * value),
      at.slice(2),
    ) +
    normal(at[0]! - nothing.alpha, mass / n) +
    normal(at[1]!, 1 / g)
  const size = 2 + nothing.tau.length
  let start = Float64Array.of(nothing.alpha, 0, ...nothing.tau)
  const parts: Array<number> = []
  for (let t = Real.log(n) - 10; t < Real.log(n) + 14; t += 1) {
    const g = Real.exp(t)
    const mode = Laplace.atG(rows, prior, [u], g, start)
    if (mode === undefined) return Number.NaN
    start = Float64Array.from(mode.x)
    const log = (at: Float64Array): number => logJoint(at, g)
    const { points, logVolume } = around(start, curvatureOf(log, start), size)
    const logPrior = t + Real.log((a - 2) / (2 * n)) - (a / 2) * Real.log1p(g / n)
    parts.push(logSum(points.map(log)) + logVolume + logPrior)
  }
  return logSum(parts)
}

const logSum = (values: ReadonlyArray<number>): number => {
  const most = values.reduce((one, other) => Math.max(one, other), -Infinity)
  return (
    most + Real.log(values.reduce((sum, value) => sum + (value > -Infinity ? Real.exp(value - most) : 0), 0))
  )
}

/** The matrix of negative second derivatives, by central differences. */
const curvatureOf = (log: (at: Float64Array) => number, at: Float64Array): ReadonlyArray<Float64Array> => {
  const h = at.map((value) => 1e-3 * Math.max(0.1, Math.abs(value)))
  const moved = (j: number, k: number, s: number, r: number): number => {
    const there = at.slice()
    there[j]! += s * h[j]!
    there[k]! += r * h[k]!
    return log(there)
  }
  return Array.from(at, (_, j) =>
    Float64Array.from(
      at,
      (__, k) =>
        -(moved(j, k, 1, 1) - moved(j, k, 1, -1) - moved(j, k, -1, 1) + moved(j, k, -1, -1)) /
        (4 * h[j]! * h[k]!),
    ),
  )
}

/** Points centre + L^-T z with the curvature L L', z on a grid; and the logarithm of the volume of a cell. */
const around = (centre: Float64Array, curvature: ReadonlyArray<Float64Array>, size: number) => {
  const l = curvature.map(() => new Float64Array(size))
  for (let j = 0; j < size; j++)
    for (let i = j; i < size; i++) {
      let value = curvature[i]![j]!
      for (let k = 0; k < j; k++) value -= l[i]![k]! * l[j]![k]!
      l[i]![j] = i === j ? Math.sqrt(value) : value / l[j]![j]!
    }
  const spacing = 0.7
  const steps = Array.from({ length: 15 }, (_, k) => (k - 7) * spacing)
  let grid: ReadonlyArray<ReadonlyArray<number>> = [[]]
  for (let j = 0; j < size; j++) grid = grid.flatMap((z) => steps.map((step) => [...z, step]))
  const points = grid.map((z) => {
    const out = new Float64Array(size)
    for (let i = size - 1; i >= 0; i--) {
      let value = z[i]!
      for (let k = i + 1; k < size; k++) value -= l[k]![i]! * out[k]!
      out[i] = value / l[i]![i]!
    }
    return out.map((value, i) => value + centre[i]!)
  })
  const logVolume = l.reduce((sum, row, j) => sum - Real.log(row[j]!), size * Real.log(spacing))
  return { points, logVolume }
}

/** The evidence of one column against `bruteForce`, to `laplaceTolerance`. */
export const evidence: LikelihoodLaw = {
  name: "has the evidence that an integral gives",
  check: (density, at) => {
    const { data, x } = datasetOf(density, at)
    const { rows, prior } = Effect.runSync(bind(density, data, 3, 0))
    const found = Laplace.evidence(rows, prior, [x])?.logEvidence ?? Number.NaN
    const expected = bruteForce(rows, prior, x)
    return Math.abs(found - expected) < laplaceTolerance
      ? []
      : [`the log evidence is ${found}, not ${expected} to ${laplaceTolerance}`]
  },
}

/** All laws of densities that are normalised over y. */
export const all: ReadonlyArray<LikelihoodLaw> = [normalised, mean, sampler, derivatives, evidence]
