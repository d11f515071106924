import type { Observation } from "../prob/Observation.ts"
import * as Tree from "../prob/Tree.ts"
import * as Ensembles from "./Ensemble.ts"
import type { Scorer } from "./Scorer.ts"

/**
 * The distinct ensembles of an archive, with the number of trees of the likelihood. A likelihood of up to K trees takes
 * them as archived. A likelihood of K trees gets the missing trees of an ensemble from the terminals and from the
 * ensemble's own trees, by the best exact score: first one tree in all empty places, then the best tree in each place.
 */
export const complete = (
  scorer: Scorer,
  { ensembles, forest }: Pick<Observation, "ensembles" | "forest">,
  archive: Iterable<Ensembles.Archived>,
): ReadonlyArray<Ensembles.Drawn> => {
  const { grammar, trees: K } = forest
  if (ensembles === "sets") return Ensembles.fromArchive(grammar, archive)
  const terminals = grammar.terminals.map((_, terminal) => Tree.leaf(terminal))
  const found = new Map<string, Ensembles.Drawn>()
  for (const { trees, count = 1 } of archive) {
    const options = [...trees, ...terminals]
    const scored = (fill: ReadonlyArray<Tree.Tree>) => {
      const ensemble = Ensembles.make(grammar, [...trees, ...fill])
      return { fill, ensemble, lmpse: scorer.score(ensemble)?.lmpse ?? -Infinity }
    }
    const best = (fills: ReadonlyArray<ReadonlyArray<Tree.Tree>>) =>
      fills.map(scored).reduce((one, other) => (other.lmpse > one.lmpse ? other : one))
    const empty = Array.from({ length: K - trees.length }, (_, place) => place)
    const first = best(empty.length === 0 ? [[]] : options.map((tree) => empty.map(() => tree)))
    const { ensemble } = empty
      .slice(1)
      .reduce(
        (sofar, place) => best([sofar.fill, ...options.map((tree) => sofar.fill.with(place, tree))]),
        first,
      )
    const before = found.get(ensemble.key)
    found.set(ensemble.key, { ensemble, draws: count + (before?.draws ?? 0) })
  }
  return [...found.values()]
}
