import { pairs } from "../../internal/pairs.ts"
import * as Grammar from "../../prob/Grammar.ts"
import * as ConstantGrid from "../ConstantGrid.ts"
import * as Frame from "../Frame.ts"
import type { Frontier } from "../Frontier.ts"
import type { Held } from "../HallOfFame.ts"
import * as Move from "../Move.ts"
import * as PowerProduct from "../PowerProduct.ts"
import { replaced } from "../Replaced.ts"
import * as Scaling from "../Scaling.ts"
import { temporary } from "../Temporary.ts"
import type { Workbench } from "../Workbench.ts"
import { pow } from "../../numeric/Power.ts"

/**
 * The steps of a restart at which y is looked at: after the first ensembles of the library, and before working responses are taken at a
 * mean, when without noise they are exact; and after that mean is a good one. And those at which the best law is: early, and once it
 * explains most of y.
 */
const looks = { data: [8, 40], law: [60, 120, 240, 480] }
/** Expressions that are multiplied by the factor, those tried together, and those completed by companions; features tried in pairs. */
const pool = { tried: 6000, kept: 300, completed: 5, paired: 30 } as const
/** Expressions of an index: of y itself, and of other responses; those of its exponential; those that are kept, and those whose constants are fitted. */
const forms = { most: 600, least: 60, exponentials: 300, kept: 6, fitted: 2 } as const
/** Sizes of the largest value of an index inside of a function: where functions begin to bend, and where they have bent. */
const sizes = Array.from({ length: 24 }, (_, i) => 0.1 * pow(1.3, i))

/** A form that y shows, and a response under which one kind of trees is not tried yet. */
interface Piece {
  readonly response: number
  readonly form: Scaling.Scaling
  readonly kind: "multiply" | "compose"
}

/** The pieces that are left, in order. */
interface Memory {
  readonly steps: number
  readonly left: ReadonlyArray<Piece>
  /** the number of scored ensembles from which on the next piece is taken: other moves have as much of the work as the pieces */
  readonly due: number
  /** the forms that were shown since the last look at y (`Scaling.keyOf`) */
  readonly shown: ReadonlyArray<string>
}

/** Squares of differences of two nodes, of sums, differences of squares, of reciprocals, ...: kind by kind the same of each pair. */
const binomials = (
  { apply }: Workbench,
  nodes: ReadonlyArray<number>,
): ReadonlyArray<ReadonlyArray<number>> => {
  const both = pairs(nodes)
  const square = (id: number): number => apply("square", id)
  return ["sub", "add"].flatMap((name) => [
    both.map(([b, a]) => apply(name, b, a)),
    both.map(([b, a]) => square(apply(name, b, a))),
    both.map(([b, a]) => apply(name, square(b), square(a))),
    both.map(([b, a]) => apply("div", apply(name, b, a), apply("mul", b, a))),
  ])
}

/** The nodes that explain most by themselves, times the factor, where pairs of all would be too many. */
const promising = (
  { space, scoring }: Workbench,
  frontier: Frontier,
  nodes: ReadonlyArray<number>,
  of: (id: number) => number,
): ReadonlyArray<number> => {
  if (nodes.length <= pool.paired) return nodes
  let chosen: ReadonlySet<number> = new Set()
  temporary(space, () => {
    const made = nodes.map((id) => ({ id, tree: of(id) }))
    space.attributes.update()
    const tried = made.filter(({ tree }) => tree >= 0 && scoring.possible(tree))
    const trees = Int32Array.from(tried, ({ tree }) => tree)
    const scores = scoring.survey(frontier, [], trees)
    chosen = new Set(Frame.largest(scores, [...tried.keys()], pool.paired).map((i) => tried[i]!.id))
    return []
  })
  return nodes.filter((id) => chosen.has(id))
}

/** Small expressions times the factor, which is that of all terms: of a quotient the numerator, under 1 / y the denominator. */
const multiply = (
  bench: Workbench,
  frontier: Frontier,
  { bases, combined, factor }: Scaling.Scaling,
  power: number,
): void => {
  const frame = Frame.make(bench, frontier, bases, factor, power)
  if (frame === undefined || (!combined && factor.every((own) => own === 0))) return
  const { of, held } = frame
  const { scoring, space, constants } = bench
  const small = combined
    ? Frame.expressions(bench, [...bases, ...constants], pool.tried)
    : [...bench.columns().subarray(0, pool.tried)]
  let best: ReadonlyArray<number> = []
  const now = temporary(space, () => {
    const made = small.map(of).filter((id) => id >= 0)
    space.attributes.update()
    const trees = Int32Array.from(made.filter(scoring.possible))
    const scores = scoring.survey(frontier, [], trees)
    best = Frame.largest(scores, [...trees.keys()], pool.kept).map((i) => trees[i]!)
    return best
  })
  best = best.map(now)
  for (const one of held) Frame.fill(bench, frontier, one, best)
  const others = bases.filter((_, j) => factor[j] === 0)
  for (const kind of binomials(bench, promising(bench, frontier, others, of))) {
    const alike = kind.filter((id) => id >= 0).map(of)
    for (const id of alike)
      for (const one of Frame.holding(bench, frontier, id)) Frame.fill(bench, frontier, one, alike)
  }
  for (const id of best.slice(0, pool.completed))
    for (const one of Frame.holding(bench, frontier, id))
      Frame.fill(bench, frontier, one, bench.companions(frontier, id))
}

/** Multiples of an index that functions are tried of: by numbers of the grammar, or by rough values of a fitted constant. */
const multiples = ({ space, apply, constants }: Workbench, index: number): ReadonlyArray<number> => {
  const terminal = Grammar.fittedPlace(space.dag.grammar)
  const range = ConstantGrid.rangeOf(space.kernel.column(index))
  if (range === undefined) return [index]
  const numbers =
    terminal < 0
      ? constants.flatMap((a, k) => [a, ...constants.slice(0, k + 1).map((b) => apply("mul", a, b))])
      : sizes.map((size) => space.numbers.node(terminal, Number((size / range.reach).toPrecision(4))))
  const divided = terminal < 0 ? numbers.map((id) => apply("div", index, id)) : []
  return [index, ...numbers.map((id) => apply("mul", id, index)), ...divided].filter((id) => id >= 0)
}

/** Trees of an index at multiples of it, beside held ones: the multiple that explains most of each, and the best of these trees. */
const bestMultiples = (
  bench: Workbench,
  frontier: Frontier,
  base: Held,
  trees: ReadonlyArray<number>,
  index: number,
  scales: ReadonlyArray<number>,
): ReadonlyArray<number> => {
  const { space, scoring } = bench
  let kept: ReadonlyArray<number> = []
  const now = temporary(space, () => {
    const places = scales.map((scale) => new Map([[index, scale]]))
    const made = trees.flatMap((tree, form) => places.map((by) => ({ id: replaced(space, tree, by), form })))
    space.attributes.update()
    const tried = made.filter(({ id }) => id >= 0 && scoring.possible(id))
    const scores = scoring.survey(
      frontier,
      base.trees,
      Int32Array.from(tried, ({ id }) => id),
    )
    const best = new Map<number, number>()
    tried.forEach(({ form }, i) => {
      if (!(scores[i]! <= scores[best.get(form) ?? -1]!)) best.set(form, i)
    })
    kept = Frame.largest(scores, [...best.values()], forms.kept).map((i) => tried[i]!.id)
    return kept
  })
  return kept.map(now)
}

/** Functions of the index times the factor: the function of one variable that is left may be any expression. */
const compose = (
  bench: Workbench,
  frontier: Frontier,
  { bases, single }: Scaling.Scaling,
  power: number,
): void => {
  if (single === undefined) return
  const { index, factor } = single
  const others = bases.filter((_, j) => index[j] === 0 && factor[j] === 0)
  const one = PowerProduct.one(bench)
  const constants = one < 0 ? [] : [one]
  const by = index.every((own) => own % 1 === 0) ? 1 : 2
  const most = power === 1 ? forms.most : forms.least
  for (const sign of [1, -1]) {
    const product = PowerProduct.of(
      bench,
      bases,
      index.map((own) => sign * by * own),
    )
    const u = product === undefined ? -1 : PowerProduct.node(bench, product)
    if (u < 0) continue
    const scales = multiples(bench, u)
    // A function of u times a power of u is a function of u, and may be a simpler one.
    const frames = (sign === 1 ? [0, 1, -1] : [0]).flatMap((shift) => {
      const powers = factor.map((own, j) => own + shift * index[j]!)
      const frame = Frame.make(bench, frontier, bases, powers, power)
      return frame === undefined ? [] : [{ ...frame, most: shift === 0 ? most : forms.least }]
    })
    const exponential = power === 1 ? bench.apply("exp", u) : -1
    let chosen: ReadonlyArray<{ readonly base: Held; readonly trees: ReadonlyArray<number> }> = []
    const now = temporary(bench.space, () => {
      const made = Frame.expressions(bench, [u, ...others, ...constants], most)
      // 1 / (exp(u) + exp(-u)) is short in exp(u), and long in u.
      const ofExponential =
        exponential < 0 ? [] : Frame.expressions(bench, [exponential, ...constants], forms.exponentials)
      chosen = frames.flatMap((frame) => {
        const trees = [...made.slice(0, frame.most), ...ofExponential].map(frame.of).filter((id) => id >= 0)
        return frame.held.map((base) => ({
          base,
          trees: bestMultiples(bench, frontier, base, trees, u, scales),
        }))
      })
      return chosen.flatMap(({ trees }) => trees)
    })
    for (const { base, trees } of chosen) {
      const kept = trees.map(now)
      bench.beside(frontier, base, kept)
      for (const tree of kept.slice(0, forms.fitted)) bench.tune(frontier, [...base.trees, tree])
    }
  }
}

/** Forms, under every response. */
const piecesOf = ({ frontiers }: Workbench, forms: ReadonlyArray<Scaling.Scaling>): ReadonlyArray<Piece> =>
  frontiers.flatMap(({ response }) =>
    forms.flatMap((form) => (["multiply", "compose"] as const).map((kind) => ({ response, form, kind }))),
  )

/**
 * Laws of many variables are often a product of powers times a function of few: of a product of powers, or of differences. The
 * logarithm of y shows the powers (`Scaling`); expressions of the rest are tried times the factor, under every link that is a power or
 * the logarithm.
 *
 * *When to use*: for laws in physical quantities of five columns and more, which are mostly such products. Leave it out where
 * a law is known to be a sum of small expressions, or y is near 0 on most rows.
 */
export const scaling = Move.make<Memory>({
  name: "scaling",
  begin: () => ({ steps: 0, left: [], due: 0, shown: [] }),
  gradually: function* (bench, { steps: before, left, due, shown }) {
    const steps = before + 1
    if (bench.best() === undefined) return { steps, left, due, shown }
    if (bench.leavesNothing()) return { steps, left: [], due, shown }
    if (looks.data.includes(steps)) {
      const forms = yield* Scaling.of(bench)
      return { steps, left: piecesOf(bench, forms), due: 0, shown: forms.map(Scaling.keyOf) }
    }
    if (looks.law.includes(steps)) {
      const forms = yield* Scaling.ofLaw(bench)
      const fresh = forms.filter((form) => !shown.includes(Scaling.keyOf(form)))
      const keys = [...shown, ...fresh.map(Scaling.keyOf)]
      return { steps, left: [...piecesOf(bench, fresh), ...left], due, shown: keys }
    }
    const [piece, ...later] = left
    const scored = bench.scoring.scored()
    if (piece === undefined || scored < due) return { steps, left, due, shown }
    const power = Scaling.powerOf(bench, piece.response)
    if (power !== undefined)
      (piece.kind === "multiply" ? multiply : compose)(
        bench,
        bench.frontiers[piece.response]!,
        piece.form,
        power,
      )
    const after = bench.scoring.scored()
    return { steps, left: later, due: 2 * after - scored, shown }
  },
})
