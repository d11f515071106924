import { describe, expect, it } from "vitest"
import { figuresPage } from "../../../bench/laws/figuresPage.ts"
import { gallery } from "../../../bench/laws/gallery.ts"
import { picture } from "../../../bench/laws/picture.ts"
import type { Answer, Run, Verdict } from "../../../bench/laws/record.ts"
import { caseOf, isMeasured, setOf } from "../../../bench/laws/sets.ts"
import { code, probability, readable, termOf } from "../../../bench/laws/texts.ts"
import { svg } from "../../../bench/harness/chart.ts"
import { scalarFunction } from "../../../src/expr/evaluate.ts"

// What the pages say of runs.

const answer = (expression: string, p: number | null, kind: Verdict["kind"]): Answer => ({
  expression,
  probability: p,
  verdict: { law: kind === "law", kind, reason: "" },
})

const run = (change: Partial<Run>): Run => ({
  set: "measured",
  solver: "vasst",
  case: "DanWood",
  noise: 0,
  seed: 1,
  cores: 1,
  budget: 5,
  answers: [
    answer("(2.104151336324 - sqrt(2*pi)*cos(Symbol('x')))**2", 0.6, "other"),
    answer("0.7688622*Symbol('x')**3.8604", 0.3, "law"),
    answer("0.72*(Symbol('x')**2)**2", 0.01, "special"),
  ],
  wall: 4.25,
  seconds: 3,
  cpu: 3,
  hit: 1,
  stop: "converged",
  by: "here",
  ...change,
})

describe("texts", () => {
  it("have names without quotes, and numbers to a few digits", () => {
    expect(readable("212.681377046*Symbol('conc')**2 + 0.000004624549961373 - 36*x1")).toBe(
      "212.68*conc**2 + 0.0000046245 - 36*x1",
    )
    expect(code("a|b")).toBe("`a\\|b`")
    expect([1, 0.9995, 0.995, 0.5, 1e-9].map(probability)).toEqual([
      "above 0.999",
      "above 0.999",
      "0.995",
      "0.50",
      "below 0.001",
    ])
  })

  it("are formulas where this library has them", () => {
    const term = termOf("2.5*Abs(Symbol('x'))**1.5")
    expect(term === undefined ? undefined : scalarFunction(term, ["x"])([-4])).toBeCloseTo(20, 12)
    expect(termOf("Piecewise((x, x > 0), (1, True))")).toBeUndefined()
  })
})

describe("the gallery", () => {
  const set = setOf("measured")

  it("has the best answer, the textbook's law, the answers that the rows leave open, and the words of the run", () => {
    const page = gallery([set], [run({ says: ["2 of 3 restarts agree"] })], (name) => `${name}.svg`)
    expect(page).toContain("best answer in 0 of 1 runs, and among the ten best in 1.")
    expect(page).toContain(
      "with probability 0.60, after 4.3 s: $y = \\left(2.1042 - \\sqrt{2 \\pi} \\cos\\left(x\\right)\\right)^{2}$. This is another law",
    )
    expect(page).toContain("$y = b_{1} x^{b_{2}}$ (DanWood) with $b_{1} = 0.76886$, $b_{2} = 3.8604$.")
    expect(page).toContain("The textbook's law is answer 2, with probability 0.30.")
    expect(page).toContain("Also probable: $y = 0.76886 x^{3.8604}$ (0.30).")
    expect(page).not.toContain("0.72")
    expect(page).toContain("The run says: _2 of 3 restarts agree_.")
    expect(page).toContain("Source: NIST StRD, nonlinear regression, certified values: energy radiated")
    expect(page).toContain("short ones, on a busy machine")
    // Every table has a section, those without a run too; four laws have the same rows.
    expect(page.match(/^## /gm)).toHaveLength(11)
    expect(page).toContain("## Misra1a, Misra1b, Misra1c, Misra1d\n")
    expect(page).toContain("has 4 laws for these rows: one at most can be right.")
    expect(page.match(/There is no answer yet/g)).toHaveLength(10)
    expect(page).toMatch(/^7 tables of measured rows and 4 of generated ones/m)
  })

  it("says so where the law is found, and where no answer has it", () => {
    const page = gallery(
      [set],
      [
        run({ answers: [answer("0.7688622*Symbol('x')**3.8604", 0.99, "law")], budget: 60 }),
        run({ case: "bod", answers: [answer("15.74", null, "other")] }),
      ],
      (name) => name,
    )
    expect(page).toContain("This is the textbook's law.")
    expect(page).toContain("No other answer has more than a twentieth of its probability.")
    expect(page).toContain("The textbook's law is not among the ten best answers.")
    expect(page).toContain("**Our answer**, after 4.3 s: $\\mathrm{demand} = 15.74$.")
  })

  it("has of further sets the tables that have a run, and of several runs on the same rows that with the law", () => {
    const page = gallery(
      [set, setOf("measured-more")],
      [
        run({ set: "measured-more", case: "forbes" }),
        run({ case: "Misra1a", answers: [answer("1/Symbol('x')", 0.5, "other")] }),
        run({ case: "Misra1d", answers: [answer("2/Symbol('x')", 0.5, "law")] }),
      ],
      (name) => name,
    )
    expect(page.match(/^## /gm)).toHaveLength(13)
    expect(page).toContain("## forbes")
    expect(page).toContain("$y = \\frac{2}{x}$. This is the law of Misra1d.")
    expect(page).toMatch(/## Not run yet\n\n.*mammals/)
  })

  it("has pictures of one and of several features, on logarithmic scales where the source fits logarithms", async () => {
    for (const [name, expression] of [
      ["pressure", "exp(17.8 - 6920/(temperature + 262.6))"],
      ["trees", "0.0021*girth**2*height"],
      ["puromycin_treated", undefined],
    ] as const) {
      const one = caseOf(set, name)
      if (!isMeasured(one)) throw new Error(`${name} is measured`)
      const text = await svg(picture(one, expression === undefined ? undefined : termOf(expression)))
      expect(text).toContain("textbook")
      expect(text).not.toMatch(/NaN|Infinity/)
      expect(/Y-axis titled '[^']*' for a log scale/.test(text)).toBe(name === "pressure")
    }
  })
})

describe("the page of figures", () => {
  it("has a table for each set, and the answers that are not the law", () => {
    const page = figuresPage(
      ["measured", "dso"],
      [run({}), run({ case: "bod", answers: [], error: "killed" })],
    )
    expect(page).toMatch(/\| measured \| vasst \|\s*0 \|\s*1 \|\s*5 \|\s*2 \|\s*0 \|\s*1 \|/)
    expect(page).toContain(
      "| DanWood | 0 | `b1*x**b2` | `(2.1042 - sqrt(2*pi)*cos(x))**2` | another | 0.60 | 2 |",
    )
    expect(page).toContain("| killed |")
    expect(page).toContain("Not measured yet: `npm run laws -- --set dso`")
    expect(page).toContain("no record")
    expect(page).toContain("- vasst: here, 2 runs")
    expect(page).not.toContain("Other systems had the same rows")
    expect(figuresPage(["measured"], [run({ solver: "bms" })])).toContain("Other systems had the same rows")
  })

  it("has the published figures beside ours, and says nothing of short runs where there are none", () => {
    const runs = [1, 2].map((seed) =>
      run({
        set: "dso",
        case: "Nguyen-5",
        seed,
        budget: 30,
        answers: [answer("x", 0.5, seed === 1 ? "law" : "other")],
      }),
    )
    const page = figuresPage(["dso"], runs)
    expect(page).toContain("| Nguyen-5 | 50 | 72 | 100 |")
    expect(page).toContain("| Jin-1 |  |  |  |")
    expect(page).not.toContain("no record")
  })
})
