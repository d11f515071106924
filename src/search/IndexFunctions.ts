import { pow } from "../numeric/Power.ts"
import * as Grammar from "../prob/Grammar.ts"
import * as ConstantGrid from "./ConstantGrid.ts"
import * as FormLibrary from "./FormLibrary.ts"
import * as Forms from "./Forms.ts"
import * as FittingTime from "./FittingTime.ts"
import * as Frame from "./Frame.ts"
import type { Frontier } from "./Frontier.ts"
import type { Held } from "./HallOfFame.ts"
import * as PowerProduct from "./PowerProduct.ts"
import { replaced } from "./Replaced.ts"
import { temporary } from "./Temporary.ts"
import type { Workbench } from "./Workbench.ts"

/** How many expressions of an index are tried. */
export interface Extent {
  /** in the first frame, and in others */
  readonly first: number
  readonly others: number
  /** expressions of its exponential, in all frames */
  readonly exponentials: number
  /** forms with fitted constants: of the index and its square, and in all also of its reciprocal, products with the index, and waves that decay */
  readonly forms: "none" | "usual" | "all"
  /** the forms whose constants are fitted */
  readonly fitted: number
}

/** As many as laws of many columns need, where nothing else is known of the function. */
export const wide: Extent = { first: 600, others: 60, exponentials: 300, forms: "usual", fitted: 2 }
/** Few, where others are tried elsewhere. */
export const narrow: Extent = { first: 60, others: 60, exponentials: 0, forms: "none", fitted: 2 }

/** How many times as long as a score it takes to make a form and score it. */
const making = 3
/** The functions that are kept, at least. */
const leastKept = 6
/** Sizes of the largest value of an index inside of a function: where functions begin to bend, and where they have bent. */
const sizes = Array.from({ length: 24 }, (_, i) => 0.1 * pow(1.3, i))
/** The size of an index in a unit of its own: functions of it and 1, such as log(1 - u), are defined. */
const bending = 0.5

/** An index, the terminal of fitted constants, -1 where the grammar has none, and its values; undefined where these are not finite or equal. */
interface Indexed {
  readonly index: number
  readonly terminal: number
  readonly range: ConstantGrid.Range | undefined
}

/**
 * An index as functions are made of it: in a unit in which they bend. Of an index of 1e12 the exponential is not finite, and u + 1 is u but for rounding.
 */
const inItsUnit = ({ space, apply }: Workbench, { index, terminal, range }: Indexed): number => {
  if (terminal < 0 || range === undefined) return index
  if (range.reach >= sizes[0]! && range.reach <= sizes.at(-1)!) return index
  return apply("mul", space.numbers.node(terminal, Number((bending / range.reach).toPrecision(4))), index)
}

/** Multiples of an index that functions are tried of: by numbers of the grammar, or by rough values of a fitted constant. */
const multiples = (
  { space, apply, constants }: Workbench,
  { index, terminal, range }: Indexed,
): ReadonlyArray<number> => {
  if (range === undefined) return [index]
  const numbers =
    terminal < 0
      ? constants.flatMap((a, k) => [a, ...constants.slice(0, k + 1).map((b) => apply("mul", a, b))])
      : sizes.map((size) => space.numbers.node(terminal, Number((size / range.reach).toPrecision(4))))
  const divided = terminal < 0 ? numbers.map((id) => apply("div", index, id)) : []
  return [index, ...numbers.map((id) => apply("mul", id, index)), ...divided].filter((id) => id >= 0)
}

/** A tree, and what trees have in common that differ in the values of constants only. */
interface Instance {
  readonly id: number
  readonly form: number | string
}

/** The best tree of each form beside held trees, and the best of these. @param make makes nodes, -1 where the grammar has none @param count at most */
const bestOfForms = (
  { space, scoring }: Workbench,
  frontier: Frontier,
  held: Held,
  make: () => ReadonlyArray<Instance>,
  count: number,
): ReadonlyArray<number> => {
  let kept: ReadonlyArray<number> = []
  const now = temporary(space, () => {
    const made = make()
    space.attributes.update()
    const tried = made.filter(({ id }) => id >= 0 && scoring.possible(id))
    const ids = Int32Array.from(tried, ({ id }) => id)
    const names = new Map<Instance["form"], number>()
    const forms = Int32Array.from(tried, ({ form }) => {
      const place = names.get(form) ?? names.size
      names.set(form, place)
      return place
    })
    kept = FormLibrary.best(forms, scoring.survey(frontier, held.trees, ids))
      .slice(0, count)
      .map((i) => ids[i]!)
    return kept
  })
  return kept.map(now)
}

/** Functions of an index, and the multiples of it that they are tried of. */
interface Scaled {
  readonly trees: ReadonlyArray<number>
  readonly scales: ReadonlyArray<number>
}

/** Functions of an index at multiples of it. */
const atMultiples =
  ({ space }: Workbench, index: number, functions: ReadonlyArray<Scaled>) =>
  (): ReadonlyArray<Instance> =>
    functions.flatMap(({ trees, scales }) => {
      const places = scales.map((scale) => new Map([[index, scale]]))
      return trees.flatMap((form) => places.map((by) => ({ id: replaced(space, form, by), form })))
    })

/** Forms with fitted constants of an index and of its square, in a frame, at rough values. */
const fittedForms =
  (bench: Workbench, { index, terminal }: Indexed, { of }: Frame.Frame, isAll: boolean) =>
  (): ReadonlyArray<Instance> => {
    const { space, apply, grid } = bench
    const forms = Forms.make(space, terminal, grid(), (id) => ConstantGrid.rangeOf(space.kernel.column(id)))
    const one = isAll ? PowerProduct.one(bench) : -1
    return [index, apply("square", index), one < 0 ? -1 : apply("div", one, index)]
      .filter((id) => id >= 0)
      .flatMap((id) => {
        space.attributes.update()
        return forms.base(id).flatMap((base) => {
          const simple = [...forms.simple(base)]
          const factors = isAll && id === index ? simple.filter(({ kind }) => kind === "factor") : []
          const decays = factors.filter(({ turns }) => !turns)
          const waves = factors.filter(({ turns }) => turns)
          return [
            ...simple,
            ...forms.nested(base, simple),
            ...forms.joined([base], factors),
            ...forms.joined(decays, waves),
          ]
        })
      })
      .map(({ id, form }) => ({ id: id < 0 ? -1 : of(id), form }))
  }

/** A frame of functions of an index. */
export interface Framed extends Frame.Frame {
  /** whether more functions are tried in it than in the others */
  readonly isFirst: boolean
}

/**
 * Tries functions of an index in frames: small expressions, at multiples of it, and forms with fitted constants. Returns the time that it took, as a
 * number of ensembles that are scored in it.
 *
 * @param index a node
 * @param others nodes that may stand in the functions, too
 */
export const compose = (
  bench: Workbench,
  frontier: Frontier,
  index: number,
  others: ReadonlyArray<number>,
  frames: ReadonlyArray<Framed>,
  { first, others: less, exponentials, forms, fitted }: Extent,
): number => {
  const one = PowerProduct.one(bench)
  const constants = one < 0 ? [] : [one]
  const indexed: Indexed = {
    index,
    terminal: Grammar.fittedPlace(bench.space.dag.grammar),
    range: ConstantGrid.rangeOf(bench.space.kernel.column(index)),
  }
  const scales = multiples(bench, indexed)
  const v = inItsUnit(bench, indexed)
  if (v < 0) return 0
  const begun = bench.scoring.scored()
  const bestBeside = (base: Held, make: () => ReadonlyArray<Instance>) => ({
    base,
    trees: bestOfForms(bench, frontier, base, make, Math.max(leastKept, fitted)),
  })
  const exponential = exponentials > 0 ? bench.apply("exp", v) : -1
  let chosen: ReadonlyArray<{ readonly base: Held; readonly trees: ReadonlyArray<number> }> = []
  const now = temporary(bench.space, () => {
    const made = Frame.expressions(bench, [v, ...others, ...constants], first)
    // Of an index without a unit, such as a ratio of frequencies, 1 is a value like no other.
    const asIs = v === index ? [] : Frame.expressions(bench, [index, ...others, ...constants], first)
    // 1 / (exp(u) + exp(-u)) is short in exp(u), and long in u.
    const ofExponential =
      exponential < 0 ? [] : Frame.expressions(bench, [exponential, ...constants], exponentials)
    chosen = frames.flatMap(({ of, held, isFirst }) => {
      const some = (all: ReadonlyArray<number>) => (isFirst ? all : all.slice(0, less))
      const framed = (ids: ReadonlyArray<number>): ReadonlyArray<number> =>
        ids.map(of).filter((id) => id >= 0)
      const functions = [
        { trees: framed([...some(made), ...ofExponential]), scales },
        { trees: framed(some(asIs)), scales: [index] },
      ]
      const tried = atMultiples(bench, v, functions)
      return held.map((base) => bestBeside(base, tried))
    })
    return chosen.flatMap(({ trees }) => trees)
  })
  const between = bench.scoring.scored()
  const withNumbers = (forms !== "none" && indexed.terminal >= 0 ? frames : []).flatMap((frame) => {
    const tried = fittedForms(bench, indexed, frame, forms === "all")
    return frame.held.map((base) => bestBeside(base, tried))
  })
  const found = [...chosen.map(({ base, trees }) => ({ base, trees: trees.map(now) })), ...withNumbers]
  const surveyed = (making - 1) * (bench.scoring.scored() - between)
  let fits = 0
  for (const { base, trees } of found) {
    bench.beside(frontier, base, trees)
    for (const tree of trees.slice(0, fitted)) {
      bench.tune(frontier, [...base.trees, tree])
      fits++
    }
  }
  return bench.scoring.scored() - begun + surveyed + fits * FittingTime.cost
}
