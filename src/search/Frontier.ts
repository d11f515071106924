import type { Generator } from "../random/Rng.ts"
import * as HallOfFame from "./HallOfFame.ts"
import * as Sums from "./Sums.ts"

/** The ensembles of one response, and the steps that have been taken for them, as plain data. */
export interface Data extends HallOfFame.Data {
  /** ensembles scored for this response in this restart, but for those of fits of constants; infinite when nothing is left to do */
  spent: number
  /** ensembles scored in the time that fits of constants took */
  fitting: number
  /** columns that have been completed to ensembles */
  readonly completed: Set<number>
  /** slots of ensembles in which constants have been fitted, by `slotKey` */
  readonly fitted: Set<string>
  /** trees beside which forms with constants have been tried, by `heldKey` */
  readonly surveyed: Set<string>
  /** ensembles that were the best, by `heldKey`, and around whose trees moves were made */
  readonly led: Set<string>
  /** how far sums of like terms have been built */
  sums: Sums.Progress
}

/** The ensembles of one response, and the next steps for them. */
export interface Frontier extends HallOfFame.HallOfFame, Omit<Data, "strata" | "singles"> {
  spent: number
  fitting: number
  sums: Sums.Progress
}

/**
 * The next step of a search: one level further around a slot of an ensemble, a column alone completed to an ensemble, or
 * numbers fitted in a slot, be it that of a column alone, or forms with constants tried beside trees, or in sums of like terms.
 */
export type Choice =
  | { readonly expand: HallOfFame.Entry; readonly slot: number }
  | { readonly complete: HallOfFame.Single }
  | { readonly fit: HallOfFame.Held; readonly slot: number }
  | { readonly survey: HallOfFame.Held }
  | { readonly sums: true }

/** How many times the cost of a first look around a tree it is to learn its numbers, while there is time for that. */
const fitting = 0.5

/** The same of trying forms with constants beside its others. */
const surveying = 1

/** The rank of the best ensemble with fitted numbers: it fits better than the ensemble that it was made of, and is longer. */
const behindPlain = 2

/** The score of the best ensemble; minus infinity while there is none. */
export const height = ({ leader }: Pick<Frontier, "leader">): number => leader()?.score ?? -Infinity

/** The best ensemble of a response, and the best that has the unit of a law: mostly one. */
const leaders = ({ leader, lawful }: Frontier): ReadonlyArray<HallOfFame.Entry> => [
  ...new Set([leader(), lawful()].filter((one) => one !== undefined)),
]
/** The leaders that were none before, which they are from now on. */
export const risen = (frontier: Frontier): ReadonlyArray<HallOfFame.Entry> =>
  leaders(frontier).filter((one) => {
    const key = heldKey(one)
    return !frontier.led.has(key) && frontier.led.add(key)
  })

/** The same for the same tree in a slot beside the same others. */
export const slotKey = ({ trees }: Pick<HallOfFame.Scored, "trees">, slot: number): string =>
  `${trees[slot]} beside ${trees
    .filter((_, k) => k !== slot)
    .sort((a, b) => a - b)
    .join()}`

/** The same for the same trees, in any order. */
export const heldKey = ({ trees }: Pick<HallOfFame.Scored, "trees">): string =>
  [...trees].sort((a, b) => a - b).join()

/** Nothing found or done yet. */
export const nothing = (response: number): Data => ({
  ...HallOfFame.nothing(response),
  spent: 0,
  fitting: 0,
  completed: new Set(),
  fitted: new Set(),
  surveyed: new Set(),
  led: new Set(),
  sums: Sums.nothing(),
})

/** @param data the ensembles of the frontier, and the moves made for them: it starts from those there, and adds its own */
export const make = (data: Data): Frontier => {
  const { completed, fitted, surveyed, led } = data
  return {
    ...HallOfFame.make(data),
    completed,
    fitted,
    surveyed,
    led,
    get spent() {
      return data.spent
    },
    set spent(value) {
      data.spent = value
    },
    get fitting() {
      return data.fitting
    },
    set fitting(value) {
      data.fitting = value
    },
    get sums() {
      return data.sums
    },
    set sums(value) {
      data.sums = value
    },
  }
}

/** Forgets the ensembles found, and the moves made. */
export const forget = (frontier: Frontier): void => {
  frontier.clear()
  frontier.completed.clear()
  frontier.fitted.clear()
  frontier.surveyed.clear()
  frontier.led.clear()
  frontier.sums = Sums.nothing()
  frontier.spent = frontier.fitting = 0
}

/** Forgets that forms were tried beside the terms of the best ensemble, and in sums. */
export const reconsider = (frontier: Frontier): void => {
  frontier.sums = Sums.nothing()
  const leader = frontier.leader()
  leader?.trees.forEach((_, slot) => frontier.surveyed.delete(heldKey(HallOfFame.without(leader, slot))))
}

/**
 * The frontier whose turn it is: the better its best ensemble, the larger its share of the work. Fits of constants are work of their own: the response that they
 * are made for has its share of other steps beside them.
 *
 * @param fits whether it is the turn for fits
 */
export const turn = (frontiers: ReadonlyArray<Frontier>, fits = false): Frontier | undefined => {
  const order = frontiers
    .flatMap((frontier) => {
      const leader = frontier.leader()
      return leader === undefined ? [] : [{ frontier, score: leader.score }]
    })
    .sort((a, b) => b.score - a.score)
  let chosen: Frontier | undefined
  let least = Infinity
  order.forEach(({ frontier }, rank) => {
    const cost = (frontier.spent + (fits ? frontier.fitting : 0) + 1) * Math.sqrt(1 + rank)
    if (cost >= least) return
    least = cost
    chosen = frontier
  })
  return chosen
}

/**
 * The frontier whose turn it is where numbers are fitted: sums are built on the scale of y before others have a turn, but for each sum that
 * is begun there, forms with constants are tried once under another response, the best first. A law of log y with a constant inside of
 * its term may be far from the best until then.
 *
 * @param own that of y itself; undefined where y has no response of its own
 */
export const fittingTurn = (
  frontiers: ReadonlyArray<Frontier>,
  own: Frontier | undefined,
): Frontier | undefined => {
  if (own === undefined || own.leader() === undefined || Sums.areBuilt(own.sums)) return turn(frontiers, true)
  const others = frontiers.filter((one) => one !== own && one.leader() !== undefined && one.spent < Infinity)
  const waiting = others.filter(({ surveyed }) => !surveyed.has(""))
  return own.sums.begun.length > others.length - waiting.length ? (turn(waiting, true) ?? own) : own
}

/**
 * Chooses the next step: the short, the good and the unsearched first, with some chance.
 *
 * @param most the most trees of an ensemble
 * @param levels how many levels a neighbourhood has
 * @param fits whether numbers in trees are fitted
 * @param builds whether sums of like terms are built: they are many
 */
export const choose = (
  { singles, strata, completed, fitted, surveyed, sums, leader, plain }: Frontier,
  most: number,
  levels: number,
  generator: Generator,
  fits: boolean,
  builds: boolean,
): Choice | undefined => {
  let choice: Choice | undefined
  let least = Infinity
  const chance = (): number => 0.3 + generator.next()
  /** The first column alone of a size to which something was not done yet, if it is its turn. */
  const consider = (
    peers: ReadonlyArray<HallOfFame.Single>,
    done: (single: HallOfFame.Single) => boolean,
    price: number,
    chosen: (single: HallOfFame.Single) => Choice,
  ): void => {
    const place = peers.findIndex((single) => !done(single))
    const single = peers[place]
    if (single === undefined) return
    const cost = price * (3 + place) * (5 + single.size) * chance()
    if (cost >= least) return
    least = cost
    choice = chosen(single)
  }
  for (const peers of singles) {
    if (fits)
      consider(
        peers,
        (single) => fitted.has(slotKey(HallOfFame.of(single), 0)),
        fitting,
        (single) => ({ fit: HallOfFame.of(single), slot: 0 }),
      )
    consider(
      peers,
      ({ id }) => completed.has(id),
      1,
      (complete) => ({ complete }),
    )
  }
  if (fits && !surveyed.has("")) return { survey: { trees: [], signatures: [] } }
  // A number inside of a term of the best ensembles takes a moment, sums take long.
  if (fits)
    for (const best of [leader(), plain()]) {
      const slot = best?.trees.findIndex((_, slot) => !fitted.has(slotKey(best, slot))) ?? -1
      if (best !== undefined && slot >= 0) return { fit: best, slot }
    }
  if (fits && builds && !Sums.areBuilt(sums)) return { sums: true }
  // Ensembles that have the unit of a law, and others, are ranked apart.
  const kinds = [true, false].map((hasUnit) => ({ hasUnit, leading: -Infinity, behind: 0 }))
  strata.forEach((entries, size) => {
    const ranks = kinds.map(() => ({ plain: 0, withNumbers: behindPlain }))
    entries.forEach((entry) => {
      const kind = entry.hasUnit ? 0 : 1
      const rank = entry.numbers === 0 ? ranks[kind]!.plain++ : ranks[kind]!.withNumbers++
      const { leading, behind } = kinds[kind]!
      // Where something shorter is better, an ensemble waits behind the other sizes for which that is so.
      const dominated = entry.score < leading ? behind : 0
      for (let slot = 0; slot <= entry.trees.length; slot++) {
        if (slot === entry.trees.length && entry.trees.length >= most) continue
        const held = fits
          ? slot === entry.trees.length
            ? entry
            : HallOfFame.without(entry, slot)
          : undefined
        if (held !== undefined && held.trees.length > 0) {
          const cost = surveying * (1 + rank + dominated) * (5 + size) * chance()
          if (cost < least && !surveyed.has(heldKey(held))) {
            least = cost
            choice = { survey: held }
          }
        }
        if (fits && slot < entry.trees.length) {
          const cost = fitting * (1 + rank + dominated) * (5 + size) * chance()
          if (cost < least && !fitted.has(slotKey(entry, slot))) {
            least = cost
            choice = { fit: entry, slot }
          }
        }
        const level = entry.searched[slot]!
        if (level >= levels) continue
        const cost = (1 + rank + dominated) * (5 + size) * 2 ** (3 * level) * chance()
        if (cost >= least) continue
        least = cost
        choice = { expand: entry, slot }
      }
    })
    for (const kind of kinds) {
      const first = entries.find(({ numbers, hasUnit }) => numbers === 0 && hasUnit === kind.hasUnit)
      if (first === undefined) continue
      if (first.score > kind.leading) {
        kind.leading = first.score
        kind.behind = 0
      } else kind.behind++
    }
  })
  return choice
}
