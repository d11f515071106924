import * as Tree from "../prob/Tree.ts"

/**
 * All trees that differ from a tree in one node, by what may stand in the place of each node, from the root down.
 *
 * @param at what may take the place of a node
 */
export const edits = function* (
  tree: Tree.Tree,
  at: (node: Tree.Tree) => Iterable<Tree.Tree>,
): Generator<Tree.Tree> {
  yield* at(tree)
  if (tree._tag === "Leaf") return
  for (const [k, child] of tree.children.entries())
    for (const other of edits(child, at)) yield Tree.branch(tree.operator, tree.children.with(k, other))
}
