// Laws planted in data, and the models of given terms under a given link: what tests of rounding share.
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parse } from "../../src/expr/text/parse.ts"
import * as Grammar from "../../src/prob/Grammar.ts"
import * as Link from "../../src/prob/Link.ts"
import * as Operator from "../../src/expr/Operator.ts"
import type * as Term from "../../src/expr/Term.ts"
import * as Tree from "../../src/prob/Tree.ts"
import * as Ensemble from "../../src/rank/Ensemble.ts"
import type { Model } from "../../src/rank/Model.ts"
import * as Scorer from "../../src/rank/Scorer.ts"
import * as Rng from "../../src/random/Rng.ts"
import { dataset, problem } from "./selected.ts"

const operators = ["add", "sub", "mul", "div", "square", "sqrt", "sin", "cos", "exp", "log"] as const
const features = ["a", "b", "c", "d"] as const
export const grammar = Grammar.make({
  features,
  operators: operators.map((name) => Operator.shipped[name]),
  constants: { "1": 1, "2": 2, "3": 3 },
})

/** The tree of a formula over a, b, c, d and the numbers 1, 2, 3. */
export const tree = (text: string): Tree.Tree => {
  const read = (term: Term.Term): Tree.Tree => {
    switch (term._tag) {
      case "Variable":
        return Tree.leaf(features.findIndex((name) => name === term.name))
      case "Constant":
        return Tree.leaf(features.length + term.value - 1)
      case "Unary":
        return Tree.branch(
          operators.findIndex((name) => name === term.operation),
          [read(term.argument)],
        )
      case "Binary":
        return Tree.branch(
          operators.findIndex((name) => name === term.operation),
          [read(term.left), read(term.right)],
        )
      case "Application":
        throw new Error(`${term.name} is no operator of the grammar`)
    }
  }
  return read(Result.getOrThrow(parse(text)))
}

/** Data of a law, features uniform on [1, 3], with noise in units of the root mean square of y. */
export const sample = (
  law: (a: number, b: number, c: number, d: number) => number,
  { noise, rows = 1800, seed = 1 }: { noise: number; rows?: number; seed?: number },
) => {
  const random = Rng.generator(Rng.key(seed))
  const [a, b, c, d] = features.map(() => Float64Array.from({ length: rows }, () => 1 + 2 * random.next()))
  const y = a!.map((_, i) => law(a![i]!, b![i]!, c![i]!, d![i]!))
  const scale = Math.sqrt(y.reduce((sum, value) => sum + value * value, 0) / rows)
  return dataset(
    { a: a!, b: b!, c: c!, d: d! },
    y.map((value) => value + noise * scale * random.normal()),
  )
}

/** The scorer of data under all shipped links. */
export const scorer = (
  train: ReturnType<typeof sample>,
  settings: { readonly noise?: "response" | "link"; readonly test?: ReturnType<typeof sample> } = {},
): Scorer.Scorer => {
  const { noise, test } = settings
  const { likelihood, sites } = problem(grammar, {
    trees: 3,
    depth: 5,
    links: Link.shipped,
    noise: noise ?? "response",
  })
  return Effect.runSync(Scorer.make({ likelihood, sites }, { train, test }))
}

export const ensemble = (link: string, ...terms: ReadonlyArray<string>): Ensemble.Ensemble =>
  Ensemble.ofSet(
    grammar,
    terms.map(tree),
    Link.shipped.findIndex(({ name }) => name === link),
  )

/** The model of terms under a link. */
export const model = (of: Scorer.Scorer, link: string, ...terms: ReadonlyArray<string>): Model => {
  const found = of.model({ ensemble: ensemble(link, ...terms), draws: 1 })
  if (found === undefined) throw new Error("no model")
  return found
}
