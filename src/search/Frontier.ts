import type { Generator } from "../random/Rng.ts"
import * as HallOfFame from "./HallOfFame.ts"

/** A response's ensembles, and what has been done and is to be done for them. */
export interface Agenda extends HallOfFame.Ensembles {
  /** the best ensembles from before the last restart, each value once */
  readonly earlier: Map<string, HallOfFame.Entry>
  /** the best of them */
  champion: HallOfFame.Entry | undefined
  /** ensembles scored for this response since the last start; infinite when nothing is left to do */
  spent: number
  /** columns that have been completed to ensembles */
  readonly completed: Set<number>
  /** slots of ensembles in which numbers have been learned, by `slotKey` */
  readonly polished: Set<string>
}

/**
 * What is to be done next: one level further around a slot of an ensemble, a column alone completed to an ensemble, or
 * numbers learned in a slot, be it that of a column alone.
 */
export type Choice =
  | { readonly expand: HallOfFame.Entry; readonly slot: number }
  | { readonly complete: HallOfFame.Single }
  | { readonly polish: HallOfFame.Held; readonly slot: number }

/** How many times the cost of a first look around a tree it is to learn its numbers, while there is time for that. */
const polishing = 0.5

/** The rank of the best ensemble with learned numbers: it fits better than what it was learned from, and is longer. */
const behindPlain = 2

/** The same for the same tree in a slot beside the same others. */
export const slotKey = ({ trees }: Pick<HallOfFame.Scored, "trees">, slot: number): string =>
  `${trees[slot]} beside ${trees
    .filter((_, k) => k !== slot)
    .sort((a, b) => a - b)
    .join()}`

/** Ensembles of every size that stay when a search begins anew. */
const staying = 3

export const make = (response: number): Agenda => ({
  ...HallOfFame.make(response),
  earlier: new Map(),
  champion: undefined,
  spent: 0,
  completed: new Set(),
  polished: new Set(),
})

/** The best of the ensembles from before. */
export const championOf = ({ earlier }: Agenda): HallOfFame.Entry | undefined =>
  [...earlier.values()].reduce<HallOfFame.Entry | undefined>(
    (best, one) => (!(one.score <= (best?.score ?? -Infinity)) ? one : best),
    undefined,
  )

/** Keeps the better of two of the same values, and when the first of them came. */
const put = (list: Map<string, HallOfFame.Entry>, entry: HallOfFame.Entry): void => {
  const key = HallOfFame.keyOf(entry)
  const before = list.get(key)
  const better = before !== undefined && before.score >= entry.score ? before : entry
  better.found = Math.min(entry.found, before?.found ?? Infinity)
  list.set(key, better)
}

/** Puts the best ensembles of every size among those from before. */
export const save = (agenda: Agenda): void => {
  const { strata, earlier } = agenda
  for (const entry of strata.flatMap((entries) => entries.slice(0, staying))) {
    put(earlier, entry)
  }
  agenda.champion = championOf(agenda)
}

/** Forgets what was found and done since the last start. */
export const forget = (agenda: Agenda): void => {
  agenda.clear()
  agenda.completed.clear()
  agenda.polished.clear()
  agenda.spent = 0
}

/** What is kept, each value once. */
export const everything = ({ strata, earlier }: Agenda): ReadonlyArray<HallOfFame.Entry> => {
  if (earlier.size === 0) return strata.flat()
  const found = new Map(earlier)
  for (const entry of strata.flat()) put(found, entry)
  return [...found.values()]
}

/** The agenda whose turn it is: the better its best ensemble, the larger its share of the work. */
export const turn = (agendas: ReadonlyArray<Agenda>): Agenda | undefined => {
  const order = agendas
    .flatMap((agenda) => {
      const leader = agenda.leader()
      return leader === undefined ? [] : [{ agenda, score: leader.score }]
    })
    .sort((a, b) => b.score - a.score)
  let chosen: Agenda | undefined
  let least = Infinity
  order.forEach(({ agenda }, rank) => {
    const cost = (agenda.spent + 1) * Math.sqrt(1 + rank)
    if (cost >= least) return
    least = cost
    chosen = agenda
  })
  return chosen
}

/**
 * What is to be done next: the short, the good and the unsearched first, with some chance.
 *
 * @param most the most trees of an ensemble
 * @param levels how many levels a neighbourhood has
 * @param learns whether numbers in trees are learned
 */
export const choose = (
  { singles, strata, completed, polished }: Agenda,
  most: number,
  levels: number,
  generator: Generator,
  learns: boolean,
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
    if (learns)
      consider(
        peers,
        (single) => polished.has(slotKey(HallOfFame.of(single), 0)),
        polishing,
        (single) => ({ polish: HallOfFame.of(single), slot: 0 }),
      )
    consider(
      peers,
      ({ id }) => completed.has(id),
      1,
      (complete) => ({ complete }),
    )
  }
  let leading = -Infinity
  let behind = 0
  strata.forEach((entries, size) => {
    let [plain, learned] = [0, behindPlain]
    entries.forEach((entry) => {
      const rank = entry.numbers === 0 ? plain++ : learned++
      // Where something shorter is better, an ensemble waits behind the other sizes for which that is so.
      const dominated = entry.score < leading ? behind : 0
      for (let slot = 0; slot <= entry.trees.length; slot++) {
        if (slot === entry.trees.length && entry.trees.length >= most) continue
        if (learns && slot < entry.trees.length) {
          const cost = polishing * (1 + rank + dominated) * (5 + size) * chance()
          if (cost < least && !polished.has(slotKey(entry, slot))) {
            least = cost
            choice = { polish: entry, slot }
          }
        }
        const level = entry.searched[slot]!
        if (level >= levels) continue
        const cost = (1 + rank + dominated) * (5 + size) * 8 ** level * chance()
        if (cost >= least) continue
        least = cost
        choice = { expand: entry, slot }
      }
    })
    const first = entries.find(({ numbers }) => numbers === 0)
    if (first === undefined) return
    if (first.score > leading) {
      leading = first.score
      behind = 0
    } else behind++
  })
  return choice
}
