import type { Observation } from "../prob/Observation.ts"
import * as Tree from "../prob/Tree.ts"
import * as Ensembles from "./Ensemble.ts"
import type { Scorer } from "./Scorer.ts"

/**
 * The distinct ensembles of an archive with as many trees in each as the likelihood has. Where it has up to K trees,
 * they are as archived. Where it has K, what an ensemble leaves empty is filled with terminals, or with trees that it has
 * already, for the best exact score: first all empty places with one tree, then each place with its best.
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
