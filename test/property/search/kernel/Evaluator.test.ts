import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { largest } from "../../../../src/evidence/columns.ts"
import type { Opened } from "../../../../src/search/kernel/Evaluator.ts"
import { FAULTS, FIRST, SQUARE } from "../../../../src/search/kernel/Kernel.ts"
import type { Room } from "../../../../src/search/kernel/Memory.ts"
import * as Terminals from "../../../../src/prob/Terminals.ts"
import type { Grammar } from "../../../../src/prob/Grammar.ts"
import * as Term from "../../../../src/expr/Term.ts"
import type * as Tree from "../../../../src/prob/Tree.ts"
import type { Dataset } from "../../../../src/data/Data.ts"
import { arbitraryEnsemble, arbitraryTree, type Ensemble } from "../../../../src/testing/arbitraryModel.ts"
import { everywhere } from "../../../support/ensembles.ts"
import * as Kernels from "../../../support/kernels.ts"
import { momentsOf } from "../../../support/kernels.ts"
import { runs } from "../../../support/property.ts"
import { algebra, type Rounded, stored } from "../../../support/rounding.ts"

/** Any grammar, data of a few rows, and trees of which the first K - 1 are a base. */
const forests = (options: Parameters<typeof arbitraryEnsemble>[0] = {}) =>
  arbitraryEnsemble({ rows: 40, depth: 3, ...options }).chain((ensemble) =>
    fc
      .array(arbitraryTree(ensemble.grammar, ensemble.depth), { minLength: ensemble.trees, maxLength: 30 })
      .map((trees) => ({ ensemble, trees })),
  )

const hardTrees = ({ grammar, data, trees }: Ensemble, room: Room): Opened =>
  Effect.runSync(Kernels.open(grammar, data, trees, room))

/** The value of a tree on every row with a bound on what float32 does to it. */
const bounds = (grammar: Grammar, data: Dataset, tree: Tree.Tree): ReadonlyArray<Rounded> => {
  const terminals = Effect.runSync(Terminals.columns(grammar, data))
  const operators = grammar.operators.map(({ term }) => Term.interpret(algebra)(term))
  const visit = (node: Tree.Tree, row: number): Rounded =>
    node._tag === "Leaf"
      ? stored(terminals[node.terminal]![row]!)
      : operators[node.operator]!((name) => visit(node.children[name === "x" ? 0 : 1]!, row))
  return Array.from({ length: data.rows }, (_, row) => visit(tree, row))
}

const rooms: fc.Arbitrary<Room> = fc.record({
  // From no column at all to room for all of them.
  capacity: fc.constantFrom(0, 1000, 4000, 2 ** 16),
  block: fc.constantFrom(16, 32, 512),
})

/** An inner product, and the sum of the magnitudes of its terms. */
const inner = (a: ArrayLike<number>, b: ArrayLike<number>): { sum: number; size: number } => {
  let sum = 0
  let size = 0
  for (let i = 0; i < a.length; i++) {
    sum += a[i]! * b[i]!
    size += Math.abs(a[i]! * b[i]!)
  }
  return { sum, size }
}

describe("columns of hard trees", () => {
  it.each([
    ["of any operators", undefined],
    ["of operators that are defined everywhere", everywhere],
  ])("%s are what float32 makes of the trees", (_, operations) => {
    let told = 0
    fc.assert(
      fc.property(
        forests(operations === undefined ? {} : { operations }),
        rooms,
        ({ ensemble, trees }, room) => {
          const { grammar, data } = ensemble
          const { dag, kernel } = hardTrees(ensemble, room)
          for (const tree of trees) {
            const column = kernel.column(dag.intern(tree))
            expect(column.length).toBe(data.rows)
            bounds(grammar, data, tree).forEach(({ value, error }, row) => {
              if (error === Infinity) return
              told++
              const found = column[row]!
              if (Number.isNaN(error)) expect(found).toBeNaN()
              else expect(Math.abs(found - value)).toBeLessThanOrEqual(error)
            })
          }
        },
      ),
      runs(60),
    )
    expect(told).toBeGreaterThan(1000)
  })

  it("do not depend on what was evaluated before, nor on the room", () => {
    fc.assert(
      fc.property(
        forests(),
        rooms,
        fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
        ({ ensemble, trees }, room, order) => {
          const fresh = hardTrees(ensemble, { ...room, capacity: 2 ** 20 })
          const used = hardTrees(ensemble, room)
          const held = trees.slice(0, Math.min(2, used.kernel.capacity))
          for (const { kernel, dag } of [fresh, used]) kernel.hold(held.map(dag.intern))
          const once = momentsOf(fresh.kernel, trees.map(fresh.dag.intern))
          const width = FIRST + held.length
          // In batches of any size and order, some trees many times.
          for (let from = 0; from < order.length; from += 7) {
            const picked = order.slice(from, from + 7).map((index) => index % trees.length)
            const ids = picked.map((index) => used.dag.intern(trees[index]!))
            const again = momentsOf(used.kernel, ids)
            picked.forEach((index, i) =>
              expect([...again.subarray(i * width, (i + 1) * width)]).toEqual([
                ...once.subarray(index * width, (index + 1) * width),
              ]),
            )
          }
          for (const tree of trees)
            expect([...used.kernel.column(used.dag.intern(tree))]).toEqual([
              ...fresh.kernel.column(fresh.dag.intern(tree)),
            ])
          expect(used.kernel.held()).toBe(held.length)
        },
      ),
      runs(60),
    )
  })

  it("have their inner products in float64", () => {
    fc.assert(
      fc.property(forests(), rooms, fc.nat({ max: 9 }), ({ ensemble, trees }, room, count) => {
        const { dag, kernel } = hardTrees(ensemble, room)
        const ids = trees.map(dag.intern)
        const held = ids.slice(0, Math.min(count, kernel.capacity))
        kernel.hold(held)
        const table = momentsOf(kernel, ids)
        const columns = ids.map(kernel.column)
        columns.forEach((t, i) => {
          const at = i * (FIRST + held.length)
          const admissible = t.every((value) => Math.abs(value) < largest)
          expect(table[at + FAULTS] === 0).toBe(admissible)
          if (!admissible) return
          const partners = held.map((_, j) => [FIRST + j, columns[j]!] as const)
          for (const [place, u] of [[SQUARE, t] as const, ...partners]) {
            // An inadmissible u has products that mean nothing.
            if (!u.every((value) => Math.abs(value) < largest)) continue
            const { sum, size } = inner(t, u)
            expect(Math.abs(table[at + place]! - sum)).toBeLessThanOrEqual(1e-14 * size)
          }
        })
      }),
      runs(60),
    )
  })
})
