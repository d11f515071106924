// The prior of forms that a list of formulas has, against closed forms, and against the density that it is the mode of.
import { describe, expect, it } from "vitest"
import * as Operator from "../../../src/expr/Operator.ts"
import { lgamma } from "../../../src/numeric/Special.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import { alike, concentrations, type Uses } from "../../../src/prob/dist/Concentrations.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Restriction from "../../../src/prob/tree/Restriction.ts"

const uses = (named: Readonly<Record<string, number>>, like?: ReadonlyArray<number>): Uses => ({
  named: new Map(Object.entries(named)),
  alike: like,
})

describe("concentrations", () => {
  it("of formulas with one use each have a closed form", () => {
    // The likelihood knows the shares alone, and the sum of K concentrations is K: a_k = (1/2 + n_k) / (1/2 + N / K).
    const all = [...Array(7).fill(uses({ a: 1 })), ...Array(2).fill(uses({ b: 1 })), uses({ c: 1 })]
    const found = concentrations(all, ["a", "b", "c"])
    for (const [name, count] of Object.entries({ a: 7, b: 2, c: 1 }))
      expect(found.get(name)).toBeCloseTo((0.5 + count) / (0.5 + 10 / 3), 10)
  })

  it("are the mode of the Dirichlet-multinomial posterior", () => {
    const all = [
      uses({ a: 3, b: 1 }, [2, 1]),
      uses({ b: 2 }, [4]),
      uses({ a: 1 }, []),
      uses({ a: 1, b: 1 }, [1, 1, 1]),
    ]
    const names = ["a", "b", alike]
    const mode = concentrations(all, names)
    const logPosterior = (values: ReadonlyMap<string, number>): number => {
      let log = 0
      for (const value of values.values()) log += 0.5 * Math.log(value) - 0.5 * value
      for (const { named, alike: like = [] } of all) {
        const parts = [
          ...["a", "b"].map((name) => [values.get(name)!, named.get(name) ?? 0] as const),
          ...like.map((count) => [values.get(alike)!, count] as const),
        ]
        const [total, count] = [0, 1].map((k) => parts.reduce((sum, part) => sum + part[k]!, 0))
        log += lgamma(total!) - lgamma(total! + count!)
        for (const [value, own] of parts) log += lgamma(value + own) - lgamma(value)
      }
      return log
    }
    const best = logPosterior(mode)
    for (const name of names)
      for (const factor of [0.99, 1.01])
        expect(logPosterior(new Map(mode).set(name, mode.get(name)! * factor))).toBeLessThan(best)
  })
})

describe("Prior.fromCorpus", () => {
  const grammar = Grammar.make({
    features: ["t", "x"],
    operators: Operator.named(["mul", "exp", "sin", "div"]),
    constants: { "2": 2, c: Constant.scaleFree },
  })
  const [mul, exp, sin] = [0, 1, 2]
  const formulas = ["exp(c0*t)", "exp(c*x)", "sin(2*y)", "z", "exp(sin(a))"]
  const prior = Prior.fromCorpus(formulas)

  it("has the share of operators at each depth, with one imaginary node of either kind", () => {
    // Depth 0: four of five formulas; depth 1: four nodes, all operators; depth 2: six leaves and one.
    expect(prior.split.probabilities[0]).toBeCloseTo((4 + 1) / (5 + 2), 12)
    expect(prior.split.probabilities[1]).toBeCloseTo((4 + 1) / (4 + 2), 12)
    expect(prior.split.probabilities).toHaveLength(2)
  })

  it("weighs operators and leaves by their uses, and excludes none", () => {
    const operators = prior.operators(grammar)
    expect(operators[exp]).toBeGreaterThan(operators[sin]!)
    expect(operators[3]).toBe(0.25)
    const [t, x, two, fitted] = prior.terminals(grammar)
    expect(t).toBe(x)
    expect(fitted).toBeGreaterThan(two!)
  })

  it("has what stands where in the formulas, as a nesting of their counts", () => {
    const uses = {
      term: { exp: 3, sin: 1, feature: 1 },
      argument: { mul: 3, sin: 1, feature: 1 },
      "argument of exp": { mul: 2, sin: 1 },
      "argument of sin": { mul: 1, feature: 1 },
      factor: { fitted: 2, feature: 3, "2": 1 },
    }
    const share = (all: ReadonlyArray<number>) =>
      all.map((one) => one / all.reduce((sum, each) => sum + each, 0))
    const means = () => ({
      operators: share(prior.operators(grammar)),
      terminals: share(prior.terminals(grammar)),
    })
    const { log } = Restriction.compile(grammar, [prior.nesting])
    const expected = Restriction.compile(grammar, [Tree.nesting(uses, means)])
    const leaf = Tree.leaf(0)
    for (const tree of [
      leaf,
      Tree.branch(exp, [Tree.branch(mul, [leaf, Tree.leaf(3)])]),
      Tree.branch(mul, [Tree.branch(exp, [leaf]), leaf]),
      Tree.branch(sin, [Tree.branch(sin, [leaf])]),
    ])
      expect(log(tree)).toBeCloseTo(expected.log(tree), 12)
    expect(log(Tree.branch(exp, [Tree.branch(mul, [leaf, leaf])]))).toBeGreaterThan(
      log(Tree.branch(sin, [Tree.branch(sin, [leaf])])),
    )
  })

  it("leaves formulas out that it cannot read, and says which", () => {
    const { outside } = Prior.fromCorpus(["x*y", "x +", "atan2(x, y)"])
    expect(outside.map(({ formula }) => formula)).toEqual(["x +", "atan2(x, y)"])
    expect(() => Prior.fromCorpus(["x +"])).toThrow("no formula of the corpus has a tree")
  })
})
