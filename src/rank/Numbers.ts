import type * as Tree from "../prob/Tree.ts"

/** The number of fitted constants in a tree. */
const inside = (tree: Tree.Tree): number =>
  tree._tag === "Leaf"
    ? Number(tree.value !== undefined)
    : tree.children.reduce((sum, child) => sum + inside(child), 0)

/** The number of terms and fitted constants of an ensemble: the dimension of its family of functions, but for the intercept. */
export const numbers = (trees: ReadonlyArray<Tree.Tree>): number =>
  trees.reduce((sum, tree) => sum + 1 + inside(tree), 0)
