import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Data from "../../../src/data/Data.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Units from "../../../src/expr/Units.ts"
import * as Dimensions from "../../../src/prob/Dimensions.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Monomials from "../../../src/search/Monomials.ts"
import * as SearchSpace from "../../../src/search/SearchSpace.ts"

const features = ["h", "f", "k", "T"]
const grammar = Grammar.make({
  features,
  operators: Operator.named(["add", "mul", "div", "square", "exp"]),
  constants: { "1": 1 },
})
const units = { h: "J s", f: "Hz", k: "J/K", T: "K", E: "J" }

const spaceOf = (texts: Readonly<Record<string, string>> | undefined) => {
  const generator = Rng.generator(Rng.key(2))
  const X = Array.from({ length: 40 }, () => features.map(() => 1 + generator.next()))
  const data = Effect.runSync(Data.fromRows({ X, y: X.map(([h = 0]) => h), features, target: "E" }))
  const even = (count: number): ReadonlyArray<number> => Array.from({ length: count }, () => -Math.log(count))
  const weights = {
    depth: 5,
    split: { alpha: 0.95, delta: 1 },
    operators: even(grammar.operators.length),
    terminals: even(grammar.terminals.length),
    dimensions:
      texts === undefined
        ? undefined
        : Dimensions.make(grammar, { ...Units.of(texts, { numbers: "dimensionless" }), target: "E" }, [
            Link.identity,
            Link.inverse,
          ]),
  }
  return Effect.runSync(SearchSpace.make(grammar, weights, data, 1, Rng.key(3)))
}

describe("products of powers of features", () => {
  const space = spaceOf(units)
  const write = (id: number): string => infix(Tree.toTerm(grammar, space.tree(id)))
  const { leaves, terms, completed } = Monomials.make(space)

  it("are leaves of the library where they are pure numbers, the simplest first", () => {
    const found = leaves().slice(space.terminals).map(write)
    expect(["h*f/(k*T)", "k*T/(h*f)"]).toContain(found[0])
    expect(found).not.toContain("h*f")
    space.attributes.update()
    for (const id of leaves()) expect(space.attributes.logPrior(id)).toBeGreaterThan(-Infinity)
  })

  it("are terms of a law where they have the unit of a response", () => {
    const [of, under] = [0, 1].map((link) => [...terms(link)].map(write))
    expect(of!.slice(0, 2).sort()).toEqual(["h*f", "k*T"])
    expect(under).toContain("1/(k*T)")
    expect(of).not.toContain("1/(k*T)")
  })

  it("complete expressions of other units to terms", () => {
    const whole = [...completed(0, Int32Array.of(0, 1))]
    expect(whole.map(write)).toContain("h*f")
    expect(whole.length).toBeGreaterThan(1)
    space.attributes.update()
    for (const id of whole) expect(space.attributes.suits(0, space.attributes.dimension(id))).toBe(true)
  })

  it("are none where columns have no units", () => {
    const without = Monomials.make(spaceOf(undefined))
    expect(without.leaves()).toEqual(Array.from({ length: space.terminals }, (_, id) => id))
    expect(without.terms(0)).toHaveLength(0)
    expect(without.completed(0, Int32Array.of(0, 1))).toHaveLength(0)
  })
})
