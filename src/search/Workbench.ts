import type * as Tree from "../prob/Tree.ts"
import type { ApproximateEvidence } from "./ApproximateEvidence.ts"
import type * as ConstantGrid from "./ConstantGrid.ts"
import type { ExpressionLibrary } from "./ExpressionLibrary.ts"
import type { Frontier } from "./Frontier.ts"
import * as HallOfFame from "./HallOfFame.ts"
import type { Scoring } from "./Scoring.ts"
import type { SearchSpace } from "./SearchSpace.ts"
import { temporary } from "./Temporary.ts"

/** The interface of a search for moves: its expressions, its ensembles, and functions that score trees. */
export interface Workbench {
  readonly space: SearchSpace
  readonly library: ExpressionLibrary
  /** one frontier for each response that the search regresses on */
  readonly frontiers: ReadonlyArray<Frontier>
  /** the index of each response's link among the links of the likelihood */
  readonly links: ReadonlyArray<number>
  /** the response that is y itself; -1 if there is none */
  readonly itself: number
  /** the largest number of trees of an ensemble */
  readonly most: number
  /** the grammar's constants, eight at most, as nodes */
  readonly constants: ReadonlyArray<number>
  /** numbers that the likeliest operators make of these constants, as nodes (`ConstantExpressions`) */
  readonly numbers: ReadonlyArray<number>
  /** rough values of fitted constants in the present restart */
  readonly grid: () => ConstantGrid.ConstantGrid
  readonly scoring: Scoring
  /** The library's expressions that can be trees of a model, cheapest first. */
  readonly columns: () => Int32Array
  /** The companions of a column that moves propose (`Move.companions`). */
  readonly companions: (frontier: Frontier, column: number) => ReadonlyArray<number>
  /** The node of an operator over nodes; -1 when the grammar has no such operator or forbids it there. */
  readonly apply: (operator: string, left: number, right?: number) => number
  /** The node of a tree without fitted values. @throws RangeError when the grammar has no such terminal or operator */
  readonly node: (tree: Tree.Tree) => number
  /** Tries trees beside those of other slots. Nodes that cannot be trees (-1, constants, trees that are too deep) are passed over. */
  readonly beside: (frontier: Frontier, others: HallOfFame.Held, trees: Iterable<number>) => void
  /** Which nodes can be trees of a model, each once. */
  readonly possible: (nodes: Iterable<number>) => Int32Array
  /** Tries possible trees that are made only to be tried: those of no kept ensemble are forgotten. */
  readonly briefly: (frontier: Frontier, others: HallOfFame.Held, make: () => Int32Array) => void
  /** Fits the constants of an ensemble together, and keeps it if it is good enough. */
  readonly tune: (frontier: Frontier, trees: ReadonlyArray<number>) => void
  /** Tries trees as columns alone and as ensembles of one. */
  readonly alone: (frontier: Frontier, trees: Iterable<number>) => void
  /** Tries trees under every response: alone, in every slot of the best ensemble, and beside it. */
  readonly everywhere: (trees: Iterable<number>) => void
  /** The best ensemble of this restart, whatever its unit. */
  readonly best: () => HallOfFame.Entry | undefined
  /** The best that has the unit of a law. */
  readonly lawful: () => HallOfFame.Entry | undefined
  /** Whether the best ensemble of this restart explains the response but for rounding errors. */
  readonly leavesNothing: () => boolean
  /** The standard deviation of the noise of each row that the best ensemble leaves, on the scale of y; infinite of rows without a weight. */
  readonly noise: () => Float64Array
  /** The values of the law of the best ensemble on the scale of y, length n; undefined while there is none. */
  readonly law: () => Float64Array | undefined
  /** The ensembles of this restart that are kept, best first, without those that lack what laws must have. */
  readonly kept: () => ReadonlyArray<HallOfFame.Entry>
}

/** The share of the sum of squares below which a law may leave nothing: sums of squares tell it no better. */
const nothing = 1e-12

/**
 * @param isExact whether an ensemble that leaves next to nothing leaves rounding errors only: a rational function of ten numbers is near any smooth law
 * @param companions proposes columns for an ensemble that has a column already
 */
export const make = (
  space: SearchSpace,
  library: ExpressionLibrary,
  frontiers: ReadonlyArray<Frontier>,
  links: ReadonlyArray<number>,
  itself: number,
  scoring: Scoring,
  approximate: ApproximateEvidence,
  constants: Pick<Workbench, "constants" | "numbers" | "grid" | "tune">,
  isExact: (entry: HallOfFame.Entry) => boolean,
  companions: (bench: Workbench, frontier: Frontier, column: number) => ReadonlyArray<number>,
): Workbench => {
  const { attributes, dag } = space
  const { operators } = dag.grammar
  let columns = new Int32Array(0)
  const possible: Workbench["possible"] = (nodes) => {
    attributes.update()
    return Int32Array.from(new Set(nodes)).filter((id) => id >= 0 && scoring.possible(id))
  }
  const alone: Workbench["alone"] = (frontier, trees) => {
    const ids = possible(trees)
    scoring.alone(frontier, ids)
    scoring.evaluate(frontier, [], [], ids)
  }
  const bestOf = (of: (frontier: Frontier) => HallOfFame.Entry | undefined): HallOfFame.Entry | undefined => {
    let best: HallOfFame.Entry | undefined
    for (const frontier of frontiers) {
      const one = of(frontier)
      if (one !== undefined && !(one.score <= (best?.score ?? -Infinity))) best = one
    }
    return best
  }
  const bench: Workbench = {
    space,
    library,
    frontiers,
    links,
    itself,
    most: approximate.most,
    ...constants,
    scoring,
    columns: () => {
      if (library.growing()) return Int32Array.from(library.ids).filter(scoring.possible)
      if (columns.length === 0) columns = Int32Array.from(library.ids).filter(scoring.possible)
      return columns
    },
    companions: (frontier, column) => companions(bench, frontier, column),
    apply: (name, left, right) =>
      space.apply(
        operators.findIndex((one) => one.name === name),
        left,
        right,
      ),
    node: dag.intern,
    beside: (frontier, { trees, signatures }, candidates) =>
      scoring.evaluate(frontier, trees, signatures, possible(candidates)),
    possible,
    briefly: (frontier, { trees, signatures }, make) => {
      const found: Array<{ readonly trees: Array<number> }> = []
      const now = temporary(space, () => {
        scoring.evaluate(frontier, trees, signatures, make(), found)
        return found.map((one) => one.trees.at(-1)!)
      })
      for (const one of found) one.trees[one.trees.length - 1] = now(one.trees.at(-1)!)
    },
    alone,
    everywhere: (trees) => {
      const ids = possible(trees)
      for (const frontier of frontiers) {
        alone(frontier, ids)
        const leader = frontier.leader()
        if (leader === undefined) continue
        leader.trees.forEach((_, slot) => {
          const { trees: others, signatures } = HallOfFame.without(leader, slot)
          scoring.evaluate(frontier, others, signatures, ids)
        })
        if (leader.trees.length < approximate.most)
          scoring.evaluate(frontier, leader.trees, leader.signatures, ids)
      }
    },
    best: () => bestOf(({ leader }) => leader()),
    lawful: () => bestOf(({ lawful }) => lawful()),
    leavesNothing: () => {
      const best = bench.best()
      if (best === undefined) return false
      const { tss, unit } = space.responses[best.response]!
      return best.rss <= nothing * tss * unit && isExact(best)
    },
    noise: () => {
      const sigma = Math.sqrt((bench.best()?.rss ?? 0) / space.rows)
      const by = approximate.weights()?.by
      return Float64Array.from({ length: space.rows }, (_, i) => sigma / (by?.[i] ?? 1))
    },
    law: () => {
      const best = bench.best()
      return best && scoring.law(best)
    },
    kept: () =>
      frontiers
        .flatMap(({ strata }) => strata.flat())
        .filter(scoring.isComplete)
        .sort((a, b) => b.score - a.score),
  }
  return bench
}
