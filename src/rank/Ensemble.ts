import * as Equal from "fp-ts/lib/Eq.js"
import * as Order from "fp-ts/lib/Ord.js"
import * as Text from "fp-ts/lib/string.js"
import type { Grammar } from "../declare/Grammar.ts"
import * as Skeleton from "../declare/Skeleton.ts"
import * as Tree from "../declare/Tree.ts"

/**
 * A symbolic ensemble {T(f_1), ..., T(f_K)} in canonical form: operands of commutative operators in one order
 * (`Tree.canonical`), trees sorted by `Tree.key`. Ensembles that differ by these orders only are one model.
 */
export interface Ensemble {
  readonly trees: ReadonlyArray<Tree.Tree>
  /** Equal exactly for equal ensembles. */
  readonly key: string
}

const byKey = Order.contramap((tree: { readonly key: string }) => tree.key)(Text.Ord)

/** Ensembles are equal when their canonical forms are. */
export const Eq: Equal.Eq<Ensemble> = Equal.contramap((ensemble: Ensemble) => ensemble.key)(Text.Eq)

/** The canonical form of K trees. */
export const make = (grammar: Grammar, trees: ReadonlyArray<Tree.Tree>): Ensemble => {
  const sorted = trees
    .map((tree) => {
      const canonical = Tree.canonical(grammar, tree)
      return { canonical, key: Tree.key(canonical) }
    })
    .sort(byKey.compare)
  return {
    trees: sorted.map(({ canonical }) => canonical),
    key: sorted.map(({ key }) => key).join(" "),
  }
}

/** Drawn skeletons: each array has length H K N, draws outermost, then trees, then nodes in heap order. */
export interface Draws {
  readonly split: ArrayLike<number>
  readonly operator: ArrayLike<number>
  readonly terminal: ArrayLike<number>
}

/** An ensemble and how often it was drawn. */
export interface Drawn {
  readonly ensemble: Ensemble
  readonly draws: number
}

/**
 * The distinct ensembles of drawn skeletons, in order of their first draw (the last part of Algorithm "SampleHard" of
 * the paper: pruning).
 */
export const fromDraws = (
  forest: { readonly grammar: Grammar; readonly depth: number; readonly trees: number },
  draws: Draws,
): ReadonlyArray<Drawn> => {
  const { grammar, depth, trees } = forest
  const nodes = Skeleton.size(depth)
  const found = new Map<string, { readonly ensemble: Ensemble; draws: number }>()
  for (let offset = 0; offset + trees * nodes <= draws.split.length; offset += trees * nodes) {
    const ensemble = make(
      grammar,
      Array.from({ length: trees }, (_, k) => Tree.prune(grammar, depth, draws, offset + k * nodes)),
    )
    const known = found.get(ensemble.key)
    if (known === undefined) found.set(ensemble.key, { ensemble, draws: 1 })
    else known.draws++
  }
  return [...found.values()]
}
