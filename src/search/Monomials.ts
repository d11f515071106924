import * as Operator from "../expr/Operator.ts"
import * as Grammar from "../prob/Grammar.ts"
import { alike, spans, type Unit } from "../expr/Unit.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/**
 * Products of powers of features by their units, the simplest first: what dimensional analysis has as groups (Buckingham 1914). A law in
 * pure numbers is a product with the unit of the response, times a function of products that are pure numbers: the former are tried as terms,
 * the latter are leaves of the expression library. An expression of another unit is completed by the product that is missing. There are none
 * where columns have no units.
 */
export interface Monomials {
  /** The leaves of the expression library: the terminals, and products that are pure numbers. */
  readonly leaves: () => ReadonlyArray<number>
  /** Products that have the unit of the response of a link. */
  readonly terms: (link: number) => Int32Array
  /** Expressions that can be terms of a law under a link, and others times the products that make them such. */
  readonly completed: (link: number, ids: Int32Array) => Int32Array
}

/** The most products looked at, the largest sum of the magnitudes of exponents, and how many products of one unit are taken. */
const most = { all: 20_000, degree: 8, compared: 100, leaves: 6, missing: 2 }

type Exponents = ReadonlyArray<number>

/** Exponents as a unit whose bases are the features. */
const unitOf = (exponents: Exponents): Unit => ({
  powers: Object.fromEntries(exponents.flatMap((by, i) => (by === 0 ? [] : [[String(i), by]]))),
  logFactor: 0,
})

/** All exponents with magnitudes of a sum. */
function* ofDegree(degree: number, features: number): Generator<Exponents> {
  if (features === 0) {
    if (degree === 0) yield []
    return
  }
  for (let size = 0; size <= degree; size++)
    for (const rest of ofDegree(degree - size, features - 1)) {
      yield [size, ...rest]
      if (size > 0) yield [-size, ...rest]
    }
}

export const make = (space: SearchSpace): Monomials => {
  const { dag, attributes, terminals, apply } = space
  const { dimensions } = attributes
  const all = Array.from({ length: terminals }, (_, id) => id)
  if (dimensions === undefined)
    return { leaves: () => all, terms: () => new Int32Array(0), completed: () => new Int32Array(0) }
  const features = all.flatMap((id) => {
    const unit = attributes.varies(id) ? dimensions.unit(attributes.dimension(id)) : undefined
    return unit === undefined ? [] : [{ id, unit }]
  })
  const bases = [...new Set(features.flatMap(({ unit }) => Object.keys(unit.powers)))]
  const vectors = features.map(({ unit }) => bases.map((base) => unit.powers[base] ?? 0))
  const keyOf = (powers: ReadonlyArray<number>): string => powers.map((power) => power.toFixed(4)).join()
  /** The products of each unit, the simplest first. */
  const found = new Map<string, Array<Exponents>>()
  let count = 0
  const support = (exponents: Exponents): number => exponents.filter((by) => by !== 0).length
  for (let degree = 1; degree <= most.degree && count < most.all; degree++)
    // A feature once comes before a feature squared.
    for (const exponents of [...ofDegree(degree, features.length)].sort((a, b) => support(b) - support(a))) {
      count++
      const key = keyOf(
        bases.map((_, j) => exponents.reduce((sum, by, i) => sum + by * vectors[i]![j]!, 0) || 0),
      )
      const known = found.get(key)
      if (known === undefined) found.set(key, [exponents])
      else known.push(exponents)
    }

  const find = (operator: Operator.Operator): number => Grammar.placeOf(dag.grammar, operator)
  const [times, over, square] = [find(Operator.mul), find(Operator.div), find(Operator.square)]
  const one = Grammar.onePlace(dag.grammar)
  /** A product of nodes, as flat as it can be; -1 where the grammar has none. */
  const product = (nodes: ReadonlyArray<number>): number => {
    if (nodes.length === 1) return nodes[0]!
    const half = Math.ceil(nodes.length / 2)
    return apply(times, product(nodes.slice(0, half)), product(nodes.slice(half)))
  }
  /** x^2 is a square where the grammar has squares. */
  const powers = (id: number, by: number): ReadonlyArray<number> =>
    by <= 0
      ? []
      : by === 1 || square < 0
        ? Array.from({ length: by }, () => id)
        : [apply(square, id), ...powers(id, by - 2)]
  const sidesOf = (exponents: Exponents) => ({
    above: features.flatMap(({ id }, i) => powers(id, exponents[i]!)),
    below: features.flatMap(({ id }, i) => powers(id, -exponents[i]!)),
  })
  const quotient = (above: ReadonlyArray<number>, below: ReadonlyArray<number>): number => {
    if (below.length === 0) return product(above)
    return apply(over, above.length === 0 ? one : product(above), product(below))
  }
  const withUnit = ({ powers }: Pick<Unit, "powers">): ReadonlyArray<Exponents> =>
    Object.keys(powers).every((base) => bases.includes(base))
      ? (found.get(keyOf(bases.map((base) => powers[base] ?? 0))) ?? [])
      : []
  /** Products of several features that no powers of the earlier ones make, and then the others: n_0 x / y before n_0^2 x / y. */
  const independent = (list: ReadonlyArray<Exponents>): ReadonlyArray<Exponents> => {
    const chosen: Array<Exponents> = []
    const rest: Array<Exponents> = []
    const own = features.flatMap((_, i) =>
      vectors[i]!.every((by) => by === 0) ? [features.map((_, k) => (k === i ? 1 : 0))] : [],
    )
    for (const exponents of list.slice(0, most.compared)) {
      const others = [...own, ...chosen].map(unitOf)
      ;(spans(others, unitOf(exponents)) ? rest : chosen).push(exponents)
    }
    return [...chosen, ...rest.filter((exponents) => support(exponents) > 1)]
  }
  /** The first products of a unit, as nodes. */
  const simplest = (unit: Pick<Unit, "powers">): ReadonlyArray<number> =>
    independent(withUnit(unit))
      .slice(0, most.leaves)
      .map(sidesOf)
      .map(({ above, below }) => quotient(above, below))
  const ofLinks = new Map<number, Int32Array>()
  const good = (ids: ReadonlyArray<number>): ReadonlyArray<number> => [
    ...new Set(ids.filter((id) => id >= 0)),
  ]

  return {
    leaves: () => good([...all, ...simplest({ powers: {} })]),
    terms: (link) => {
      const before = ofLinks.get(link)
      if (before !== undefined) return before
      const unit = dimensions.wanted(link)
      const made = Int32Array.from(unit === undefined ? [] : good(simplest(unit)))
      ofLinks.set(link, made)
      attributes.update()
      return made
    },
    completed: (link, ids) => {
      const wanted = dimensions.wanted(link)
      if (wanted === undefined) return new Int32Array(0)
      type Sides = ReadonlyArray<ReturnType<typeof sidesOf>>
      const lacking = new Map<number, { readonly times: Sides; readonly over: Sides }>()
      /** What makes an expression of a unit a term, as its factor, and as what it divides. */
      const missing = (name: number): { readonly times: Sides; readonly over: Sides } => {
        const unit = dimensions.unit(name)
        if (unit === undefined) return { times: [], over: [] }
        const lackingBy = (sign: 1 | -1): Sides => {
          const rest: Record<string, number> = { ...wanted.powers }
          for (const [base, by] of Object.entries(unit.powers)) rest[base] = (rest[base] ?? 0) - sign * by
          return withUnit({ powers: rest }).slice(0, most.missing).map(sidesOf)
        }
        return { times: lackingBy(1), over: lackingBy(-1) }
      }
      const whole: Array<number> = []
      for (const id of ids) {
        const name = attributes.dimension(id)
        const unit = dimensions.unit(name)
        if (unit !== undefined && alike(unit, wanted)) {
          whole.push(id)
          continue
        }
        const factors = lacking.get(name) ?? missing(name)
        lacking.set(name, factors)
        for (const { above, below } of factors.times) whole.push(quotient([id, ...above], below))
        for (const { above, below } of factors.over) whole.push(quotient(above, [id, ...below]))
      }
      attributes.update()
      return Int32Array.from(good(whole))
    },
  }
}
