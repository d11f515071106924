import { clamped } from "./clamped.ts"
import { modeOf, type Null } from "./Laplace.ts"
import type { Rows } from "./Rows.ts"
import * as Real from "../../numeric/Real.ts"

/** Initial values of the intercept: the mean of y, and its images under common links. */
const starts = (y: Float64Array): ReadonlyArray<number> => {
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length
  const median = y.toSorted()[y.length >> 1]!
  return [0, mean, median, Real.log(Math.abs(mean)), Real.log(mean / (1 - mean))].filter(Number.isFinite)
}

/** Initial values of a nuisance coordinate: 0, and the logarithms of scales in the data. */
const coordinates = (y: Float64Array): ReadonlyArray<number> => {
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length
  const spread = Math.sqrt(y.reduce((sum, value) => sum + (value - mean) ** 2, 0) / y.length)
  return [0, Real.log(spread), Real.log(spread / Math.abs(mean)), -2, 2].filter(Number.isFinite)
}

/** The fit of the intercept alone; undefined when the density is not finite at any initial value. */
export const nullFit = (of: Rows): Null | undefined => {
  const q = of.density.nuisance.length
  const ones = new Float64Array(of.rows).fill(1)
  const joint = { design: [ones], centre: Float64Array.of(0), precision: Float64Array.of(0) }
  let best: { readonly x: Float64Array; readonly value: number } | undefined
  for (const alpha of starts(of.y)) {
    // Initial nuisance coordinates are chosen one at a time; Newton steps then move all together.
    let tau = new Float64Array(q)
    for (let j = 0; j < q; j++) {
      const options = coordinates(of.y).map((value) => tau.with(j, value))
      const values = options.map((option) =>
        of.value(
          ones.map(() => alpha),
          option,
        ),
      )
      const first = values.reduce(
        (most, value, i) => (value > (values[most] ?? -Infinity) || Number.isNaN(values[most]) ? i : most),
        0,
      )
      tau = options[first]!
    }
    const value = of.value(
      ones.map(() => alpha),
      tau,
    )
    if (Number.isFinite(value) && !(value <= (best?.value ?? -Infinity)))
      best = { x: Float64Array.of(alpha, ...tau), value }
  }
  const mode = best && modeOf(of, joint, best.x, undefined)
  if (mode === undefined) return undefined
  return {
    alpha: mode.x[0]!,
    tau: mode.tau,
    weights: clamped(mode.expansion.curvature),
    value: mode.value,
  }
}
