import * as Effect from "effect/Effect"
import { make, type Problem, problemOf } from "../problems.ts"
import * as Data from "../../src/data/Data.ts"
import * as Rng from "../../src/random/Rng.ts"
import type { DataOf } from "./case.ts"

/** The problem of a case, and its rows in two: 90 % to fit, 10 % to test. */
export interface Sample extends Data.Split {
  readonly problem: Problem
  readonly operators: ReadonlyArray<string>
  /** the noiseless truth on the test rows */
  readonly truth: Float64Array
  /** and on the rows to fit */
  readonly clean: Float64Array
}

/** The key that everything of a fit with a seed comes from; as `Vasst.fit` has it. */
export const keysOf = (seed: number): readonly [split: Rng.Key, draws: Rng.Key] =>
  Rng.split(Rng.fold(Rng.key(seed), "vasst"), 2)

const ranged = (problem: Problem, range: DataOf["range"]): Problem =>
  range === undefined
    ? problem
    : {
        ...problem,
        variables: problem.variables.map(({ name }) => ({ name, low: range[0], high: range[1] })),
      }

/** The data of a case, the same for every method. */
export const sampleOf = (of: DataOf): Sample => {
  const problem = ranged(problemOf(of.problem), of.range)
  const { data, truth } = make(problem, of.noise, of.seed, of.rows, of.features)
  const [key] = keysOf(of.seed)
  const { train, test } = Effect.runSync(Data.split(data, 0.1, key))
  // The same rows once more, with the truth in place of y.
  const clean = Effect.runSync(Data.split({ ...data, y: truth }, 0.1, key))
  return {
    problem,
    operators: of.operators ?? problem.operators,
    train,
    test,
    truth: clean.test.y,
    clean: clean.train.y,
  }
}
