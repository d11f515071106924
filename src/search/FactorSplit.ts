import { featuresOf } from "./FeatureSwap.ts"
import * as Dag from "./kernel/Dag.ts"
import * as PowerProduct from "./PowerProduct.ts"
import type { Workbench } from "./Workbench.ts"

/** A node that stands for 1, which a tree without a factor needs no node for. */
const nothing = -1

/**
 * A tree without those of its factors that are functions of one feature: of a (b - c) exp(-t) / t with t it is a (b - c).
 *
 * @returns a node; undefined where the tree has no such factor, or no other
 */
export const besideFunctionsOf = (
  bench: Pick<Workbench, "space" | "apply" | "constants">,
  tree: number,
  feature: number,
): number | undefined => {
  const { space, apply } = bench
  const one = PowerProduct.one(bench)
  const nameOf = (operator: number): string => space.dag.grammar.operators[operator]!.name
  const rest = (id: number): number => {
    if (featuresOf(space, id).every((own) => own === feature)) return nothing
    const node = Dag.application(space.dag, id)
    const name = node === undefined ? "" : nameOf(node.operator)
    if (node === undefined || (name !== "mul" && name !== "div")) return id
    const [left, right] = [rest(node.left), rest(node.right)]
    if (right === nothing) return left
    if (left === nothing) return name === "mul" ? right : one < 0 ? id : apply("div", one, right)
    return apply(name, left, right)
  }
  const found = rest(tree)
  return found === nothing || found === tree || found < 0 ? undefined : found
}
