// Spaces of hard trees over small made-up data.
import * as Effect from "effect/Effect"
import * as Grammar from "../../src/prob/Grammar.ts"
import * as Operator from "../../src/expr/Operator.ts"
import type * as Term from "../../src/expr/Term.ts"
import * as Terms from "../../src/expr/Term.ts"
import * as Tree from "../../src/prob/Tree.ts"
import * as SearchSpace from "../../src/search/SearchSpace.ts"
import * as Data from "../../src/data/Data.ts"
import * as Rng from "../../src/random/Rng.ts"

export interface Spaces {
  readonly grammar: Grammar.Grammar
  readonly data: Data.Dataset
  readonly space: SearchSpace.SearchSpace
}

/** A grammar of two features, the constant 1 and a few operators; sin may not stand inside sin. */
export const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.add, Operator.sub, Operator.mul, Operator.div, Operator.square, Operator.sin],
  constants: { "1": 1 },
}).pipe(Grammar.forbid({ inside: "sin", operator: "sin" }))

/** @param law y of a row */
export const make = (
  law: (row: ReadonlyArray<number>) => number,
  options: {
    readonly rows?: number
    readonly depth?: number
    readonly responses?: number
    /** what is added to every feature */
    readonly offset?: number
  } = {},
): Spaces => {
  const { rows = 200, depth = 4, responses = 1, offset = 0 } = options
  const generator = Rng.generator(Rng.key(11))
  const X = Array.from({ length: rows }, () => [
    offset + 1 + 4 * generator.next(),
    offset + 1 + 4 * generator.next(),
  ])
  const data = Effect.runSync(Data.fromRows({ X, y: X.map(law), features: grammar.features }))
  const weights = {
    depth,
    split: { alpha: 0.95, delta: 1 },
    operators: grammar.operators.map(() => -Math.log(grammar.operators.length)),
    terminals: grammar.terminals.map(() => -Math.log(grammar.terminals.length)),
  }
  const space = Effect.runSync(SearchSpace.make(grammar, weights, data, responses, Rng.key(12)))
  return { grammar, data, space }
}

/** The formula of a node. */
export const formula = ({ space }: Spaces, id: number): Term.Term => Tree.toTerm(grammar, space.dag.tree(id))

/** The values of a node on every row, in float64. */
export const column = (spaces: Spaces, id: number): Float64Array => {
  const value = Terms.interpret(Terms.arithmetic)(formula(spaces, id))
  const { data } = spaces
  return Float64Array.from({ length: data.rows }, (_, i) =>
    value((name) => data.columns[data.features.indexOf(name)]![i]!),
  )
}

/** Nodes by what they are made of: `apply(spaces, "mul", a, b)`. */
export const apply = ({ space }: Spaces, name: string, left: number, right = -1): number => {
  const operator = grammar.operators.findIndex((one) => one.name === name)
  const id = space.dag.apply(operator, left, right)
  space.attributes.update()
  return id
}
