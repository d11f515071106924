/**
 * The search that the benchmark measures, and what it is given: one set of operators for all equations.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Grammar from "../../src/declare/Grammar.ts"
import * as Operator from "../../src/declare/Operator.ts"
import * as Family from "../../src/infer/Family.ts"
import * as Infer from "../../src/infer/Fit.ts"
import * as Objective from "../../src/infer/Objective.ts"
import * as Optimizer from "../../src/infer/Optimizer.ts"
import * as Law from "../../src/models/law.ts"
import * as Rank from "../../src/rank/Rank.ts"
import type * as Ranking from "../../src/rank/Ranking.ts"
import * as Scorer from "../../src/rank/Scorer.ts"
import * as Relaxation from "../../src/relax/Relaxation.ts"
import type { ShippedName } from "../../src/declare/Operator.ts"
import type * as Term from "../../src/declare/Term.ts"
import * as Stop from "../../src/infer/Stop.ts"
import * as Backend from "../../src/runtime/Backend.ts"
import type { Dataset } from "../../src/runtime/Data.ts"

/** What the search may use, the same for every equation. `forms.py` computes from it what it cannot express. */
export const grammar = {
  operators: ["add", "sub", "mul", "div", "square", "sqrt", "sin", "cos", "exp", "log"],
  /** numbers that are terminals besides the variables */
  constants: [1, 2, Math.PI],
  /** whether terminals may be numbers that are learned */
  learned: false,
  /** terms in the sum, besides the intercept */
  trees: 3,
  depth: 5,
  /** functions of y that the sum may stand for, besides y itself, as `forms.py` names them */
  links: ["square", "sqrt", "inverse", "inverseSquare", "log", "exp", "sin", "cos", "arcsin"],
} as const satisfies {
  readonly operators: ReadonlyArray<ShippedName>
  readonly constants: ReadonlyArray<number>
  readonly learned: boolean
  readonly trees: number
  readonly depth: number
  readonly links: ReadonlyArray<string>
}

/** How long a search may take, and where its randomness comes from. */
export interface Budget {
  /** wall-clock seconds, all in all */
  readonly seconds: number
  readonly seed: number
}

/** An expression that became the best one, when it did. */
export interface Improvement {
  /** since the start of the search */
  readonly seconds: number
  /** y on the user's scale, over the features of the data, constants and all */
  readonly expression: Term.Term
}

/** A search that has ended. Its answer is the expression of the last improvement. */
export interface Solution {
  readonly expression: Term.Term
  readonly complexity: number
  readonly seconds: number
  /** why it ended, in a word */
  readonly stop: string
  /** the best few, the answer first */
  readonly candidates: ReadonlyArray<{ readonly expression: Term.Term; readonly score: number }>
}

/**
 * Searches for the law behind a data set. It ends by itself within `seconds`.
 *
 * @param onImprovement is told of every expression that becomes the best one, in order; the last is the answer
 */
export const solve = async (
  train: Dataset,
  { seconds, seed }: Budget,
  onImprovement: (improvement: Improvement) => void,
): Promise<Solution> => {
  const started = performance.now()
  const elapsed = (): number => (performance.now() - started) / 1000
  const program = Effect.gen(function* () {
    const declared = Grammar.make({
      features: train.features,
      operators: grammar.operators.map((name) => Operator.shipped[name]),
      constants: Object.fromEntries(grammar.constants.map((value) => [constantName(value), value])),
    })
    const model = Law.model(restricted(declared), { trees: grammar.trees, depth: grammar.depth })
    const { steps, plan, archive } = yield* Infer.run(model, train).pipe(
      Effect.provide(Family.meanField(model)),
      Effect.provide(Objective.inclusive()),
      Effect.provide(Relaxation.concrete({ temperature: () => 1 })),
      Effect.provide(Optimizer.layer(Optimizer.adamW({ learningRate: 0 }))),
      // Ranking what was found takes about a second.
      Effect.provide(Stop.layer({ steps: 1e9, rules: [Stop.afterSeconds(seconds - 2)] })),
    )
    const scorer = yield* Scorer.make(plan, { train })
    let ranking: Ranking.Ranking | undefined
    let before = ""
    const rank = Effect.gen(function* () {
      const found = archive?.ensembles() ?? []
      ranking = yield* Rank.fromArchive(scorer, plan.likelihood, found.slice(0, 150))
      const { expression, ensemble } = ranking.models[0]!
      if (ensemble.key !== before) onImprovement({ seconds: elapsed(), expression })
      before = ensemble.key
    })
    let next = 1
    let stop = ""
    yield* Stream.runForEach(steps, ({ state }) => {
      stop = state.reason ?? stop
      if (elapsed() < next) return Effect.void
      next *= 2
      return (archive?.ensembles() ?? []).length === 0 ? Effect.void : rank
    })
    yield* rank
    const models = ranking?.models ?? []
    const best = models[0]!
    return {
      expression: best.expression,
      complexity: best.complexity,
      seconds: elapsed(),
      stop,
      candidates: models.slice(0, 5).map(({ expression, lmpse }) => ({ expression, score: lmpse })),
    }
  })
  return Effect.runPromise(
    Effect.scoped(program).pipe(Effect.provide(Infer.seed(seed)), Effect.provide(Backend.layer())),
  )
}

const constantName = (value: number): string => (value === Math.PI ? "pi" : String(value))

/** No function of its kind inside another: sin sin, exp log, sqrt sqrt and the like. */
const restricted = (grammar: Grammar.Grammar): Grammar.Grammar =>
  [
    ...["sin", "cos"].flatMap((inside) => ["sin", "cos", "exp", "log"].map((operator) => [inside, operator])),
    ...["exp"].flatMap((inside) => ["exp", "log", "sin", "cos"].map((operator) => [inside, operator])),
    ...["log"].flatMap((inside) => ["exp", "log"].map((operator) => [inside, operator])),
    ["sqrt", "sqrt"],
  ].reduce<Grammar.Grammar>(
    (before, [inside, operator]) => Grammar.forbid({ inside: inside!, operator: operator! })(before),
    grammar,
  )
