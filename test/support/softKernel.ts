// Soft kernels with weights of some kind or other, for tests that compare kernels with each other.
import * as Effect from "effect/Effect"
import * as SoftForest from "../../src/vi/engines/simd/SoftForest.ts"
import * as Target from "../../src/wasm/Target.ts"
import * as Terminals from "../../src/prob/Terminals.ts"
import * as Grammar from "../../src/prob/Grammar.ts"
import * as Operator from "../../src/expr/Operator.ts"
import type { Forest } from "../../src/prob/Tree.ts"
import * as Vasst from "../../src/models/vasst.ts"
import * as Plan from "../../src/prob/Plan.ts"
import * as Family from "../../src/vi/Family.ts"
import type { Dataset } from "../../src/data/Data.ts"

/** Two trees of products, waves and sums, over features and the number 2. */
export const forestOf = (depth: number, features: ReadonlyArray<string>): Forest => {
  const operators = [Operator.mul, Operator.sin, Operator.sub]
  const model = Vasst.model(Grammar.make({ features, operators, constants: { two: 2 } }), 2, depth)
  return Effect.runSync(Plan.trace(model).pipe(Effect.provide(Family.meanField(model)))).likelihood.forest
}

/** Two samples of such trees, with weights and coefficients written. */
export const softOf = (
  data: Dataset,
  forest: Forest,
  settings: { readonly kept: number; readonly block?: number },
): SoftForest.SoftForest => {
  const terminals = Effect.runSync(Terminals.columns(forest.grammar, data))
  // Machines that run tests have SIMD.
  const target = Target.detect()!
  const soft = SoftForest.make(forest, terminals, data.y, 2, { target, valueClip: 200, ...settings })
  soft.weights.forEach((_, i) => (soft.weights[i] = Math.sin(i + 1) / 3))
  soft.coefficients.forEach((_, i) => (soft.coefficients[i] = Math.cos(i) / 5))
  return soft
}
