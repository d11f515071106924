/**
 * 05. Looking inside: what a model compiles to, and how far from the truth the ranking is.
 *
 * A small grammar can be enumerated: every expression, its exact evidence, the exact posterior. That is the oracle for
 * whatever is approximate.
 *
 *     npm run ts -- examples/05_look_inside.ts
 */
import * as Effect from "effect/Effect"
import * as Enumerate from "vasst/evidence/enumerate"
import * as Plan from "vasst/prob/Plan"
import * as TreePrior from "vasst/evidence/treePrior"
import { infix } from "vasst/expr/text/infix"
import * as PlanText from "vasst/prob/planText"
import * as Grammar from "vasst/prob/Grammar"
import * as Operator from "vasst/expr/Operator"
import * as Tree from "vasst/prob/Tree"
import * as Family from "vasst/vi/Family"
import * as Infer from "vasst/vi/Infer"
import * as Vasst from "vasst/models/vasst"
import * as Ensemble from "vasst/rank/Ensemble"
import * as Rank from "vasst/rank/Rank"
import * as Backend from "vasst/vi/Backend"
import * as Data from "vasst/data/Data"
import * as Rng from "vasst/random/Rng"

const grammar = Grammar.make({
  features: ["x0", "x1"],
  operators: [Operator.add, Operator.mul, Operator.sin],
})
const model = Vasst.model(grammar, 1, 2)

// Not many rows, so that several laws share the posterior: y = x0 sin(x1) + noise
const random = Rng.generator(Rng.key(3))
const X = Array.from({ length: 100 }, () => [random.next(), 2 * random.next()] as const)
const y = X.map(([x0, x1]) => x0 * Math.sin(x1) + 0.1 * random.normal())

const program = Effect.gen(function* () {
  const data = yield* Data.fromRows({ X, y })

  // One run of the model with symbolic values. `PlanText.dot` draws the same graph for Graphviz.
  const plan = yield* Plan.trace(model).pipe(Effect.provide(Family.meanField(model)))
  console.log(`${PlanText.page(plan)}\n`)

  // The oracle: all trees down to depth 2.
  const prior = yield* TreePrior.of(plan.likelihood.forest, plan.sites)
  const exact = yield* Enumerate.enumerate(plan.likelihood, prior, data)
  console.log(`${Enumerate.count(grammar, 2)} trees, ${exact.ensembles.length} up to the order of operands`)

  // The paper's way: 500 hard draws from q, ranked among themselves.
  const ranking = yield* Infer.fit(model, data).pipe(
    Effect.flatMap(Rank.fromPosterior({ train: data, draws: 500, key: Rng.key(1) })),
    Effect.provide(Vasst.inference(model, { steps: 50 })),
  )

  const drawn = new Map(ranking.models.map((found) => [found.ensemble.key, found]))
  const mass = exact.ensembles
    .filter(({ trees }) => drawn.has(Ensemble.make(grammar, trees).key))
    .reduce((sum, { posterior }) => sum + posterior, 0)
  console.log(`${ranking.distinct} of them drawn; they hold ${(100 * mass).toFixed(1)} % of the posterior\n`)

  console.log("exact  ranked  drawn  expression")
  for (const { trees, posterior } of exact.ensembles.slice(0, 8)) {
    const found = drawn.get(Ensemble.make(grammar, trees).key)
    const [share, times] = [found?.posterior.toFixed(3) ?? "-", String(found?.draws ?? 0)]
    const expression = infix(Tree.toTerm(grammar, trees[0]!))
    console.log(`${posterior.toFixed(3)}  ${share.padStart(6)}  ${times.padStart(5)}  ${expression}`)
  }
})

await Effect.runPromise(program.pipe(Effect.provide(Backend.layer())))
