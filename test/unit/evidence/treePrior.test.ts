import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TreePrior from "../../../src/evidence/treePrior.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Skeleton from "../../../src/prob/Skeleton.ts"
import { lgamma } from "../../../src/numeric/Special.ts"
import * as Sym from "../../../src/prob/Sym.ts"
import * as Tree from "../../../src/prob/Tree.ts"

// The independent account: every full skeleton with its probability, summed over those that prune to one tree.

/** All assignments (e, o, h) of a skeleton; e and o at the maximum depth decide nothing and are left out. */
function* skeletons({ grammar, depth }: TreePrior.TreePrior): Generator<Skeleton.Skeleton> {
  const nodes = Skeleton.size(depth)
  const inner = 2 ** depth - 1
  const radix = Array.from({ length: inner }, () => [2, grammar.operators.length]).flat()
  for (let z = 0; z < nodes; z++) radix.push(grammar.terminals.length)
  const digits = radix.map(() => 0)
  for (;;) {
    const split = Array.from({ length: nodes }, (_, z) => (z < inner ? digits[2 * z]! : 0))
    const operator = Array.from({ length: nodes }, (_, z) => (z < inner ? digits[2 * z + 1]! : 0))
    yield { split, operator, terminal: digits.slice(2 * inner) }
    let place = 0
    while (place < radix.length && ++digits[place]! === radix[place]) digits[place++] = 0
    if (place === radix.length) return
  }
}

const deepest = (tree: Tree.Tree, depth: number): number =>
  tree._tag === "Leaf"
    ? Number(depth === 0)
    : tree.children.reduce((sum, child) => sum + deepest(child, depth - 1), 0)

const counts = (values: ArrayLike<number>, categories: number): ReadonlyArray<number> =>
  Array.from({ length: categories }, (_, k) => Array.from(values).filter((value) => value === k).length)

/** log of the Dirichlet-multinomial probability of a sequence with these counts. */
const sequence = (eta: ReadonlyArray<number>, count: ReadonlyArray<number>): number => {
  const sum = (values: ReadonlyArray<number>) => values.reduce((a, b) => a + b, 0)
  return (
    eta.reduce((log, a, k) => log + lgamma(a + count[k]!) - lgamma(a), 0) +
    lgamma(sum(eta)) -
    lgamma(sum(eta) + sum(count))
  )
}

/** The prior probability of every tree, weights integrated out over whole skeletons. */
const bruteForce = (prior: TreePrior.TreePrior): Map<string, { tree: Tree.Tree; probability: number }> => {
  const inner = 2 ** prior.depth - 1
  const found = new Map<string, { tree: Tree.Tree; probability: number }>()
  for (const skeleton of skeletons(prior)) {
    let log =
      sequence(
        prior.operators,
        counts(Array.from(skeleton.operator).slice(0, inner), prior.operators.length),
      ) + sequence(prior.terminals, counts(skeleton.terminal, prior.terminals.length))
    for (let z = 0; z < inner; z++) {
      const p = Prior.splitProbability(prior.split, Skeleton.depthOf(z))
      log += Math.log(skeleton.split[z] === 1 ? p : 1 - p)
    }
    const tree = Tree.prune(prior.grammar, prior.depth, skeleton)
    const last = Math.log1p(-Prior.splitProbability(prior.split, prior.depth))
    const probability = Math.exp(log + deepest(tree, prior.depth) * last)
    const key = Tree.key(tree)
    found.set(key, { tree, probability: probability + (found.get(key)?.probability ?? 0) })
  }
  return found
}

/** The prior probability of every tree at given weights. */
const given = (
  prior: TreePrior.TreePrior,
  operators: ReadonlyArray<number>,
  terminals: ReadonlyArray<number>,
): Map<string, number> => {
  const inner = 2 ** prior.depth - 1
  const found = new Map<string, number>()
  for (const skeleton of skeletons(prior)) {
    let probability = 1
    for (let z = 0; z < inner; z++) {
      const p = Prior.splitProbability(prior.split, Skeleton.depthOf(z))
      probability *= (skeleton.split[z] === 1 ? p : 1 - p) * operators[skeleton.operator[z]!]!
    }
    for (let z = 0; z < skeleton.terminal.length; z++) probability *= terminals[skeleton.terminal[z]!]!
    const tree = Tree.prune(prior.grammar, prior.depth, skeleton)
    probability *= (1 - Prior.splitProbability(prior.split, prior.depth)) ** deepest(tree, prior.depth)
    found.set(Tree.key(tree), probability + (found.get(Tree.key(tree)) ?? 0))
  }
  return found
}

/** Gauss-Legendre nodes and weights on (0, 1), from the closed form of the 6-point rule on (-1, 1). */
const gauss: ReadonlyArray<readonly [number, number]> = [
  [0.2386191860831969, 0.467913934572691],
  [0.6612093864662645, 0.3607615730481386],
  [0.932469514203152, 0.1713244923791704],
].flatMap(([x, w]): ReadonlyArray<readonly [number, number]> => [
  [(1 + x!) / 2, w! / 2],
  [(1 - x!) / 2, w! / 2],
])

/** Quadrature points of Dir(eta), eta of 1 to 3 integers: exact for polynomials of the degrees used here. */
const dirichlet = (eta: ReadonlyArray<number>): ReadonlyArray<readonly [ReadonlyArray<number>, number]> => {
  const density = (w: ReadonlyArray<number>): number =>
    Math.exp(
      lgamma(eta.reduce((a, b) => a + b)) +
        eta.reduce((log, a, k) => log + (a - 1) * Math.log(w[k]!) - lgamma(a), 0),
    )
  if (eta.length === 1) return [[[1], 1]]
  const points: Array<readonly [ReadonlyArray<number>, number]> = []
  for (const [u, p] of gauss) {
    if (eta.length === 2) points.push([[u, 1 - u], p * density([u, 1 - u])])
    else
      for (const [v, q] of gauss) {
        const w = [u, (1 - u) * v, (1 - u) * (1 - v)]
        points.push([w, p * q * (1 - u) * density(w)])
      }
  }
  return points
}

const split = Prior.depthDecay(0.9, 0.7)
const two = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin] })
const three = Grammar.make({ features: ["a"], operators: [Operator.add, Operator.sin, Operator.cos] })
const once = two.pipe(Grammar.forbid({ inside: "sin", operator: "sin" }))
const crossed = three.pipe(
  Grammar.forbid({ inside: "sin", operator: "cos" }),
  Grammar.forbid({ inside: "sin", operator: "add" }),
  Grammar.forbid({ inside: "cos", operator: "cos" }),
)
const priors: ReadonlyArray<readonly [string, TreePrior.TreePrior]> = [
  ["depth 0", { grammar: two, depth: 0, split, operators: [1, 1], terminals: [1, 3] }],
  ["depth 1", { grammar: two, depth: 1, split, operators: [1, 1], terminals: [1, 1] }],
  ["depth 2", { grammar: two, depth: 2, split, operators: [0.4, 2.5], terminals: [3, 0.5] }],
  ["three operators", { grammar: three, depth: 2, split, operators: [1, 2, 0.3], terminals: [1] }],
  ["sin not inside sin", { grammar: once, depth: 2, split, operators: [0.7, 1.9], terminals: [1, 1] }],
  ["several pairs", { grammar: crossed, depth: 2, split, operators: [0.5, 1, 2], terminals: [1] }],
]

describe("log prior", () => {
  it.each(priors)("of one tree is the sum over its skeletons: %s", (_, prior) => {
    const logPrior = TreePrior.logPrior(prior)
    for (const { tree, probability } of bruteForce(prior).values())
      expect(logPrior([tree])).toBeCloseTo(Math.log(probability), 11)
  })

  it.each([
    { grammar: two, depth: 1, split, operators: [1, 2], terminals: [2, 1] },
    { grammar: once, depth: 2, split, operators: [1, 1], terminals: [1, 2] },
    { grammar: crossed, depth: 2, split, operators: [1, 2, 1], terminals: [1] },
  ])("of two trees that share their weights is the integral over the weights (%#)", (prior) => {
    const logPrior = TreePrior.logPrior(prior)
    const trees = [...bruteForce(prior).values()].map(({ tree }) => tree)
    // Every pair would be many; a stride coprime to the number of trees visits all kinds.
    const pairs = trees.map((tree, i) => [tree, trees[(7 * i + 3) % trees.length]!] as const)
    const sums = pairs.map(() => 0)
    for (const [operators, p] of dirichlet(prior.operators))
      for (const [terminals, q] of dirichlet(prior.terminals)) {
        const probability = given(prior, operators, terminals)
        pairs.forEach(([first, second], i) => {
          sums[i]! += p * q * probability.get(Tree.key(first))! * probability.get(Tree.key(second))!
        })
      }
    pairs.forEach((pair, i) => expect(logPrior(pair)).toBeCloseTo(Math.log(sums[i]!), 10))
  })

  it.each(priors)("sums to one once the factors of leaves at depth D are taken out: %s", (_, prior) => {
    const logPrior = TreePrior.logPrior(prior)
    const last = Math.log1p(-Prior.splitProbability(prior.split, prior.depth))
    let total = 0
    let paper = 0
    for (const { tree, probability } of bruteForce(prior).values()) {
      total += Math.exp(logPrior([tree]) - TreePrior.deepest(prior, [tree]) * last)
      paper += probability
    }
    expect(total).toBeCloseTo(1, 11)
    expect(paper).toBeLessThan(1)
  })

  it("is the paper's formula, by hand", () => {
    // sin(a) and b * b with D = 2, alpha = 0.95, delta = 2, all concentrations 1:
    // roots split (0.95 each); leaves at depth 1: three of 1 - 0.2375; operators 1/2 * 1/3; terminals a, b, b: 2/(2*3*4)
    const prior = {
      grammar: two,
      depth: 2,
      split: Prior.depthDecay(0.95, 2),
      operators: [1, 1],
      terminals: [1, 1],
    }
    const b = Tree.leaf(1)
    const trees = [Tree.branch(1, [Tree.leaf(0)]), Tree.branch(0, [b, b])]
    const expected = Math.log(0.95 ** 2 * 0.7625 ** 3 * (1 / 6) * (2 / 24))
    expect(TreePrior.logPrior(prior)(trees)).toBeCloseTo(expected, 12)
    expect(TreePrior.logPrior(prior)(trees.toReversed())).toBeCloseTo(expected, 12)
  })

  it("is minus infinity for trees that cannot be drawn", () => {
    const prior = { grammar: once, depth: 2, split, operators: [1, 1], terminals: [1, 1] }
    const sin = (x: Tree.Tree) => Tree.branch(1, [x])
    const logPrior = TreePrior.logPrior(prior)
    expect(logPrior([sin(sin(Tree.leaf(0)))])).toBe(-Infinity)
    expect(
      logPrior([
        Tree.leaf(0),
        Tree.branch(0, [Tree.leaf(0), Tree.branch(0, [sin(Tree.leaf(0)), Tree.leaf(0)])]),
      ]),
    ).toBe(-Infinity)
  })

  it("keeps its scale with hundreds of restricted leaves", () => {
    const prior = {
      grammar: once,
      depth: 9,
      split: Prior.depthDecay(0.999, 0.01),
      operators: [1, 1],
      terminals: [1, 1],
    }
    const full = (d: number): Tree.Tree =>
      d === 0 ? Tree.leaf(0) : Tree.branch(0, [full(d - 1), full(d - 1)])
    const value = TreePrior.logPrior(prior)([Tree.branch(1, [full(7)]), Tree.branch(1, [full(7)])])
    expect(Number.isFinite(value)).toBe(true)
  })
})

describe("of", () => {
  const sym = (site: string) => Sym.make(site, "simplex", [], 2)
  const forest = { grammar: two, depth: 2, split, weights: { operators: sym("o"), terminals: sym("f") } }
  const site = (name: string, eta: ReadonlyArray<number>) => ({
    name,
    prior: { _tag: "Shared" as const, dist: Dist.dirichlet(eta) },
  })

  it.effect("reads the concentrations off the sites", () =>
    Effect.gen(function* () {
      const prior = yield* TreePrior.of(forest, [site("f", [3, 4]), site("o", [1, 2])])
      expect(prior).toEqual({ grammar: two, depth: 2, split, operators: [1, 2], terminals: [3, 4] })
      const error = yield* Effect.flip(TreePrior.of(forest, [site("o", [1, 2])]))
      expect(error.message).toContain('"f"')
    }),
  )
})
