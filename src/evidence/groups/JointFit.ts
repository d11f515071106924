import * as Cholesky from "../../numeric/cholesky.ts"
import * as GaussNewton from "../../numeric/GaussNewton.ts"
import { dot } from "../../numeric/orthogonal.ts"
import * as Real from "../../numeric/Real.ts"
import type * as GPrior from "../gPrior.ts"
import type { GroupedLaw, Point as GroupPoint } from "./GroupedLaw.ts"
import * as Roles from "./Role.ts"

/** A law over groups at the mode of its numbers. */
export interface Joint {
  /** for each group its rows at its d numbers */
  readonly points: ReadonlyArray<GroupPoint>
  /** the value of each number: that of all groups, or the mean of the groups' */
  readonly means: Float64Array
  readonly rss: number
  /** rss plus the squared distances of the groups' numbers from their means, in units of sigma^2 */
  readonly loss: number
  /** Covariances in units of sigma^2: of `means`, and of each group's numbers, d x d each, row-major; 0 of exact numbers. */
  readonly covariance: () => { readonly means: Float64Array; readonly groups: ReadonlyArray<Float64Array> }
}

/** Standard errors in units of sigma, length d: roots of the diagonal of a covariance. */
export const errors = (covariance: Float64Array): Float64Array => {
  const count = Math.sqrt(covariance.length)
  return Float64Array.from({ length: count }, (_, j) => Math.sqrt(covariance[j * (count + 1)]!))
}

type Point = Pick<Joint, "points" | "means" | "rss" | "loss">

/** The normal equations of one group: J'J and J'r over all d numbers. */
interface Normal {
  readonly square: ReadonlyArray<Float64Array>
  readonly gradient: Float64Array
}

/**
 * Whether a fit of n rows is the mode of its linearised law: the evidence is that of the linearised law, which is far above the law's own where the
 * steps ended in a valley. The log likelihood may be one nat short.
 *
 * @param loss the sum of squares
 * @param promised that of the linearised law at its mode
 */
export const isMode = (
  loss: number,
  promised: number,
  { rows, rounding }: Pick<GPrior.Target, "rows" | "rounding">,
): boolean => (rows / 2) * Real.log((loss + rounding) / (promised + rounding)) <= 1

const rule: GaussNewton.Rule<Point> = { most: 40, damping: 1e-6, enough: ({ loss }) => 1e-13 * loss }

/**
 * The mode of the numbers given their spreads, by damped Gauss-Newton steps. A group's numbers are coupled through the means
 * and the shared numbers alone, so that a step solves one small system for each group, and one for the shared numbers.
 *
 * @param weights sigma^2 / tau_j^2 of the numbers that vary, length d
 * @param start each group's numbers, of length d
 * @returns undefined where the law is not finite at the start, or the steps did not come to a mode
 */
export const fit = (
  law: GroupedLaw,
  roles: ReadonlyArray<Roles.Role>,
  weights: Float64Array,
  start: ReadonlyArray<Float64Array>,
): Joint | undefined => {
  const { groups } = law
  const varying = Roles.varying(roles)
  const common = roles.flatMap(({ _tag }, j) => (_tag === "Exact" ? [] : [j]))
  const [p, m] = [varying.length, common.length]
  const first = groups * p

  const at = (x: Float64Array): Point | undefined => {
    const means = Float64Array.from(roles, (role) => Roles.valueOf(role) ?? 0)
    common.forEach((j, k) => {
      means[j] = x[first + k]!
    })
    const points: Array<GroupPoint> = []
    let [rss, away] = [0, 0]
    for (let group = 0; group < groups; group++) {
      const numbers = means.slice()
      varying.forEach((j, k) => {
        numbers[j] = x[group * p + k]!
        away += weights[j]! * (numbers[j] - means[j]!) ** 2
      })
      const point = law.at(group, numbers)
      if (point === undefined) return undefined
      points.push(point)
      rss += point.rss
    }
    return { points, means, rss, loss: rss + away }
  }
  const normalOf = (point: GroupPoint): Normal => {
    const columns = point.columns()
    return {
      square: columns.map((a) => Float64Array.from(columns, (b) => dot(a, b))),
      gradient: Float64Array.from(columns, (column) => dot(column, point.residual)),
    }
  }
  /** The factors of a group's own block, its products with the shared numbers, and the Schur complement of all. */
  const eliminated = (normals: ReadonlyArray<Normal>, damping: number) => {
    const raise = 1 + damping
    const schur = new Float64Array(m * m)
    common.forEach((j, k) => {
      schur[k * m + k] =
        raise *
        normals.reduce(
          (sum, { square }) => sum + (roles[j]!._tag === "Varies" ? weights[j]! : square[j]![j]!),
          0,
        )
    })
    const blocks = normals.map(({ square }) => {
      const own = Float64Array.from(
        varying.flatMap((j) =>
          varying.map((k) => (j === k ? raise * (square[j]![k]! + weights[j]!) : square[j]![k]!)),
        ),
      )
      const cholesky = Cholesky.make(p)
      Cholesky.decompose(own, cholesky)
      const cross = varying.map((j) =>
        Float64Array.from(common, (k) =>
          roles[k]!._tag === "Varies" ? (j === k ? -weights[j]! : 0) : square[j]![k]!,
        ),
      )
      // H^-1 B, one column for each common number
      const solved = common.map((_, k) => {
        const column = Float64Array.from(cross, (row) => row[k]!)
        Cholesky.solve(cholesky, column, column)
        return column
      })
      common.forEach((j, k) =>
        common.forEach((i, l) => {
          const both = roles[j]!._tag === "Shared" && roles[i]!._tag === "Shared"
          if (both && k !== l) schur[k * m + l]! += square[j]![i]!
          for (let row = 0; row < p; row++) schur[k * m + l]! -= cross[row]![k]! * solved[l]![row]!
        }),
      )
      return { cholesky, cross, solved }
    })
    const cholesky = Cholesky.make(m)
    Cholesky.decompose(schur, cholesky)
    return { blocks, cholesky }
  }
  const model = ({ points, means }: Point): GaussNewton.Model => {
    const normals = points.map(normalOf)
    const gradient = new Float64Array(first + m)
    normals.forEach(({ gradient: own }, group) => {
      varying.forEach((j, k) => {
        const pull = weights[j]! * (points[group]!.numbers[j]! - means[j]!)
        gradient[group * p + k] = own[j]! - pull
        gradient[first + common.indexOf(j)]! += pull
      })
      common.forEach((j, k) => {
        if (roles[j]!._tag === "Shared") gradient[first + k]! += own[j]!
      })
    })
    return {
      step: (damping) => {
        const { blocks, cholesky } = eliminated(normals, damping)
        const change = new Float64Array(first + m)
        const right = gradient.slice(first)
        blocks.forEach(({ solved }, group) => {
          common.forEach((_, k) => {
            for (let row = 0; row < p; row++) right[k]! -= solved[k]![row]! * gradient[group * p + row]!
          })
        })
        Cholesky.solve(cholesky, right, right)
        blocks.forEach(({ cholesky: own, cross }, group) => {
          const left = Float64Array.from(cross, (row, k) => gradient[group * p + k]! - dot(row, right))
          Cholesky.solve(own, left, left)
          change.set(left, group * p)
        })
        change.set(right, first)
        return { change, gain: dot(change, gradient) }
      },
    }
  }
  const covarianceAt = ({ points }: Point): ReturnType<Joint["covariance"]> => {
    const { blocks, cholesky } = eliminated(points.map(normalOf), 0)
    const covariance = new Float64Array(m * m)
    Cholesky.invert(cholesky, covariance, new Float64Array(m))
    const d = law.count
    /** L C L' for rows L over the common numbers, in the places of the numbers that are not exact. */
    const spread = (rows: ReadonlyArray<Float64Array>): Float64Array => {
      const out = new Float64Array(d * d)
      const right = rows.map((row) =>
        Float64Array.from(common, (_, l) => dot(row, covariance.subarray(l * m, (l + 1) * m))),
      )
      common.forEach((j, k) =>
        common.forEach((i, l) => {
          out[j * d + i] = dot(rows[k]!, right[l]!)
        }),
      )
      return out
    }
    const unit = common.map((_, k) => new Float64Array(m).with(k, 1))
    const groups = blocks.map(({ cholesky: block, solved }) => {
      const inverse = new Float64Array(p * p)
      Cholesky.invert(block, inverse, new Float64Array(p))
      // A group's own numbers follow the common ones, beside what its rows leave open.
      const own = spread(
        common.map((j, k) => {
          const row = varying.indexOf(j)
          return row < 0 ? unit[k]! : Float64Array.from(solved, (column) => -column[row]!)
        }),
      )
      varying.forEach((j, row) => {
        varying.forEach((i, column) => {
          own[j * d + i]! += inverse[row * p + column]!
        })
      })
      return own
    })
    return { means: spread(unit), groups }
  }

  const x = new Float64Array(first + m)
  start.forEach((numbers, group) => {
    varying.forEach((j, k) => {
      x[group * p + k] = numbers[j]!
    })
    common.forEach((j, k) => {
      x[first + k]! += numbers[j]! / groups
    })
  })
  const minimum = GaussNewton.minimise({ at, loss: ({ loss }) => loss, model }, x, rule)
  if (minimum === undefined) return undefined
  const found = minimum.point
  if (minimum.end !== "converged") {
    const rows = found.points.reduce((sum, { residual }) => sum + residual.length, 0)
    const { gain } = model(found).step(0)
    if (!isMode(found.loss, found.loss - gain, { rows, rounding: 0 })) return undefined
  }
  return { ...found, covariance: () => covarianceAt(found) }
}
