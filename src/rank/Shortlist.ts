import type { Archive, Archived } from "../infer/Archive.ts"
import type { Observation } from "../prob/Observation.ts"
import * as Tree from "../prob/Tree.ts"
import * as Ensembles from "./Ensemble.ts"

/** How many ensembles of an archive are scored exactly, and how many of each complexity before others. */
const most = 150
const each = 3

/**
 * The ensembles of an archive that are worth an exact score: the best of each complexity, then the best of all. A search that looks at
 * some of the rows may prefer terms that all rows refute, and they would crowd out the law. The constant law y = b_0 is always one.
 */
export const archived = (
  { forest: { grammar } }: Pick<Observation, "forest">,
  { ensembles }: Archive,
  count = most,
): ReadonlyArray<Pick<Archived, "link" | "trees">> => {
  const complexity = ({ trees }: Archived): number =>
    trees.reduce((sum, tree) => sum + Tree.complexity(grammar, tree), 0)
  const found = new Map<number, number>()
  const places = ensembles.map((ensemble, rank) => {
    const size = complexity(ensemble)
    const place = found.get(size) ?? 0
    found.set(size, place + 1)
    return { ensemble, order: place < each ? place - each : rank }
  })
  const chosen = places.toSorted((a, b) => a.order - b.order).slice(0, count)
  return [...chosen.map(({ ensemble }) => ensemble), { link: 0, trees: [] }]
}

/** The same as ensembles that a scorer takes, each once. */
export const of = (
  likelihood: Pick<Observation, "forest">,
  archive: Archive,
  count = most,
): ReadonlyArray<Ensembles.Drawn> =>
  Ensembles.fromArchive(likelihood.forest.grammar, archived(likelihood, archive, count))
