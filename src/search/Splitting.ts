import * as Dag from "./kernel/Dag.ts"
import { replaced } from "./Replaced.ts"
import type { Workbench } from "./Workbench.ts"

type Bench = Pick<Workbench, "space" | "apply">

/** Sums of more summands are not split: their halves are too many. */
const most = 6

/** A summand, and whether it is subtracted. */
interface Summand {
  readonly id: number
  readonly isNegative: boolean
}

/** What a node is, with the name of its operator; undefined of a terminal. */
const named = (
  { space: { dag } }: Bench,
  id: number,
): (Dag.Application & { readonly name: string }) | undefined => {
  const node = Dag.application(dag, id)
  return node && { ...node, name: dag.grammar.operators[node.operator]!.name }
}

const summands = (bench: Bench, id: number, isNegative = false): ReadonlyArray<Summand> => {
  const node = named(bench, id)
  if (node?.name !== "add" && node?.name !== "sub") return [{ id, isNegative }]
  const isOther = (node.name === "sub") !== isNegative
  return [...summands(bench, node.left, isNegative), ...summands(bench, node.right, isOther)]
}

/** The sum of summands but for its sign, which is that of the first; -1 of none. */
const sum = ({ apply }: Bench, [first, ...rest]: ReadonlyArray<Summand>): number =>
  first === undefined
    ? -1
    : rest.reduce(
        (before, { id, isNegative }) => apply(isNegative === first.isNegative ? "add" : "sub", before, id),
        first.id,
      )

/** The two halves of a sum, in all ways: each is a sum but for its sign. */
const halves = (bench: Bench, id: number): ReadonlyArray<readonly [number, number]> => {
  const all = summands(bench, id)
  if (all.length > most) return []
  // The first summand is in the first half.
  return Array.from({ length: 2 ** (all.length - 1) - 1 }, (_, k) => {
    const isSecond = (j: number): boolean => j > 0 && ((k + 1) >> (j - 1)) % 2 === 1
    const half = (second: boolean): number =>
      sum(
        bench,
        all.filter((_, j) => isSecond(j) === second),
      )
    return [half(false), half(true)]
  })
}

/** What takes the place of a node, -1 where the grammar forbids it. */
const replacements = (bench: Bench, id: number): ReadonlyArray<number> => {
  const { apply } = bench
  const node = named(bench, id)
  if (node === undefined) return []
  const { name, left, right } = node
  /** The sums and the differences of a function of the halves, and a function of these. */
  const split = (
    whole: number,
    of: (half: number) => number,
    over: (both: number) => number = (both) => both,
  ): ReadonlyArray<number> =>
    halves(bench, whole).flatMap(([first, second]) => {
      const a = of(first)
      const b = of(second)
      return [apply("add", a, b), apply("sub", a, b)].map(over)
    })
  if (name === "add" || name === "sub")
    return split(
      id,
      (half) => apply("square", half),
      (both) => apply("sqrt", both),
    )
  if (right < 0) return split(left, (half) => apply(name, half))
  return name === "div" ? split(right, (half) => apply(name, left, half)) : []
}

/**
 * The trees in which one function of a sum is the sum of the functions of its halves, or one sum the length of the vector of its halves.
 * Between the halves there is a plus or a minus.
 */
export const of = (bench: Bench, tree: number): ReadonlyArray<number> => {
  const nodes = new Set<number>()
  const visit = (id: number): void => {
    if (id < 0) return
    nodes.add(id)
    const { left = -1, right = -1 } = Dag.application(bench.space.dag, id) ?? {}
    visit(left)
    visit(right)
  }
  visit(tree)
  return [...nodes]
    .flatMap((id) => replacements(bench, id).map((by) => replaced(bench.space, tree, new Map([[id, by]]))))
    .filter((made) => made >= 0)
}
