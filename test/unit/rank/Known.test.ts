// Known forms in rankings: priors are mixtures, the best model of a form has its mass, and forms that a search has not kept are scored.
import { it as effectIt } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import * as Constants from "../../../src/evidence/exact/Constants.ts"
import * as Term from "../../../src/expr/Term.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Formula from "../../../src/models/Formula.ts"
import * as Turn from "../../../src/infer/Turn.ts"
import * as Law from "../../../src/models/law.ts"
import { named } from "../../../src/models/NamedForms.ts"
import * as KnownForms from "../../../src/prob/KnownForms.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Deadline from "../../../src/rank/Deadline.ts"
import * as Known from "../../../src/rank/Known.ts"
import * as KnownModels from "../../../src/rank/KnownModels.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"

/** Eleven rows of a law of t, with 2 % of noise. */
const tableOf = (law: (t: number) => number, seed = 4) => {
  const random = Rng.generator(Rng.key(seed))
  const t = Array.from({ length: 11 }, (_, i) => 0.4 + 0.9 * i)
  return {
    X: t.map((value) => [value]),
    y: t.map((value) => law(value) * (1 + 0.02 * random.normal())),
    features: ["t"],
  }
}
const saturating = tableOf((t) => 7.3 * (1 - Math.exp(-0.42 * t)))

/** The law that leads where there is none to speak of. */
const nothing = Term.constant(0)

describe("known forms", () => {
  effectIt.effect("change the score of a formula by the mixture", () =>
    Effect.gen(function* () {
      const text = "a*(1 - exp(-b*t))"
      const [without, under] = yield* Effect.forEach([KnownForms.none, named], (known) =>
        Formula.score(text, saturating, { known }),
      )
      const among = KnownForms.among(named, 1)
      const { logMass } = among.find(Term.family(under!.model.expression), 2)!
      const logSome = Math.log1p(-((1 - 0.5) ** 3))
      // The intercept is 0 with the prior probability of that, and the coefficient and the rate are free.
      const logHypothesis =
        Math.log(Constants.defaults.zero[0]) + 2 * Math.log1p(-Constants.defaults.exact[0])
      expect(without!.model.hypothesis!.logMass).toBeCloseTo(logHypothesis, 12)
      const logTrees = without!.model.logPrior - logHypothesis
      expect(under!.model.logPrior).toBeCloseTo(
        Math.log(Math.exp(logSome + logMass) + Math.exp(among.logNew + logTrees + logHypothesis)),
        9,
      )
      expect(under!.model.known).toContain("Von Bertalanffy length")
      expect(under!.mean.lmpse).toBe(without!.mean.lmpse)
    }),
  )

  effectIt.effect("are not those of a law with a pole among the rows", () =>
    Effect.gen(function* () {
      const pole = tableOf((t) => (2 * t) / (t - 5))
      // The same law above its pole.
      const X = pole.X.map(([t]) => [t! + 5])
      const above = { ...pole, X, y: X.map(([t]) => (2 * t!) / (t! - 5)) }
      const [among, beside] = yield* Effect.forEach([pole, above], (table) =>
        Formula.score("a*t/(t - b)", table, { known: named }),
      )
      expect(among!.model.known).toBeUndefined()
      expect(beside!.model.known).toContain("Langmuir isotherm")
    }),
  )

  effectIt.effect("give a law the mass of the ways to write its form that it is one of", () =>
    Effect.gen(function* () {
      const known = KnownForms.of([
        { name: "cooling", formula: "c0 + c1*exp(-c2*t)" },
        { name: "charging", formula: "c0*(1 - exp(-c1*t))" },
      ])
      const [charging, cooling, growing] = yield* Effect.forEach(
        ["a*(1 - exp(-b*t))", "a - b*exp(-c*t)", "a + b*exp(t)"],
        (text) => Formula.score(text, saturating, { known }),
      )
      // That with as many numbers comes first; one is exact by chance beside the others.
      expect(charging!.model.known).toEqual(["charging", "cooling"])
      expect(cooling!.model.known).toEqual(["cooling"])
      expect(growing!.model.known).toEqual(["cooling"])
      const plain = yield* Formula.score("a + b*exp(t)", saturating, { known: KnownForms.none })
      // Its third number is 1 by chance.
      const gain = growing!.model.logPrior - plain.model.logPrior
      const other = KnownForms.of([{ name: "growing", formula: "c0 + c1*exp(t)" }])
      const written = yield* Formula.score("a + b*exp(t)", saturating, { known: other })
      expect(written.model.logPrior - plain.model.logPrior).toBeGreaterThan(gain)
    }),
  )

  effectIt.effect("are scored over each column, with their numbers fitted", () =>
    Effect.gen(function* () {
      const { X, y, features } = saturating
      const data = {
        features: [...features, "other"],
        columns: [Float64Array.from(X, ([t]) => t!), Float64Array.from(y, (_, i) => Math.cos(3 * i))],
        target: "y",
        y: Float64Array.from(y),
        rows: y.length,
      }
      const plan = yield* Plan.declared(Law.programOf(data, {}))
      const scorer = yield* Scorer.make(plan, { train: data })
      const forms = KnownForms.of([
        { name: "saturation", formula: "c0*(1 - exp(-c1*x))" },
        { name: "growth with another rate", formula: "c0*a*exp(c1*b)" },
        { name: "line", formula: "c0 + c1*x" },
      ])
      const likelihood = { ...plan.likelihood, known: forms }
      const models = yield* KnownModels.models(scorer, likelihood, data, Deadline.none, nothing)
      const under = yield* Known.make({ likelihood, sites: plan.sites }, data)
      const [best] = under.all(models).toSorted((a, b) => b.lmpse - a.lmpse)
      expect(infix(best!.expression, { precision: 2 })).toBe("7.2*(1 - exp(-0.44*t))")
      // The event loop may have a turn before each of the four fits, and each score: signals are heard meanwhile.
      let pauses = 0
      const counted = Effect.provideService(
        KnownModels.models(scorer, likelihood, data, Deadline.none, nothing),
        Turn.Pause,
        Effect.sync(() => void pauses++),
      )
      expect((yield* counted).length).toBe(models.length)
      expect(pauses).toBeGreaterThanOrEqual(4 + models.length)
      // A line is one over each column, and a form without a value on some row no model.
      expect(models.length).toBeLessThanOrEqual(5)
      expect(yield* KnownModels.models(scorer, likelihood, data, { left: () => 0 }, nothing)).toEqual([])
      // A deadline that comes while forms are fitted leaves time to score those that were.
      let left = 1
      const soon = { left: () => (left -= 0.02) }
      expect(
        (yield* KnownModels.models(scorer, plan.likelihood, data, soon, nothing)).length,
      ).toBeGreaterThan(0)
    }),
  )

  effectIt.effect("are scored in other units than those of the law, and beside the exact one", () =>
    Effect.gen(function* () {
      const rows = 150
      const [a, b, z] = ["a", "b", "z"].map((name) =>
        Rng.uniform(Rng.fold(Rng.key(8), name), new Float64Array(rows)).map((u) => 1 + 3 * u),
      ) as [Float64Array, Float64Array, Float64Array]
      const errors = Rng.normal(Rng.fold(Rng.key(8), "noise"), new Float64Array(rows))
      const known = KnownForms.of([{ name: "light in a canopy", formula: "i*exp(-c0*l)" }])
      for (const [factor, text] of [
        [2.3, "2.3*a*exp(-0.4*b)"],
        [1, "a*exp(-0.4*b)"],
      ] as const) {
        const y = a.map((one, i) => factor * one * Math.exp(-0.4 * b[i]!) + 0.02 * errors[i]!)
        const data = { features: ["a", "b", "z"], columns: [a, b, z], target: "y", y, rows }
        const plan = yield* Plan.declared(Law.programOf(data, {}))
        const likelihood = { ...plan.likelihood, known }
        const scorer = yield* Scorer.make(plan, { train: data })
        const models = yield* KnownModels.models(scorer, likelihood, data, Deadline.none, Term.variable("a"))
        const under = yield* Known.make({ likelihood, sites: plan.sites }, data)
        const [best] = under.all(models).toSorted((one, other) => other.lmpse - one.lmpse)
        expect(infix(best!.expression, { precision: 2 })).toBe(text)
        expect(best!.known).toEqual(["light in a canopy"])
      }
    }),
  )

  effectIt.effect(
    "are scored over each choice of columns where all numbers are coefficients, or there is none",
    () =>
      Effect.gen(function* () {
        const rows = 200
        const column = (name: string, low: number, high: number) =>
          Rng.uniform(Rng.fold(Rng.key(3), name), new Float64Array(rows)).map((u) => low + (high - low) * u)
        const [c, m, v] = [column("c", 3, 10), column("m", 1, 5), column("v", 1, 2)]
        const errors = Rng.normal(Rng.fold(Rng.key(3), "noise"), new Float64Array(rows))
        const data = {
          features: ["c", "m", "v"],
          columns: [c, m, v],
          target: "y",
          y: m.map((one, i) => one / Math.sqrt(1 - (v[i]! / c[i]!) ** 2) + 0.03 * errors[i]!),
          rows,
        }
        const plan = yield* Plan.declared(Law.programOf(data, {}))
        const scorer = yield* Scorer.make(plan, { train: data })
        const known = KnownForms.of([
          { name: "time dilation", formula: "t/sqrt(1 - v^2/w^2)" },
          { name: "plane", formula: "c0*x + c1*z" },
          { name: "product", formula: "a*b*c" },
        ])
        const likelihood = { ...plan.likelihood, known }
        const of = (lead: Term.Term = nothing) =>
          KnownModels.models(scorer, likelihood, data, Deadline.none, lead)
        const models = yield* of()
        const under = yield* Known.make({ likelihood, sites: plan.sites }, data)
        const [best] = under.all(models).toSorted((a, b) => b.lmpse - a.lmpse)
        expect(infix(best!.expression)).toBe("m/sqrt(1 - v^2/c^2)")
        // Its coefficient is an exact number because the evidence says so.
        expect(best!.constants).toEqual(["0", "1"])
        // A plane is one law in either order of its columns, and laws that fit far worse than the law that leads are left out.
        expect(new Set(models.map(({ ensemble }) => ensemble.key)).size).toBe(models.length)
        expect((yield* of(best!.expression)).map(({ ensemble }) => ensemble.key)).toEqual([
          best!.ensemble.key,
        ])
      }),
  )

  effectIt.effect(
    "put a law with a name before odd ones on few rows (one of three tables may fail)",
    () =>
      Effect.gen(function* () {
        const found = yield* Effect.forEach([4, 5, 6], (seed) =>
          Effect.gen(function* () {
            const table = tableOf((t) => (11 * t) / (2.6 + t), seed)
            const { models } = yield* Law.fit(table, { effort: 60_000, workers: 1 }).pipe(
              Effect.provide(Fit.seed(1)),
            )
            return models.slice(0, 3).some(({ known }) => known?.includes("Langmuir isotherm") === true)
          }),
        )
        expect(found.filter(Boolean).length).toBeGreaterThanOrEqual(2)
      }),
    60_000,
  )
})
