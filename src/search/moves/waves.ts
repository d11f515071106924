import { pairs } from "../../internal/pairs.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import { thinned } from "../../numeric/thinned.ts"
import type { Frontier } from "../Frontier.ts"
import * as Periodogram from "../Periodogram.ts"
import * as PolynomialTrees from "../PolynomialTrees.ts"
import { proposing } from "../Proposing.ts"
import { schwarz } from "../schwarz.ts"
import { varying } from "../SearchSpace.ts"
import type { Workbench } from "../Workbench.ts"

/** The steps of a restart at which waves are looked for: in y, and in the residuals of the best law. */
const looks = { data: 4, law: [25, 75] }
/** Rows that waves are fitted to, and features of a table that are looked at in pairs, at most. */
const most = { rows: 200, paired: 3 } as const
/** The waves that are tried. */
const tried = 4

/** The columns of a wave as nodes, and its height, -1 for 1. */
interface Kind {
  readonly columns: ReadonlyArray<number>
  readonly height: number
}

/**
 * Waves in a feature, and in products and quotients of two, of equal height or one that a feature has; waves in a feature and its square, and in two
 * features, of equal height.
 */
const kinds = (bench: Workbench, features: ReadonlyArray<number>): ReadonlyArray<Kind> => {
  const { apply } = bench
  if (features.length > most.paired) return features.map((one) => ({ columns: [one], height: -1 }))
  const both = pairs(features)
  const combined = both.flatMap(([a, b]) => [apply("mul", a, b), apply("div", a, b), apply("div", b, a)])
  const squared = features.map((one) => [one, apply("square", one)] as const)
  return [
    ...[...features, ...combined.filter((id) => id >= 0)].flatMap((one) =>
      [-1, ...features].map((height) => ({ columns: [one], height })),
    ),
    ...[...squared.filter(([, square]) => square >= 0), ...both].map((columns) => ({ columns, height: -1 })),
  ]
}

/** Digits of numbers, which are fitted after that. */
const digits = 6

/** The node of a wave; -1 where the grammar has no such tree. */
const treeOf = (
  bench: Workbench,
  { columns, height }: Kind,
  { frequencies, phase }: Periodogram.Wave,
): number => {
  const { number, times, sum } = PolynomialTrees.make(bench)
  const rough = (value: number): number => Number(value.toPrecision(digits))
  const parts = columns.flatMap((id, j) => (frequencies[j] === 0 ? [] : [times(rough(frequencies[j]!), id)]))
  const wave = bench.apply("sin", sum([...parts, number(rough(phase))]))
  return height < 0 ? wave : bench.apply("mul", height, wave)
}

/** The best waves in the residuals of trees under a response, as nodes. */
const look = function* (
  bench: Workbench,
  { response }: Frontier,
  trees: ReadonlyArray<number>,
): Generator<void, ReadonlyArray<number>> {
  const { space } = bench
  const { id, weight } = space.responses[response]!
  const thin = thinned(space.rows, most.rows)
  const some = (node: number): Float64Array => thin(space.kernel.column(node))
  const w = some(weight)
  const weigh = (column: Float64Array): Float64Array => column.map((value, i) => value * w[i]!)
  const own = weigh(some(id))
  const left = leastSquares([w, ...trees.map((tree) => weigh(some(tree)))], own).residual
  const z = left.map((value, i) => (w[i] === 0 ? 0 : value / w[i]!))
  // The law as it is has no wave.
  const least = schwarz(own, w)(
    left.reduce((sum, value) => sum + value * value, 0),
    1,
  )
  const found: Array<{ readonly kind: Kind; readonly wave: Periodogram.Wave }> = []
  const memory = Periodogram.room()
  for (const kind of kinds(bench, varying(space))) {
    const height = kind.height < 0 ? undefined : some(kind.height)
    const columns = kind.columns.map(some)
    if (!columns.every((column) => column.every(Number.isFinite))) continue
    for (const wave of yield* Periodogram.of(columns, z, w, height, memory))
      if (wave.criterion < least) found.push({ kind, wave })
  }
  return found
    .sort((a, b) => a.wave.criterion - b.wave.criterion)
    .slice(0, tried)
    .map(({ kind, wave }) => treeOf(bench, kind, wave))
    .filter((tree) => tree >= 0)
}

/**
 * Waves are looked for by periodograms: in y, and in the residuals of the best law. A fit of a frequency leads to it from within a period over the rows,
 * and of a wave in two columns, sin(a x - b t), no rough value of one shows anything without the other.
 *
 * *When to use*: for oscillations, sums of a few, waves that travel, and a wave beside a trend.
 */
export const waves = proposing("waves", function* (bench, step) {
  const isFirst = step === looks.data
  const frontier = bench.frontiers[bench.itself]
  if ((!isFirst && !looks.law.includes(step)) || frontier === undefined) return []
  const [feature = -1] = varying(bench.space)
  if (!PolynomialTrees.make(bench).areMade || bench.apply("sin", feature) < 0) return []
  const { response } = frontier
  if (isFirst) return (yield* look(bench, frontier, [])).map((tree) => ({ response, trees: [tree] }))
  const leader = frontier.leader()
  if (leader === undefined) return []
  const { trees } = leader
  const held = trees.length < bench.most ? [trees] : trees.map((_, slot) => trees.toSpliced(slot, 1))
  return (yield* look(bench, frontier, trees)).flatMap((tree) =>
    held.map((others) => ({ response, trees: [...others, tree] })),
  )
})
