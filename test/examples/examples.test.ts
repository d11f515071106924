// The examples, run as users run them, on the backend that `auto` picks.
import { describe, expect, test, vi } from "vitest"
import { diagnose } from "../support/compile.ts"
import { lines, printed } from "../support/example.ts"

// As long as a child process may take.
vi.setConfig({ testTimeout: 120_000 })

describe("01_fit_a_table", () => {
  test("finds Kepler's third law and predicts a body outside of the table", async () => {
    const output = await printed("01_fit_a_table.ts")
    expect(lines(output)[1]).toMatch(/period = .*semi_major_axis\^1\.5/)
    expect(output).toMatch(/^for SymPy: {2}0\.999\d+\*/m)
    expect(output).toMatch(/^the period of Halley's comet: {2}75\.\d years$/m)
  })
})

describe("02_your_own_operator", () => {
  test("prints what follows from the term, and finds the law that uses it", async () => {
    const output = await printed("02_your_own_operator.ts")
    expect(output).toContain("gauss(x)      exp(-x^2)")
    expect(output).toContain("its slope     -2*x*exp(-x^2)")
    expect(output).toContain("for SymPy     exp(-x**2)")
    const [, best] = /\n\n(.*)/.exec(output) ?? []
    expect(best).toMatch(/y = (2\.9\d|3\.0\d|3)\*gauss\(x0\)\*sin\(x1\)/)
  })

  test("a grammar cannot forbid an operator that it does not have", () => {
    const errors = diagnose({
      unknown: `
        import * as Grammar from "vasst/prob/Grammar"
        import * as Operator from "vasst/expr/Operator"
        Grammar.make({ features: ["x0"], operators: [Operator.mul, Operator.sin] })
          .pipe(Grammar.forbid({ inside: "sin", operator: "cos" }))`,
    })
    expect(errors.unknown[0]?.text).toContain(`the grammar has no operator \\"cos\\"`)
  })
})

describe("03_the_model_written_out", () => {
  test("takes all its steps and ranks the law first", async () => {
    const output = await printed("03_the_model_written_out.ts")
    expect(output).toContain("100 steps, stopped by: steps")
    const window = lines(output).slice(2)
    expect(window[0]).toMatch(/y = (5\.[89]|6\.[01])\d*\*cos\(x1\)\*sin\(x0\)/)
    const shares = window.map((line) => Number.parseFloat(line))
    expect(shares.every((share) => share * 10 >= shares[0]!)).toBe(true)
  })
})

test("a model without a family does not run", () => {
  const errors = diagnose({
    without: `
      import * as Effect from "effect/Effect"
      import * as Model from "vasst/prob/Model"
      import * as Dist from "vasst/prob/Dist"
      const model = Model.sample("operatorWeights", Dist.dirichlet.symmetric(3, 1))
      Effect.runPromise(model)`,
  })
  expect(errors.without[0]?.text).toContain(
    `Type 'Site<"operatorWeights", "simplex">' is not assignable to type 'never'`,
  )
})

describe("04_your_own_family", () => {
  test("the factor of one's own saves parameters and trains", async () => {
    const output = await printed("04_your_own_family.ts")
    // K = 3 trees of N = 15 nodes: 45 logits of splits, or 15
    expect(output).toMatch(/^meanField {2}275 parameters/m)
    expect(output).toMatch(/^shared {5}245 parameters/m)
    for (const [, before, after] of output.matchAll(/ELBO (-?\d+) -> (-?\d+)/g))
      expect(Number(after)).toBeGreaterThan(Number(before))
  })

  const model = `
    import * as Grammar from "vasst/prob/Grammar"
    import * as Operator from "vasst/expr/Operator"
    import * as Family from "vasst/vi/Family"
    import * as Vasst from "vasst/models/vasst"
    const model = Vasst.model(Grammar.make({ features: ["x0"], operators: [Operator.mul] }))
    const { dirichlet, bernoulli, categorical } = Family.factors`

  test("a site forgotten or of another support does not compile", () => {
    const errors = diagnose({
      forgotten: `${model}
        Family.make(model)({ operatorWeights: dirichlet(), featureWeights: dirichlet(), "trees.split": bernoulli(), "trees.terminal": categorical() })`,
      wrong: `${model}
        Family.make(model)({ operatorWeights: dirichlet(), featureWeights: dirichlet(), "trees.split": dirichlet(), "trees.operator": categorical(), "trees.terminal": categorical() })`,
    })
    expect(errors.forgotten[0]?.text).toContain(`Property '"trees.operator"' is missing in type`)
    expect(errors.wrong[0]?.text).toContain(`Type '"simplex"' is not assignable to type '"binary"'`)
  })
})

describe("05_look_inside", () => {
  test("what is drawn has the exact posterior, scaled by the mass that was drawn", async () => {
    const output = await printed("05_look_inside.ts")
    expect(output).toContain(
      "trees.split      binary       [1, 7]  1     Bernoulli, each its own  Bernoulli(logit)",
    )
    expect(output).toContain("302 trees, 122 up to the order of operands")
    const mass = Number(/they hold ([\d.]+) %/.exec(output)?.[1]) / 100
    const table = lines(output.slice(output.indexOf("exact  ranked")))
      .slice(1)
      .map((line) => line.trim().split(/ +/))
    expect(table).toHaveLength(8)
    expect(table[0]![3]).toBe("sin(x1)*x0")
    for (const [exact, ranked, times] of table) {
      if (times === "0") expect(ranked).toBe("-")
      else expect(Number(ranked)).toBeCloseTo(Number(exact) / mass, 2)
    }
  })
})

describe("07_find_a_law", () => {
  test("finds Boyle's law, knowing nothing and knowing something", async () => {
    const output = await printed("07_find_a_law.ts")
    const [, first] = output.split("law\n")
    expect(first).toMatch(/^ +0\.\d+ +0\.\d+ {2}pressure = 14\d\d\/volume\n/)
    expect(output).toMatch(/^pressure at 20 spaces: 70\.\d inches/m)
    expect(output).toMatch(/^with less to choose from: pressure = 14\d\d(\/volume|\*\(1\/volume\))$/m)
  })
})

describe("06_steps_as_a_stream", () => {
  test("reports, leaves early, and runs the control", async () => {
    const output = await printed("06_steps_as_a_stream.ts")
    expect(output).toMatch(/^step 25 {2}ELBO -\d+ {2}temperature 0\.99$/m)
    const left = Number(/^left after step (\d+)$/m.exec(output)?.[1])
    expect(left).toBeGreaterThanOrEqual(50)
    expect(left).toBeLessThanOrEqual(300)
    const [untrained, trained] = lines(output).slice(-2)
    expect(untrained).toMatch(/^0 steps {2}LMPSE [\d.]+ {2}y = /)
    expect(trained).toMatch(/^40 steps {2}LMPSE [\d.]+ {2}y = /)
  })
})
