import { allBelow, largestFinite } from "../../numeric/finite.ts"
import * as Frame from "../Frame.ts"
import { height } from "../Frontier.ts"
import * as IndexFunctions from "../IndexFunctions.ts"
import * as Move from "../Move.ts"
import * as PolynomialTrees from "../PolynomialTrees.ts"
import * as RationalFunctions from "../RationalFunctions.ts"
import * as RationalTrees from "../RationalTrees.ts"
import { uncentred } from "../SearchSpace.ts"
import { largest, look, type Piece } from "../SmoothPieces.ts"
import type { Workbench } from "../Workbench.ts"

/** The steps of a restart at which indices are looked for: under y itself, and under the response that leads. */
const looks = { itself: 20, leading: [40, 100] }
/** Expressions of an index. */
const extent: IndexFunctions.Extent = {
  first: 300,
  others: 0,
  exponentials: 60,
  forms: "all",
  fitted: 12,
}
/** A root has at most this share of rows of another sign, and magnitudes below this share of the largest have the accuracy of that. */
const [others, nearZero] = [0.1, 0.05]

/** The work of a step: forms and expressions of a piece, or rational functions. A part of a step that is made again must change nothing. */
interface Task extends Piece {
  readonly functions: "forms" | "rational"
}

interface Memory {
  readonly steps: number
  readonly left: ReadonlyArray<Task>
  /** the pieces that were tried in this restart (`keyOf`) */
  readonly tried: ReadonlyArray<string>
}

const keyOf = ({ response, index, factor }: Piece): string => `${response} ${index} ${factor}`

/** Functions of an index times its factor. */
const compose = (bench: Workbench, { response, index, factor }: Piece): void => {
  const frontier = bench.frontiers[response]!
  const of = (id: number): number => (factor < 0 ? id : bench.apply("mul", factor, id))
  const held = [Frame.none, ...Frame.holding(bench, frontier, factor)]
  IndexFunctions.compose(bench, frontier, index, [], [{ of, held, isFirst: true }], extent)
}

/** Rational functions of an index and roots of such, times its factor: they are linear problems, of which no rough values of numbers are needed. */
const composeRational = function* (
  bench: Workbench,
  { response, index, factor }: Piece,
): Generator<void, void> {
  if (!PolynomialTrees.make(bench).areMade) return
  const { kernel } = bench.space
  const { weight } = bench.space.responses[response]!
  const u = kernel.column(index).slice()
  const by = factor < 0 ? undefined : kernel.column(factor).slice()
  const z = uncentred(bench.space, response).map((value, i) => value / (by?.[i] ?? 1))
  const w = kernel.column(weight).map((value, i) => value * Math.abs(by?.[i] ?? 1))
  if (![u, z, w].every((column) => allBelow(column, largest))) return
  const trees = RationalTrees.make(bench, index, largestFinite(u))
  const framed = (one: number): number => (one < 0 || factor < 0 ? one : bench.apply("mul", factor, one))
  const own = yield* RationalFunctions.of(u, z, w, RationalFunctions.small)
  const sign = z.filter((value) => value > 0).length > z.length / 2 ? 1 : -1
  const isOther = (value: number): boolean => value * sign <= 0
  const least = nearZero * largestFinite(z)
  // The error of a square is 2 |z| times that of z. Rows of the other sign are near 0, and noise.
  const ofSquares = w.map((value, i) => (isOther(z[i]!) ? 0 : value / (2 * Math.max(least, Math.abs(z[i]!)))))
  const squares = z.map((value) => value * value)
  const roots =
    z.filter(isOther).length > others * z.length
      ? []
      : yield* RationalFunctions.of(u, squares, ofSquares, RationalFunctions.small)
  const frontier = bench.frontiers[response]!
  const made = [...own.map(trees.quotient), ...roots.map(trees.root)].map(framed).filter((one) => one >= 0)
  bench.beside(frontier, Frame.none, made)
  for (const tree of made) bench.tune(frontier, [tree])
}

/**
 * Laws are often a function of one index, such as (E - mu)/T, that is a small expression of the columns, perhaps times one column. The index orders the
 * rows so that the response is smooth: the differences of neighbours say how far it is, whatever the function. Then functions of that index are tried.
 * In the same way a law may be a small expression times a function of one column, as (x - v t)/sqrt(1 - v^2/c^2) is.
 *
 * *When to use*: for functions of an index that have no logarithm, such as occupations, saturations and waves with noise; `scaling` has the others.
 */
export const singleIndex = Move.make<Memory>({
  name: "singleIndex",
  begin: () => ({ steps: 0, left: [], tried: [] }),
  gradually: function* (bench, { steps: before, left: [first, ...rest], tried }) {
    const steps = before + 1
    if (bench.leavesNothing()) return { steps, left: [], tried }
    const isLed = looks.leading.includes(steps)
    if (isLed || steps === looks.itself) {
      const frontier = isLed
        ? bench.frontiers.toSorted((a, b) => height(b) - height(a))[0]
        : bench.frontiers.find(({ response }) => response === bench.itself)
      const found = frontier === undefined ? [] : yield* look(bench, frontier)
      const fresh = found.filter((one) => !tried.includes(keyOf(one)))
      const left = fresh.flatMap((one): ReadonlyArray<Task> => [
        { ...one, functions: "forms" },
        { ...one, functions: "rational" },
      ])
      return { steps, left, tried: [...tried, ...fresh.map(keyOf)] }
    }
    if (first === undefined) return { steps, left: [], tried }
    if (first.functions === "forms") compose(bench, first)
    else yield* composeRational(bench, first)
    return { steps, left: rest, tried }
  },
})
