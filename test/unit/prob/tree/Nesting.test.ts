// A prior of what stands below what: shares at a place have the sum 1, brackets do not matter, and search, evidence and ranking
// have the same numbers.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as EnsemblePrior from "../../../../src/evidence/ensemblePrior.ts"
import * as Enumerate from "../../../../src/evidence/enumerate.ts"
import * as TreePrior from "../../../../src/evidence/treePrior.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Term from "../../../../src/expr/Term.ts"
import * as FormPrior from "../../../../src/models/FormPrior.ts"
import * as Law from "../../../../src/models/law.ts"
import * as LawGrammar from "../../../../src/models/LawGrammar.ts"
import * as Constant from "../../../../src/prob/Constant.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Link from "../../../../src/prob/Link.ts"
import * as Plan from "../../../../src/prob/Plan.ts"
import * as Nesting from "../../../../src/prob/tree/Nesting.ts"
import * as Restriction from "../../../../src/prob/tree/Restriction.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import * as Attributes from "../../../../src/search/Attributes.ts"
import * as Dag from "../../../../src/search/kernel/Dag.ts"
import { meanLog } from "../../../../src/prob/dist/Dirichlet.ts"

const own = Operator.unary("own", (x) => Term.mul(x, x))
const grammars = {
  default: LawGrammar.make(["x", "y"]),
  "few operators": Grammar.make({ features: ["x"], operators: [Operator.add, Operator.exp, Operator.mul] }),
  "an operator of one's own": Grammar.make({
    features: ["x", "y", "z"],
    operators: [Operator.div, Operator.square, own],
    constants: { "2": 2, c: Constant.scaleFree },
  }),
}
const means = (grammar: Grammar.Grammar): Nesting.Means => {
  const share = (all: ReadonlyArray<number>) =>
    all.map((one) => one / all.reduce((sum, each) => sum + each, 0))
  return {
    operators: share(FormPrior.of(grammar).operators),
    terminals: share(FormPrior.of(grammar).terminals),
  }
}

describe.each(Object.entries(grammars))("the nesting of laws over %s", (_, grammar) => {
  const rule = FormPrior.of(grammar).nesting.rule(grammar)
  const { operators, terminals } = means(grammar)

  it("has shares of the sum 1 at each place, where weights are at their means", () => {
    const rows = [rule.root, ...rule.below.flat()]
    const under = rule.under("log")
    rows.push({
      operators: under.operators.map((log, k) => log + rule.root.operators[k]!),
      terminals: under.terminals.map((log, k) => log + rule.root.terminals[k]!),
    })
    for (const row of rows) {
      const total = (weights: ReadonlyArray<number>, logs: ReadonlyArray<number>) =>
        weights.reduce((sum, weight, k) => sum + weight * Math.exp(logs[k]!), 0)
      expect(total(operators, row.operators)).toBeCloseTo(1, 12)
      expect(total(terminals, row.terminals)).toBeCloseTo(1, 12)
    }
  })
})

describe("a nesting", () => {
  const grammar = grammars.default
  const rule = FormPrior.of(grammar).nesting.rule(grammar)
  const at = (name: string): number => grammar.operators.findIndex((operator) => operator.name === name)
  const leaf = (name: string): Tree.Tree =>
    Tree.leaf(grammar.terminals.findIndex((terminal) => terminal.name === name))
  const node = (name: string, ...children: ReadonlyArray<Tree.Tree>): Tree.Tree =>
    Tree.branch(at(name), children)
  const [x, y] = [leaf("x"), leaf("y")]

  it("has the share of the counts, drawn to the mean weight by ten imaginary uses", () => {
    const small = Tree.nesting({ term: { exp: 6, mul: 2 } }, () => ({
      operators: [0.5, 0.3, 0.2],
      terminals: [1],
    }))
    const { operators } = small.rule(grammars["few operators"]).root
    // add was never counted anywhere: it keeps its weight, and the others share the half that is left.
    expect(Math.exp(operators[0]!)).toBeCloseTo(1, 12)
    expect(0.3 * Math.exp(operators[1]!)).toBeCloseTo((0.5 * (6 + 10 * 0.6)) / 18, 12)
    expect(0.2 * Math.exp(operators[2]!)).toBeCloseTo((0.5 * (2 + 10 * 0.4)) / 18, 12)
  })

  it("is the same for other brackets of a sum and of a product", () => {
    const square = node("square", y)
    const log = (tree: Tree.Tree) => Nesting.log(rule, tree)
    expect(log(node("add", x, node("add", square, y)))).toBeCloseTo(
      log(node("add", node("add", x, square), y)),
      12,
    )
    expect(log(node("mul", x, node("mul", square, y)))).toBeCloseTo(
      log(node("mul", node("mul", x, square), y)),
      12,
    )
  })

  it("leaves an operator of one's own its weight", () => {
    const own = grammars["an operator of one's own"]
    const { root, below } = FormPrior.of(own).nesting.rule(own)
    for (const row of [root, ...below.flat()]) expect(row.operators[2]).toBe(0)
  })

  it("makes the argument of exp a product, and the exponent a fitted number", () => {
    const exp = rule.below[at("exp")]![0]!
    expect(exp.operators[at("mul")]).toBeGreaterThan(exp.operators[at("add")]! + 1)
    const { terminals } = rule.below[at("pow")]![1]!
    const fitted = grammar.terminals.findIndex((terminal) => terminal.fitted !== undefined)
    expect(terminals[fitted]).toBeGreaterThan(terminals[0]! + 3)
  })

  it("has the same numbers in a search as in the prior of trees, and under a link as in that of ensembles", () => {
    const small = Grammar.make({ features: ["x"], operators: [Operator.add, Operator.log, Operator.mul] })
    const forms = FormPrior.of(small)
    const restrictions = [forms.nesting, Tree.atMostNodes(6)]
    const links = [Link.identity, Link.log]
    const { operators, terminals } = forms
    const weights = {
      depth: 2,
      split: forms.split,
      operators: meanLog(operators),
      terminals: meanLog(terminals),
    }
    const dag = Dag.make(small)
    const [with_, without] = [
      Attributes.make(small, dag, { ...weights, restrictions, links }),
      Attributes.make(small, dag, weights),
    ]
    const { log } = Restriction.compile(small, restrictions)
    const { under } = forms.nesting.rule(small)
    let seen = 0
    for (const tree of Enumerate.trees(small, 2)) {
      const id = dag.intern(tree)
      with_.update()
      without.update()
      const expected = without.logPrior(id) + log(tree)
      if (expected === -Infinity) {
        expect(with_.logPrior(id)).toBe(-Infinity)
        continue
      }
      seen++
      expect(with_.logPrior(id)).toBeCloseTo(expected, 5)
      links.forEach(({ name }, link) =>
        expect(with_.logPrior(id, link) - with_.logPrior(id)).toBeCloseTo(
          Nesting.ofRoot(under(name), tree),
          10,
        ),
      )
    }
    expect(seen).toBeGreaterThan(20)
  })

  it.effect("is part of the prior of laws: a logarithm is likelier as a term of log y than of y", () =>
    Effect.gen(function* () {
      const grammar = LawGrammar.make(["x"])
      const plan = yield* Plan.declared(Law.model(grammar, { links: [Link.identity, Link.log] }))
      const prior = yield* EnsemblePrior.of(plan.likelihood, plan.sites)
      const trees = yield* TreePrior.of(plan.likelihood.forest, plan.sites)
      const tree = Tree.branch(
        grammar.operators.findIndex(({ name }) => name === "log"),
        [Tree.leaf(0)],
      )
      const { under } = FormPrior.of(grammar).nesting.rule(grammar)
      for (const [link, name] of ["identity", "log"].entries())
        expect(prior.logPrior(link, [tree])).toBeCloseTo(
          prior.links[link]! +
            prior.sizes[1]! +
            TreePrior.logPrior(trees)([tree]) +
            Nesting.ofRoot(under(name), tree),
          10,
        )
      expect(prior.ofLink(1, [tree]) - prior.links[1]!).toBeGreaterThan(
        1 + prior.ofLink(0, [tree]) - prior.links[0]!,
      )
    }),
  )
})
