import * as Dag from "./kernel/Dag.ts"
import type * as Grammar from "../prob/Grammar.ts"
import type { Dimensions, Name } from "../prob/Dimensions.ts"
import type { Link } from "../prob/Link.ts"
import * as Prior from "../prob/Prior.ts"
import * as Nesting from "../prob/tree/Nesting.ts"
import * as Restriction from "../prob/tree/Restriction.ts"
import * as RestrictedNodes from "./RestrictedNodes.ts"
import * as Real from "../numeric/Real.ts"

/** What the prior of a tree says of its parts, its weights at their prior means. */
export interface Weights {
  /** maximum depth of a tree */
  readonly depth: number
  readonly split: Prior.Split
  /** log E[w] of each operator */
  readonly operators: ReadonlyArray<number>
  /** log E[w] of each terminal */
  readonly terminals: ReadonlyArray<number>
  /** factors of the prior of each tree (`Tree.prior`); none if left out */
  readonly restrictions?: ReadonlyArray<Restriction.Restriction> | undefined
  /** the links of the likelihood, which restrictions of laws and nestings are about; none if left out */
  readonly links?: ReadonlyArray<Link> | undefined
  /** the dimensions of trees, where columns have units */
  readonly dimensions?: Dimensions | undefined
  /** Those that laws have, where a search goes through others as well: numbers that have units, where those of laws are pure. */
  readonly ofLaws?: Dimensions | undefined
}

/** Attributes of the nodes of a graph that need no data: size, log prior, whether a feature occurs. */
export interface Attributes {
  /** Makes the attributes of nodes known that came since the last call. */
  readonly update: () => void
  /** Forgets those of nodes from a number on. */
  readonly forget: (from: number) => void
  /**
   * The log prior of a node as a tree, restrictions included: minus infinity for trees that are too deep, or excluded. Up to
   * the spread of the weights.
   *
   * @param link the link that it is a term under, by its index in the model, where that matters
   */
  readonly logPrior: (id: number, link?: number) => number
  /** The number of nodes of the tree. */
  readonly size: (id: number) => number
  /** Whether a terminal of the data occurs: trees of constants alone are constants. */
  readonly varies: (id: number) => boolean
  /** Whether grammar and restrictions let an operator stand above trees, and their units are consistent there; one tree, or two. */
  readonly may: (operator: number, left: number, right?: number) => boolean
  /** log r of laws; undefined without restrictions of laws. */
  readonly laws: RestrictedNodes.Laws | undefined
  /** The dimension of a tree; 1 for all trees where columns have no units. */
  readonly dimension: (id: number) => Name
  /** That of an operator over trees of two dimensions; the second is ignored for an operator of one argument. */
  readonly joined: (operator: number, left: Name, right: Name) => Name
  /** Whether a tree of a dimension can be a term under a link in a search. */
  readonly suits: (link: number, dimension: Name) => boolean
  /** Whether a tree can be a term of a law under a link. */
  readonly isLawful: (link: number, id: number) => boolean
  /** the dimensions that nodes have; undefined where columns have no units */
  readonly dimensions: Dimensions | undefined
  /** Which fitted numbers occur in trees together, as the name of a set: 0 for none. */
  readonly numbers: (trees: ReadonlyArray<number>) => number
  /** How many fitted numbers a tree has together with a set of others. */
  readonly fitted: (set: number, id: number) => number
}

export const make = (
  grammar: Grammar.Grammar,
  dag: Dag.Dag,
  weights: Weights,
  { terminal: terminalOf, value }: RestrictedNodes.Numbers = RestrictedNodes.noNumbers,
): Attributes => {
  const { depth, dimensions, ofLaws, restrictions = [], links } = weights
  const levels = depth + 1
  const splits = Array.from({ length: levels }, (_, d) => Prior.splitProbability(weights.split, d))
  const grows = splits.map((p, d) => (d < depth ? Real.log(p) : -Infinity))
  const ends = splits.map((p) => Real.log1p(-p))
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
  const compiled = Restriction.compile(grammar, restrictions)
  const nesting = nestingOf(grammar, compiled.nested, links)
  let known = 0
  let log = new Float32Array(1024 * levels)
  let size = new Uint16Array(1024)
  let varies = new Uint8Array(1024)
  let holds = new Int32Array(1024)
  let sets = new Int32Array(1024)
  let names = new Int32Array(1024)
  let lawful = new Int32Array(ofLaws === undefined ? 0 : 1024)
  // What a nesting needs: the operator or terminal of a node, and log r of all below its root.
  let heads = new Uint16Array(1024)
  let nested = new Float64Array(1024)
  const { single, union, sizeOf } = setsOf()
  const terminalNames = dimensions?.terminals ?? grammar.terminals.map(() => 1)
  const joined: Attributes["joined"] = dimensions?.apply ?? (() => 1)
  const suits: Attributes["suits"] = dimensions?.suits ?? (() => true)

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
    sets = copy(new Int32Array(length), sets)
    names = copy(new Int32Array(length), names)
    if (ofLaws !== undefined) lawful = copy(new Int32Array(length), lawful)
    heads = copy(new Uint16Array(length), heads)
    nested = copy(new Float64Array(length), nested)
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
        const terminal = id < p ? id : terminalOf(id)
        varies[id] = terminal !== undefined && grammar.terminals[terminal]!.term._tag === "Constant" ? 0 : 1
        if (id >= p && terminal !== undefined) sets[id] = single(id)
        names[id] = terminal === undefined ? 0 : terminalNames[terminal]!
        if (ofLaws !== undefined) lawful[id] = terminal === undefined ? 0 : ofLaws.terminals[terminal]!
        heads[id] = grammar.operators.length + (terminal ?? 0)
        for (let d = 0; d < levels; d++)
          log[to + d] =
            terminal === undefined ? Number.NEGATIVE_INFINITY : ends[d]! + weights.terminals[terminal]!
        continue
      }
      const left = records[at + Dag.LEFT]!
      const right = records[at + Dag.RIGHT]!
      const own = weights.operators[operator]!
      size[id] = Math.min(65535, 1 + size[left]! + (right < 0 ? 0 : size[right]!))
      varies[id] = varies[left]! | (right < 0 ? 0 : varies[right]!)
      holds[id] = bit[operator]! | holds[left]! | (right < 0 ? 0 : holds[right]!)
      sets[id] = right < 0 ? sets[left]! : union(sets[left]!, sets[right]!)
      names[id] = joined(operator, names[left]!, right < 0 ? 0 : names[right]!)
      if (ofLaws !== undefined)
        lawful[id] = ofLaws.apply(operator, lawful[left]!, right < 0 ? 0 : lawful[right]!)
      heads[id] = operator
      if (nesting !== undefined)
        nested[id] =
          nested[left]! +
          nesting.below[2 * operator]![heads[left]!]! +
          (right < 0 ? 0 : nested[right]! + nesting.below[2 * operator + 1]![heads[right]!]!)
      for (let d = 0; d < depth; d++) {
        const below = d + 1
        log[to + d] =
          names[id] === 0
            ? Number.NEGATIVE_INFINITY
            : grows[d]! + own + log[left * levels + below]! + (right < 0 ? 0 : log[right * levels + below]!)
      }
      log[to + depth] = Number.NEGATIVE_INFINITY
    }
    known = count
  }
  update()
  const restricted =
    compiled.folds.length === 0 && compiled.whole === undefined
      ? undefined
      : RestrictedNodes.make(grammar, dag, compiled, { terminal: terminalOf, value }, links)
  const flat = (link: number | undefined, id: number): number =>
    nesting === undefined
      ? 0
      : nested[id]! +
        nesting.root[heads[id]!]! +
        (link === undefined ? 0 : (nesting.under[link]?.[heads[id]!] ?? 0))
  return {
    update,
    forget: (from) => {
      known = Math.min(known, from)
      restricted?.forget(from)
    },
    logPrior: (id, link) => {
      const own = log[id * levels]! + flat(link, id)
      // Restrictions need not know of trees that are impossible anyway.
      return restricted !== undefined && own > -Infinity ? own + restricted.log(id) : own
    },
    size: (id) => size[id]!,
    varies: (id) => varies[id] === 1,
    may: (operator, left, right = -1) =>
      (against[operator]! & (holds[left]! | (right < 0 ? 0 : holds[right]!))) === 0 &&
      joined(operator, names[left]!, right < 0 ? 0 : names[right]!) !== 0 &&
      (restricted === undefined || restricted.may(operator, left, right)),
    laws: restricted?.laws,
    dimension: (id) => names[id]!,
    joined,
    dimensions,
    suits,
    isLawful:
      ofLaws === undefined
        ? (link, id) => suits(link, names[id]!)
        : (link, id) => ofLaws.suits(link, lawful[id]!),
    numbers: (trees) => trees.reduce((set, id) => union(set, sets[id]!), 0),
    fitted: (set, id) => sizeOf(set, sets[id]!),
  }
}

/** Tables of log r by the operator or terminal of a node, operators first; undefined without a nesting. */
const nestingOf = (
  grammar: Grammar.Grammar,
  rules: ReadonlyArray<Nesting.Nested>,
  links: ReadonlyArray<Link> = [],
) => {
  if (rules.length === 0) return undefined
  const table = ({ operators, terminals }: Nesting.Row) => Float64Array.of(...operators, ...terminals)
  const sum = (rows: ReadonlyArray<Nesting.Row>) => table(Nesting.sum(rows, grammar))
  return {
    root: sum(rules.map(({ root }) => root)),
    /** that of the operands of operator o at 2 o and 2 o + 1 */
    below: grammar.operators.flatMap(({ arity }, operator) =>
      [0, 1].map((position) =>
        sum(position < arity ? rules.map(({ below }) => below[operator]![position]!) : []),
      ),
    ),
    under: Nesting.underLinks(rules, grammar, links).map(table),
  }
}

/** Small sets by number, 0 being the empty one: most trees have no fitted numbers, and the others share few sets. */
const setsOf = () => {
  const members: Array<ReadonlyArray<number>> = [[]]
  const names = new Map<string, number>([["", 0]])
  const unions = new Map<number, number>()
  const named = (elements: ReadonlyArray<number>): number => {
    const key = elements.join()
    const known = names.get(key)
    if (known !== undefined) return known
    members.push(elements)
    names.set(key, members.length - 1)
    return members.length - 1
  }
  return {
    single: (element: number): number => named([element]),
    union: (a: number, b: number): number => {
      if (a === b || b === 0) return a
      if (a === 0) return b
      const pair = Math.min(a, b) * 2 ** 26 + Math.max(a, b)
      const known = unions.get(pair)
      if (known !== undefined) return known
      const made = named([...new Set([...members[a]!, ...members[b]!])].sort((x, y) => x - y))
      unions.set(pair, made)
      return made
    },
    /** The size of the union of two sets, which is given no name: most are asked for once. */
    sizeOf: (a: number, b: number): number => {
      const [own, others] = [members[a]!, members[b]!]
      let size = own.length
      if (b !== 0) for (const one of others) if (!own.includes(one)) size++
      return size
    },
  }
}
