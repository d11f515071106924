import * as Effect from "effect/Effect"
import type { Dataset } from "../../data/Data.ts"
import { CompileError } from "../../errors/Errors.ts"
import { compileColumn } from "../../expr/evaluate.ts"
import * as Term from "../../expr/Term.ts"
import * as Dist from "../../prob/Dist.ts"
import { type Density, describe, holds, type Nuisance } from "./Density.ts"
import * as Real from "../../numeric/Real.ts"

/** The log likelihood around a point to second order. Values without a length are sums over rows. */
export interface Expansion {
  readonly value: number
  /** d log p / d eta, length n */
  readonly score: Float64Array
  /** - d^2 log p / d eta^2 as observed, length n; may be negative */
  readonly curvature: Float64Array
  /** - d^2 log p / d eta d tau_j, each of length n */
  readonly cross: ReadonlyArray<Float64Array>
  /** d / d tau_j of the log likelihood and the log prior of tau */
  readonly gradient: Float64Array
  /** - d^2 / d tau_j d tau_k of the same, q x q row-major */
  readonly hessian: Float64Array
}

/** A density over the rows of data, with its q nuisance parameters in free coordinates tau. */
export interface Rows {
  readonly density: Density
  readonly rows: number
  readonly y: Float64Array
  /**
   * sum of log p(y_i | eta_i, tau), plus the log prior of tau with its Jacobian; NaN or -Infinity where a density is 0
   * or undefined
   */
  readonly value: (eta: Float64Array, tau: Float64Array) => number
  readonly expand: (eta: Float64Array, tau: Float64Array) => Expansion
  /** Nuisance parameters by name. */
  readonly named: (tau: ArrayLike<number>) => Readonly<Record<string, number>>
  /** E[y | eta, tau], length n */
  readonly mean: (eta: Float64Array, tau: Float64Array) => Float64Array
  /** The values of the columns that the density reads, on one row. */
  readonly columnsAt: (row: number) => Readonly<Record<string, number>>
}

/** The map from the free coordinate to the parameter, as a term and as a function, and the logarithm of its derivative. */
const free = {
  real: { term: (t: Term.Term) => t, value: (t: number) => t, logJacobian: () => 0 },
  positive: { term: Term.exp, value: Real.exp, logJacobian: (t: number) => t },
  unit: {
    term: (t: Term.Term) => Term.inv(Term.add(Term.exp(Term.neg(t)), 1)),
    value: (t: number) => 1 / (1 + Real.exp(-t)),
    logJacobian: (t: number) => -Math.abs(t) - 2 * Real.log1p(Real.exp(-Math.abs(t))),
  },
} as const

/** The step of central differences of a log prior in its free coordinate, which has no unit. */
const step = 1e-3

/** log prior of a nuisance parameter in its free coordinate, and its first two derivatives, by central differences. */
const priorOf = ({ prior, support }: Nuisance): ((t: number) => readonly [number, number, number]) => {
  if (prior === undefined) return () => [0, 0, 0]
  const { value, logJacobian } = free[support]
  const log = (t: number): number => Dist.logDensity(prior, value(t)) + logJacobian(t)
  return (t) => {
    const [below, at, above] = [log(t - step), log(t), log(t + step)]
    return [at, (above - below) / (2 * step), (above - 2 * at + below) / step ** 2]
  }
}

/**
 * Checks that data have the columns of a density, and that y lies in its support: no fit is made.
 *
 * Fails with a `CompileError` that names the column that the data lack, or the row whose y lies outside of the support.
 */
export const check = (density: Density, data: Dataset): Effect.Effect<void, CompileError> =>
  Effect.suspend(() => {
    const { name, support } = density
    const missing = density.columns.find((column) => !data.features.includes(column))
    if (missing !== undefined)
      return fail(
        `the likelihood "${name}" reads the column "${missing}", but the data have ${data.features.map((f) => `"${f}"`).join(", ")}; add the column to the data`,
      )
    const wrong = data.y.findIndex((value) => !holds(support, value))
    if (wrong >= 0)
      return fail(
        `the likelihood "${name}" needs a response that is ${describe(support)}, but row ${wrong + 1} has ${data.y[wrong]}; correct the row, or choose another likelihood`,
      )
    return Effect.void
  })

/** Binds a density to data. Fails as `check` does. */
export const make = (density: Density, data: Dataset): Effect.Effect<Rows, CompileError> =>
  Effect.map(check(density, data), () => bind(density, data, density.nuisance.map(priorOf)))

const fail = (message: string): Effect.Effect<never, CompileError> =>
  Effect.fail(new CompileError({ message }))

const bind = (density: Density, data: Dataset, priors: ReadonlyArray<ReturnType<typeof priorOf>>): Rows => {
  const { nuisance } = density
  const { rows, y } = data
  const taus = nuisance.map((_, j) => `tau${j}`)
  const inFree = Object.fromEntries(
    nuisance.map(({ name, support }, j) => [name, free[support].term(Term.variable(taus[j]!))]),
  )
  const log = Term.substitute(density.logDensity, (name) => inFree[name] ?? Term.variable(name))
  const variables = ["y", "eta", ...density.columns, ...taus]
  const own = density.columns.map((column) => data.columns[data.features.indexOf(column)]!)
  /** the value of each nuisance coordinate, repeated on all rows */
  const spread = taus.map(() => new Float64Array(rows))
  const compiled = (term: Term.Term): ((eta: Float64Array) => Float64Array) => {
    const run = compileColumn(term, variables)
    return (eta) => {
      const out = new Float64Array(rows)
      run([y, eta, ...own, ...spread], out)
      return out
    }
  }
  const by = (term: Term.Term, name: string): Term.Term => Term.derivative(term, name)
  const score = by(log, "eta")
  const first = taus.map((tau) => by(log, tau))
  const run = {
    value: compiled(log),
    score: compiled(score),
    curvature: compiled(Term.neg(by(score, "eta"))),
    cross: taus.map((tau) => compiled(Term.neg(by(score, tau)))),
    gradient: first.map(compiled),
    hessian: first.map((one, j) =>
      taus.map((tau, k) => (k > j ? undefined : compiled(Term.neg(by(one, tau))))),
    ),
    mean: compiled(Term.substitute(density.mean, (name) => inFree[name] ?? Term.variable(name))),
  }
  const fill = (tau: Float64Array): void => spread.forEach((column, j) => column.fill(tau[j]!))
  const prior = (tau: Float64Array): number => priors.reduce((sum, one, j) => sum + one(tau[j]!)[0], 0)
  return {
    density,
    rows,
    y,
    value: (eta, tau) => {
      fill(tau)
      return total(run.value(eta)) + prior(tau)
    },
    expand: (eta, tau) => {
      fill(tau)
      const of = priors.map((one, j) => one(tau[j]!))
      const q = taus.length
      const hessian = new Float64Array(q * q)
      run.hessian.forEach((row, j) =>
        row.forEach((one, k) => {
          if (one === undefined) return
          hessian[j * q + k] = hessian[k * q + j] = total(one(eta)) - (j === k ? of[j]![2] : 0)
        }),
      )
      return {
        value: total(run.value(eta)) + of.reduce((sum, [value]) => sum + value, 0),
        score: run.score(eta),
        curvature: run.curvature(eta),
        cross: run.cross.map((one) => one(eta)),
        gradient: Float64Array.from(run.gradient, (one, j) => total(one(eta)) + of[j]![1]),
        hessian,
      }
    },
    named: (tau) =>
      Object.fromEntries(nuisance.map(({ name, support }, j) => [name, free[support].value(tau[j]!)])),
    mean: (eta, tau) => {
      fill(tau)
      return run.mean(eta)
    },
    columnsAt: (row) => Object.fromEntries(density.columns.map((column, k) => [column, own[k]![row]!])),
  }
}

const total = (values: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]!
  return sum
}
