import * as Dag from "./kernel/Dag.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/** A tree with other nodes in the place of some; -1 where the grammar forbids it. */
export const replaced = (
  { dag, apply }: Pick<SearchSpace, "dag" | "apply">,
  tree: number,
  by: ReadonlyMap<number, number>,
): number => {
  const visit = (id: number): number => {
    const other = by.get(id)
    if (other !== undefined) return other
    const node = Dag.application(dag, id)
    if (node === undefined) return id
    const { operator, left, right } = node
    const first = visit(left)
    return apply(operator, first, right < 0 ? -1 : visit(right))
  }
  return visit(tree)
}
