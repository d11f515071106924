import type { Archive, Archived } from "../infer/Archive.ts"
import type { Forest } from "../prob/Forest.ts"
import * as Tree from "../prob/Tree.ts"
import * as Ensembles from "./Ensemble.ts"

/** The model of an archive: its grammar says how complex trees are. */
interface Of {
  readonly forest: Pick<Forest, "grammar">
}

/** The number of ensembles of an archive that are scored exactly, and the number of each complexity that come first. */
const most = 150
const each = 3

/**
 * The ensembles of an archive that are scored exactly: the Pareto front of score against complexity, then the best of each complexity, then the best
 * of all. A search on a sample of rows may prefer terms that all rows refute, and many variants of them would exclude the law: of a million rows each
 * of thirty complexities has a variant that is better than the law on the sample. The constant law y = b_0 is always included.
 */
export const archived = (
  { forest: { grammar } }: Of,
  { ensembles }: Archive,
  count = most,
): ReadonlyArray<Pick<Archived, "link" | "trees">> => {
  const complexity = ({ trees }: Archived): number =>
    trees.reduce((sum, tree) => sum + Tree.complexity(grammar, tree), 0)
  const found = new Map<number, number>()
  // The best comes first, so that one on the front is simpler than all before it.
  let simplest = Infinity
  const places = ensembles.map((ensemble, rank) => {
    const size = complexity(ensemble)
    const place = found.get(size) ?? 0
    found.set(size, place + 1)
    const onFront = size < simplest
    if (onFront) simplest = size
    return { ensemble, order: onFront ? -each - 1 : place < each ? place - each : rank }
  })
  const chosen = places.toSorted((a, b) => a.order - b.order).slice(0, count)
  const [first = [], ...others] = chosen.map(({ ensemble }) => [ensemble])
  // Early, for a ranking that time cuts off: other laws are compared with it.
  return [...first, { link: 0, trees: [] }, ...others.flat()]
}

/** How many rivals there are at most, and how many nats they may be behind the best. */
const rivalry = { most: 3, behind: 100 }

/**
 * The best ensembles of other links than the best of all, where they are near it. The score of a link holds on the scale of g(y), and may be far off on that
 * of y: where it is, the law is one of these.
 */
export const rivals = (
  { forest: { grammar } }: Of,
  { ensembles }: Archive,
): ReadonlyArray<Ensembles.Drawn> => {
  const [best] = ensembles
  const found = new Set([best?.link])
  const near = ensembles.filter(({ link, score }) => {
    if (found.has(link) || !(score > best!.score - rivalry.behind)) return false
    found.add(link)
    return true
  })
  return Ensembles.fromArchive(grammar, near.slice(0, rivalry.most))
}

/** The shortlist as distinct ensembles for a scorer. */
export const of = (likelihood: Of, archive: Archive, count = most): ReadonlyArray<Ensembles.Drawn> =>
  Ensembles.fromArchive(likelihood.forest.grammar, archived(likelihood, archive, count))
