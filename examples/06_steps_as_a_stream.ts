/**
 * 06. A fit is a stream of steps: watch it, stop it when you have seen enough, and compare it with no training at all.
 *
 * The last is not a joke. What a published run finds, it mostly finds by ranking thousands of draws; an inference is worth
 * its steps only where it beats the same number of draws from the untrained family.
 *
 *     npm run ts -- examples/06_steps_as_a_stream.ts
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { infix } from "vasst/expr/text/infix"
import * as Grammar from "vasst/prob/Grammar"
import * as Operator from "vasst/expr/Operator"
import * as Infer from "vasst/vi/Infer"
import * as Vasst from "vasst/models/vasst"
import * as Backend from "vasst/vi/Backend"
import * as Data from "vasst/data/Data"
import * as Rng from "vasst/random/Rng"

const names = ["mul", "sin", "cos"] as const
const grammar = Grammar.make({
  features: ["x0", "x1"],
  operators: names.map((name) => Operator.shipped[name]),
})
const model = Vasst.model(grammar, 2, 2)

const random = Rng.generator(Rng.key(1))
const X = Array.from({ length: 200 }, () => [random.next(), 2 + random.next()] as const)
const y = X.map(([x0, x1]) => 6 * Math.sin(x0) * Math.cos(x1) + 0.1 * random.normal())

/** The first step at which the mean ELBO of the last 25 steps is not above that of the 25 before. */
const stalled = (trace: ReadonlyArray<number>): boolean => {
  const mean = (values: ReadonlyArray<number>) => values.reduce((a, b) => a + b, 0) / values.length
  return trace.length >= 50 && mean(trace.slice(-25)) <= mean(trace.slice(-50, -25))
}

const watch = Effect.scoped(
  Effect.gen(function* () {
    const data = yield* Data.fromRows({ X, y })
    const { steps } = yield* Infer.run(model, data)
    const last = yield* steps.pipe(
      Stream.tap(({ info }) =>
        Effect.sync(() => {
          if (info.step % 25 === 0)
            console.log(
              `step ${info.step}  ELBO ${info.objective.toFixed(0)}  temperature ${info.temperature.toFixed(2)}`,
            )
        }),
      ),
      Stream.takeUntil(({ state }) => stalled(state.trace)),
      Stream.runLast,
    )
    if (last._tag === "Some") console.log(`left after step ${last.value.info.step}\n`)
  }),
).pipe(Effect.provide(Vasst.inference(model, { steps: 300, learningRate: 0.1 })))

const control = Effect.gen(function* () {
  for (const steps of [0, 40]) {
    const { best, posterior } = yield* Vasst.fit({ X, y }, { operators: names, trees: 2, depth: 2, steps })
    const law = infix(best.expression, { precision: 3 })
    console.log(`${posterior.steps} steps  LMPSE ${best.lmpse.toFixed(1)}  y = ${law}`)
  }
})

await Effect.runPromise(watch.pipe(Effect.andThen(control), Effect.provide(Backend.layer())))
