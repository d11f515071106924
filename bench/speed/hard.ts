/**
 * The number of distinct hard trees a second for which one core has the regression of y, as a search does: from `Tree` objects to
 * residual sums of squares beside one tree that is held (`SearchSpace`, `BorderedRegression`). Ten operators, depth 4, trees drawn from the paper's prior (split probability
 * 0.95 (1 + d)^-delta), each canonical form once.
 *
 *     node bench/speed/hard.ts 100000 2 3 1800      distinct trees, delta, features, rows
 *
 * Prints one line of JSON, the middle one of five rounds from an empty graph: trees a second by the clock and by processor
 * time (where others share the machine, the latter is what counts), and microseconds of processor time a tree for
 * - interning: `Dag.intern`
 * - evaluation: the columns of new nodes, by the kernel: `BorderedRegression.moments` less the next
 * - moments: `BorderedRegression.moments` of equally many columns that need no evaluation
 * - regression: `BorderedRegression.rss`
 */
import * as Effect from "effect/Effect"
import * as BorderedRegression from "../../src/search/BorderedRegression.ts"
import * as SearchSpace from "../../src/search/SearchSpace.ts"
import * as Dag from "../../src/search/kernel/Dag.ts"
import * as Grammar from "../../src/prob/Grammar.ts"
import * as Operator from "../../src/expr/Operator.ts"
import * as Prior from "../../src/prob/Prior.ts"
import * as Skeleton from "../../src/prob/Skeleton.ts"
import * as Tree from "../../src/prob/Tree.ts"
import * as Data from "../../src/data/Data.ts"
import * as Rng from "../../src/random/Rng.ts"

const [count = 100_000, delta = 2, features = 3, rows = 1800] = process.argv.slice(2).map(Number)
const { add, sub, mul, div, square, sqrt, sin, cos, exp, log } = Operator.shipped
const grammar = Grammar.make({
  features: Array.from({ length: features }, (_, j) => `x${j}`),
  operators: [add, sub, mul, div, square, sqrt, sin, cos, exp, log],
})
const depth = 4
const batch = 1024

/** Distinct trees in the order in which the prior's draws bring them up. */
const draw = (): { readonly trees: ReadonlyArray<Tree.Tree>; readonly draws: number } => {
  const seen = Dag.make(grammar)
  const roots = new Set<number>()
  const trees: Array<Tree.Tree> = []
  const nodes = Skeleton.size(depth)
  const splits = Array.from({ length: nodes }, (_, node) =>
    Prior.splitProbability({ alpha: 0.95, delta }, Skeleton.depthOf(node)),
  )
  const uniform = new Float64Array(3 * nodes)
  const skeleton = {
    split: new Uint8Array(nodes),
    operator: new Uint8Array(nodes),
    terminal: new Uint8Array(nodes),
  }
  let draws = 0
  for (; trees.length < count; draws++) {
    Rng.uniform(Rng.fold(Rng.key(1), draws), uniform)
    for (let node = 0; node < nodes; node++) {
      skeleton.split[node] = uniform[3 * node]! < splits[node]! ? 1 : 0
      skeleton.operator[node] = uniform[3 * node + 1]! * grammar.operators.length
      skeleton.terminal[node] = uniform[3 * node + 2]! * grammar.terminals.length
    }
    const id = seen.prune(depth, skeleton)
    if (roots.has(id)) continue
    roots.add(id)
    trees.push(Tree.prune(grammar, depth, skeleton))
  }
  return { trees, draws }
}

const generator = Rng.generator(Rng.key(2))
const X = Array.from({ length: rows }, () => Array.from({ length: features }, () => 1 + 4 * generator.next()))
const y = X.map((x) => 6 * Math.sin(x[0]!) * x[1 % features]! + 0.1 * generator.normal())
const data = Effect.runSync(Data.fromRows({ X, y, features: grammar.features }))
const weights = {
  depth,
  split: { alpha: 0.95, delta },
  operators: grammar.operators.map(() => -Math.log(grammar.operators.length)),
  terminals: grammar.terminals.map(() => -Math.log(grammar.terminals.length)),
}

const processor = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Microseconds by the clock and of the processor that a function takes. */
const timed = (run: () => void): { readonly clock: number; readonly processor: number } => {
  const clock = performance.now()
  const before = processor()
  run()
  return { clock: 1e3 * (performance.now() - clock), processor: processor() - before }
}

const { trees, draws } = draw()
const base = Tree.branch(2, [Tree.leaf(0), Tree.leaf(1 % features)])
const batches = Array.from({ length: Math.ceil(count / batch) }, (_, i) =>
  trees.slice(i * batch, (i + 1) * batch),
)

/** An empty graph over the data, and a regression of y that holds one tree. */
const open = () => {
  const space = Effect.runSync(SearchSpace.make(grammar, weights, data, 1, Rng.key(3)))
  const regression = BorderedRegression.make(space, 2)
  regression.hold([space.dag.intern(base)], 0)
  return { space, regression }
}

const intern = ({ dag }: SearchSpace.SearchSpace, some: ReadonlyArray<Tree.Tree>): Int32Array =>
  Int32Array.from(some, dag.intern)

const out = new Float64Array(batch)
const regress = (regression: BorderedRegression.Regression, table: Float64Array, length: number): void => {
  const width = regression.width()
  for (let i = 0; i < length; i++) out[i] = regression.rss(table, i * width)
}

const round = () => {
  const whole = open()
  const total = timed(() => {
    for (const some of batches) {
      const ids = intern(whole.space, some)
      regress(whole.regression, whole.regression.moments(ids, ids.length), ids.length)
    }
  })

  // Once more with a clock around every part: looking at it takes time, so that the total is another round's.
  const { space, regression } = open()
  const spent = { interning: 0, kernel: 0, regression: 0 }
  for (const some of batches) {
    let ids: Int32Array = new Int32Array()
    let table: Float64Array = new Float64Array()
    spent.interning += timed(() => (ids = intern(space, some))).processor
    spent.kernel += timed(() => (table = regression.moments(ids, ids.length))).processor
    spent.regression += timed(() => regress(regression, table, ids.length)).processor
  }
  const leaves = Int32Array.from({ length: batch }, (_, i) => i % grammar.terminals.length)
  const moments = timed(() => {
    for (const { length } of batches) regression.moments(leaves, length)
  }).processor
  const each = (microseconds: number) => Number((microseconds / count).toFixed(2))
  return {
    perSecond: Math.round((1e6 * count) / total.clock),
    perCpuSecond: Math.round((1e6 * count) / total.processor),
    microseconds: {
      interning: each(spent.interning),
      evaluation: each(spent.kernel - moments),
      moments: each(moments),
      regression: each(spent.regression),
    },
    evaluated: Number((space.kernel.evaluated() / count).toFixed(2)),
  }
}

const rounds = Array.from({ length: 5 }, round)
const middle = rounds.toSorted((a, b) => a.perCpuSecond - b.perCpuSecond)[rounds.length >> 1]
const size = trees.reduce((sum, tree) => sum + Tree.size(tree), 0) / count
console.log(
  JSON.stringify({
    rows,
    features,
    delta,
    distinct: count,
    draws,
    nodes: Number(size.toFixed(2)),
    ...middle,
  }),
)
