import * as Dag from "../../compile/simd/hard/Dag.ts"
import type { Generator } from "../../runtime/Rng.ts"
import * as Agenda from "./Agenda.ts"
import * as Bank from "./Bank.ts"
import * as Ensembles from "./Ensembles.ts"
import * as Neighbours from "./Neighbours.ts"
import type { Polish } from "./Polish.ts"
import * as Regression from "./Regression.ts"
import * as Rename from "./Rename.ts"
import { scratch } from "./Scratch.ts"
import type { Space } from "./Space.ts"

/** What an ensemble is worth. */
export interface Worth {
  /** the most trees of an ensemble */
  readonly most: number
  /** log p(y | ensemble) with `rank` independent trees and a residual sum of squares in squared units of y */
  readonly evidence: (response: number, rank: number, rss: number) => number
  /** log p of an ensemble of so many trees, given the sum of their log priors */
  readonly prior: (response: number, trees: number, sum: number) => number
}

/** A search for ensembles of hard trees, piece by piece. */
export interface Search {
  /** Does a piece of work of some milliseconds. @returns false when nothing is left to do */
  readonly step: () => boolean
  /** Whether the bank still grows; neighbourhoods are searched after that. */
  readonly growing: () => boolean
  /** Scores trees in every slot of the leading ensembles of every response, alone and beside them. */
  readonly propose: (trees: ReadonlyArray<number>) => void
  /**
   * Begins anew from the columns alone, with other chances. The best ensembles so far stay among those kept, but their
   * neighbourhoods are left.
   */
  readonly restart: () => void
  /** The best ensemble since the last restart, or of all. */
  readonly leader: (since?: "restart") => Ensembles.Scored | undefined
  /** The ensembles that are kept since the last restart, or of all, best first. */
  readonly kept: (since?: "restart") => ReadonlyArray<Ensembles.Scored>
  /** How many ensembles were scored. */
  readonly scored: () => number
  /** Fitted values of an ensemble on the scale of its response, length n. */
  readonly fitted: (ensemble: Ensembles.Scored) => Float64Array
  /** Sets a response (`Space.respond`) and scores anew what was found with it. */
  readonly respond: (response: number, z: Float64Array, w: Float64Array) => void
}

/** How far levels of search reach: replacements, partners, and expressions to add. */
const levels = [
  { replacements: 60, partners: 30, likes: 42, add: 2000 },
  { replacements: 400, partners: 120, likes: 150, add: 10000 },
  { replacements: 3000, partners: 600, likes: 400, add: 100000 },
]

/** Steps after which trees are tried with all responses. */
const spreading = 30

/** Columns that have their moments taken at a time. */
const chunk = 1024

const idsOf = (singles: ReadonlyArray<Ensembles.Single>): Int32Array =>
  Int32Array.from(singles, ({ id }) => id)

/** What polishing counts as, in ensembles scored. */
const polishing = 1000

/**
 * @param bankLimit how many small expressions are made first
 * @param polish learns numbers in trees, where the grammar has such
 */
export const make = (
  space: Space,
  worth: Worth,
  generator: Generator,
  bankLimit: number,
  polish?: Polish,
): Search => {
  const { attributes, responses } = space
  const bank = Bank.make(space, bankLimit)
  const neighbours = Neighbours.make(space)
  const regression = Regression.make(space, worth.most + 1)
  const lists = responses.map((_, response) => Agenda.make(response))
  let scored = 0
  let steps = 0
  let growing = true

  const possible = (id: number): boolean => attributes.varies(id) && attributes.logPrior(id) > -Infinity
  const sizeOf = (trees: ReadonlyArray<number>): number =>
    trees.reduce((sum, id) => sum + attributes.size(id) + 1, 0)
  const priorOf = (trees: ReadonlyArray<number>): number =>
    trees.reduce((sum, id) => sum + attributes.logPrior(id), 0)

  /** Tries expressions alone. */
  const alone = (list: Agenda.Agenda, ids: Int32Array): void => {
    const { response } = list
    const { unit } = responses[response]!
    regression.hold([], response)
    const width = regression.width()
    for (let from = 0; from < ids.length; from += chunk) {
      const some = ids.subarray(from, from + chunk)
      const rows = regression.moments(some, some.length)
      for (let i = 0; i < some.length; i++) {
        const rss = regression.rss(rows, i * width)
        if (!(rss >= 0)) continue
        const id = some[i]!
        const score =
          worth.evidence(response, 1 + attributes.learned(0, id), rss * unit) +
          worth.prior(response, 1, attributes.logPrior(id))
        const size = attributes.size(id)
        if (score > list.least(size))
          list.single({ id, size, signature: regression.signature(rows, i * width), score })
      }
    }
    scored += ids.length
  }

  /** The best candidate of an evaluation; -1 when none is possible. */
  const best = { id: -1, signature: 0 }
  /**
   * Scores candidates beside held trees, keeps what is worth it, and leaves the best in `best`.
   *
   * @param found is told of what was kept, be it for a while
   */
  const evaluate = (
    list: Agenda.Agenda,
    base: ReadonlyArray<number>,
    signatures: ReadonlyArray<number>,
    ids: Int32Array,
    count = ids.length,
    found: Array<{ readonly trees: Array<number> }> = [],
  ): void => {
    const { response } = list
    const { unit } = responses[response]!
    best.id = -1
    if (Number.isNaN(regression.hold(base, response))) return
    const rank = regression.rank() + 1
    const trees = base.length + 1
    const prior = priorOf(base)
    const numbers = attributes.numbers(base)
    const sizeOfBase = sizeOf(base) + 1
    const width = regression.width()
    let most = -Infinity
    for (let from = 0; from < count; from += chunk) {
      const length = Math.min(chunk, count - from)
      const some = ids.subarray(from, from + length)
      const rows = regression.moments(some, length)
      for (let i = 0; i < length; i++) {
        const rss = regression.rss(rows, i * width) * unit
        if (!(rss >= 0)) continue
        const id = some[i]!
        const logEvidence = worth.evidence(response, rank + attributes.learned(numbers, id), rss)
        const score = logEvidence + worth.prior(response, trees, prior + attributes.logPrior(id))
        const size = sizeOfBase + attributes.size(id)
        if (score > most) {
          most = score
          best.id = id
          best.signature = regression.signature(rows, i * width)
        }
        if (score <= list.threshold(size)) continue
        const signature = regression.signature(rows, i * width)
        if (signatures.includes(signature)) continue
        const entry = {
          response,
          trees: [...base, id],
          signatures: [...signatures, signature],
          rss,
          logEvidence,
          score,
          size,
          searched: new Int32Array(trees + 1),
        }
        if (list.insert(entry)) found.push(entry)
      }
    }
    scored += count
  }

  /** Grows the bank by a batch, and tries its expressions alone; ensembles begin with the best when it is full. */
  const grow = (): void => {
    growing = bank.grow((found) => {
      const ids = found.filter(possible)
      for (const list of lists) alone(list, ids)
    })
    if (growing) return
    for (const list of lists) evaluate(list, [], [], idsOf(list.singles.flat()))
  }

  let columns = new Int32Array(0)
  /** The bank's expressions that can be trees. */
  const bankColumns = (): Int32Array => {
    if (columns.length === 0) columns = Int32Array.from(bank.ids).filter(possible)
    return columns
  }

  /** Subtrees of the best ensembles of each size, most frequent first. */
  const parts = (list: Agenda.Agenda, count: number): ReadonlyArray<number> => {
    const times = new Map<number, number>()
    const records = space.dag.records()
    const visit = (id: number): void => {
      const at = id * Dag.width
      if (records[at]! < 0) return
      times.set(id, (times.get(id) ?? 0) + 1)
      visit(records[at + Dag.LEFT]!)
      if (records[at + Dag.RIGHT]! >= 0) visit(records[at + Dag.RIGHT]!)
    }
    for (const [first] of list.strata) first?.trees.forEach(visit)
    return [...times]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, count)
      .map(([id]) => id)
  }

  /** Adds to a tree what helps most, as often as there is room: its likes in other features, and what is good alone. */
  const complete = (
    list: Agenda.Agenda,
    { id, signature }: Pick<Ensembles.Single, "id" | "signature">,
  ): void => {
    list.completed.add(id)
    const ids = Int32Array.from(
      new Set([
        ...Rename.renamings(space, id, 1000),
        ...idsOf(list.singles.flatMap((peers) => peers.slice(0, 12))),
        ...bankColumns().subarray(0, 100),
      ]),
    ).filter(possible)
    const trees = [id]
    const signatures = [signature]
    while (trees.length < worth.most) {
      evaluate(list, trees, signatures, ids)
      if (best.id < 0) return
      trees.push(best.id)
      signatures.push(best.signature)
    }
  }

  /** All columns of kept ensembles and the best alone, in the place of one tree: no new column is evaluated. */
  const recombine = (
    list: Agenda.Agenda,
    base: ReadonlyArray<number>,
    signatures: ReadonlyArray<number>,
  ): void => {
    const others = new Set(idsOf(list.singles.flat()))
    for (const entries of list.strata) for (const { trees } of entries) for (const id of trees) others.add(id)
    evaluate(list, base, signatures, Int32Array.from(others))
  }

  /** Tries an ensemble without one of its trees. */
  const without = (list: Agenda.Agenda, { trees, signatures }: Ensembles.Entry, slot: number): void => {
    const base = trees.filter((_, k) => k !== slot)
    const rest = signatures.filter((_, k) => k !== slot)
    const last = base.pop()
    if (last !== undefined) evaluate(list, base, rest.slice(0, -1), Int32Array.of(last))
  }

  /** Searches one level further around a slot of an ensemble. */
  const expand = (list: Agenda.Agenda, entry: Ensembles.Entry, slot: number): void => {
    const level = entry.searched[slot]!
    entry.searched[slot] = level + 1
    const reach = levels[level]!
    const { trees, signatures } = entry
    if (slot === trees.length) {
      evaluate(list, trees, signatures, bankColumns().subarray(0, reach.add))
      return
    }
    const base = trees.filter((_, k) => k !== slot)
    const rest = signatures.filter((_, k) => k !== slot)
    const id = trees[slot]!
    if (level === 0) {
      without(list, entry, slot)
      recombine(list, base, rest)
      if (!list.completed.has(id)) complete(list, { id, signature: signatures[slot]! })
    }
    const shared = parts(list, reach.partners)
    const found: Array<{ readonly trees: Array<number> }> = []
    const now = scratch(space, () => {
      const count = neighbours.of(id, {
        replacements: [...new Set([...shared, ...bank.ids.slice(0, reach.replacements)])],
        partners: [...new Set([...bank.ids.slice(0, reach.partners), ...shared])],
        likes: reach.likes,
      })
      evaluate(list, base, rest, neighbours.ids(), count, found)
      return found.map(({ trees }) => trees.at(-1)!)
    })
    for (const { trees } of found) trees[trees.length - 1] = now(trees.at(-1)!)
  }

  /** Learns numbers in one tree of an ensemble. */
  const learn = (
    list: Agenda.Agenda,
    entry: Pick<Ensembles.Entry, "trees" | "signatures">,
    slot: number,
  ): void => {
    const { response } = list
    list.polished.add(Agenda.slotKey(entry, slot))
    list.spent += polishing
    const base = entry.trees.filter((_, k) => k !== slot)
    const rest = entry.signatures.filter((_, k) => k !== slot)
    const { unit } = responses[response]!
    const ids = polish?.of(response, base, entry.trees[slot]!, (rss, numbers) =>
      worth.evidence(response, base.length + 1 + numbers, rss * unit),
    )
    if (ids === undefined || ids.length === 0) return
    if (base.length === 0) alone(list, ids)
    evaluate(list, base, rest, ids)
  }

  const step: Search["step"] = () => {
    if (growing) {
      grow()
      return true
    }
    const list = Agenda.turn(lists)
    if (list === undefined || list.spent === Infinity) return false
    const choice = Agenda.choose(list, worth.most, levels.length, generator, polish !== undefined)
    const before = scored
    const led = list.leader()
    if (choice === undefined) list.spent = Infinity
    else if ("single" in choice) {
      const { single } = choice
      if (choice.polish) learn(list, { trees: [single.id], signatures: [single.signature] }, 0)
      else complete(list, single)
    } else if (choice.polish) learn(list, choice.entry, choice.slot)
    else expand(list, choice.entry, choice.slot)
    const leader = list.leader()
    if (leader !== led) leader?.trees.forEach((_, slot) => without(list, leader, slot))
    list.spent += scored - before
    if (++steps % spreading === 0) spread()
    return true
  }

  // What has been tried with every response.
  const everywhere = new Set<number>()
  /** Tries the trees of the best ensembles, and their operands, alone with every response: a law has many forms. */
  const spread = (): void => {
    const found: Array<number> = []
    const add = (id: number): void => {
      if (id < 0 || everywhere.has(id)) return
      everywhere.add(id)
      found.push(id)
    }
    for (const { strata } of lists)
      for (const [first] of strata)
        for (const id of first?.trees ?? []) {
          add(id)
          const at = id * Dag.width
          const records = space.dag.records()
          if (records[at]! < 0) continue
          add(records[at + Dag.LEFT]!)
          add(records[at + Dag.RIGHT]!)
        }
    const ids = Int32Array.from(found).filter(possible)
    for (const list of lists) {
      alone(list, ids)
      evaluate(list, [], [], ids)
    }
  }

  const propose: Search["propose"] = (trees) => {
    attributes.update()
    const ids = Int32Array.from(new Set(trees)).filter(possible)
    for (const list of lists) {
      alone(list, ids)
      evaluate(list, [], [], ids)
      const leader = list.leader()
      if (leader === undefined) continue
      leader.trees.forEach((_, slot) =>
        evaluate(
          list,
          leader.trees.filter((_, k) => k !== slot),
          leader.signatures.filter((_, k) => k !== slot),
          ids,
        ),
      )
      if (leader.trees.length < worth.most) evaluate(list, leader.trees, leader.signatures, ids)
    }
  }

  const respond: Search["respond"] = (response, z, w) => {
    space.respond(response, z, w)
    const list = lists[response]!
    const before = list.strata.flat()
    const singles = idsOf(list.singles.flat())
    list.clear()
    alone(list, singles)
    const signatures = new Map<number, number>()
    const all = [...before, ...list.earlier.values()]
    const trees = Int32Array.from(new Set(all.flatMap(({ trees }) => trees)))
    regression.hold([], response)
    const width = regression.width()
    for (let from = 0; from < trees.length; from += chunk) {
      const some = trees.subarray(from, from + chunk)
      const rows = regression.moments(some, some.length)
      some.forEach((id, i) => {
        if (regression.rss(rows, i * width) >= 0) signatures.set(id, regression.signature(rows, i * width))
      })
    }
    const { unit } = responses[response]!
    const anew = (entry: Ensembles.Entry): Ensembles.Entry | undefined => {
      const { trees } = entry
      const rss = regression.hold(trees, response) * unit
      if (!(rss >= 0) || regression.rank() < trees.length) return undefined
      const logEvidence = worth.evidence(
        response,
        trees.length + attributes.learned(attributes.numbers(trees), trees[0]!),
        rss,
      )
      const score = logEvidence + worth.prior(response, trees.length, priorOf(trees))
      return { ...entry, rss, logEvidence, score, signatures: trees.map((id) => signatures.get(id)!) }
    }
    for (const entry of before) {
      const scored = anew(entry)
      if (scored !== undefined) list.insert(scored)
    }
    const earlier = [...list.earlier.values()]
    list.earlier.clear()
    for (const entry of earlier) {
      const scored = anew(entry)
      if (scored !== undefined) list.earlier.set(Ensembles.keyOf(scored), scored)
    }
    list.champion = Agenda.championOf(list)
  }

  const restart: Search["restart"] = () => {
    for (const list of lists) {
      Agenda.save(list)
      list.forget()
      list.completed.clear()
      list.polished.clear()
      list.spent = 0
      evaluate(list, [], [], idsOf(list.singles.flat()))
    }
  }

  const fitted: Search["fitted"] = ({ response, trees }) => {
    regression.hold(trees, response)
    const [intercept, ...slopes] = regression.coefficients()
    const { centre, scale } = responses[response]!
    const values = new Float64Array(space.rows).fill(centre + scale * intercept!)
    trees.forEach((id, k) => {
      const column = space.kernel.column(id)
      for (let i = 0; i < values.length; i++) values[i]! += scale * slopes[k]! * column[i]!
    })
    return values
  }

  return {
    step,
    growing: () => growing,
    propose,
    respond,
    fitted,
    scored: () => scored,
    restart,
    leader: (since) => {
      let best: Ensembles.Entry | undefined
      for (const list of lists)
        for (const one of [list.leader(), since === "restart" ? undefined : list.champion])
          if (one !== undefined && !(one.score <= (best?.score ?? -Infinity))) best = one
      return best
    },
    kept: (since) =>
      [
        ...(since === "restart"
          ? lists.flatMap(({ strata }) => strata.flat())
          : lists.flatMap(Agenda.everything)),
      ].sort((a, b) => b.score - a.score),
  }
}
