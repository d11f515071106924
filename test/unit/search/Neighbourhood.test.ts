import { describe, expect, it } from "vitest"
import * as Neighbourhood from "../../../src/search/Neighbourhood.ts"
import * as ConstantExpressions from "../../../src/search/ConstantExpressions.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Spaces from "../../support/spaces.ts"

const spaces = Spaces.make(([a, b]) => a! * b!)
const { space } = spaces
const { dag, attributes } = space

describe("the neighbours of a tree", () => {
  const neighbours = Neighbourhood.make(space, ConstantExpressions.constantsOf(space), [])
  const tree = Spaces.apply(spaces, "mul", Spaces.apply(spaces, "sin", 0), Spaces.apply(spaces, "sub", 0, 1))
  const around = (reach: Neighbourhood.Reach): ReadonlyArray<number> => {
    const count = neighbours.of(tree, 0, reach)
    return [...neighbours.ids().subarray(0, count)]
  }
  const reach = {
    replacements: [0, 1],
    partners: [1, 2],
    most: { replacements: 0, partners: 0 },
    swaps: 0,
    shifts: [],
  }
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
    const swapped = around({ ...reach, replacements: [], partners: [], swaps: 10 })
    const other = Spaces.apply(spaces, "sin", 1)
    const sum = Spaces.apply(spaces, "add", Spaces.apply(spaces, "sin", 0), other)
    expect(swapped).toContain(Spaces.apply(spaces, "mul", sum, Spaces.apply(spaces, "sub", 0, 1)))
  })
})
