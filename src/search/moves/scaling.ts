import { pairs } from "../../internal/pairs.ts"
import * as Frame from "../Frame.ts"
import type { Frontier } from "../Frontier.ts"
import * as IndexFunctions from "../IndexFunctions.ts"
import * as Move from "../Move.ts"
import * as PowerProduct from "../PowerProduct.ts"
import * as Scaling from "../Scaling.ts"
import { temporary } from "../Temporary.ts"
import type { SingleIndex } from "../SingleIndex.ts"
import type { Workbench } from "../Workbench.ts"

/**
 * The steps of a restart at which y is looked at: after the first ensembles of the library, and before working responses are taken at a
 * mean, when without noise they are exact; and after that mean is a good one. And those at which the best law is: early, and once it
 * explains most of y.
 */
const looks = { data: [2, 40], law: [60, 120, 240, 480] }
/** Expressions that are multiplied by the factor, those tried together, and those completed by companions; features tried in pairs. */
const pool = { tried: 6000, kept: 300, completed: 5, paired: 30 } as const
const kinds = ["multiply", "index", "reciprocal"] as const

/** A form that y shows, and a response under which one kind of trees is not tried yet. */
interface Piece {
  readonly response: number
  readonly form: Scaling.Scaling
  /** the factor alone, functions of the index, or of its reciprocal */
  readonly kind: (typeof kinds)[number]
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

/** Whether an index is a product of several bases: small expressions of one base, times a factor, are tried as they are. */
const isProduct = ({ index }: SingleIndex): boolean => index.filter((own) => own !== 0).length > 1

/**
 * Functions of the index, or of its reciprocal, times the factor: the function of one variable that is left may be any expression.
 *
 * @param sign of the powers in the index
 * @returns the time that it took, as a number of ensembles that are scored in it
 */
const compose = (
  bench: Workbench,
  frontier: Frontier,
  { bases, single }: Scaling.Scaling,
  power: number,
  sign: 1 | -1,
): number => {
  if (single === undefined) return 0
  const { index, factor } = single
  const others = bases.filter((_, j) => index[j] === 0 && factor[j] === 0)
  const by = index.every((own) => own % 1 === 0) ? 1 : 2
  const forms: IndexFunctions.Extent["forms"] = power === 1 || power === 0 ? "usual" : "none"
  const extent = isProduct(single) && power === 1 ? IndexFunctions.wide : { ...IndexFunctions.narrow, forms }
  const product = PowerProduct.of(
    bench,
    bases,
    index.map((own) => sign * by * own),
  )
  const u = product === undefined ? -1 : PowerProduct.node(bench, product)
  if (u < 0) return 0
  // A function of u times a power of u is a function of u, and may be a simpler one.
  const frames = (sign === 1 ? [0, 1, -1] : [0]).flatMap((shift) => {
    const powers = factor.map((own, j) => own + shift * index[j]!)
    const frame = Frame.make(bench, frontier, bases, powers, power)
    return frame === undefined ? [] : [{ ...frame, isFirst: shift === 0 }]
  })
  return IndexFunctions.compose(bench, frontier, u, others, frames, extent)
}

/**
 * Forms, under every response.
 *
 * @param areOfData whether y shows the forms: functions of one base are tried then, under y itself
 */
const piecesOf = (
  { frontiers, itself }: Workbench,
  forms: ReadonlyArray<Scaling.Scaling>,
  areOfData: boolean,
): ReadonlyArray<Piece> =>
  frontiers.flatMap(({ response }) =>
    forms.flatMap((form) => {
      const { single } = form
      const isComposed = single !== undefined && (isProduct(single) || (areOfData && response === itself))
      return kinds
        .filter((kind) => kind === "multiply" || isComposed)
        .map((kind) => ({ response, form, kind }))
    }),
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
  first: (bench) => {
    const found = Scaling.products(bench)
    if (found.length === 0) return
    for (const frontier of bench.frontiers) {
      const power = Scaling.powerOf(bench, frontier.response)
      if (power === undefined) continue
      // A frame tries its factor by itself.
      for (const { bases, factor } of found) Frame.make(bench, frontier, bases, factor, power)
    }
  },
  begin: () => ({ steps: 0, left: [], due: 0, shown: [] }),
  gradually: function* (bench, { steps: before, left, due, shown }) {
    const steps = before + 1
    if (bench.best() === undefined) return { steps, left, due, shown }
    if (bench.leavesNothing()) return { steps, left: [], due, shown }
    if (looks.data.includes(steps)) {
      const forms = yield* Scaling.of(bench)
      return { steps, left: piecesOf(bench, forms, true), due: 0, shown: forms.map(Scaling.keyOf) }
    }
    if (looks.law.includes(steps)) {
      const forms = yield* Scaling.ofLaw(bench)
      const fresh = forms.filter((form) => !shown.includes(Scaling.keyOf(form)))
      const keys = [...shown, ...fresh.map(Scaling.keyOf)]
      return { steps, left: [...piecesOf(bench, fresh, false), ...left], due, shown: keys }
    }
    const scored = bench.scoring.scored()
    if (scored < due) return { steps, left, due, shown }
    for (const [i, { form, kind, response }] of left.entries()) {
      const power = Scaling.powerOf(bench, response)
      // A response that is no power of y has no pieces.
      if (power === undefined) continue
      const frontier = bench.frontiers[response]!
      let cost = 0
      if (kind === "multiply") multiply(bench, frontier, form, power)
      else cost = compose(bench, frontier, form, power, kind === "index" ? 1 : -1)
      const after = bench.scoring.scored()
      return { steps, left: left.slice(i + 1), due: after + Math.max(cost, after - scored), shown }
    }
    return { steps, left: [], due, shown }
  },
})
