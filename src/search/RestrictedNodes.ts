import type { Grammar } from "../prob/Grammar.ts"
import * as HardTree from "../prob/tree/HardTree.ts"
import type * as Link from "../prob/Link.ts"
import * as LawRestrictions from "../prob/tree/LawRestrictions.ts"
import type * as Restriction from "../prob/tree/Restriction.ts"
import * as Dag from "./kernel/Dag.ts"
import { room } from "./kernel/Room.ts"

/** What the restrictions of a prior say of the nodes of a graph as trees. */
export interface RestrictedNodes {
  /** The sum of log r over all restrictions of trees; worked out when it is asked for first, and remembered. */
  readonly log: (id: number) => number
  /** Whether an operator may stand above nodes: no part of the new tree is excluded. One node, or two. */
  readonly may: (operator: number, left: number, right: number) => boolean
  /** log r of laws; undefined without restrictions of laws. */
  readonly laws: Laws | undefined
  /** Forgets nodes from a number on. */
  readonly forget: (from: number) => void
}

/** What restrictions of laws say of nodes as trees together. */
export interface Laws {
  /** log r of one more tree beside others under a link, with a penalty for what the law lacks. */
  readonly beside: (link: number, others: ReadonlyArray<number>) => (id: number) => number
  /** log r of a law. */
  readonly law: (link: number, trees: ReadonlyArray<number>) => number
}

/** A node as a tree, in canonical form. */
interface Built {
  readonly tree: HardTree.Tree
  readonly key: string
}

/** Fitted numbers as nodes. */
export interface Numbers {
  /** The terminal that a leaf beyond those of the grammar is a number of. */
  readonly terminal: (id: number) => number | undefined
  readonly value: (id: number) => number | undefined
}

/** A graph without fitted numbers. */
export const noNumbers: Numbers = { terminal: () => undefined, value: () => undefined }

/**
 * States of nodes are made of those of operands, trees of the trees of operands, so that a node costs no more than its own
 * layer. Nodes that are never asked about cost nothing.
 *
 * @param links those of the likelihood, in order; none for a sum of terms
 */
export const make = (
  grammar: Grammar,
  dag: Dag.Dag,
  { folds, whole }: Pick<Restriction.Compiled, "folds" | "whole">,
  numbers: Numbers,
  links?: ReadonlyArray<Link.Link>,
): RestrictedNodes => {
  const laws = LawRestrictions.make(grammar, folds, links)
  const terminals = grammar.terminals.length
  const terminal = (id: number): number => {
    const found = id < terminals ? id : numbers.terminal(id)
    if (found === undefined) throw new Error(`node ${id} is no expression of the grammar`)
    return found
  }
  const width = folds.length
  // NaN marks entries that are not computed yet: no state or logarithm is NaN.
  let states = new Float64Array(width * 1024).fill(NaN)
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
    next.set(states)
    states = next
  }

  const over = (operator: number, left: number, right: number, i: number): number => {
    const [a, b] = [state(left, i), right < 0 ? NaN : state(right, i)]
    return a === Infinity || b === Infinity ? Infinity : folds[i]!.over(operator, a, b)
  }
  const state = (id: number, i: number): number => {
    const at = id * Dag.width
    const records = dag.records()
    const operator = records[at]!
    // The places of numbers are given to others: their states are not kept.
    if (operator < 0) return folds[i]!.leaf(terminal(id), numbers.value(id))
    grow(id)
    const known = states[id * width + i]!
    if (!Number.isNaN(known)) return known
    const made = over(operator, records[at + Dag.LEFT]!, records[at + Dag.RIGHT]!, i)
    states[id * width + i] = made
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
    if (!Number.isNaN(known) && numbers.value(id) === undefined) return known
    let found = 0
    for (let i = 0; i < width && found > -Infinity; i++) found += folds[i]!.log(state(id, i))
    if (whole !== undefined && found > -Infinity) found += whole(build(id).tree)
    logs[id] = found
    return found
  }
  const sumsOf = (own: LawRestrictions.LawRestrictions, link: number, trees: ReadonlyArray<number>) => {
    const sums = own.none(link)
    for (const id of trees) for (let i = 0; i < width; i++) sums[i]! += own.part(link, i, state(id, i))
    return sums
  }
  return {
    log,
    may: (operator, left, right) => {
      for (let i = 0; i < width; i++) if (over(operator, left, right, i) === Infinity) return false
      return true
    },
    laws: laws && {
      beside: (link, others) => {
        const held = sumsOf(laws, link, others)
        const sums = new Float64Array(width)
        return (id) => {
          for (let i = 0; i < width; i++) sums[i] = held[i]! + laws.part(link, i, state(id, i))
          return laws.onTheWay(sums)
        }
      },
      law: (link, trees) => laws.log(sumsOf(laws, link, trees)),
    },
    forget: (from) => {
      logs.fill(NaN, from, end)
      states.fill(NaN, from * width, end * width)
      built.length = Math.min(built.length, from)
      end = Math.min(end, from)
    },
  }
}
