import { describe, expect, it } from "vitest"
import * as Exact from "../../../../src/evidence/exact/Exact.ts"
import type * as GroupedLaw from "../../../../src/evidence/groups/GroupedLaw.ts"
import * as JointFit from "../../../../src/evidence/groups/JointFit.ts"
import * as Role from "../../../../src/evidence/groups/Role.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { linear } from "../../../support/groups.ts"

const [groups, each] = [3, 7]
const normal = Rng.normal(Rng.key(9), new Float64Array(4 * groups * each))
let next = 0
const columns = Array.from({ length: groups }, () =>
  [0, 1, 2].map(() => Float64Array.from({ length: each }, () => normal[next++]!)),
)
const y = columns.map(([a, b]) => a!.map((value, i) => value - 2 * b![i]! + normal[next++]!))

/** The first number varies, the second is shared, the third is exact. */
const roles = [Role.varies, Role.shared, Role.exactly(Exact.one)]
const weights = Float64Array.of(1.7, 0, 0)

const fitted = (law: GroupedLaw.GroupedLaw): JointFit.Joint =>
  JointFit.fit(
    law,
    roles,
    weights,
    columns.map(() => new Float64Array(3)),
  )!

describe("JointFit", () => {
  const joint = fitted(linear(columns, y))

  it("has the residuals of rows that are left out by their leverages", () => {
    const { groups: covariances } = joint.covariance()
    for (let g = 0; g < groups; g++)
      for (let i = 0; i < each; i++) {
        const x = columns[g]!.map((column) => column[i]!)
        let leverage = 0
        for (let j = 0; j < 3; j++)
          for (let k = 0; k < 3; k++) leverage += x[j]! * covariances[g]![3 * j + k]! * x[k]!
        const without = (column: Float64Array): Float64Array => column.filter((_, row) => row !== i)
        const [list, all]: [Array<ReadonlyArray<Float64Array>>, Array<Float64Array>] = [[...columns], [...y]]
        const rest = fitted(linear(list.with(g, columns[g]!.map(without)), all.with(g, without(y[g]!))))
        const left = rest.points[g]!.numbers.reduce((out, value, j) => out - value * x[j]!, y[g]![i]!)
        expect(joint.points[g]!.residual[i]! / (1 - leverage)).toBeCloseTo(left, 8)
      }
  })

  it("has the covariance of the means by the inverse of the whole matrix", () => {
    // Unknowns: the three groups' first numbers, their mean, and the shared number.
    const size = groups + 2
    const matrix: Array<Float64Array> = Array.from({ length: size }, (_, i) =>
      Float64Array.from({ length: 2 * size }, (_unused, j) => (j === size + i ? 1 : 0)),
    )
    columns.forEach(([a, b], g) => {
      const dot = (u: Float64Array, v: Float64Array): number =>
        u.reduce((sum, value, i) => sum + value * v[i]!, 0)
      matrix[g]![g]! += dot(a!, a!) + weights[0]!
      matrix[g]![groups]! -= weights[0]!
      matrix[groups]![g]! -= weights[0]!
      matrix[groups]![groups]! += weights[0]!
      matrix[g]![groups + 1]! += dot(a!, b!)
      matrix[groups + 1]![g]! += dot(a!, b!)
      matrix[groups + 1]![groups + 1]! += dot(b!, b!)
    })
    for (let k = 0; k < size; k++) {
      const pivot = matrix[k]![k]!
      matrix[k] = matrix[k]!.map((value) => value / pivot)
      for (let i = 0; i < size; i++) {
        const factor = matrix[i]![k]!
        if (i !== k) matrix[i] = matrix[i]!.map((value, j) => value - factor * matrix[k]![j]!)
      }
    }
    const { means } = joint.covariance()
    const [mu, shared] = [groups, groups + 1]
    expect(means[0]).toBeCloseTo(matrix[mu]![size + mu]!, 10)
    expect(means[1]).toBeCloseTo(matrix[mu]![size + shared]!, 10)
    expect(means[4]).toBeCloseTo(matrix[shared]![size + shared]!, 10)
    expect(means[8]).toBe(0)
    expect(JointFit.errors(means)[1]).toBeCloseTo(Math.sqrt(matrix[shared]![size + shared]!), 10)
  })

  it("has no mode in a valley without end, as that of an exponential through points of a line", () => {
    const t = Float64Array.from({ length: 12 }, (_, i) => i)
    /** a + b exp(c t) on rows of another law: through points of a line, the larger a and b, the better. */
    const fittedTo = (bend: number): JointFit.Joint | undefined => {
      const at: GroupedLaw.GroupedLaw["at"] = (group, numbers) => {
        const [a, b, c] = [numbers[0]!, numbers[1]!, numbers[2]!]
        const powers = t.map((time) => Math.exp(c * time))
        const residual = t.map(
          (time, i) => (group + 2) * time + 4 + bend * Math.exp(0.1 * group * time) - a - b * powers[i]!,
        )
        const rss = residual.reduce((sum, value) => sum + value * value, 0)
        const derivatives = [t.map(() => 1), powers, t.map((time, i) => b * time * powers[i]!)]
        return Number.isFinite(rss) ? { numbers, residual, rss, columns: () => derivatives } : undefined
      }
      return JointFit.fit(
        { ...linear(columns, y), at },
        [Role.varies, Role.varies, Role.varies],
        Float64Array.of(1e-3, 1e-3, 1e3),
        [0, 1, 2].map((group) => Float64Array.of(-10, 10, (group + 2) / 10)),
      )
    }
    expect(fittedTo(0)).toBeUndefined()
    expect(fittedTo(30)).toBeDefined()
  })
})
