import * as Dag from "../../compile/simd/hard/Dag.ts"
import * as Grammar from "../../declare/Grammar.ts"
import * as Prior from "../../declare/Prior.ts"

/** What the prior of a tree says of its parts, its weights at their prior means. */
export interface Weights {
  /** maximum depth of a tree */
  readonly depth: number
  readonly split: Prior.DepthDecay
  /** log E[w] of each operator */
  readonly operators: ReadonlyArray<number>
  /** log E[w] of each terminal */
  readonly terminals: ReadonlyArray<number>
}

/** What is known of the nodes of a graph without evaluating them. */
export interface Attributes {
  /** Makes the attributes of nodes known that came since the last call. */
  readonly update: () => void
  /** The log prior of a node as a tree: minus infinity for trees that are too deep. Up to the spread of the weights. */
  readonly logPrior: (id: number) => number
  /** The number of nodes of the tree. */
  readonly size: (id: number) => number
  /** Whether a terminal of the data occurs: trees of constants alone are constants. */
  readonly varies: (id: number) => boolean
  /** Whether the grammar lets an operator stand above a tree. */
  readonly may: (operator: number, id: number) => boolean
}

export const make = (grammar: Grammar.Grammar, dag: Dag.Dag, weights: Weights): Attributes => {
  const { depth } = weights
  const levels = depth + 1
  const splits = Array.from({ length: levels }, (_, d) => Prior.splitProbability(weights.split, d))
  const grows = splits.map((p, d) => (d < depth ? Math.log(p) : -Infinity))
  const ends = splits.map((p) => Math.log1p(-p))
  const p = grammar.terminals.length
  // Bits of operators that may not stand inside of some operator.
  const banned = [...new Set(grammar.forbidden.map(({ operator }) => operator))]
  const bit = grammar.operators.map(({ name }) => {
    const index = banned.indexOf(name)
    return index < 0 ? 0 : 1 << (index % 32)
  })
  const against = grammar.operators.map(({ name }) =>
    grammar.forbidden
      .filter(({ inside }) => inside === name)
      .reduce((mask, { operator }) => mask | (1 << (banned.indexOf(operator) % 32)), 0),
  )
  let known = 0
  let log = new Float32Array(1024 * levels)
  let size = new Uint16Array(1024)
  let varies = new Uint8Array(1024)
  let holds = new Int32Array(1024)

  const grow = (count: number): void => {
    if (count <= size.length) return
    const length = Math.max(count, 2 * size.length)
    const copy = <A extends { set: (from: A) => void }>(made: A, from: A): A => {
      made.set(from)
      return made
    }
    log = copy(new Float32Array(length * levels), log)
    size = copy(new Uint16Array(length), size)
    varies = copy(new Uint8Array(length), varies)
    holds = copy(new Int32Array(length), holds)
  }

  const update = (): void => {
    const count = dag.size()
    if (count === known) return
    grow(count)
    const records = dag.records()
    for (let id = known; id < count; id++) {
      const at = id * Dag.width
      const operator = records[at]!
      const to = id * levels
      if (operator < 0) {
        size[id] = 1
        const terminal = grammar.terminals[id]
        varies[id] = terminal !== undefined && terminal.term._tag === "Constant" ? 0 : 1
        for (let d = 0; d < levels; d++)
          log[to + d] = id < p ? ends[d]! + weights.terminals[id]! : Number.NEGATIVE_INFINITY
        continue
      }
      const left = records[at + Dag.LEFT]!
      const right = records[at + Dag.RIGHT]!
      const own = weights.operators[operator]!
      size[id] = Math.min(65535, 1 + size[left]! + (right < 0 ? 0 : size[right]!))
      varies[id] = varies[left]! | (right < 0 ? 0 : varies[right]!)
      holds[id] = bit[operator]! | holds[left]! | (right < 0 ? 0 : holds[right]!)
      for (let d = 0; d < depth; d++) {
        const below = d + 1
        log[to + d] =
          grows[d]! + own + log[left * levels + below]! + (right < 0 ? 0 : log[right * levels + below]!)
      }
      log[to + depth] = Number.NEGATIVE_INFINITY
    }
    known = count
  }
  update()
  return {
    update,
    logPrior: (id) => log[id * levels]!,
    size: (id) => size[id]!,
    varies: (id) => varies[id] === 1,
    may: (operator, id) => (against[operator]! & holds[id]!) === 0,
  }
}
