/** An ensemble that was scored. */
export interface Scored {
  /** index into the space's responses */
  readonly response: number
  /** nodes of the trees, none twice */
  readonly trees: ReadonlyArray<number>
  /** fingerprints of the columns, equal for columns that are affine functions of each other (`BorderedRegression.signature`) */
  readonly signatures: ReadonlyArray<number>
  /** residual sum of squares, in squared units of y */
  readonly rss: number
  readonly logEvidence: number
  /** log evidence plus log prior, in nats */
  readonly score: number
}

/** A scored ensemble that is kept, and how far its neighbourhood has been searched. */
export interface Entry extends Scored {
  /** the number of nodes of all trees, plus the number of trees */
  readonly size: number
  /** the number of fitted constants in the trees */
  readonly numbers: number
  /** whether the trees have the unit that the link takes; others are laws only with coefficients that have units, and lead to laws */
  readonly hasUnit: boolean
  /** the level up to which the neighbourhood of each tree was searched; last the level of an additional tree */
  readonly searched: Int32Array
  /** the number of ensembles scored before the first ensemble with these values */
  found: number
}

/** A column that was scored as an ensemble of one. */
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
  /** the kept ensembles of each size, best first */
  readonly strata: ReadonlyArray<Array<Entry>>
  /** the kept single columns of each size, best first */
  readonly singles: ReadonlyArray<Array<Single>>
}

/**
 * The best ensembles of one response: a few of every size, with distinct values. Laws are short. A search that follows
 * the evidence alone passes them by for long surrogates, which fit better than the ensembles on the path to the law.
 * The hall of fame keeps the best ensembles of every size, so that the search goes on from these.
 */
export interface HallOfFame extends Data {
  /** the score above which an ensemble of a size is kept, with fitted constants or without, and with the unit of a law or another */
  readonly threshold: (size: number, fitted: boolean, hasUnit: boolean) => number
  /** @returns whether the ensemble was kept */
  readonly insert: (entry: Entry) => boolean
  readonly single: (single: Single) => void
  /** the score above which a single column of a size is kept */
  readonly least: (size: number) => number
  /** the best ensemble of all sizes, whatever its unit */
  readonly leader: () => Entry | undefined
  /** the best of those that have the unit of a law */
  readonly lawful: () => Entry | undefined
  /** the best of those without fitted numbers */
  readonly plain: () => Entry | undefined
  /** Removes all ensembles and single columns. */
  readonly clear: () => void
}

export type Held = Pick<Scored, "trees" | "signatures">

export const of = ({ id, signature }: Single): Held => ({ trees: [id], signatures: [signature] })

export const without = ({ trees, signatures }: Held, slot: number): Held => ({
  trees: trees.filter((_, k) => k !== slot),
  signatures: signatures.filter((_, k) => k !== slot),
})

export const largest = 60
const perSize = 10
/**
 * The number of kept ensembles of a size with fitted constants. Nearly every ensemble fits better with one more
 * constant, so these have a quota of their own: they may not displace the ensembles on the path to a law.
 */
const perSizeFitted = 4
/** The largest size of kept single columns, and the number of kept columns of a size. */
const largestSingle = 9
const singlesPerSize = 40

/** A key of ensembles of one response: equal exactly where the columns are affine functions of each other. */
export const keyOf = ({ signatures }: Scored): string => [...signatures].sort((a, b) => a - b).join()

/** The kind of an ensemble: a size keeps a number of each. */
const kind = (fitted: boolean, hasUnit: boolean): number => (fitted ? 1 : 0) + (hasUnit ? 0 : 2)
const kindOf = ({ numbers, hasUnit }: Entry): number => kind(numbers > 0, hasUnit)

/**
 * How much better one of two ensembles of the same values is, in nats. As many fitted numbers leave the same sum of squares: of an exact law
 * that is rounding, which would put c x^2 before x^2.
 */
const gain = (entry: Entry, before: Entry): number =>
  entry.numbers === before.numbers
    ? entry.score - entry.logEvidence - (before.score - before.logEvidence)
    : entry.score - before.score

const bestOf = (
  strata: Data["strata"],
  firstOf: (entries: ReadonlyArray<Entry>) => Entry | undefined,
): Entry | undefined =>
  strata.reduce<Entry | undefined>((best, entries) => {
    const first = firstOf(entries)
    return first !== undefined && !(first.score <= (best?.score ?? -Infinity)) ? first : best
  }, undefined)

/** A hall of fame without ensembles. */
export const nothing = (response: number): Data => ({
  response,
  strata: Array.from({ length: largest + 1 }, () => []),
  singles: Array.from({ length: largestSingle + 1 }, () => []),
})

/** @param data the ensembles of the hall of fame: it starts from those there, and adds its own */
export const make = ({ response, strata, singles }: Data): HallOfFame => {
  const known = new Map(strata.flat().map((entry) => [keyOf(entry), entry]))
  // The lowest scores of kept ensembles: without fitted constants, and with such; of the unit of a law, and of others.
  const quota = [perSize, perSizeFitted, perSize, perSizeFitted]
  const limits = quota.map(() => new Float64Array(largest + 1).fill(-Infinity))
  const limit = (size: number, kind: number): void => {
    const peers = strata[size]!.filter((one) => kindOf(one) === kind)
    limits[kind]![size] = peers[quota[kind]! - 1]?.score ?? -Infinity
  }
  for (let size = 0; size <= largest; size++) {
    for (const kind of quota.keys()) limit(size, kind)
  }

  const insert: HallOfFame["insert"] = (entry) => {
    const entries = strata[entry.size]
    if (entries === undefined) return false
    const own = kindOf(entry)
    if (entry.score <= limits[own]![entry.size]!) return false
    const key = keyOf(entry)
    const before = known.get(key)
    if (before !== undefined) {
      if (before.hasUnit && !entry.hasUnit) return false
      if (before.hasUnit === entry.hasUnit && !(gain(entry, before) > 1e-9)) return false
      // An expression of higher prior with the same values: its neighbourhood counts as searched up to the same levels.
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
    const peers = entries.filter((one) => kindOf(one) === own)
    const worst = peers[quota[own]!]
    if (worst !== undefined) {
      entries.splice(entries.indexOf(worst), 1)
      known.delete(keyOf(worst))
    }
    limit(entry.size, own)
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
    threshold: (size, fitted, hasUnit) => limits[kind(fitted, hasUnit)]![size] ?? Infinity,
    insert,
    single,
    least,
    leader: () => bestOf(strata, ([first]) => first),
    lawful: () => bestOf(strata, (entries) => entries.find(({ hasUnit }) => hasUnit)),
    plain: () => bestOf(strata, (entries) => entries.find(({ numbers }) => numbers === 0)),
    clear: () => {
      for (const entries of strata) entries.length = 0
      for (const one of limits) one.fill(-Infinity)
      known.clear()
      for (const peers of singles) peers.length = 0
    },
  }
}

/** Ensembles of every size and link that stay through a restart. */
const staying = 3

/** Those of a response that an archive has after further restarts: the best of each size that have the unit of a law. */
export const lasting = ({ strata }: Pick<Data, "strata">): ReadonlyArray<Entry> =>
  strata.flatMap((entries) => entries.filter(({ hasUnit }) => hasUnit).slice(0, staying))

/** The nodes of columns. */
export const idsOf = (singles: ReadonlyArray<Single>): Int32Array => Int32Array.from(singles, ({ id }) => id)

/** The nodes of the columns alone and of the ensembles of one tree, each once. */
export const columns = ({ singles, strata }: Pick<Data, "singles" | "strata">): Int32Array =>
  Int32Array.from(
    new Set([
      ...singles.flat().map(({ id }) => id),
      ...strata.flat().flatMap(({ trees }) => (trees.length === 1 ? trees : [])),
    ]),
  )

/** The best column that was scored alone. */
export const bestAlone = ({ singles }: Pick<Data, "singles">): Single | undefined => {
  let best: Single | undefined
  for (const peers of singles)
    for (const single of peers) if (!(single.score <= (best?.score ?? -Infinity))) best = single
  return best
}
