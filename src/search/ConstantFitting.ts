import * as Effect from "effect/Effect"
import * as Columns from "../evidence/columns.ts"
import * as ParametricTrees from "../evidence/fitted/ParametricTrees.ts"
import * as VariableProjection from "../evidence/fitted/VariableProjection.ts"
import * as Constant from "../prob/Constant.ts"
import * as Constants from "../evidence/exact/Constants.ts"
import * as Dist from "../prob/Dist.ts"
import * as Grammar from "../prob/Grammar.ts"
import type * as Tree from "../prob/Tree.ts"
import * as Data from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import type * as ConstantGrid from "./ConstantGrid.ts"
import * as ConstantInsertion from "./ConstantInsertion.ts"
import type { ExpressionLibrary } from "./ExpressionLibrary.ts"
import * as FormLibrary from "./FormLibrary.ts"
import * as Phase from "./Phase.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/** Learns numbers inside of trees. */
export interface ConstantFitting {
  /**
   * The trees with one number more than a tree, or with its own numbers fitted anew, that fit better by more than the
   * numbers cost, best first: nodes of the space.
   *
   * @param base the trees that stand beside it
   * @param evidence log evidence given a residual sum of squares, in units of the response's column, and how many fitted
   *   numbers the tree has, together with `base`
   */
  readonly of: (
    response: number,
    base: ReadonlyArray<number>,
    tree: number,
    evidence: (rss: number, numbers: number) => number,
  ) => Int32Array
  /**
   * The tree with its own constants fitted, from their values: a node of the space, or -1 where there is no fit.
   *
   * @param base the trees that stand beside it
   */
  readonly refined: (response: number, base: ReadonlyArray<number>, tree: number) => number
  /** The trees of an ensemble with all of their constants fitted together; undefined where there is no fit. */
  readonly together: (response: number, trees: ReadonlyArray<number>) => ReadonlyArray<number> | undefined
  /** Small expressions with fitted constants at the values of a grid. */
  readonly forms: (
    library: Pick<ExpressionLibrary, "ids">,
    grid: ConstantGrid.ConstantGrid,
  ) => FormLibrary.Making
}

/** Numbers of a tree that are fitted together, at most. */
const most = 4
/** Rows that starts are compared on. */
const few = 128
/** Starts of one new number that are followed, starts in all, those that are followed to the end, and trees given back. */
const [followed, looked, finished, kept] = [2, 8, 4, 3]
/** Steps from the tree without the new number. */
const steps = 3
/** A number that moves the fit by less than this share of its slope, beside all coefficients, is not needed. */
const needless = 1e-6
/** Nats that a number has to gain beyond what its rank costs. */
const gain = 3
/** Nats that an exact number may lose. */
const slack = 1

interface Found {
  readonly tree: Tree.Tree
  readonly evidence: number
}

/** An insertion with the numbers that a fit begins from. */
interface Start {
  readonly insertion: ConstantInsertion.Insertion
  readonly from: Float64Array
  readonly rss: number
}

const every = (data: Data.Dataset, step: number): Data.Dataset =>
  Data.rowsOf(
    data,
    Array.from({ length: Math.ceil(data.rows / step) }, (_, i) => i * step),
  )

/**
 * Prepares to learn numbers in the trees of a space over data; undefined when the grammar learns no constants.
 *
 * Fails with a `CompileError` when the data lack a feature of the grammar.
 */
export const make = (
  space: SearchSpace,
  grammar: Grammar.Grammar,
  data: Data.Dataset,
): Effect.Effect<ConstantFitting | undefined, CompileError> =>
  Effect.gen(function* () {
    if (!Grammar.hasFitted(grammar)) return undefined
    const step = Math.max(1, Math.floor(data.rows / few))
    const options = { capacity: 2 ** 24 }
    const fine = yield* Columns.make(grammar, data, options)
    const coarse = yield* Columns.make(grammar, every(data, step), options)
    return over(space, fine, coarse, step)
  })

/** @param coarse columns of each `step`-th row */
const over = (
  space: SearchSpace,
  fine: Columns.Columns,
  coarse: Columns.Columns,
  step: number,
): ConstantFitting => {
  const { grammar } = fine
  const { attributes, kernel } = space
  const terminal = Grammar.fittedPlace(grammar)
  const finely = ParametricTrees.make(fine)
  const coarsely = ParametricTrees.make(coarse)
  const insertionsOf = ConstantInsertion.of(grammar, coarse, terminal)
  const exact = Constants.tableOf(Constants.defaults)
  const wrapped = Phase.wrapped(grammar)
  const priorOf = (place: number) => grammar.terminals[place]!.fitted!
  const logPrior = ({ terminals }: ParametricTrees.ParametricTrees, numbers: ArrayLike<number>): number =>
    // A constant with the prior of a coefficient is paid for by its rank.
    terminals.reduce(
      (sum, place, j) =>
        priorOf(place).asCoefficient === true
          ? sum
          : sum + Dist.logDensity(priorOf(place).prior, numbers[j]!),
      0,
    )
  const logPriorAtStart = (parametric: ParametricTrees.ParametricTrees): number =>
    logPrior(
      parametric,
      parametric.terminals.map((place) => Constant.startOf(priorOf(place))),
    )

  const allowed =
    (parametric: ParametricTrees.ParametricTrees) =>
    (numbers: ArrayLike<number>): boolean =>
      parametric.terminals.every(
        (place, j) =>
          priorOf(place).asCoefficient === true ||
          Dist.logDensity(priorOf(place).prior, numbers[j]!) > -Infinity,
      )

  /** Starts of the new number from which the fit is better than from their neighbours, best first. */
  const beginnings = (
    variable: VariableProjection.Projection,
    insertion: ConstantInsertion.Insertion,
  ): ReadonlyArray<Start> => {
    const parametric = coarsely([insertion.tree])
    const { start } = parametric
    if (start.length > most) return []
    const open = start.findIndex(Number.isNaN)
    if (open < 0) return [{ insertion, from: start, rss: variable.rss(parametric, start) }]
    const starts = insertion.starts.map((value) => start.with(open, value)).filter(allowed(parametric))
    const middle = starts[Math.floor(0.6 * starts.length)]
    if (middle === undefined) return []
    const probe = variable.at(parametric, middle)
    if (probe !== undefined && !(probe.shares[open]! > needless)) return []
    const heights = starts.map((numbers) => variable.rss(parametric, numbers))
    return [
      ...nearby(variable, insertion, parametric, open),
      ...starts
        .map((from, i) => ({ insertion, from, rss: heights[i]!, i }))
        .filter(({ rss, i }) => rss < Infinity && !(heights[i - 1]! < rss) && !(heights[i + 1]! < rss))
        .sort((a, b) => a.rss - b.rss)
        .slice(0, followed),
    ]
  }

  /** Where a few steps from the tree without the number lead: no rough value of a number fits as well beside numbers that were fitted without it. */
  const nearby = (
    variable: VariableProjection.Projection,
    insertion: ConstantInsertion.Insertion,
    parametric: ParametricTrees.ParametricTrees,
    open: number,
  ): ReadonlyArray<Start> => {
    if (insertion.neutral === undefined) return []
    const from = parametric.start.with(open, insertion.neutral)
    const there = allowed(parametric)(from)
      ? variable.descend(parametric, from, allowed(parametric), steps)
      : undefined
    return there === undefined ? [] : [{ insertion, from: there.numbers, rss: there.rss }]
  }

  /** Exact numbers in the place of those that they are next to, one after the other, where they fit as well. */
  const exactly = (
    variable: VariableProjection.Projection,
    parametric: ParametricTrees.ParametricTrees,
    point: VariableProjection.Point,
    evidenceAt: (point: VariableProjection.Point) => number,
  ): VariableProjection.Point => {
    let current = point
    const count = point.numbers.length
    for (let j = 0; j < count; j++) {
      const value = current.numbers[j]!
      const deviation =
        Math.sqrt(current.rss / (space.rows * current.curvature[j * (count + 1)]!)) + 1e-6 * Math.abs(value)
      if (!(deviation < 0.01 * Math.abs(value))) continue
      for (const { value: nice } of exact.near(value, deviation, 3)) {
        const there = variable.at(parametric, current.numbers.with(j, nice))
        if (there === undefined || !(evidenceAt(there) > evidenceAt(current) - slack)) continue
        current = there
        break
      }
    }
    return current
  }

  const thin = (column: Float64Array): Float64Array => column.filter((_, i) => i % step === 0)
  /** A response beside trees that are held, on some of the rows and on all. */
  const projections = (response: number, base: ReadonlyArray<number>) => {
    const { id, weight } = space.responses[response]!
    const [z, w] = [kernel.column(id), kernel.column(weight)]
    const held = base.map(space.tree)
    const over = (columns: Columns.Columns, part: (column: Float64Array) => Float64Array) =>
      VariableProjection.make(
        part(z),
        part(w),
        held.map((tree) => columns.column(tree).values),
      )
    return { some: () => over(coarse, thin), all: () => over(fine, (column) => column) }
  }

  const of: ConstantFitting["of"] = (response, base, id, evidence) => {
    attributes.update()
    const { some, all } = projections(response, base)
    const tree = space.tree(id)
    const rough = some()
    const starts = insertionsOf(tree)
      .flatMap((insertion) => beginnings(rough, insertion))
      .sort((a, b) => a.rss - b.rss)
      .slice(0, looked)
      .flatMap(({ insertion, from }) => {
        const parametric = coarsely([insertion.tree])
        const there = rough.descend(parametric, from, allowed(parametric), 12)
        return there === undefined ? [] : [{ insertion, from: there.numbers, rss: there.rss }]
      })
      .sort((a, b) => a.rss - b.rss)
      .slice(0, finished)
    if (starts.length === 0) return new Int32Array(0)
    const variable = all()
    const own = finely([tree])
    const held = attributes.numbers(base)
    const already = attributes.fitted(held, id)
    const before = evidence(variable.rss(own, own.start), already) + logPrior(own, own.start)
    const found: Array<Found> = []
    for (const { insertion, from } of starts) {
      const parametric = finely([insertion.tree])
      const point = variable.descend(parametric, from, allowed(parametric), 30)
      if (point === undefined) continue
      // A number near 1 is as good as any: its rank has been paid for.
      const usual = logPriorAtStart(parametric) - logPriorAtStart(own)
      const count = already + (parametric.start.length - own.start.length)
      const evidenceAt = ({ rss, numbers }: VariableProjection.Point): number =>
        evidence(rss, count) + logPrior(parametric, numbers) - usual
      if (!(evidenceAt(point) > before + gain)) continue
      const settled = exactly(variable, parametric, point, evidenceAt)
      found.push({ tree: parametric.trees(settled.numbers)[0]!, evidence: evidenceAt(settled) })
    }
    found.sort((a, b) => b.evidence - a.evidence)
    const ids = new Set<number>()
    for (const { tree: better } of found) {
      if (ids.size >= kept) break
      const node = space.node(wrapped(better))
      attributes.update()
      if (node >= 0 && attributes.varies(node) && attributes.logPrior(node) > -Infinity) ids.add(node)
    }
    return Int32Array.from(ids)
  }

  const roughly = (
    variable: VariableProjection.Projection,
    parametric: ParametricTrees.ParametricTrees,
  ): Float64Array | undefined =>
    variable.descend(parametric, parametric.start, allowed(parametric), 20)?.numbers

  /** Trees beside others with all of their constants fitted, roughly first. */
  const fitted = (
    response: number,
    base: ReadonlyArray<number>,
    ids: ReadonlyArray<number>,
  ): ReadonlyArray<number> | undefined => {
    attributes.update()
    const trees = ids.map(space.tree)
    if (!ParametricTrees.any(grammar, trees)) return undefined
    const { some, all } = projections(response, base)
    const parametric = finely(trees)
    const begun = step === 1 ? parametric.start : roughly(some(), coarsely(trees))
    const point = begun && all().descend(parametric, begun, allowed(parametric), 30)
    if (point === undefined) return undefined
    const nodes = parametric.trees(point.numbers).map((tree) => space.node(wrapped(tree)))
    attributes.update()
    return nodes.every((node) => node >= 0) ? nodes : undefined
  }
  return {
    of,
    refined: (response, base, tree) => fitted(response, base, [tree])?.[0] ?? -1,
    together: (response, trees) => fitted(response, [], trees),
    forms: (library, grid) => FormLibrary.make(space, coarse, terminal, library, grid),
  }
}
