import * as Dag from "./kernel/Dag.ts"
import { replaced } from "./Replaced.ts"
import type { SearchSpace } from "./SearchSpace.ts"

type Space = Pick<SearchSpace, "dag" | "apply">

/** Sums of more summands are not split: their halves are too many. */
const most = 6

/** An summand, and whether it is subtracted. */
interface Summand {
  readonly id: number
  readonly isNegative: boolean
}

const place = ({ dag }: Space, name: string): number =>
  dag.grammar.operators.findIndex((operator) => operator.name === name)

/** -1 where the grammar has no such operator. */
const apply = (space: Space, name: string, left: number, right = -1): number =>
  space.apply(place(space, name), left, right)

/** Whether a node is a sum, a difference, or neither. */
const kindOf = (space: Space, node: Dag.Application | undefined): "add" | "sub" | undefined =>
  (["add", "sub"] as const).find((name) => node !== undefined && node.operator === place(space, name))

const summands = (space: Space, id: number, isNegative = false): ReadonlyArray<Summand> => {
  const node = Dag.application(space.dag, id)
  const kind = kindOf(space, node)
  return node === undefined || kind === undefined
    ? [{ id, isNegative }]
    : [
        ...summands(space, node.left, isNegative),
        ...summands(space, node.right, (kind === "sub") !== isNegative),
      ]
}

/** The sum of summands but for its sign, which is that of the first; -1 of none. */
const sum = (space: Space, [first, ...rest]: ReadonlyArray<Summand>): number =>
  first === undefined
    ? -1
    : rest.reduce(
        (before, { id, isNegative }) =>
          apply(space, isNegative === first.isNegative ? "add" : "sub", before, id),
        first.id,
      )

/** The two halves of a sum, in all ways: each is a sum but for its sign. */
const halves = (space: Space, id: number): ReadonlyArray<readonly [number, number]> => {
  const all = summands(space, id)
  if (all.length > most) return []
  // The first summand is in the first half.
  return Array.from({ length: 2 ** (all.length - 1) - 1 }, (_, k) => {
    const isSecond = (j: number): boolean => j > 0 && ((k + 1) >> (j - 1)) % 2 === 1
    return [
      sum(
        space,
        all.filter((_, j) => !isSecond(j)),
      ),
      sum(
        space,
        all.filter((_, j) => isSecond(j)),
      ),
    ]
  })
}

/** What takes the place of a node, -1 where the grammar forbids it. */
const replacements = (space: Space, id: number): ReadonlyArray<number> => {
  const node = Dag.application(space.dag, id)
  if (node === undefined) return []
  const joined = (a: number, b: number): ReadonlyArray<number> =>
    a < 0 || b < 0 ? [] : [apply(space, "add", a, b), apply(space, "sub", a, b)]
  const { operator, left, right } = node
  if (kindOf(space, node) !== undefined)
    return halves(space, id).flatMap(([a, b]) =>
      joined(apply(space, "square", a), apply(space, "square", b)).map((both) => apply(space, "sqrt", both)),
    )
  if (right < 0)
    return halves(space, left).flatMap(([a, b]) => joined(space.apply(operator, a), space.apply(operator, b)))
  return operator === place(space, "div")
    ? halves(space, right).flatMap(([a, b]) =>
        joined(space.apply(operator, left, a), space.apply(operator, left, b)),
      )
    : []
}

/**
 * The trees in which one function of a sum is the sum of the functions of its halves, or one sum the length of the vector of its halves.
 * Between the halves there is a plus or a minus.
 */
export const of = (space: Space, tree: number): ReadonlyArray<number> => {
  const nodes = new Set<number>()
  const visit = (id: number): void => {
    if (id < 0 || nodes.has(id)) return
    nodes.add(id)
    const { left = -1, right = -1 } = Dag.application(space.dag, id) ?? {}
    visit(left)
    visit(right)
  }
  visit(tree)
  return [...nodes].flatMap((id) =>
    replacements(space, id).flatMap((by) => {
      const made = by < 0 ? -1 : replaced(space, tree, new Map([[id, by]]))
      return made < 0 ? [] : [made]
    }),
  )
}
