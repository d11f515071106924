import type { Columns } from "../evidence/columns.ts"
import * as Operator from "../expr/Operator.ts"
import * as Grammar from "../prob/Grammar.ts"
import * as ConstantGrid from "./ConstantGrid.ts"
import type { ExpressionLibrary } from "./ExpressionLibrary.ts"
import * as Forms from "./Forms.ts"
import type { Base, Form } from "./Forms.ts"
import * as Dag from "./kernel/Dag.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/**
 * Small expressions with fitted constants: forms such as exp(c x), 1 / (x + c), x^c, x exp(c x), x sin(c x), 1 / (c + exp(d x)), each at
 * rough values of its constants. They are nodes like any other, so that a form is recognised at the cost of a few columns; its
 * constants are then fitted (`ConstantFitting`). The forms follow from the grammar: an operator that absorbs a factor or a
 * shift of its argument is not given one.
 */
export interface FormLibrary {
  /** The nodes, the simplest forms first. */
  readonly ids: Int32Array
  /** The form of each node, as a number: nodes of one form differ in the values of constants only. */
  readonly forms: Int32Array
  /**
   * The forms of one feature that are no products, terms of sums of like terms such as decays, peaks and waves, and whether they
   * rise and fall again and again.
   */
  readonly pure: ReadonlyMap<number, boolean>
}

/** The most columns that constants are put into beside the features, those of them in products, and the most nodes. */
const most = { bases: 40, few: 6, nodes: 12_000 }

/** What a piece is, some milliseconds of work: a number of forms that are looked at. A column counts as some forms. */
const piece = { forms: 1000, column: 10 } as const

/**
 * The places of the nodes that have the best score of their form, best first; the earlier ones of equal scores.
 *
 * @param forms the form of each node
 * @param scores the score of each node; minus infinity for those that are left out
 */
export const best = (forms: Int32Array, scores: Float64Array): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let i = 0; i < scores.length; i++) {
    const form = forms[i]!
    if (scores[i]! > (scores[places[form] ?? -1] ?? -Infinity)) places[form] = i
  }
  return places.filter((place) => place !== undefined).sort((a, b) => scores[b]! - scores[a]!)
}

/** The making of a library of forms: it yields after each piece of some milliseconds, and returns the library. */
export type Making = Generator<void, FormLibrary>

/**
 * Between two pieces nodes may not be forgotten, nor others be made.
 *
 * @param columns the data of the space
 * @param terminal the terminal of fitted constants
 * @param library small expressions without constants
 * @param grid the rough values of constants
 */
export const make = function* (
  space: SearchSpace,
  columns: Columns,
  terminal: number,
  library: Pick<ExpressionLibrary, "ids">,
  grid: ConstantGrid.ConstantGrid,
): Making {
  const { dag, attributes } = space
  const {
    base: baseOf,
    simple,
    waves,
    nested,
    joined,
  } = Forms.make(space, terminal, grid, (id) => ConstantGrid.rangeOf(columns.column(space.tree(id)).values))
  let looked = 0
  /** Yields when a piece has been done. */
  const counted = function* (cost: number): Generator<void, void> {
    looked += cost
    if (looked < piece.forms) return
    looked = 0
    yield
  }

  const names = new Map<string, number>()
  const found = new Map<number, number>()
  const pure = new Map<number, boolean>()
  const take = function* (forms: Iterable<Form>, isPure = false): Generator<void, void> {
    // Of a full library no further form is made: of a thousand columns there are a million products.
    if (found.size >= most.nodes) return
    for (const { id, form, kind, turns } of forms) {
      if (found.size >= most.nodes) return
      yield* counted(1)
      attributes.update()
      if (id < 0 || found.has(id) || !attributes.varies(id) || !(attributes.logPrior(id) > -Infinity))
        continue
      const known = names.get(form) ?? names.size
      names.set(form, known)
      found.set(id, known)
      // A power of c - x is near any curve: sums of such, and sums that begin with one, take the time of others.
      if (isPure && kind !== "limit") pure.set(known, turns)
    }
  }
  const [plus, minus, over] = [Operator.add, Operator.sub, Operator.div].map((one) =>
    Grammar.placeOf(columns.grammar, one),
  )
  const one = Grammar.onePlace(columns.grammar)
  /** Whether a tree has no sum and no constant but the one of 1 / x: forms have such constants themselves. */
  const isPlain = (id: number): boolean => {
    const node = Dag.application(dag, id)
    if (node === undefined) return attributes.varies(id)
    const { operator, left, right } = node
    if (operator === plus || operator === minus) return false
    return (isPlain(left) || (operator === over && left === one)) && (right < 0 || isPlain(right))
  }
  const known = new Set<string>()
  /** Whether a column is no multiple of an earlier one plus a constant: forms have such constants themselves. */
  const isNew = ({ id, range: { low, high } }: Base): boolean => {
    const { values } = columns.column(space.tree(id))
    const rising = values[0]! < (low + high) / 2
    const name = values
      .map((value) => Math.round((2 ** 20 * (rising ? value - low : high - value)) / (high - low)))
      .join()
    return known.size < known.add(name).size
  }
  /** The new columns among expressions. */
  const basesOf = function* (ids: Iterable<number>, count: number): Generator<void, ReadonlyArray<Base>> {
    const bases: Array<Base> = []
    for (const id of ids) {
      if (bases.length >= count) break
      bases.push(...baseOf(id).filter(isNew))
      yield* counted(piece.column)
    }
    return bases
  }
  const features = yield* basesOf(Array(space.terminals).keys(), Infinity)
  const plain = library.ids.filter((id) => id >= space.terminals).filter(isPlain)
  const others = yield* basesOf(plain.slice(0, 3 * most.bases), most.bases)
  const few = [...features, ...others.slice(0, most.few)]
  const own: Array<{ readonly base: Base; readonly forms: ReadonlyArray<Form> }> = []
  for (const base of features) {
    const forms = [...simple(base)]
    own.push({ base, forms })
    yield* counted(forms.length)
  }
  for (const { base, forms } of own) {
    yield* take(forms, true)
    yield* take(waves(base), true)
  }
  const straight = (forms: ReadonlyArray<Form>): ReadonlyArray<Form> => forms.filter(({ turns }) => !turns)
  for (const { forms } of own) yield* take(joined(few, straight(forms)))
  for (const { base, forms } of own) yield* take(nested(base, forms), true)
  for (const base of others) yield* take(simple(base))
  // A wave whose height grows or falls: x sin(c x), sin(c x) / x. They come after waves of products: over four columns the library has no room for both kinds.
  const turning = own.flatMap(({ forms }) => forms.filter(({ turns }) => turns))
  yield* take(joined(features, turning))
  for (const { forms } of own) {
    const factors = straight(forms).filter(({ kind }) => kind === "factor")
    for (const { forms: beside } of own) yield* take(joined(factors, beside))
  }
  return { ids: Int32Array.from(found.keys()), forms: Int32Array.from(found.values()), pure }
}

/** The pure forms of a library, of those that turn or do not as is asked. */
export const pureOf = (
  { ids, forms, pure }: FormLibrary,
  wanted: (turns: boolean) => boolean,
): FormLibrary => {
  const places = Array.from(ids.keys()).filter((i) => {
    const turns = pure.get(forms[i]!)
    return turns !== undefined && wanted(turns)
  })
  return {
    ids: Int32Array.from(places, (i) => ids[i]!),
    forms: Int32Array.from(places, (i) => forms[i]!),
    pure,
  }
}
