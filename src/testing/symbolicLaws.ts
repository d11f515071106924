import * as Nd from "../numeric/Nd.ts"
import * as Real from "../numeric/Real.ts"
import type * as Dist from "../prob/Dist.ts"
import type { Moments } from "../prob/Moments.ts"
import { divergence } from "../vi/factor/divergence.ts"
import { near, type Verdict } from "./Verdict.ts"

/**
 * The laws of symbolic forms: the form over an algebra equals the density, and the cross entropy from moments equals
 * the mean of -log p over a q of two draws.
 */
export const symbolic = (dist: Dist.Dist, draws: Float64Array): ReadonlyArray<Verdict> => {
  const { lifted, support } = dist
  if (lifted === undefined || support === "coefficients") return []
  const pair = [0, 1].map((i) => Array.from(draws.subarray(i * dist.size, (i + 1) * dist.size)))
  const values = pair.map((x) =>
    support === "categorical"
      ? Nd.vector(Array.from({ length: dist.axis }, (_, k) => (k === x[0] ? 1 : 0)))
      : support === "simplex"
        ? Nd.vector(x)
        : Nd.scalar(x[0]!),
  )
  const parameters = Object.fromEntries(
    Object.entries(dist.parameters).map(([name, value]) => [
      name,
      typeof value === "number" ? Nd.scalar(value) : Nd.vector(value),
    ]),
  )
  const logs = pair.map((x) => dist.logDensity(x))
  const found = values.map((x) => Nd.toNumber(lifted.logDensity(Nd.algebra)(x, parameters)))
  const scale = 1 + Math.abs(logs[0]!) + Math.abs(logs[1]!)
  const over = (f: (x: number) => number): Nd.Nd =>
    Nd.map(values.map((x) => Nd.map(x, f)).reduce(Nd.algebra.binary.add), (sum) => sum / 2)
  const positive = support === "positive" || support === "unit" || support === "simplex"
  const moments: Moments<Nd.Nd> = {
    mean: over((x) => x),
    square: over((x) => x * x),
    ...(positive && {
      log: over(Real.log),
      logSquare: over((x) => Real.log(x) ** 2),
      inverse: over((x) => 1 / x),
      inverseSquare: over((x) => 1 / (x * x)),
      log1m: over((x) => Real.log1p(-x)),
    }),
  }
  // Families have no sites of coefficients: `dist` has one of the other supports.
  const site = { name: "site", support, shape: [], size: dist.axis, prior: { _tag: "Shared", dist } } as const
  const cross = (): number =>
    Nd.toNumber(
      divergence<Nd.Nd>(
        site,
        {
          A: Nd.algebra,
          constant: (array, shape) => Nd.of(shape, array),
          parent: () => moments,
          draws: undefined,
        },
        { moments, entropy: Nd.scalar(0) },
      ),
    )
  return [
    near("the form over an algebra is the log density", found[0]!, logs[0]!, 1e-4 * scale),
    ...(lifted.crossEntropy === undefined
      ? []
      : [near("the cross entropy is -E[log p(X)]", cross(), -(logs[0]! + logs[1]!) / 2, 1e-4 * scale)]),
  ]
}
