// Forms near a form of a law over groups.
import { describe, expect, it } from "vitest"
import * as LawGrammar from "../../../../src/models/LawGrammar.ts"
import * as Link from "../../../../src/prob/Link.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import { linked, neighbours } from "../../../../src/rank/groups/formMoves.ts"
import * as Form from "../../../../src/rank/groups/GroupForm.ts"

const grammar = LawGrammar.make(["t", "x"], { operators: ["add", "mul", "div", "exp", "sin"] })
const node = (name: string, ...children: ReadonlyArray<Tree.Tree>): Tree.Tree =>
  Tree.branch(
    grammar.operators.findIndex((one) => one.name === name),
    children,
  )
const [t, x] = [Tree.leaf(0), Tree.leaf(1)]
const fitted = (value: number): Tree.Tree =>
  Tree.leaf(
    grammar.terminals.findIndex((terminal) => terminal.fitted !== undefined),
    value,
  )
const form = (link: number, ...trees: ReadonlyArray<Tree.Tree>): Form.GroupForm =>
  Form.make(
    grammar,
    link,
    trees.map((tree) => Tree.canonical(grammar, tree)),
  )
const links = [Link.identity, Link.log, Link.inverse]
const near = (from: Form.GroupForm, to: Form.GroupForm, count = 1): boolean =>
  neighbours(grammar, links.slice(0, count), from).some(({ key }) => key === to.key)

describe("forms near a form", () => {
  const wave = node("sin", t)
  it("have its trees under another link", () => {
    expect(near(form(1, wave), form(0, wave), 3)).toBe(true)
    expect(near(form(1, wave), form(2, wave), 3)).toBe(true)
    expect(near(form(0, wave), form(1, wave), 1)).toBe(false)
  })

  it("are the only term of y itself in place of one under a link", () => {
    expect(near(form(1, x), form(0, node("exp", x)), 3)).toBe(true)
    expect(near(form(2, wave), form(0, node("div", Tree.leaf(2), wave)), 3)).toBe(true)
    expect(near(form(1, t, x), form(0, node("exp", t)), 3)).toBe(false)
  })

  it("are the sum under a link in place of the only term of y itself, whatever its factor", () => {
    const grown = node("exp", node("mul", fitted(1.2), t))
    const planck = node("div", fitted(0.57), node("add", fitted(-1), node("mul", fitted(0.78), grown)))
    expect(linked(grammar, links, form(0, planck)).map(({ key }) => key)).toEqual([form(2, grown).key])
    expect(near(form(0, node("exp", node("add", wave, x))), form(1, wave, x), 3)).toBe(true)
    expect(near(form(0, node("mul", fitted(3), node("exp", x))), form(1, x), 3)).toBe(true)
    // Of two terms, and of a function that no link undoes, there is none.
    expect(linked(grammar, links, form(0, grown, x))).toEqual([])
    expect(linked(grammar, links, form(0, wave))).toEqual([])
    expect(linked(grammar, links, form(2, grown))).toEqual([])
  })

  it("lack a term, or an operand of an operator", () => {
    expect(near(form(0, wave, x), form(0, wave))).toBe(true)
    expect(near(form(0, node("mul", wave, x)), form(0, wave))).toBe(true)
    expect(near(form(0, node("div", wave, x)), form(0, wave))).toBe(true)
    expect(near(form(0, node("mul", wave, fitted(2))), form(0, wave))).toBe(true)
  })

  it("have a constant in a function that is left when an operand goes", () => {
    const from = form(0, node("mul", node("exp", t), t))
    expect(near(from, form(0, node("exp", node("mul", fitted(1), t))))).toBe(true)
    expect(near(from, form(0, node("exp", node("add", fitted(1), t))))).toBe(true)
  })

  it("have two constants as one", () => {
    const two = node("mul", node("exp", node("mul", fitted(2), t)), node("sin", node("mul", fitted(3), t)))
    const one = (value: number) =>
      node("mul", node("exp", node("mul", fitted(value), t)), node("sin", node("mul", fitted(value), t)))
    expect(near(form(0, two), form(0, one(2))) || near(form(0, two), form(0, one(3)))).toBe(true)
  })
})
