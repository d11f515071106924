import type { Grammar } from "../prob/Grammar.ts"
import * as HardTree from "../prob/tree/HardTree.ts"
import * as Restriction from "../prob/tree/Restriction.ts"
import * as Dag from "./kernel/Dag.ts"
import { room } from "./kernel/Room.ts"

/** What the restrictions of a prior say of the nodes of a graph as trees. */
export interface RestrictedNodes {
  /** The sum of log r over all restrictions; worked out when it is asked for first, and remembered. */
  readonly log: (id: number) => number
  /** Forgets nodes from a number on. */
  readonly forget: (from: number) => void
}

/** A node as a tree, in canonical form. */
interface Built {
  readonly tree: HardTree.Tree
  readonly key: string
}

/**
 * Sums over nodes are made of those of operands, trees of the trees of operands, so that a node costs no more than its own
 * layer. Nodes that are never asked about cost nothing.
 *
 * @param terminalOf the terminal that a leaf beyond those of the grammar is a number of
 * @throws GrammarError as `Restriction.compile`
 */
export const make = (
  grammar: Grammar,
  dag: Dag.Dag,
  restrictions: ReadonlyArray<Restriction.Restriction>,
  terminalOf: (id: number) => number | undefined,
): RestrictedNodes => {
  const { counted, whole } = Restriction.compile(grammar, restrictions)
  const terminals = grammar.terminals.length
  const terminal = (id: number): number => {
    const found = id < terminals ? id : terminalOf(id)
    if (found === undefined) throw new Error(`node ${id} is no expression of the grammar`)
    return found
  }
  const width = counted.length
  // NaN stands for what is not worked out yet: sums and logarithms never are.
  let sums = new Float64Array(width * 1024).fill(NaN)
  let logs = new Float64Array(1024).fill(NaN)
  const built: Array<Built | undefined> = []
  /** nodes beyond have not been asked about */
  let end = 0

  const grow = (id: number): void => {
    end = Math.max(end, id + 1)
    const from = logs.length
    if (id < from) return
    logs = room(Float64Array, logs, id + 1).fill(NaN, from)
    const next = new Float64Array(width * logs.length).fill(NaN)
    next.set(sums)
    sums = next
  }

  const sum = (id: number, rule: number): number => {
    const known = sums[id * width + rule]!
    if (!Number.isNaN(known)) return known
    const at = id * Dag.width
    const records = dag.records()
    const operator = records[at]!
    const right = records[at + Dag.RIGHT]!
    const made =
      operator < 0
        ? counted[rule]!.terminals[terminal(id)]!
        : counted[rule]!.operators[operator]! +
          sum(records[at + Dag.LEFT]!, rule) +
          (right < 0 ? 0 : sum(right, rule))
    sums[id * width + rule] = made
    return made
  }

  const build = (id: number): Built => {
    const known = built[id]
    if (known !== undefined) return known
    const at = id * Dag.width
    const records = dag.records()
    const operator = records[at]!
    const make = (): Built => {
      if (operator < 0) {
        const tree = HardTree.leaf(terminal(id))
        return { tree, key: HardTree.key(tree) }
      }
      const left = build(records[at + Dag.LEFT]!)
      if (records[at + Dag.RIGHT]! < 0) return branch(operator, [left])
      const right = build(records[at + Dag.RIGHT]!)
      return grammar.operators[operator]!.commutative && right.key < left.key
        ? branch(operator, [right, left])
        : branch(operator, [left, right])
    }
    const made = make()
    built[id] = made
    return made
  }
  const branch = (operator: number, children: ReadonlyArray<Built>): Built => ({
    tree: HardTree.branch(
      operator,
      children.map(({ tree }) => tree),
    ),
    key: HardTree.branchKey(
      operator,
      children.map(({ key }) => key),
    ),
  })

  const log: RestrictedNodes["log"] = (id) => {
    grow(id)
    const known = logs[id]!
    if (!Number.isNaN(known)) return known
    let found = 0
    for (let rule = 0; rule < width && found > -Infinity; rule++) found += counted[rule]!.log(sum(id, rule))
    if (whole !== undefined && found > -Infinity) found += whole(build(id).tree)
    logs[id] = found
    return found
  }
  return {
    log,
    forget: (from) => {
      logs.fill(NaN, from, end)
      sums.fill(NaN, from * width, end * width)
      built.length = Math.min(built.length, from)
      end = Math.min(end, from)
    },
  }
}
