/** An ensemble that was scored. */
export interface Scored {
  /** index into the space's responses */
  readonly response: number
  /** nodes of the trees, none twice */
  readonly trees: ReadonlyArray<number>
  /** numbers that the trees share with what has the same values, up to affine functions (`Regression.signature`) */
  readonly signatures: ReadonlyArray<number>
  /** residual sum of squares, in squared units of y */
  readonly rss: number
  readonly logEvidence: number
  /** logEvidence and the log prior */
  readonly score: number
}

/** A scored ensemble that is kept, and how far its neighbourhood has been searched. */
export interface Entry extends Scored {
  /** the number of nodes of its trees, and of trees */
  readonly size: number
  /** how many numbers have been fitted in its trees */
  readonly numbers: number
  /** levels of search, tree by tree, and last that of an additional tree */
  readonly searched: Int32Array
  /** how many ensembles had been scored when one of these values first came */
  found: number
}

/** A column that was tried alone. */
export interface Single {
  readonly id: number
  /** the number of its nodes */
  readonly size: number
  readonly signature: number
  readonly score: number
}

/** What a hall of fame holds, as plain data. */
export interface Data {
  readonly response: number
  /** ensembles: by size, each best first */
  readonly strata: ReadonlyArray<Array<Entry>>
  /** columns alone: by size, each best first */
  readonly singles: ReadonlyArray<Array<Single>>
}

/**
 * The best ensembles of one response: for every size a few, each value once. Laws are short, and a search that
 * follows the evidence alone walks past them to long surrogates that fit better than what lies on the way to the law;
 * the best of every size stay in sight here.
 */
export interface HallOfFame extends Data {
  /** the score below which an ensemble of a size, with fitted numbers or without, is not kept */
  readonly threshold: (size: number, fitted: boolean) => number
  /** @returns whether the ensemble was kept */
  readonly insert: (entry: Entry) => boolean
  readonly single: (single: Single) => void
  /** the score below which a column alone of a size is not kept */
  readonly least: (size: number) => number
  /** the best of all sizes */
  readonly leader: () => Entry | undefined
  /** Forgets ensembles and columns alone. */
  readonly clear: () => void
}

/** The trees of an ensemble, and their signatures. */
export type Held = Pick<Scored, "trees" | "signatures">

/** A column alone as an ensemble. */
export const of = ({ id, signature }: Single): Held => ({ trees: [id], signatures: [signature] })

/** What an ensemble has beside the tree of a slot. */
export const without = ({ trees, signatures }: Held, slot: number): Held => ({
  trees: trees.filter((_, k) => k !== slot),
  signatures: signatures.filter((_, k) => k !== slot),
})

/** Sizes above this are not kept. */
export const largest = 60
const perSize = 10
/**
 * The same of those with fitted numbers: nearly everything fits better with a number more, and what is on its way to a
 * law has to stay beside it.
 */
const perSizeFitted = 4
/** The largest size of columns alone that are kept, and the most columns of a size. */
const largestSingle = 9
const singlesPerSize = 40

/** Equal exactly for ensembles of one response whose columns have the same values, up to affine functions. */
export const keyOf = ({ signatures }: Scored): string => [...signatures].sort((a, b) => a - b).join()

/** Nothing found yet. */
export const nothing = (response: number): Data => ({
  response,
  strata: Array.from({ length: largest + 1 }, () => []),
  singles: Array.from({ length: largestSingle + 1 }, () => []),
})

/** @param data the ensembles of the hall of fame: it starts from those there, and adds its own */
export const make = ({ response, strata, singles }: Data): HallOfFame => {
  const known = new Map(strata.flat().map((entry) => [keyOf(entry), entry]))
  // Scores below which nothing is kept, of ensembles without fitted numbers and with such.
  const limits = [0, 1].map(() => new Float64Array(largest + 1).fill(-Infinity))
  const kindOf = ({ numbers }: Entry): 0 | 1 => (numbers > 0 ? 1 : 0)
  const quota = [perSize, perSizeFitted]
  const limit = (size: number, kind: 0 | 1): void => {
    const peers = strata[size]!.filter((one) => kindOf(one) === kind)
    limits[kind]![size] = peers[quota[kind]! - 1]?.score ?? -Infinity
  }
  for (let size = 0; size <= largest; size++) {
    limit(size, 0)
    limit(size, 1)
  }

  const insert: HallOfFame["insert"] = (entry) => {
    const entries = strata[entry.size]
    if (entries === undefined) return false
    const kind = kindOf(entry)
    if (entry.score <= limits[kind]![entry.size]!) return false
    const key = keyOf(entry)
    const before = known.get(key)
    if (before !== undefined) {
      if (!(entry.score > before.score + 1e-9)) return false
      // The same values by a likelier expression: it takes over how far the neighbourhood of each was searched.
      entry.signatures.forEach((signature, slot) => {
        entry.searched[slot] = before.searched[before.signatures.indexOf(signature)]!
      })
      entry.searched[entry.signatures.length] = before.searched[before.signatures.length]!
      entry.found = Math.min(entry.found, before.found)
      const old = strata[before.size]!
      old.splice(old.indexOf(before), 1)
      known.delete(key)
      limit(before.size, kindOf(before))
    }
    let at = entries.length
    while (at > 0 && entries[at - 1]!.score < entry.score) at--
    entries.splice(at, 0, entry)
    known.set(key, entry)
    const peers = entries.filter((one) => kindOf(one) === kind)
    const worst = peers[quota[kind]!]
    if (worst !== undefined) {
      entries.splice(entries.indexOf(worst), 1)
      known.delete(keyOf(worst))
    }
    limit(entry.size, kind)
    return true
  }

  const single: HallOfFame["single"] = (one) => {
    const peers = singles[one.size]
    if (peers === undefined || one.score <= least(one.size)) return
    const same = peers.findIndex(({ signature }) => signature === one.signature)
    if (same >= 0) {
      if (peers[same]!.score >= one.score) return
      peers.splice(same, 1)
    }
    let at = peers.length
    while (at > 0 && peers[at - 1]!.score < one.score) at--
    peers.splice(at, 0, one)
    if (peers.length > singlesPerSize) peers.pop()
  }
  const least = (size: number): number =>
    singles[size]?.[singlesPerSize - 1]?.score ?? (size > largestSingle ? Infinity : -Infinity)

  return {
    response,
    strata,
    singles,
    threshold: (size, fitted) => limits[fitted ? 1 : 0]![size] ?? Infinity,
    insert,
    single,
    least,
    leader: () =>
      strata.reduce<Entry | undefined>(
        (best, [first]) =>
          first !== undefined && !(first.score <= (best?.score ?? -Infinity)) ? first : best,
        undefined,
      ),
    clear: () => {
      for (const entries of strata) entries.length = 0
      for (const one of limits) one.fill(-Infinity)
      known.clear()
      for (const peers of singles) peers.length = 0
    },
  }
}

/** The nodes of columns. */
export const idsOf = (singles: ReadonlyArray<Single>): Int32Array => Int32Array.from(singles, ({ id }) => id)
