import { describe, expect, it } from "vitest"
import * as ExpressionLibrary from "../../../src/search/ExpressionLibrary.ts"
import * as Neighbourhood from "../../../src/search/Neighbourhood.ts"
import * as ConstantExpressions from "../../../src/search/ConstantExpressions.ts"
import * as FeatureSwap from "../../../src/search/FeatureSwap.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Spaces from "../../support/spaces.ts"

const spaces = Spaces.make(([a, b]) => a! * b!)
const { space } = spaces
const { dag, attributes } = space

/** Values to ten digits: equal for expressions that are the same function of the data. */
const values = (id: number): string =>
  Array.from(Spaces.column(spaces, id).slice(0, 12), (value) => value.toPrecision(6)).join()

describe("a library of small expressions", () => {
  const library = ExpressionLibrary.make(space, 3000)
  while (library.growing()) library.grow(() => undefined)

  it("holds no value twice", () => {
    const small = library.ids.filter((id) => attributes.size(id) <= 4)
    const found = new Map<string, number>()
    let twice = 0
    for (const id of small) {
      const key = values(id)
      if (found.has(key)) twice++
      found.set(key, id)
    }
    // Columns of float32 that differ by rounding may count as two values.
    expect(small.length).toBeGreaterThan(100)
    expect(twice / small.length).toBeLessThan(0.02)
  })

  it("has every value that expressions of three nodes have", () => {
    const found = new Set(library.ids.filter((id) => attributes.size(id) <= 3).map(values))
    const terminals = [0, 1, 2]
    const two = terminals.flatMap((id) =>
      id === 2 ? [] : ["square", "sin"].map((name) => Spaces.apply(spaces, name, id)),
    )
    const unary = two.flatMap((id) => ["square", "sin"].map((name) => ({ name, id })))
    for (const { name, id } of unary) {
      const operator = dag.grammar.operators.findIndex((one) => one.name === name)
      if (attributes.may(operator, id)) expect(found).toContain(values(Spaces.apply(spaces, name, id)))
    }
    for (const name of ["add", "sub", "mul", "div"])
      for (const x of terminals)
        for (const y of terminals) {
          if (x === 2 && y === 2) continue
          const id = Spaces.apply(spaces, name, x, y)
          const column = Spaces.column(spaces, id)
          // 0 has no direction by which it would be known.
          if (column.some((value) => value !== 0)) expect(found).toContain(values(id))
        }
  })

  it("comes smallest first, within what the grammar allows", () => {
    const sizes = library.ids.map(attributes.size)
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b))
    const holds = (term: Term.Term, within: boolean): boolean => {
      const sine = term._tag === "Unary" && term.operation === "sin"
      return (sine && within) || Term.children(term).some((child) => holds(child, sine || within))
    }
    expect(holds(Term.sin(Term.mul(2, Term.sin(Term.variable("a")))), false)).toBe(true)
    for (const id of library.ids) expect(holds(Spaces.formula(spaces, id), false)).toBe(false)
  })
})

describe("numbers made of constants", () => {
  it("come once, without zero and the constants themselves", () => {
    const found = ConstantExpressions.of(space).map((id) =>
      Number(Spaces.column(spaces, id)[0]!.toPrecision(12)),
    )
    // Of 1 alone: 1 + 1 and sin 1, but not 1 - 1, 1 * 1, 1 / 1 and 1^2.
    expect(found.sort((x, y) => x - y)).toEqual(
      [Math.sin(1), 2].map((value) => Number(value.toPrecision(12))),
    )
    expect(ConstantExpressions.constantsOf(space)).toEqual([2])
  })
})

describe("the neighbours of a tree", () => {
  const neighbours = Neighbourhood.make(space, ConstantExpressions.constantsOf(space))
  const tree = Spaces.apply(spaces, "mul", Spaces.apply(spaces, "sin", 0), Spaces.apply(spaces, "sub", 0, 1))
  const around = (reach: Neighbourhood.Reach): ReadonlyArray<number> => {
    const count = neighbours.of(tree, reach)
    return [...neighbours.ids().subarray(0, count)]
  }
  const reach = { replacements: [0, 1], partners: [1, 2], swaps: 0, shifts: [] }
  const found = around(reach)

  it("come once, and the tree itself is none of them", () => {
    expect(new Set(found).size).toBe(found.length)
    expect(found).not.toContain(tree)
  })

  it("are those that a change of one node makes", () => {
    const difference = Spaces.apply(spaces, "sub", 0, 1)
    const wave = Spaces.apply(spaces, "sin", 0)
    const expected = [
      // another expression in the place of a subtree
      Spaces.apply(spaces, "mul", 1, difference),
      Spaces.apply(spaces, "mul", wave, 0),
      0,
      // an operand instead
      wave,
      difference,
      // another operator
      Spaces.apply(spaces, "div", wave, difference),
      Spaces.apply(spaces, "mul", Spaces.apply(spaces, "square", 0), difference),
      // operands the other way round
      Spaces.apply(spaces, "mul", wave, Spaces.apply(spaces, "sub", 1, 0)),
      // an operator on top
      Spaces.apply(spaces, "square", tree),
      Spaces.apply(spaces, "div", 1, tree),
      Spaces.apply(spaces, "mul", Spaces.apply(spaces, "square", wave), difference),
      Spaces.apply(spaces, "mul", wave, Spaces.apply(spaces, "add", difference, 2)),
    ]
    for (const id of expected) expect(found).toContain(id)
  })

  it("have operators on top of subtrees combined with a constant", () => {
    const lifted = around({ ...reach, shifts: ConstantExpressions.constantsOf(space) })
    const [difference, wave] = [Spaces.apply(spaces, "sub", 0, 1), Spaces.apply(spaces, "sin", 0)]
    const from = Spaces.apply(spaces, "sub", 2, difference)
    for (const id of [
      Spaces.apply(spaces, "mul", wave, Spaces.apply(spaces, "square", from)),
      Spaces.apply(spaces, "mul", wave, Spaces.apply(spaces, "div", 2, from)),
      Spaces.apply(spaces, "square", Spaces.apply(spaces, "add", tree, 2)),
    ]) {
      expect(lifted).toContain(id)
      expect(found).not.toContain(id)
    }
    expect(lifted).toEqual(expect.arrayContaining([...found]))
  })

  it("hold to the grammar and to the depth", () => {
    for (const id of found) {
      expect(Term.key(Spaces.formula(spaces, id))).not.toMatch(/sin\([^()]*sin/)
      expect(attributes.logPrior(id)).toBeGreaterThan(-Infinity)
      expect(Term.depth(Spaces.formula(spaces, id))).toBeLessThanOrEqual(4)
    }
    // sin on top of the product would have sin inside.
    expect(found).not.toContain(dag.apply(5, tree, -1))
    expect(found).toContain(dag.apply(4, tree, -1))
  })

  it("hold subtrees beside themselves in other features", () => {
    const swapped = around({ replacements: [], partners: [], swaps: 10, shifts: [] })
    const other = Spaces.apply(spaces, "sin", 1)
    const sum = Spaces.apply(spaces, "add", Spaces.apply(spaces, "sin", 0), other)
    expect(swapped).toContain(Spaces.apply(spaces, "mul", sum, Spaces.apply(spaces, "sub", 0, 1)))
  })
})

describe("renaming", () => {
  it("puts other features in the place of one or two", () => {
    const tree = Spaces.apply(spaces, "square", 0)
    expect(FeatureSwap.renamings(space, tree, 100)).toEqual([Spaces.apply(spaces, "square", 1)])
    expect(FeatureSwap.featuresOf(space, Spaces.apply(spaces, "add", tree, 2))).toEqual([0])
  })
})
