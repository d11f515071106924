import type { Generator } from "../../runtime/Rng.ts"
import * as Bank from "./Bank.ts"
import * as Neighbours from "./Neighbours.ts"
import * as Regression from "./Regression.ts"
import type { Space } from "./Space.ts"

/** An ensemble that was scored. */
export interface Scored {
  /** index into the space's responses */
  readonly response: number
  /** nodes of the trees, none twice */
  readonly trees: ReadonlyArray<number>
  readonly signatures: ReadonlyArray<number>
  /** residual sum of squares, in squared units of y */
  readonly rss: number
  readonly score: number
}

/** A scored ensemble in the list of a response, and how far its neighbourhood has been searched. */
interface Entry extends Scored {
  readonly size: number
  /** levels of search, tree by tree, and last that of an additional tree */
  readonly searched: Int32Array
}

/** What an ensemble is worth: log evidence and log prior. */
export interface Worth {
  /** the most trees of an ensemble */
  readonly most: number
  /** log p(y | ensemble) with `rank` independent trees and a residual sum of squares in squared units of y */
  readonly evidence: (response: number, rank: number, rss: number) => number
  /** log p of the trees of an ensemble, given their separate log priors summed */
  readonly prior: (response: number, trees: number, sum: number) => number
}

export interface Search {
  /** Does a piece of work of some milliseconds. @returns what it was */
  readonly step: () => string
  /** The best ensembles of every response, best first. */
  readonly best: () => ReadonlyArray<Scored>
  readonly scored: () => number
  /** Fitted values of an ensemble on the scale of its response, length n. */
  readonly fitted: (ensemble: Scored) => Float64Array
  /** Sets a response (`Space.respond`) and scores anew what was found with it. */
  readonly respond: (response: number, z: Float64Array, w: Float64Array) => void
}

interface List {
  readonly response: number
  /** by size: the best of each, best first */
  readonly strata: Array<Array<Entry>>
  readonly known: Map<string, Entry>
  /** single columns, best first */
  readonly singles: Array<{ readonly id: number; readonly signature: number; readonly score: number }>
  spent: number
  /** the bank's expressions that have been tried alone */
  scanned: number
}

const stratumLength = 10
const largest = 60
const singlesLength = 300

/** How far levels of search reach: replacements, partners, and expressions to add. */
const levels = [
  { replacements: 60, partners: 30, add: 2000 },
  { replacements: 400, partners: 120, add: 10000 },
  { replacements: 3000, partners: 600, add: 100000 },
]

export const make = (space: Space, worth: Worth, generator: Generator, bankLimit: number): Search => {
  const { attributes, responses } = space
  const bank = Bank.make(space, bankLimit)
  const neighbours = Neighbours.make(space)
  const regression = Regression.make(space, worth.most + 1)
  const lists: ReadonlyArray<List> = responses.map((_, response) => ({
    response,
    strata: Array.from({ length: largest + 1 }, () => []),
    known: new Map(),
    singles: [],
    spent: 0,
    scanned: 0,
  }))
  let scored = 0
  let growing = true

  const keyOf = (signatures: ReadonlyArray<number>): string => [...signatures].sort((a, b) => a - b).join()
  const insert = (list: List, entry: Entry): boolean => {
    const { strata, known } = list
    if (entry.size > largest) return false
    const key = keyOf(entry.signatures)
    const before = known.get(key)
    if (before !== undefined) {
      if (!(entry.score > before.score + 1e-9)) return false
      // The same values by a likelier expression takes over what was searched.
      entry.searched.set(before.searched)
      const old = strata[before.size]!
      const at = old.indexOf(before)
      if (at >= 0) old.splice(at, 1)
      known.delete(key)
    }
    const entries = strata[entry.size]!
    if (entries.length >= stratumLength && entry.score <= entries[entries.length - 1]!.score) return false
    let at = entries.length
    while (at > 0 && entries[at - 1]!.score < entry.score) at--
    entries.splice(at, 0, entry)
    known.set(key, entry)
    if (entries.length > stratumLength) known.delete(keyOf(entries.pop()!.signatures))
    return true
  }
  const bestOf = (list: List): number =>
    list.strata.reduce((best, [first]) => Math.max(best, first?.score ?? -Infinity), -Infinity)

  const entryOf = (
    response: number,
    trees: ReadonlyArray<number>,
    signatures: ReadonlyArray<number>,
    rss: number,
    score: number,
  ): Entry => ({
    response,
    trees,
    signatures,
    rss,
    score,
    size: trees.reduce((sum, id) => sum + attributes.size(id) + 1, 0),
    searched: new Int32Array(trees.length + 1),
  })

  const single = (list: List, id: number, signature: number, score: number): void => {
    const { singles } = list
    const last = singles[singles.length - 1]
    if (singles.length >= singlesLength && last !== undefined && score <= last.score) return
    if (singles.some((one) => one.signature === signature)) return
    let at = singles.length
    while (at > 0 && singles[at - 1]!.score < score) at--
    singles.splice(at, 0, { id, signature, score })
    if (singles.length > singlesLength) singles.pop()
  }

  /** Grows the bank by a batch, and tries its expressions alone with every response. */
  const scan = (): void => {
    growing = bank.grow((found) => {
      const ids = found.filter((id) => attributes.varies(id) && attributes.logPrior(id) > -Infinity)
      for (const list of lists) alone(list, ids)
    })
    if (!growing) seed()
  }

  /** Tries expressions alone. */
  const alone = (list: List, ids: Int32Array): void => {
    const { response, singles } = list
    const { unit } = responses[response]!
    regression.hold([], response)
    const rows = regression.moments(ids, ids.length)
    const width = regression.width()
    for (let i = 0; i < ids.length; i++) {
      const rss = regression.rss(rows, i * width)
      if (!(rss >= 0)) continue
      const id = ids[i]!
      const score =
        worth.evidence(response, 1, rss * unit) + worth.prior(response, 1, attributes.logPrior(id))
      const last = singles[singlesLength - 1]
      if (last === undefined || score > last.score)
        single(list, id, regression.signature(rows, i * width), score)
    }
    scored += ids.length
  }

  /** Regressions of the best single columns begin the lists. */
  const seed = (): void => {
    for (const list of lists) {
      evaluate(list, [], [], Int32Array.from(list.singles, ({ id }) => id), list.singles.length)
    }
  }

  /** Scores candidates beside held trees, and inserts the best. */
  const evaluate = (
    list: List,
    base: ReadonlyArray<number>,
    signatures: ReadonlyArray<number>,
    ids: Int32Array,
    count: number,
  ): number => {
    const { response } = list
    const { unit } = responses[response]!
    const left = regression.hold(base, response)
    if (Number.isNaN(left)) return 0
    const rank = regression.rank() + 1
    const priorOfBase = base.reduce((sum, id) => sum + attributes.logPrior(id), 0)
    const sizeOfBase = base.reduce((sum, id) => sum + attributes.size(id) + 1, 0)
    let inserted = 0
    const width = regression.width()
    for (let from = 0; from < count; from += 1024) {
      const length = Math.min(1024, count - from)
      const chunk = ids.subarray(from, from + length)
      const rows = regression.moments(chunk, length)
      for (let i = 0; i < length; i++) {
        const rss = regression.rss(rows, i * width)
        if (!(rss >= 0)) continue
        const id = chunk[i]!
        const score =
          worth.evidence(response, rank, rss * unit) +
          worth.prior(response, base.length + 1, priorOfBase + attributes.logPrior(id))
        const size = Math.min(sizeOfBase + attributes.size(id) + 1, largest + 1)
        const stratum = list.strata[size]
        if (stratum === undefined) continue
        if (stratum.length >= stratumLength && score <= stratum[stratumLength - 1]!.score) continue
        const signature = regression.signature(rows, i * width)
        if (signatures.includes(signature)) continue
        if (
          insert(list, entryOf(response, [...base, id], [...signatures, signature], rss * unit, score))
        )
          inserted++
      }
    }
    scored += count
    return inserted
  }

  /** What is to be done next in a list: an entry and one of its slots. */
  const choose = (list: List): { readonly entry: Entry; readonly slot: number } | undefined => {
    let best: { readonly entry: Entry; readonly slot: number } | undefined
    let least = Infinity
    let leading = -Infinity
    let behind = 0
    list.strata.forEach((entries, size) => {
      entries.forEach((entry, rank) => {
        const dominated = entry.score < leading ? behind : 0
        for (let slot = 0; slot <= entry.trees.length; slot++) {
          if (slot === entry.trees.length && entry.trees.length >= worth.most) continue
          const level = entry.searched[slot]!
          if (level >= levels.length) continue
          const cost = (1 + rank + dominated) * (5 + size) * 8 ** level * (0.3 + generator.next())
          if (cost < least) {
            least = cost
            best = { entry, slot }
          }
        }
      })
      const [first] = entries
      if (first !== undefined && first.score > leading) {
        leading = first.score
        behind = 0
      } else if (first !== undefined) behind++
    })
    return best
  }

  let everything = new Int32Array(0)
  const bankIds = (): Int32Array => {
    if (everything.length !== bank.ids.length) {
      everything = Int32Array.from(bank.ids).filter(
        (id) => attributes.varies(id) && attributes.logPrior(id) > -Infinity,
      )
    }
    return everything
  }

  const expand = (list: List, entry: Entry, slot: number): string => {
    const level = entry.searched[slot]!
    entry.searched[slot]! += 1
    const reach = levels[level]!
    if (slot === entry.trees.length) {
      const ids = bankIds()
      const found = evaluate(list, entry.trees, entry.signatures, ids, Math.min(ids.length, reach.add))
      return `add ${found}`
    }
    const base = entry.trees.filter((_, k) => k !== slot)
    const signatures = entry.signatures.filter((_, k) => k !== slot)
    // Without the tree at all, and every good column in its place.
    if (level === 0) {
      if (base.length > 0) {
        const last = base.at(-1)!
        evaluate(list, base.slice(0, -1), signatures.slice(0, -1), Int32Array.of(last), 1)
      }
      const others = new Set<number>(list.singles.map(({ id }) => id))
      for (const entries of list.strata) for (const { trees } of entries) for (const id of trees) others.add(id)
      const ids = Int32Array.from(others)
      evaluate(list, base, signatures, ids, ids.length)
    }
    const count = neighbours.of(entry.trees[slot]!, {
      replacements: bank.ids.slice(0, reach.replacements),
      partners: bank.ids.slice(0, reach.partners),
    })
    const found = evaluate(list, base, signatures, neighbours.ids(), count)
    return `slot ${slot} level ${level}: ${count} ${found}`
  }

  const step = (): string => {
    if (growing) {
      scan()
      return "scan"
    }
    const order = lists
      .map((list) => ({ list, best: bestOf(list) }))
      .filter(({ best }) => best > -Infinity)
      .sort((a, b) => b.best - a.best)
      .map(({ list }) => list)
    let list: List | undefined
    let least = Infinity
    order.forEach((one, rank) => {
      const cost = (one.spent + 1) * (1 + rank)
      if (cost < least) {
        least = cost
        list = one
      }
    })
    if (list === undefined) return "nothing"
    const next = choose(list)
    const started = performance.now()
    const what = next === undefined ? "done" : expand(list, next.entry, next.slot)
    list.spent += next === undefined ? Infinity : performance.now() - started
    return `${list.response} ${what}`
  }

  const respond: Search["respond"] = (response, z, w) => {
    space.respond(response, z, w)
    const list = lists[response]!
    const before = list.strata.flat()
    const singles = list.singles.map(({ id }) => id)
    list.strata.forEach((entries) => entries.splice(0))
    list.known.clear()
    list.singles.length = 0
    const room = 1024
    for (let from = 0; from < singles.length; from += room)
      alone(list, Int32Array.from(singles.slice(from, from + room)))
    regression.hold([], response)
    const signature = new Map<number, number>()
    const trees = Int32Array.from(new Set(before.flatMap(({ trees }) => trees)))
    const width = regression.width()
    for (let from = 0; from < trees.length; from += room) {
      const some = trees.subarray(from, from + room)
      const rows = regression.moments(some, some.length)
      some.forEach((id, i) => {
        if (regression.rss(rows, i * width) >= 0) signature.set(id, regression.signature(rows, i * width))
      })
    }
    const { unit } = responses[response]!
    for (const { trees, searched } of before) {
      const rss = regression.hold(trees, response)
      if (!(rss >= 0) || regression.rank() < trees.length) continue
      const sum = trees.reduce((sum, id) => sum + attributes.logPrior(id), 0)
      const score =
        worth.evidence(response, trees.length, rss * unit) + worth.prior(response, trees.length, sum)
      const signatures = trees.map((id) => signature.get(id) ?? Number.NaN)
      const entry = entryOf(response, trees, signatures, rss * unit, score)
      entry.searched.set(searched)
      insert(list, entry)
    }
  }

  const fitted: Search["fitted"] = ({ response, trees }) => {
    regression.hold(trees, response)
    const coefficients = regression.coefficients()
    const { centre, scale } = responses[response]!
    const values = new Float64Array(space.rows).fill(centre + scale * coefficients[0]!)
    trees.forEach((id, k) => {
      const column = space.kernel.column(id)
      for (let i = 0; i < values.length; i++) values[i]! += scale * coefficients[k + 1]! * column[i]!
    })
    return values
  }

  return {
    respond,
    fitted,
    step,
    scored: () => scored,
    best: () =>
      lists
        .flatMap(({ strata }) => strata.flatMap(([first]) => first === undefined ? [] : [first]))
        .sort((a, b) => b.score - a.score)
        .map(({ response, trees, signatures, rss, score }) => ({
          response,
          trees,
          signatures,
          rss,
          score,
        })),
  }
}
