// Numbers that outputs share: their fit, and their covariance.
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { Dataset } from "../../../../src/data/Data.ts"
import * as FittedLaw from "../../../../src/evidence/fitted/FittedLaw.ts"
import * as SharedFit from "../../../../src/evidence/fitted/sharedFit.ts"
import * as SharedLaw from "../../../../src/evidence/fitted/SharedLaw.ts"
import { additive } from "../../../../src/evidence/Noise.ts"
import * as Output from "../../../../src/evidence/Output.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import { leastSquares } from "../../../../src/numeric/leastSquares.ts"
import * as Rng from "../../../../src/random/Rng.ts"

const term = (text: string) => Result.getOrThrow(parse(text))
const random = Rng.generator(Rng.key(11))
const rows = 60
const t = Float64Array.from({ length: rows }, () => 4 * random.next())
const sizes = Float64Array.from({ length: rows }, (_, i) => (i % 3 === 0 ? 3 : 1))
const data = (target: string, of: (t: number, i: number) => number): Dataset => ({
  features: ["t", "size"],
  columns: [t, sizes],
  target,
  y: t.map(of),
  rows,
})
const output = (one: Dataset, error?: string) =>
  Effect.runSync(Output.make(one, { error, weights: undefined }))
const height = data("height", (x) => 2 * x - 0.5 * x * x + 0.4 * random.normal())
const speed = data("speed", (x) => 2 - x + 0.03 * random.normal())
const formulas = [term("a*t + b*t^2"), term("a + 2*b*t")]
const names = ["a", "b"]
const start = Float64Array.of(1, 1)

/** Columns of outputs below each other, each over its scale. */
const stacked = (columns: ReadonlyArray<Float64Array>, scales: ReadonlyArray<number>): Float64Array =>
  Float64Array.from(columns.flatMap((column, k) => Array.from(column, (value) => value / scales[k]!)))

describe("numbers that outputs share", () => {
  const outputs = [output(height), output(speed)]
  const fit = SharedFit.fit(outputs, formulas, names, start)!

  it("are those of weighted least squares with the scales of their own residuals", () => {
    const scales = fit.rss.map((rss) => Math.sqrt(rss / rows))
    const design = [
      stacked([t, t.map(() => 1)], scales),
      stacked([t.map((x) => x * x), t.map((x) => 2 * x)], scales),
    ]
    const { coefficients } = leastSquares(design, stacked([height.y, speed.y], scales))
    fit.values.forEach((value, j) => expect(value).toBeCloseTo(coefficients[j]!, 6))
    // Of the scales as well: a step in any number raises sum n log rss.
    const objective = (a: number, b: number): number => {
      const of = (one: Dataset, law: (x: number) => number): number =>
        one.y.reduce((sum, y, i) => sum + (y - law(t[i]!)) ** 2, 0)
      return Math.log(of(height, (x) => a * x + b * x * x)) + Math.log(of(speed, (x) => a + 2 * b * x))
    }
    const [a = 0, b = 0] = fit.values
    for (const [da, db] of [
      [1e-3, 0],
      [-1e-3, 0],
      [0, 1e-3],
      [0, -1e-3],
    ] as const)
      expect(objective(a + da, b + db)).toBeGreaterThan(objective(a, b))
  })

  it("have the covariance of all outputs together", () => {
    const laws = SharedLaw.make(outputs, { formulas, names, values: fit.values })
    const [one, two] = laws.map(({ law }) => law)
    expect(one!.covariance).toEqual(two!.covariance)
    const design = [
      stacked([t, t.map(() => 1)], [one!.sigma, two!.sigma]),
      stacked([t.map((x) => x * x), t.map((x) => 2 * x)], [one!.sigma, two!.sigma]),
    ]
    FittedLaw.covariance(design, 1).forEach((value, k) =>
      expect(one!.covariance[k]! / value).toBeCloseTo(1, 9),
    )
    // The speed determines nearly both numbers; together the outputs have two.
    const determined = laws.map(({ leverages }) => leverages.reduce((sum, value) => sum + value, 0))
    expect(determined[0]! + determined[1]!).toBeCloseTo(2, 9)
    expect(determined[1]!).toBeGreaterThan(1.9)
    laws.forEach(({ law }, k) => {
      expect(law.freedom).toBeCloseTo(rows - determined[k]!, 3)
      expect(law.sigma ** 2).toBeCloseTo(fit.rss[k]! / law.freedom, 6)
    })
  })

  it("are those of one weighted fit where there is one output", () => {
    const one = output(height, "size")
    const single = SharedFit.fit([one], [formulas[0]!], names, start)!
    const [shared] = SharedLaw.make([one], { formulas: [formulas[0]!], names, values: single.values })
    const by = sizes.map((size) => 1 / size)
    const expected = FittedLaw.make({ formula: formulas[0]!, names, values: single.values }, height, {
      noise: additive,
      by,
    })
    // Weights are known up to a factor, which the scale has.
    const errors = FittedLaw.errors(shared!.law)
    FittedLaw.errors(expected).forEach((error, j) => expect(errors[j]! / error).toBeCloseTo(1, 6))
    expect(shared!.law.freedom).toBeCloseTo(expected.freedom, 6)
  })

  it("are held, and no numbers of the law, where the rows do not tell them apart", () => {
    const formula = term("a*b*t + c")
    const one = output(height)
    const single = SharedFit.fit([one], [formula], ["a", "b", "c"], Float64Array.of(1, 2, 0.5))!
    const [shared] = SharedLaw.make([one], {
      formulas: [formula],
      names: ["a", "b", "c"],
      values: single.values,
    })
    expect(shared!.law.names).toHaveLength(2)
    expect(FittedLaw.errors(shared!.law).every(Number.isFinite)).toBe(true)
    expect(shared!.law.freedom).toBeCloseTo(rows - 2, 9)
  })

  it("are none where a formula is not finite at the start", () => {
    expect(SharedFit.fit(outputs, [term("log(0 - a)*t"), formulas[1]!], names, start)).toBeUndefined()
  })

  it("have standard errors in another form of the law, too", () => {
    const laws = SharedLaw.make(outputs, { formulas, names, values: fit.values })
    // height = 2 (a/2) t + b t^2: the error of a/2 is half of that of a.
    const slopes = [t.map((x) => 2 * x), t.map((x) => x * x)]
    const [half, b] = SharedLaw.errorsOf(slopes, laws[0]!, outputs[0]!)
    const errors = FittedLaw.errors(laws[0]!.law)
    expect(half! / errors[0]!).toBeCloseTo(0.5, 6)
    expect(b! / errors[1]!).toBeCloseTo(1, 6)
    expect(SharedLaw.errorsOf([t, t], laws[0]!, outputs[0]!)[0]).toBe(Infinity)
  })
})

describe("the evidence of outputs", () => {
  it("is a density of the outputs in their units", () => {
    const rss = [3, 0.1]
    const tripled = { ...speed, y: speed.y.map((value) => 3 * value) }
    const [one, other] = [
      [output(height), output(speed)],
      [output(height), output(tripled)],
    ]
    expect(Output.logEvidence(other, 2, [3, 0.9]) - Output.logEvidence(one, 2, rss)).toBeCloseTo(
      -rows * Math.log(3),
      6,
    )
  })

  it("does not depend on the unit of weights, and knows the sizes of errors", () => {
    const doubled = { ...height, columns: [t, sizes.map((size) => 2 * size)] }
    const [one, other] = [output(height, "size"), output(doubled, "size")]
    expect(Output.counted(one)).toBe(rows)
    // Squares over other errors: the same law, the same evidence.
    const rss = 7
    expect(Output.logEvidence([other], 2, [(rss * other.target.tss) / one.target.tss])).toBeCloseTo(
      Output.logEvidence([one], 2, [rss]),
      6,
    )
  })
})
