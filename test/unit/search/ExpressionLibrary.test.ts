import { describe, expect, it } from "vitest"
import * as ExpressionLibrary from "../../../src/search/ExpressionLibrary.ts"
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
