import * as Effect from "effect/Effect"
import type * as Data from "../data/Data.ts"
import { CompileError } from "../errors/Errors.ts"
import * as Columns from "../evidence/columns.ts"
import * as Likelihood from "../evidence/Likelihood.ts"
import type { Declared } from "../prob/Plan.ts"

/** The responses that a search regresses on: the links of the likelihood that hold on data, each with its place among them. Fails as the search does. */
export const of = (plan: Declared, data: Data.Dataset) =>
  Effect.gen(function* () {
    const likelihood = yield* Likelihood.of(plan.likelihood)
    return (yield* likelihood.working(data)).flatMap((made, index) =>
      made === undefined ? [] : [{ ...made, index }],
    )
  })

/** The number of responses of a search over rows. Fails as `of` does. */
export const count = (plan: Declared, data: Data.Dataset): Effect.Effect<number, CompileError> =>
  Effect.map(of(plan, data), ({ length }) => length)

/** Checks the columns and the response of data against a model, without any fit. Fails as `of` does for them. */
export const check = (plan: Declared, data: Data.Dataset): Effect.Effect<void, CompileError> =>
  Effect.flatMap(Likelihood.of(plan.likelihood), (likelihood) => likelihood.check(data))

/** Fails with the links that data rule out, all of them: a search without a response has nothing to score, and would restart for ever. */
export const none = (plan: Declared, data: Data.Dataset) =>
  Effect.gen(function* () {
    const likelihood = yield* Likelihood.of(plan.likelihood)
    const columns = yield* Columns.make(plan.likelihood.forest.grammar, data)
    const { dropped } = yield* likelihood.assessor(columns, data)
    return yield* new CompileError({
      message:
        dropped.length === 0
          ? "no law can be fitted: the response has values that are not finite. Leave out their rows"
          : `the data rule out all links of the model: ${dropped.join("; ")}. Add the identity to the links`,
    })
  })
