import type { Generator } from "../random/Rng.ts"
import * as Frontier from "./Frontier.ts"
import * as ExpressionLibrary from "./ExpressionLibrary.ts"
import * as HallOfFame from "./HallOfFame.ts"
import * as Moves from "./Moves.ts"
import * as Neighbourhood from "./Neighbourhood.ts"
import * as ConstantExpressions from "./ConstantExpressions.ts"
import type { Polish } from "./ConstantFitting.ts"
import * as FeatureSwap from "./FeatureSwap.ts"
import * as Scoring from "./Scoring.ts"
import { scratch } from "./Temporary.ts"
import type { Space } from "./SearchSpace.ts"
import * as CrossLink from "./CrossLink.ts"
import * as FrequentSubtrees from "./FrequentSubtrees.ts"
import type { Worth } from "./ApproximateEvidence.ts"

/** A search for ensembles of hard trees, piece by piece. */
export interface Search {
  /** Does a piece of work of some milliseconds. @returns false when nothing is left to do */
  readonly step: () => boolean
  /** Whether the bank still grows; neighbourhoods are searched after that. */
  readonly growing: () => boolean
  /** Scores trees in every slot of the leading ensembles of every response, alone and beside them. */
  readonly propose: (trees: ReadonlyArray<number>) => void
  /** Scores ensembles of a response that were found elsewhere, and keeps those that are worth it. */
  readonly take: (response: number, ensembles: ReadonlyArray<ReadonlyArray<number>>) => void
  /**
   * Begins anew from the bank, with other chances and nothing of what was found since: where two starts end at the same, each
   * has found it. The best ensembles so far stay among those kept.
   */
  readonly restart: () => void
  /** The best ensemble since the last restart, from before it, or of all. */
  readonly leader: (of?: "since" | "before") => HallOfFame.Scored | undefined
  /** The ensembles that are kept since the last restart, or of all, best first. */
  readonly kept: (of?: "since") => ReadonlyArray<HallOfFame.Entry>
  /** How many ensembles were scored. */
  readonly scored: () => number
  /** Fitted values of an ensemble on the scale of its response, length n. */
  readonly fitted: (ensemble: HallOfFame.Scored) => Float64Array
  /** Sets a response (`Space.respond`) and scores anew what was found with it. */
  readonly respond: (response: number, z: Float64Array, w: Float64Array) => void
}

/** How far levels of search reach: replacements, partners, likes, and expressions to add. */
const levels = [
  { replacements: 60, partners: 30, likes: 42, add: 2000 },
  { replacements: 400, partners: 120, likes: 150, add: 10000 },
  { replacements: 3000, partners: 600, likes: 400, add: 100000 },
]

/** Steps after which trees are tried with all responses. */
const spreading = 30

/** What polishing takes, in ensembles scored; it gets a fifth of the time. */
const polishing = 1000
const share = 0.2

/**
 * @param bankLimit how many small expressions are made first
 * @param polish learns numbers in trees, where the grammar has such
 * @param moves what it does; all if left out
 */
export const make = (
  space: Space,
  worth: Worth,
  generator: Generator,
  bankLimit: number,
  polish?: Polish,
  moves: ReadonlySet<Moves.Move> = Moves.all,
): Search => {
  const { attributes, responses } = space
  const bank = ExpressionLibrary.make(space, bankLimit)
  const constants = ConstantExpressions.constantsOf(space)
  const neighbours = Neighbourhood.make(space, constants)
  const numerals = moves.has("numerals") ? ConstantExpressions.of(space) : []
  const lists = responses.map((_, response) => Frontier.make(response))
  const scoring = Scoring.make(space, worth)
  const { possible, alone, evaluate, best, scored } = scoring
  let steps = 0
  let growing = true
  /** the best of the bank alone, by agenda: what every start begins with */
  let first: ReadonlyArray<Int32Array> = []

  /** Grows the bank by a batch, and tries its expressions alone; ensembles begin with the best when it is full. */
  const grow = (): void => {
    growing = bank.grow((found) => {
      const ids = found.filter(possible)
      for (const list of lists) alone(list, ids)
    })
    if (growing) return
    first = lists.map(({ singles }) => HallOfFame.idsOf(singles.flat()))
    for (const [i, list] of lists.entries()) evaluate(list, [], [], first[i]!)
  }

  let columns = new Int32Array(0)
  /** The bank's expressions that can be trees. */
  const bankColumns = (): Int32Array => {
    if (columns.length === 0) columns = Int32Array.from(bank.ids).filter(possible)
    return columns
  }

  /** Adds to a tree what helps most, as often as there is room: its likes in other features, and what is good alone. */
  const complete = (
    list: Frontier.Agenda,
    { id, signature }: Pick<HallOfFame.Single, "id" | "signature">,
  ): void => {
    list.completed.add(id)
    if (!moves.has("completion")) return
    const ids = Int32Array.from(
      new Set([
        ...FeatureSwap.renamings(space, id, moves.has("likes") ? 1000 : 0),
        ...HallOfFame.idsOf(list.singles.flatMap((peers) => peers.slice(0, 12))),
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

  /** Tries trees by themselves, and as ensembles of one. */
  const byThemselves = (list: Frontier.Agenda, ids: Int32Array): void => {
    alone(list, ids)
    evaluate(list, [], [], ids)
  }

  /** All columns of kept ensembles and the best alone, now or before, beside what an ensemble has without one tree. */
  const recombine = (list: Frontier.Agenda, { trees, signatures }: HallOfFame.Held): void => {
    if (!moves.has("recombination")) return
    const kept = new Set(HallOfFame.idsOf(list.singles.flat()))
    for (const entries of list.strata) for (const entry of entries) for (const id of entry.trees) kept.add(id)
    scoring.recombine(list, trees, signatures, kept)
  }

  /** Tries what an ensemble has without one tree. */
  const drop = (list: Frontier.Agenda, { trees, signatures }: HallOfFame.Held): void => {
    if (!moves.has("dropping")) return
    const last = trees.at(-1)
    if (last !== undefined) evaluate(list, trees.slice(0, -1), signatures.slice(0, -1), Int32Array.of(last))
  }

  /** Searches one level further around a slot of an ensemble. */
  const expand = (list: Frontier.Agenda, entry: HallOfFame.Entry, slot: number): void => {
    const level = entry.searched[slot]!
    entry.searched[slot] = level + 1
    const reach = levels[level]!
    const { trees, signatures } = entry
    if (slot === trees.length) {
      evaluate(list, trees, signatures, bankColumns().subarray(0, reach.add))
      return
    }
    const others = HallOfFame.without(entry, slot)
    const id = trees[slot]!
    if (level === 0) {
      drop(list, others)
      recombine(list, others)
      if (!list.completed.has(id)) complete(list, { id, signature: signatures[slot]! })
    }
    const shared = moves.has("sharing") ? FrequentSubtrees.frequent(space, list, reach.partners) : []
    const found: Array<{ readonly trees: Array<number> }> = []
    const now = scratch(space, () => {
      const count = neighbours.of(id, {
        replacements: [...new Set([...shared, ...bank.ids.slice(0, reach.replacements), ...numerals])],
        partners: [...new Set([...bank.ids.slice(0, reach.partners), ...numerals, ...shared])],
        likes: moves.has("likes") ? reach.likes : 0,
        shifts: moves.has("lifting") ? (level === 0 ? constants : [...constants, ...numerals]) : [],
      })
      evaluate(list, others.trees, others.signatures, neighbours.ids(), count, found)
      return found.map(({ trees }) => trees.at(-1)!)
    })
    for (const { trees } of found) trees[trees.length - 1] = now(trees.at(-1)!)
  }

  let polished = 0
  const mayPolish = (): boolean =>
    polish !== undefined && polished * polishing * (1 - share) <= share * scored()
  /** Learns numbers in one tree of an ensemble. */
  const learn = (list: Frontier.Agenda, entry: HallOfFame.Held, slot: number): void => {
    const { response } = list
    list.polished.add(Frontier.slotKey(entry, slot))
    list.spent += polishing
    polished++
    const others = HallOfFame.without(entry, slot)
    const { unit } = responses[response]!
    const ids = polish?.of(response, others.trees, entry.trees[slot]!, (rss, numbers) =>
      worth.evidence(response, others.trees.length + 1 + numbers, rss * unit),
    )
    if (ids === undefined || ids.length === 0) return
    evaluate(list, others.trees, others.signatures, ids)
  }

  const step: Search["step"] = () => {
    if (growing) {
      grow()
      return true
    }
    const list = Frontier.turn(lists)
    if (list === undefined || list.spent === Infinity) return false
    const choice = Frontier.choose(list, worth.most, levels.length, generator, mayPolish())
    const before = scored()
    const led = list.leader()
    if (choice === undefined) list.spent = Infinity
    else if ("complete" in choice) complete(list, choice.complete)
    else if ("polish" in choice) learn(list, choice.polish, choice.slot)
    else expand(list, choice.expand, choice.slot)
    const leader = list.leader()
    if (leader !== undefined && leader !== led)
      leader.trees.forEach((_, slot) => {
        const others = HallOfFame.without(leader, slot)
        drop(list, others)
        recombine(list, others)
      })
    list.spent += scored() - before
    if (++steps % spreading === 0 && moves.has("spreading")) spread()
    return true
  }

  const forms = CrossLink.make(space)
  /** Tries new trees of the best ensembles, and their operands, alone with every response: a law has many forms. */
  const spread = (): void => {
    const ids = Int32Array.from(forms.fresh(lists)).filter(possible)
    for (const list of lists) byThemselves(list, ids)
  }

  const propose: Search["propose"] = (trees) => {
    attributes.update()
    const ids = Int32Array.from(new Set(trees)).filter(possible)
    for (const list of lists) {
      byThemselves(list, ids)
      const leader = list.leader()
      if (leader === undefined) continue
      leader.trees.forEach((_, slot) => {
        const others = HallOfFame.without(leader, slot)
        evaluate(list, others.trees, others.signatures, ids)
      })
      if (leader.trees.length < worth.most) evaluate(list, leader.trees, leader.signatures, ids)
    }
  }

  const restart: Search["restart"] = () => {
    steps = 0
    forms.forget()
    for (const [i, list] of lists.entries()) {
      Frontier.save(list)
      Frontier.forget(list)
      scoring.forget(list)
      byThemselves(list, first[i]!)
    }
  }

  return {
    step,
    growing: () => growing,
    propose,
    take: (response, ensembles) => {
      attributes.update()
      scoring.take(lists[response]!, ensembles)
    },
    respond: (response, z, w) => {
      space.respond(response, z, w)
      scoring.again(lists[response]!)
    },
    fitted: scoring.fitted,
    scored,
    restart,
    leader: (of) => {
      let best: HallOfFame.Entry | undefined
      for (const list of lists)
        for (const one of [
          of === "before" ? undefined : list.leader(),
          of === "since" ? undefined : list.champion,
        ])
          if (one !== undefined && !(one.score <= (best?.score ?? -Infinity))) best = one
      return best
    },
    kept: (of) =>
      lists
        .flatMap(of === "since" ? ({ strata }) => strata.flat() : Frontier.everything)
        .sort((a, b) => b.score - a.score),
  }
}
