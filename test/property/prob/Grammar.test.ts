import * as tf from "@tensorflow/tfjs-core"
import * as fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import * as ScalarForest from "../../../src/vi/engines/oracle/forest.ts"
import * as Protection from "../../../src/vi/engines/Protection.ts"
import * as TfjsForest from "../../../src/vi/engines/tfjs/forest.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Nd from "../../../src/numeric/Nd.ts"
import * as Skeleton from "../../../src/prob/Skeleton.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import {
  arbitraryEnsemble,
  arbitraryGrammar,
  arbitrarySkeleton,
  arbitraryTree,
} from "../../../src/testing/arbitraryModel.ts"
import { availableBackends } from "../../support/backends.ts"
import { activate, everywhere, planOf } from "../../support/ensembles.ts"
import { runs } from "../../support/property.ts"
import { softEvalAtNode } from "../../support/rounding.ts"

// Trees of any skeleton: pruning gives a tree that the grammar allows, and a soft tree with one-hot draws is that tree.

/** Every pair (ancestor, operator) of a tree, by name. */
const pairs = (
  grammar: Grammar.Grammar,
  tree: Tree.Tree,
  above: ReadonlyArray<string> = [],
): ReadonlyArray<string> => {
  if (tree._tag === "Leaf") return []
  const { name } = grammar.operators[tree.operator]!
  const below = tree.children.flatMap((child) => pairs(grammar, child, [...above, name]))
  return [...above.map((ancestor) => `${name} inside ${ancestor}`), ...below]
}

/** A grammar with rules in it, a depth, and any skeleton. */
const grown = fc
  .record({ grammar: arbitraryGrammar({ forbidden: 4 }), depth: fc.integer({ min: 0, max: 4 }) })
  .chain(({ grammar, depth }) =>
    fc.record({
      grammar: fc.constant(grammar),
      depth: fc.constant(depth),
      skeleton: arbitrarySkeleton(grammar, depth),
    }),
  )

describe("a pruned skeleton", () => {
  it("has nothing that the grammar forbids, within its depth, with as many children as arguments", () => {
    let ruled = 0
    fc.assert(
      fc.property(grown, ({ grammar, depth, skeleton }) => {
        const tree = Tree.prune(grammar, depth, skeleton)
        const forbidden = grammar.forbidden.map(({ inside, operator }) => `${operator} inside ${inside}`)
        const occurring = pairs(grammar, tree)
        expect(occurring.filter((pair) => forbidden.includes(pair))).toEqual([])
        expect(Tree.depth(tree)).toBeLessThanOrEqual(depth)
        const free = Tree.prune({ ...grammar, forbidden: [] }, depth, skeleton)
        if (Tree.key(free) !== Tree.key(tree)) ruled += 1
        const check = (node: Tree.Tree): void => {
          if (node._tag === "Leaf") {
            expect(grammar.terminals[node.terminal]).toBeDefined()
            return
          }
          expect(node.children).toHaveLength(grammar.operators[node.operator]!.arity)
          node.children.forEach(check)
        }
        check(tree)
      }),
      runs(1000),
    )
    // The rules did something in some of them.
    expect(ruled).toBeGreaterThan(20)
  })

  it("is the largest tree that the indicators and the rules allow", () => {
    fc.assert(
      fc.property(grown, ({ grammar, depth, skeleton }) => {
        // The three rules, read off the tree: why is each leaf a leaf, and each branch none?
        const check = (tree: Tree.Tree, node: number, d: number, above: ReadonlyArray<string>): void => {
          const operator = skeleton.operator[node]!
          const { name } = grammar.operators[operator]!
          const forbidden = grammar.forbidden.some(
            (rule) => rule.operator === name && above.includes(rule.inside),
          )
          const leaf = d === depth || skeleton.split[node] !== 1 || forbidden
          if (tree._tag === "Leaf") {
            expect(leaf).toBe(true)
            expect(tree.terminal).toBe(skeleton.terminal[node])
            return
          }
          expect(leaf).toBe(false)
          expect(tree.operator).toBe(operator)
          tree.children.forEach((child, index) => check(child, 2 * node + 1 + index, d + 1, [...above, name]))
        }
        check(Tree.prune(grammar, depth, skeleton), 0, 0, [])
      }),
      runs(300),
    )
  })

  it("meets only contexts that its depth can have", () => {
    fc.assert(
      fc.property(grown, ({ grammar, depth, skeleton }) => {
        const check = (tree: Tree.Tree, d: number, context: Grammar.Context): void => {
          expect(Grammar.contextsAt(grammar, d)).toContain(context)
          if (tree._tag === "Branch")
            tree.children.forEach((child) =>
              check(child, d + 1, Grammar.below(grammar, context, tree.operator)),
            )
        }
        check(Tree.prune(grammar, depth, skeleton), 0, Grammar.rootContext)
      }),
      runs(200),
    )
  })
})

describe("trees", () => {
  const two = arbitraryGrammar().chain((grammar) =>
    fc.tuple(fc.constant(grammar), arbitraryTree(grammar, 3), arbitraryTree(grammar, 3)),
  )

  it("have equal keys exactly when they are equal", () => {
    fc.assert(
      fc.property(two, ([, one, other]) => {
        const same = JSON.stringify(one) === JSON.stringify(other)
        expect(Tree.key(one) === Tree.key(other)).toBe(same)
      }),
      runs(300),
    )
  })

  it("keep their value, size and complexity in canonical order", () => {
    fc.assert(
      fc.property(
        two,
        fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 3, maxLength: 3 }),
        ([grammar, tree], row) => {
          const canonical = Tree.canonical(grammar, tree)
          const value = (t: Tree.Tree) =>
            Term.interpret(Term.arithmetic)(Tree.toTerm(grammar, t))((name) => row[Number(name.slice(1))]!)
          expect([Tree.size(canonical), Tree.complexity(grammar, canonical)]).toEqual([
            Tree.size(tree),
            Tree.complexity(grammar, tree),
          ])
          const [one, other] = [value(tree), value(canonical)]
          // The operands of custom operators such as (x + y) + x y are summed in another order.
          if (Number.isFinite(one) && Math.abs(one) < 1e6)
            expect(Math.abs(other - one)).toBeLessThanOrEqual(1e-6 * (1 + Math.abs(one)))
        },
      ),
      runs(200),
    )
  })
})

describe("a soft tree with one-hot draws", () => {
  // Operators with a value everywhere: a branch that weighs 0 must not be infinite, or 0 times it is NaN.
  const hard = arbitraryEnsemble({ depth: 3, operations: everywhere, forbidden: 3 }).chain((ensemble) =>
    fc.record({
      ensemble: fc.constant(ensemble),
      skeletons: fc.array(arbitrarySkeleton(ensemble.grammar, ensemble.depth), {
        minLength: ensemble.trees,
        maxLength: ensemble.trees,
      }),
    }),
  )

  const oneHot = (indices: ReadonlyArray<number>, length: number): ReadonlyArray<number> =>
    indices.flatMap((index) => Array.from({ length }, (_, k) => (k === index ? 1 : 0)))

  const backends = availableBackends()
  beforeAll(async () => {
    for (const backend of backends) await activate(backend)
  })

  it(`is the hard tree: in float64 exactly, on ${backends.join(", ")} to float32 rounding`, async () => {
    let compared = 0
    let rows = 0
    await fc.assert(
      fc.asyncProperty(hard, async ({ ensemble, skeletons }) => {
        const { grammar, depth, data, trees } = ensemble
        const { forest } = planOf(ensemble).likelihood
        const columns = grammar.terminals.map(({ name, term }) =>
          term._tag === "Constant"
            ? new Float64Array(data.rows).fill(term.value)
            : data.columns[data.features.indexOf(name)]!,
        )
        const nodes = Skeleton.size(depth)
        const [O, p] = [grammar.operators.length, grammar.terminals.length]
        const draws = {
          split: Nd.of(
            [1, trees, nodes],
            skeletons.flatMap(({ split }) => Array.from(split)),
          ),
          operator: Nd.of(
            [1, trees, nodes, O],
            skeletons.flatMap((s) => oneHot(Array.from(s.operator), O)),
          ),
          terminal: Nd.of(
            [1, trees, nodes, p],
            skeletons.flatMap((s) => oneHot(Array.from(s.terminal), p)),
          ),
        }
        const unit = Protection.unitOf(columns)
        const relaxed = {
          ...grammar,
          operators: grammar.operators.map((operator) => ({
            ...operator,
            // Protection adds no variables.
            term: Protection.protect(operator.term, unit) as typeof operator.term,
          })),
        }
        const scalar = ScalarForest.evaluator(forest, columns, data.rows, undefined)(draws)
        const tensors: Array<readonly [string, Float32Array]> = []
        for (const backend of backends) {
          await activate(backend)
          const tensor = ({ data: values, shape }: Nd.Nd) =>
            tf.tensor(Array.from(values), [...shape], "float32")
          const values = tf.tidy(() => {
            const terminals = tf.tensor2d(Float32Array.from(columns.flatMap((c) => [...c])), [p, data.rows])
            const { split, operator, terminal } = draws
            return TfjsForest.evaluator(
              forest,
              terminals,
              undefined,
              unit,
            )({
              split: tensor(split),
              operator: tensor(operator),
              terminal: tensor(terminal),
            }).dataSync<"float32">()
          })
          tensors.push([backend, values])
        }
        skeletons.forEach((skeleton, j) => {
          const tree = Tree.prune(grammar, depth, skeleton)
          const evaluate = Term.interpret(Term.arithmetic)(Tree.toTerm(relaxed, tree))
          const exact = (x: number) => ({ value: x, error: 0 })
          const soft = {
            split: Array.from(skeleton.split, exact),
            operator: oneHot(Array.from(skeleton.operator), O).map(exact),
            terminal: oneHot(Array.from(skeleton.terminal), p).map(exact),
          }
          for (let i = 0; i < data.rows; i++) {
            const row = columns.map((column) => column[i]!)
            const value = evaluate((name) => data.columns[data.features.indexOf(name)]![i]!)
            rows += 1
            const found = scalar.data[j * data.rows + i]!
            // NaN: somewhere a branch that is not taken overflows.
            if (!Number.isNaN(found)) expect(found).toBe(value === 0 ? 0 : value)
            const { error } = softEvalAtNode(grammar, depth, soft, row, undefined, unit)
            if (!(error < 1e-3 * (1 + Math.abs(value)))) continue
            compared += 1
            for (const [backend, values] of tensors) {
              const gap = Math.abs(values[j * data.rows + i]! - value)
              expect({ backend, off: gap > error }).toEqual({ backend, off: false })
            }
          }
        })
      }),
      runs(40),
    )
    expect(compared / rows).toBeGreaterThan(0.5)
  })
})
