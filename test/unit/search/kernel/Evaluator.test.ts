import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Columns from "../../../../src/search/kernel/Columns.ts"
import * as Evaluator from "../../../../src/search/kernel/Evaluator.ts"
import { FAULTS, FIRST, SQUARE } from "../../../../src/search/kernel/Kernel.ts"
import type * as Memory from "../../../../src/search/kernel/Memory.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Term from "../../../../src/expr/Term.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import type { Dataset } from "../../../../src/data/Data.ts"
import * as Kernels from "../../../support/kernels.ts"
import { treeMoments } from "../../../support/kernels.ts"

const leaf = Tree.leaf

const dataset = (features: ReadonlyArray<string>, rows: number): Dataset => {
  const columns = features.map((_, j) =>
    Float64Array.from({ length: rows }, (_, i) => Math.sin((j + 1.3) * i) + 2),
  )
  const y = Float64Array.from({ length: rows }, (_, i) => columns.reduce((sum, c) => sum + c[i]! ** 2, 0))
  return { features, columns, target: "y", y, rows }
}

const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.add, Operator.mul, Operator.sin, Operator.sub],
})
const [a, b] = [leaf(0), leaf(1)]
const add = (x: Tree.Tree, y: Tree.Tree) => Tree.branch(0, [x, y])
const mul = (x: Tree.Tree, y: Tree.Tree) => Tree.branch(1, [x, y])
const sin = (x: Tree.Tree) => Tree.branch(2, [x])
const sub = (x: Tree.Tree, y: Tree.Tree) => Tree.branch(3, [x, y])

describe("the loops of operators", () => {
  const small = [1e-6, -1e-6, 1e-12, 1e-34, 2 ** -1000, 2 ** -1070, -(2 ** -1060)]
  const steep = [20, -20, 21, -21, 700, 709, 710, -740, -750]
  const large = [1e5, 1e10, -1e20, 3e38, -3e300, 1e200, Infinity, -Infinity, Number.NaN]
  const special = [0, -0, 1, -1, 0.5, 2, 3, Math.PI, -7.25, ...small, ...steep, ...large]
  const pairs = special.flatMap((x) => special.map((y) => [x, y] as const))
  const columns = [Float64Array.from(pairs, ([x]) => x), Float64Array.from(pairs, ([, y]) => y)]
  const y = new Float64Array(pairs.length)
  const operators = Object.values(Operator.shipped)
  const all = Grammar.make({ features: ["x", "y"], operators })
  const { dag, kernel } = Effect.runSync(Evaluator.open(all, columns, y, 1, { block: 64 }))

  it.each(operators.map((operator, index) => [operator.name, operator, index] as const))(
    "%s knows special values",
    (_, operator, index) => {
      const column = kernel.column(dag.apply(index, 0, 1))
      const exact = Term.interpret(Term.arithmetic)(operator.term)
      pairs.forEach(([x, y], i) => {
        const value = exact((name) => (name === "x" ? x : y))
        const found = column[i]!
        if (!Number.isFinite(value)) expect([x, y, found]).toEqual([x, y, value])
        else if (Math.abs(value) < 2 ** -1020) expect(Math.abs(found - value)).toBeLessThan(2 ** -1060)
        // Some units in the last place; a power is the exponential of a rounded exponent.
        else {
          const exponent = operator.number === undefined ? 0 : Math.abs(Math.log(Math.abs(value)))
          expect([x, y, Math.abs(found / value - 1) < 2 ** -50 * (1 + exponent)]).toEqual([x, y, true])
        }
      })
    },
  )
})

describe("hard trees", () => {
  it("call a column admissible whose values are finite and below 1e150", () => {
    const values = [1e15, 1e150, -1e150, 9.9e149, -9.9e149, Infinity, -Infinity, Number.NaN, 1e-300]
    const rows = 11
    // Each value at each row, the last ones behind the last four included.
    const columns = values.flatMap((value) =>
      [0, 3, 7, 8, 10].map((at) => new Float64Array(rows).fill(1).with(at, value)),
    )
    const y = new Float64Array(rows)
    const features = columns.map((_, j) => `x${j}`)
    const wide = Grammar.make({ features, operators: [Operator.add] })
    const { kernel } = Effect.runSync(Evaluator.open(wide, columns, y, 1))
    const table = new Float64Array(columns.length * FIRST)
    kernel.moments(
      features.map((_, j) => j),
      table,
    )
    columns.forEach((column, j) => {
      const admissible = column.every((value) => Math.abs(value) < 1e150)
      expect([j, table[j * FIRST + FAULTS] === 0]).toEqual([j, admissible])
    })
  })

  it("stay within the same memory for long data", () => {
    const rows = 200_003
    const room = { capacity: 2 ** 22 }
    const data = dataset(["a", "b"], rows)
    const hard = Effect.runSync(Kernels.open(grammar, data, 1, room))
    // The data themselves (two columns), what was asked for, and 1.6 MB of instructions and scratch.
    expect(hard.bytes).toBeLessThan(16 * rows + room.capacity + 1.7e6)
    const trees = [
      sin(mul(a, b)),
      add(sin(mul(a, b)), a),
      sub(mul(sin(mul(a, b)), sin(a)), sin(b)),
      mul(b, b),
    ]
    const found = treeMoments(hard, trees, [mul(a, a)])
    const square = hard.kernel.column(hard.dag.intern(mul(a, a)))
    trees.forEach((tree, i) => {
      const t = hard.kernel.column(hard.dag.intern(tree))
      const inner = (other: Float64Array): number =>
        t.reduce((sum, value, row) => sum + value * other[row]!, 0)
      const at = i * (FIRST + 1)
      expect(Math.abs(found[at + SQUARE]! / inner(t) - 1)).toBeLessThan(1e-12)
      expect(Math.abs(found[at + FIRST]! - inner(square))).toBeLessThan(1e-9 * inner(t))
    })
  })

  it("evaluate what trees share once", () => {
    const hard = Effect.runSync(Kernels.open(grammar, dataset(["a", "b"], 100), 1))
    const shared = sin(mul(sub(a, b), b))
    const trees = Array.from({ length: 50 }, (_, i) => {
      let tree: Tree.Tree = shared
      for (let bit = 1; bit < 64; bit *= 2) tree = (i & bit) === 0 ? add(tree, a) : mul(b, tree)
      return tree
    })
    treeMoments(hard, [a], [a])
    const before = hard.kernel.evaluated()
    const nodes = hard.dag.size()
    treeMoments(hard, trees, [a])
    expect(hard.kernel.evaluated() - before).toBe(hard.dag.size() - nodes)
    // In memory now, as they were asked for twice: nothing is left to evaluate.
    treeMoments(hard, trees, [a])
    const again = hard.kernel.evaluated()
    treeMoments(hard, trees, [a])
    expect(hard.kernel.evaluated()).toBe(again)
  })

  it("are as many as one likes", () => {
    const hard = Effect.runSync(Kernels.open(grammar, dataset(["a", "b"], 20), 1))
    // All sums of at most two of 60 products: 1,890 trees, more than any table starts with.
    const powers = Array.from({ length: 60 }, (_, i) =>
      Array.from({ length: i }).reduce<Tree.Tree>((tree) => mul(tree, sin(a)), b),
    )
    const trees = [...powers, ...powers.flatMap((x, i) => powers.slice(i).map((y) => add(x, y)))]
    const found = treeMoments(hard, trees, [a])
    expect(hard.dag.size()).toBeGreaterThan(1890)
    const fresh = Effect.runSync(Kernels.open(grammar, dataset(["a", "b"], 20), 1))
    for (let i = 0; i < trees.length; i += 37)
      expect([...treeMoments(fresh, [trees[i]!], [a])]).toEqual([
        ...found.subarray(i * (FIRST + 1), (i + 1) * (FIRST + 1)),
      ])
  })

  it("refuse a tree that is too deep, and are none the worse for it", () => {
    const hard = Effect.runSync(Kernels.open(grammar, dataset(["a", "b"], 50), 1))
    const comb = (depth: number, right: (i: number) => Tree.Tree): Tree.Tree => {
      let tree: Tree.Tree = a
      for (let i = 0; i < depth; i++) tree = sub(right(i), tree)
      return tree
    }
    const shared = mul(a, sin(b))
    const sound = [shared, add(shared, a), add(shared, b)]
    const before = treeMoments(hard, sound, [b])
    const once = (i: number) =>
      sub(
        Array.from({ length: i + 2 }).reduce<Tree.Tree>((t) => sin(t), b),
        a,
      )
    expect(() =>
      treeMoments(hard, [add(mul(shared, b), b), mul(mul(shared, b), b), comb(300, once)], [b]),
    ).toThrow("more than 256 levels deep")
    expect([...treeMoments(hard, sound, [b])]).toEqual([...before])
    const fresh = Effect.runSync(Kernels.open(grammar, dataset(["a", "b"], 50), 1))
    const after = [mul(shared, b), add(mul(shared, b), b)]
    expect([...treeMoments(hard, after, [b])]).toEqual([...treeMoments(fresh, after, [b])])
  })

  it("are told from others that are admissible, in any order", () => {
    const exp = Grammar.make({ features: ["a", "b"], operators: [Operator.exp, Operator.square] })
    const hard = Effect.runSync(Kernels.open(exp, dataset(["a", "b"], 50), 1))
    const huge = [0, 0, 1, 1, 1, 1, 1].reduce<Tree.Tree>((tree, operator) => Tree.branch(operator, [tree]), a)
    const faults = (trees: ReadonlyArray<Tree.Tree>): ReadonlyArray<boolean> => {
      const rows = treeMoments(hard, trees, [b])
      return trees.map((_, i) => rows[i * (FIRST + 1) + FAULTS]! > 0)
    }
    expect(faults([a, huge])).toEqual([false, true])
    expect(faults([huge, a, huge, b])).toEqual([true, false, true, false])
    expect(faults([])).toEqual([])
  })

  it("say what is wrong", () => {
    const make = (features: ReadonlyArray<string>, room: Memory.Room) =>
      Effect.runSync(Effect.flip(Kernels.open(grammar, dataset(features, 9), 1, room)))
    expect(make(["a", "c"], {}).message).toContain('"b"')
    expect(make(["a", "b"], { capacity: 2 ** 31 })).toMatchObject({
      _tag: "CompileError",
      message: expect.stringMatching(/9 rows need \d+ bytes, of at most 2147483648/),
    })
    const hard = Effect.runSync(Kernels.open(grammar, dataset(["a", "b"], 9), 2, { capacity: 0 }))
    expect(() => hard.kernel.hold([0, 1, 0])).toThrow("at most 2 columns can be held, not 3")
  })
})

describe("the cache of columns", () => {
  it("keeps what a batch uses, and gives away what was not used for long", () => {
    const columns = Columns.make(3, 2)
    columns.next(10)
    expect([0, 1, 2].map(columns.claim)).toEqual([1, 2, 3])
    // All are in use: blocks are next, and then nothing is left.
    expect([3, 4, 5].map(columns.claim)).toEqual([-1, -2, 0])
    expect([0, 3, 4, 5].map(columns.find)).toEqual([1, -1, -2, 0])
    columns.next(5000)
    expect([3, 4, 4999].map(columns.find)).toEqual([0, 0, 0])
    expect([1, 2].map(columns.find)).toEqual([2, 3])
    expect(columns.claim(4999)).toBe(1)
    expect([0, 1, 2, 4999].map(columns.find)).toEqual([0, 2, 3, 1])
    columns.next(5000)
    expect([columns.claim(6), columns.claim(7)]).toEqual([2, 3])
    columns.next(5000)
    expect(columns.claim(8)).toBe(1)
    columns.next(5000)
    expect(columns.claim(9)).toBe(2)
    columns.next(5000)
    // A second chance for what was used since the hand last came by.
    expect(columns.find(7)).toBe(3)
    columns.next(5000)
    expect(columns.claim(10)).toBe(1)
    columns.next(5000)
    expect([6, 7, 8, 9, 10].map(columns.find)).toEqual([0, 3, 0, 2, 1])
    columns.clear()
    columns.next(5000)
    expect([7, 9, 10].map(columns.find)).toEqual([0, 0, 0])
  })

  it("has no columns where there is no room", () => {
    const columns = Columns.make(0, 1)
    columns.next(4)
    expect([0, 1].map(columns.claim)).toEqual([-1, 0])
  })
})
