import type { Forest } from "../../prob/Forest.ts"
import type { Values } from "../../prob/Joint.ts"
import * as Skeleton from "../../prob/Skeleton.ts"
import * as Tree from "../../prob/Tree.ts"

/** The trees of hard draws, and the values of the sites of which they are made. */
export interface Reached {
  /** for each draw its K trees, with the values of fitted constants */
  readonly trees: ReadonlyArray<ReadonlyArray<Tree.Tree>>
  /** as the draws, with NaN for elements that pruning removes; each site `[H, K, N]` */
  readonly values: Values
}

/** A tree and the elements of the draws that it reads. */
interface Pruned {
  readonly tree: Tree.Tree
  readonly leaves: ReadonlyArray<number>
}

/**
 * Prunes hard draws of a forest. A leaf at which the grammar forbids the drawn operator reads its indicator and its
 * operator as well: they are part of the draw.
 */
export const of = (forest: Forest): ((drawn: Values) => Reached) => {
  const { grammar, depth, trees: K, sites, values: fitted = [] } = forest
  const nodes = Skeleton.size(depth)
  const inner = (nodes - 1) / 2
  const names = [sites.split, sites.operator, sites.terminal, ...fitted.map(({ site }) => site)]
  return (drawn) => {
    const skeleton = {
      split: drawn.get(sites.split)!,
      operator: drawn.get(sites.operator)!,
      terminal: drawn.get(sites.terminal)!,
    }
    const siteOf = (terminal: number): string | undefined =>
      fitted.find((value) => value.terminal === terminal)?.site
    const prune = Tree.pruning<Pruned>(grammar, depth, {
      leaf: (terminal, at) => {
        const site = siteOf(terminal)
        const value = site === undefined ? undefined : drawn.get(site)![at]!
        return { tree: Tree.leaf(terminal, value), leaves: [at] }
      },
      branch: (operator, children) => ({
        tree: Tree.branch(
          operator,
          children.map(({ tree }) => tree),
        ),
        leaves: children.flatMap(({ leaves }) => leaves),
      }),
    })
    const kept = new Map(names.map((name) => [name, new Float64Array(skeleton.split.length).fill(NaN)]))
    const keep = (name: string, at: number): void => {
      kept.get(name)![at] = drawn.get(name)![at]!
    }
    const keepNode = (first: number, node: number): void => {
      if (node >= inner) return
      keep(sites.split, first + node)
      if (skeleton.split[first + node] === 1) keep(sites.operator, first + node)
    }
    const take = (index: number): Tree.Tree => {
      const first = index * nodes
      const { tree, leaves } = prune(skeleton, first)
      for (const at of leaves) {
        keep(sites.terminal, at)
        const site = siteOf(skeleton.terminal[at]!)
        if (site !== undefined) keep(site, at)
        for (let node = at - first; ; node = (node - 1) >> 1) {
          keepNode(first, node)
          if (node === 0) break
        }
      }
      return tree
    }
    const count = skeleton.split.length / (K * nodes)
    const trees = Array.from({ length: count }, (_, h) =>
      Array.from({ length: K }, (__, k) => take(h * K + k)),
    )
    return { trees, values: kept }
  }
}
