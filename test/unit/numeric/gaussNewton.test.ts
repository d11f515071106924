import { describe, expect, it } from "vitest"
import * as GaussNewton from "../../../src/numeric/GaussNewton.ts"
import cases from "../../fixtures/least-squares.json" with { type: "json" }

type Law = (b: Float64Array, x: number) => { readonly value: number; readonly slopes: ReadonlyArray<number> }

/** The laws of scripts/fixtures/least_squares.py with their derivatives. */
const laws: Readonly<Record<string, Law>> = {
  misra1a: (b, x) => {
    const e = Math.exp(-b[1]! * x)
    return { value: b[0]! * (1 - e), slopes: [1 - e, b[0]! * x * e] }
  },
  exponentials: (b, x) => {
    const [e, f] = [Math.exp(-b[1]! * x), Math.exp(-b[3]! * x)]
    return { value: b[0]! * e + b[2]! * f, slopes: [e, -b[0]! * x * e, f, -b[2]! * x * f] }
  },
  michaelis: (b, x) => {
    const share = x / (b[1]! + x)
    return { value: b[0]! * share, slopes: [share, (-b[0]! * share) / (b[1]! + x)] }
  },
  logistic: (b, x) => {
    const s = 1 / (1 + Math.exp(-b[1]! * (x - b[2]!)))
    const turn = b[0]! * s * (1 - s)
    return { value: b[0]! * s, slopes: [s, turn * (x - b[2]!), -turn * b[1]!] }
  },
  sine: (b, x) => {
    const angle = b[1]! * x + b[2]!
    const turn = b[0]! * Math.cos(angle)
    return { value: b[0]! * Math.sin(angle), slopes: [Math.sin(angle), turn * x, turn] }
  },
  collinear: (b, x) => ({ value: (b[0]! + b[1]!) * x + b[2]! ** 2, slopes: [x, x, 2 * b[2]!] }),
}

interface Point {
  readonly residual: Float64Array
  readonly columns: ReadonlyArray<Float64Array>
  readonly rss: number
}

/** @param unit the unit of y: residuals and derivatives are multiplied by it */
const problem = (
  { law, x, y }: (typeof cases)[number],
  { unit = 1, normal = false }: { readonly unit?: number; readonly normal?: boolean } = {},
): GaussNewton.Problem<Point> => ({
  at: (b) => {
    const found = x.map((value) => laws[law]!(b, value))
    const residual = Float64Array.from(found, ({ value }, i) => unit * (y[i]! - value))
    const columns = Array.from(b, (_, j) => Float64Array.from(found, ({ slopes }) => unit * slopes[j]!))
    const rss = dot(residual, residual)
    return Number.isFinite(rss) ? { residual, columns, rss } : undefined
  },
  loss: ({ rss }) => rss,
  model: ({ columns, residual }) =>
    normal
      ? GaussNewton.normalEquations(
          Float64Array.from(columns, (column) => dot(column, residual)),
          Float64Array.from(columns.flatMap((a) => columns.map((b) => dot(a, b)))),
        )
      : GaussNewton.linearised(columns, residual),
})

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
const tight = { most: 200, enough: ({ rss }: Point) => 1e-22 * rss }

describe("damped Gauss-Newton", () => {
  for (const normal of [false, true])
    it.each(cases)(`finds what SciPy finds: $law from $start, ${normal ? "A and g" : "J and r"}`, (one) => {
      const found = GaussNewton.minimise(problem(one, { normal }), Float64Array.from(one.start), tight)!
      expect(found.end).toBe("converged")
      expect(Math.abs(found.point.rss / one.rss - 1)).toBeLessThan(1e-10)
      if (one.law === "collinear")
        expect(found.x[0]! + found.x[1]!).toBeCloseTo(one.solution[0]! + one.solution[1]!, 7)
      else one.solution.forEach((value, j) => expect(Math.abs(found.x[j]! / value - 1)).toBeLessThan(1e-6))
    })

  it.each(cases)("takes the same path in any unit of y: $law from $start", (one) => {
    const start = Float64Array.from(one.start)
    const plain = GaussNewton.minimise(problem(one), start, tight)!
    for (const unit of [2 ** -100, 2 ** 100])
      expect(GaussNewton.minimise(problem(one, { unit }), start, tight)).toMatchObject({
        x: plain.x,
        evaluations: plain.evaluations,
        end: plain.end,
      })
    for (const unit of [1e-30, 1e30]) {
      const found = GaussNewton.minimise(problem(one, { unit }), start, tight)!
      expect(Math.abs(found.point.rss / unit / unit / plain.point.rss - 1)).toBeLessThan(1e-10)
    }
  })

  it("takes the same path in any unit of x", () => {
    const [one] = cases
    const ours = problem(one!)
    const units = [2 ** 90, 2 ** -90]
    const scaled: GaussNewton.Problem<Point> = {
      at: (b) => ours.at(b.map((value, j) => value / units[j]!)),
      loss: ours.loss,
      model: ({ columns, residual }) =>
        GaussNewton.linearised(
          columns.map((column, j) => column.map((value) => value / units[j]!)),
          residual,
        ),
    }
    const plain = GaussNewton.minimise(ours, Float64Array.from(one!.start), tight)!
    const found = GaussNewton.minimise(
      scaled,
      Float64Array.from(one!.start, (value, j) => value * units[j]!),
      tight,
    )!
    expect(found.evaluations).toBe(plain.evaluations)
    expect(found.x.map((value, j) => value / units[j]!)).toEqual(plain.x)
  })

  it("solves a linear problem in one step, exactly", () => {
    const columns = [Float64Array.of(1, 1, 1, 1), Float64Array.of(0, 1, 2, 3)]
    const y = Float64Array.of(1, 3, 5, 7)
    const linear: GaussNewton.Problem<Float64Array> = {
      at: (b) => y.map((value, i) => value - b[0]! - b[1]! * columns[1]![i]!),
      loss: (r) => dot(r, r),
      model: (r) => GaussNewton.linearised(columns, r),
    }
    const found = GaussNewton.minimise(linear, Float64Array.of(0, 0), { most: 10, enough: () => 1e-20 })!
    expect(found.evaluations).toBe(1)
    expect(found.x[0]).toBeCloseTo(1, 12)
    expect(found.x[1]).toBeCloseTo(2, 12)
  })

  it("stays in the allowed region, and finds the minimum near its border", () => {
    // (log b)^2 from afar: an undamped step lands below zero, where there is no point.
    const asked: Array<number> = []
    const found = GaussNewton.minimise<number>(
      {
        at: (b) => {
          asked.push(b[0]!)
          return b[0]! > 0 ? b[0]! : undefined
        },
        loss: (b) => Math.log(b) ** 2,
        model: (b) => GaussNewton.linearised([Float64Array.of(1 / b)], Float64Array.of(-Math.log(b))),
      },
      Float64Array.of(20),
      { most: 100, enough: () => 1e-24 },
    )!
    expect(asked.some((b) => b <= 0)).toBe(true)
    expect(found.x[0]).toBeCloseTo(1, 10)
    expect(found.end).toBe("converged")
  })

  it("says why it ended", () => {
    const square: GaussNewton.Problem<number> = {
      at: (b) => b[0]!,
      loss: (b) => (b - 3) ** 4,
      model: (b) => GaussNewton.linearised([Float64Array.of(2 * (b - 3))], Float64Array.of(-((b - 3) ** 2))),
    }
    const start = Float64Array.of(1)
    expect(GaussNewton.minimise(square, start, { most: 3, enough: () => 0 })).toMatchObject({
      end: "spent",
      evaluations: 3,
    })
    // A slope of the wrong sign: no damping helps.
    const wrong = {
      ...square,
      model: () => GaussNewton.normalEquations(Float64Array.of(-1), Float64Array.of(1)),
    }
    expect(GaussNewton.minimise(wrong, start, { most: 100, enough: () => 0 })).toMatchObject({
      end: "stalled",
      x: start,
    })
    expect(
      GaussNewton.minimise({ ...square, at: () => undefined }, start, { most: 3, enough: () => 0 }),
    ).toBe(undefined)
  })

  it("tells its rule the number of points that are left, by which a loss out of reach is given up", () => {
    // Each step gains a quarter of the way: losses are 2^-4k of 16.
    const quartic = {
      at: (b: Float64Array) => b[0]!,
      loss: (b: number) => (b - 3) ** 4,
      model: (b: number) =>
        GaussNewton.linearised([Float64Array.of(2 * (b - 3))], Float64Array.of(-((b - 3) ** 2))),
    }
    const lefts: Array<number> = []
    const minimise = (most: number, wanted: number): GaussNewton.Minimum<number> =>
      GaussNewton.minimise(quartic, Float64Array.of(1), {
        most,
        enough: (b, left) => {
          lefts.push(left)
          return ((b - 3) ** 4 - wanted) / left
        },
      })!
    expect(minimise(4, -1000)).toMatchObject({ end: "converged", evaluations: 0 })
    expect(minimise(4, 1)).toMatchObject({ end: "spent", evaluations: 4 })
    expect(lefts).toEqual([4, 4, 3, 2, 1, 1])
  })

  it("gives the rank of columns, and steps that dependent columns do not spoil", () => {
    const [a, b] = [Float64Array.of(1, 2, 3, 5), Float64Array.of(1, 0, 2, 1)]
    const sum = a.map((value, i) => value + b[i]!)
    const zeros = new Float64Array(4)
    const y = Float64Array.of(1, -1, 2, 0.5)
    const model = GaussNewton.linearised([a, b, sum, zeros], y)
    expect(model.rank()).toBe(2)
    expect(GaussNewton.linearised([a, b], y).rank()).toBe(2)
    const best = GaussNewton.linearised([a, b], y).step(0)
    expect(model.step(0).gain).toBeCloseTo(best.gain, 12)
    for (const damping of [1e-9, 1e-7, 1e-3, 10]) {
      const { change } = model.step(damping)
      expect(change.every(Number.isFinite)).toBe(true)
      // (A + damping diag A) u = J'r
      const columns = [a, b, sum, zeros]
      columns.forEach((column) => {
        const fitted = y.map((_, i) => columns.reduce((value, other, k) => value + change[k]! * other[i]!, 0))
        const own = change[columns.indexOf(column)]!
        expect(dot(column, fitted) + damping * own * dot(column, column)).toBeCloseTo(dot(column, y), 6)
      })
    }
  })
})
