import * as fs from "node:fs"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { fit, quick, thorough } from "../../../../src/evidence/fitted/formulaFit.ts"
import { roughValues } from "../../../../src/evidence/fitted/roughValues.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import * as Term from "../../../../src/expr/Term.ts"
import * as Rng from "../../../../src/random/Rng.ts"

const term = (text: string): Term.Term => Result.getOrThrow(parse(text))

/** 60 rows of a formula with noise of 1 % of its spread. */
const rows = (text: string, low: number, high: number, numbers: Readonly<Record<string, number>>) => {
  const x = Float64Array.from({ length: 60 }, (_, i) => low + ((high - low) * i) / 59)
  const run = Term.interpret(Term.arithmetic)(term(text))
  const exact = x.map((value) => run((name) => (name === "x" ? value : numbers[name]!)))
  const mean = exact.reduce((sum, value) => sum + value, 0) / 60
  const spread = Math.sqrt(exact.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 60)
  const noise = Rng.normal(Rng.key(1), new Float64Array(60))
  return {
    data: {
      features: ["x"],
      columns: [x],
      target: "y",
      y: exact.map((y, i) => y + 0.01 * spread * noise[i]!),
      rows: 60,
    },
    most: 1.05 * noise.reduce((sum, one) => sum + (0.01 * spread * one) ** 2, 0),
  }
}

describe("the fit of a formula's numbers", () => {
  const formulas = [
    ["a*exp(-(x - b)**2/c)", { a: 0.9, b: 0.55, c: 0.004 }],
    ["a*exp(-(x - b)**2/c) + d*exp(-(x - f)**2/g)", { a: 3, b: 0.26, c: 0.009, d: 2, f: 0.6, g: 0.02 }],
    ["a/(1 + exp(b - c*x))", { a: 70, b: 5, c: 9 }],
    ["a*(1 - exp(-b*x))", { a: 200, b: 6 }],
    ["a*x**n/(k**n + x**n)", { a: 5, n: 3, k: 0.4 }],
    ["a*exp(-k*x)*cos(w*x)", { a: 2, k: 2, w: 21 }],
  ] as const
  it.each(formulas)("is at least as close as its true numbers: %s", (text, numbers) => {
    // In units of the column that make it tiny, and huge.
    for (const unit of [1, 1e-9, 1e9]) {
      const { data, most } = rows(text, 0.01 * unit, unit, scaled(text, numbers, unit))
      const found = fit(term(text), Object.keys(numbers), data)
      expect(found?.rss, `${unit}`).toBeLessThan(most)
    }
  })

  it("is close on all rows of a response over decades, of which the largest alone decides a sum of squares", () => {
    // The current of a diode: charges, voltages of either sign, and temperatures over two decades each make it one of thirty.
    const random = Rng.generator(Rng.key(3))
    const rows = 2000
    const over = (low: number) => Float64Array.from({ length: rows }, () => low * 100 ** random.next())
    const [q, t] = [over(1e-22), over(10)]
    const v = over(0.1).map((value) => (random.next() < 0.5 ? -value : value))
    const b = 7.24e22
    const y = q.map((value, i) => Math.expm1((b * value * v[i]!) / t[i]!) * (1 + 1e-3 * random.normal()))
    const data = { features: ["q", "v", "t"], columns: [q, v, t], target: "y", y, rows }
    const found = fit(term("exp(b*q*v/t) - 1"), ["b"], data)
    expect(Math.abs(found!.values[0]! / b - 1)).toBeLessThan(0.01)
  })

  /** The numbers of the same curve where x has another unit. */
  const scaled = (text: string, numbers: Readonly<Record<string, number>>, unit: number) => {
    const isPeak = text.includes("(x -")
    return Object.fromEntries(
      Object.entries(numbers).map(([name, value]) => {
        const power = isPeak
          ? { b: 1, c: 2, f: 1, g: 2 }[name]
          : text.includes("1 + exp")
            ? { c: -1 }[name]
            : { k: text.includes("k**n") ? 1 : -1, w: -1, b: -1 }[name]
        return [name, value * unit ** (power ?? 0)]
      }),
    )
  }
})

describe("the certified fits of NIST's Statistical Reference Datasets", () => {
  /** A case of bench/laws/sets. */
  interface Case {
    readonly name: string
    readonly formula: string
    readonly target: string
    readonly source: string
    readonly parameters: Readonly<Record<string, number>>
    readonly columns: Readonly<Record<string, ReadonlyArray<number>>>
  }
  const cases = ["measured", "measured-more"].flatMap((set): ReadonlyArray<Case> => {
    const file = new URL(`../../../../bench/laws/sets/${set}.json`, import.meta.url)
    // A file of ours, whose shape the benchmark checks.
    return (JSON.parse(fs.readFileSync(file, "utf8")) as { readonly cases: ReadonlyArray<Case> }).cases
  })
  const certified = cases.filter(({ source }) => source.startsWith("NIST StRD"))

  it("are many", () => expect(certified.length).toBeGreaterThan(20))

  it.each(certified)("$name: no sum of squares is larger", (one) => {
    const features = Object.keys(one.columns).filter((name) => name !== one.target)
    const y = Float64Array.from(one.columns[one.target]!)
    const data = {
      features,
      columns: features.map((name) => Float64Array.from(one.columns[name]!)),
      target: one.target,
      y,
      rows: y.length,
    }
    const names = Object.keys(one.parameters)
    const own = term(one.formula.replaceAll("arctan", "atan"))
    const run = Term.interpret(Term.arithmetic)(own)
    const certain = y.reduce((sum, value, i) => {
      const at = (name: string): number => one.parameters[name] ?? one.columns[name]![i]!
      return sum + (value - run(at)) ** 2
    }, 0)
    const scale = y.reduce((sum, value) => sum + value * value, 0)
    expect(fit(own, names, data)!.rss).toBeLessThan(1.000001 * certain + 1e-18 * scale)
  })
})

describe("a law of Antoine", () => {
  it("is found by the largest of its values, which are over decades and decide the sum of squares", () => {
    const x = Float64Array.from({ length: 19 }, (_, i) => 20 * i)
    const y = x.map((value, i) => Math.exp(17.8 - 6920 / (value + 262.6)) + 0.3 * Math.sin(5 * i))
    const data = { features: ["x"], columns: [x], target: "y", y, rows: 19 }
    const names = ["a", "b", "c"]
    const found = fit(term("exp(a - b/(x + c))"), names, data)
    const near = fit(term("exp(a - b/(x + c))"), names, data, undefined, Float64Array.of(17.8, 6920, 262.6))
    expect(found!.rss).toBeLessThan(1.000001 * near!.rss)
  })
})

describe("a linear number beside a large part", () => {
  it("is found in any unit: of 1e9 times it, as a time since 1970, and of 1e-20 to 1e20", () => {
    for (const large of [1, 1.7e9, 1e12])
      for (const unit of [1e-20, 1, 1e20])
        for (const how of [quick, thorough]) {
          const t = Float64Array.from({ length: 40 }, (_, i) => i / 5)
          const x = t.map((_, i) => unit * large * (1 + 1e-7 * i))
          const a = unit * large * 2e-3
          const y = x.map((value, i) => value + a * Math.exp(-0.7 * t[i]!))
          const data = { features: ["x", "t"], columns: [x, t], target: "y", y, rows: 40 }
          const found = fit(term("x + a*exp(-b*t)"), ["a", "b"], data, undefined, undefined, how)
          expect(found!.values[0]! / a, `${large} ${unit}`).toBeCloseTo(1, 6)
          expect(found!.values[1], `${large} ${unit}`).toBeCloseTo(0.7, 6)
        }
  })
})

describe("a formula with a power of zero", () => {
  it("is fitted: a dose of zero in a four-parameter logistic curve", () => {
    const doses = [0, 0, 0, 0.94, 0.94, 1.88, 1.88, 3.75, 3.75, 7.5, 7.5, 15, 15, 30, 30]
    const y = doses.map((dose, i) => 0.5 + 7.3 / (1 + (dose / 3) ** 3) + 0.1 * Math.sin(7 * i))
    const data = {
      features: ["dose"],
      columns: [Float64Array.from(doses)],
      target: "y",
      y: Float64Array.from(y),
      rows: y.length,
    }
    const found = fit(
      term("low + (high - low)/(1 + (dose/mid)^slope)"),
      ["low", "high", "mid", "slope"],
      data,
    )
    const [low, high, mid, slope] = found!.values
    expect(low).toBeCloseTo(0.5, 0)
    expect(high).toBeCloseTo(7.8, 0)
    expect(mid).toBeCloseTo(3, 0)
    expect(slope).toBeCloseTo(3, 0)
    expect(found!.slopes.flatMap((column) => [...column]).every(Number.isFinite)).toBe(true)
  })
})

describe("rough values", () => {
  const next = (): (() => number) => Rng.generator(Rng.key(3)).next
  const x = Float64Array.from({ length: 40 }, (_, i) => 5000 + i)

  it("put a shift about where the column is, and a factor at the scale of the column", () => {
    const draw = next()
    const draws = Array.from({ length: 400 }, () =>
      roughValues(term("exp(-c*(x - b))"), ["b", "c"], new Map([["x", x]]))(draw),
    )
    const near = draws.filter((one) => one.get("b")! >= 4995 && one.get("b")! <= 5044)
    expect(near.length).toBeGreaterThan(150)
    for (const one of near) {
      const reach = Math.max(Math.abs(5000 - one.get("b")!), Math.abs(5039 - one.get("b")!))
      expect(Math.abs(one.get("c")!) * reach).toBeGreaterThan(0.09)
      expect(Math.abs(one.get("c")!) * reach).toBeLessThan(32)
    }
  })

  it("have one value for a number that stands twice, and a value for one that stands alone", () => {
    const values = roughValues(term("k/(k + x)"), ["k", "other"], new Map([["x", x]]))(next())
    expect([...values.keys()]).toEqual(["k", "other"])
    expect(roughValues(term("k"), ["k"], new Map([["x", x]]))(next()).get("k")).toBe(1)
    expect([...values.values()].every(Number.isFinite)).toBe(true)
  })
})
