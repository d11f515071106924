// Models of one form are one law: which of them stands for it.
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import * as Term from "../../../src/expr/Term.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Law from "../../../src/models/law.ts"
import { replace } from "../../../src/rank/Model.ts"
import * as Rank from "../../../src/rank/Rank.ts"

it.each([
  { behind: 1, complexity: 4, power: 1.5 },
  { behind: 2.2, complexity: 4, power: 1.5 },
  { behind: 2.4, complexity: 4, power: 1.4998 },
  { behind: 1, complexity: 5, power: 1.4998 },
])(
  "a model without a fitted number, $behind nats behind and of complexity $complexity, beside one of 3 with a number: the exponent $power",
  async ({ behind, complexity, power }) => {
    const X = Array.from({ length: 12 }, (_, i) => [1 + i])
    const y = X.map(([x]) => x! ** 1.5)
    const fit = await Effect.runPromise(
      Law.fit({ X, y }, { operators: ["mul", "sqrt"], effort: 5000, workers: 1 }).pipe(
        Effect.provide(Fit.seed(1)),
      ),
    )
    const model = fit.ranking.models.find(({ alike }) => alike === undefined)
    const x = Term.variable("x0")
    const fitted = replace(model!, {
      expression: Term.pow(x, 1.4998),
      numbers: [{ value: 1.4998, error: 1e-4, effect: 1 }],
      complexity: 3,
      lmpse: 20,
      posterior: 0.7,
    })
    const exact = replace(model!, {
      expression: Term.pow(x, 1.5),
      numbers: [],
      complexity,
      lmpse: 20 - behind,
      posterior: 0.2,
    })
    const { models } = Rank.groupForms({ ...fit.ranking, models: [fitted, exact] })
    expect(models).toHaveLength(1)
    expect(Term.equals(models[0]!.expression, Term.pow(x, power))).toBe(true)
    expect(models[0]!.posterior).toBeCloseTo(0.9, 12)
    expect(models[0]!.alike).toHaveLength(1)
  },
)
