import { thinned } from "../../numeric/thinned.ts"
import { type Frontier, height } from "../Frontier.ts"
import * as Polynomials from "../Polynomials.ts"
import * as PolynomialTrees from "../PolynomialTrees.ts"
import * as PowerProduct from "../PowerProduct.ts"
import { proposing } from "../Proposing.ts"
import { varying } from "../SearchSpace.ts"
import type { Workbench } from "../Workbench.ts"

/** The step of a restart at which polynomials are looked for, one response after the other: other moves find laws of one term before. */
const begins = 2
/** The largest degree of polynomials in one feature, two, three, and more. */
const degrees = [9, 5, 4, 3] as const
/** Products of powers and rows that a polynomial is chosen from, at most; the rows that each product needs. */
const most = { products: 30, rows: 300, each: 1.25 } as const
/** Coefficients that differ by less than these numbers of standard errors are tried as one: none, but for rounding, and those that noise may have moved apart. */
const errors = [0, 2] as const
/** The number of responses, those that lead, under which sums of powers of both signs are looked for. */
const leading = 2
/** Numbers inside of a term, at most. */
const inner = 5

/** The exponents of the products of powers of a degree. */
const exponents = (features: number, degree: number): ReadonlyArray<ReadonlyArray<number>> =>
  features === 1
    ? [[degree]]
    : Array.from({ length: degree + 1 }, (_, k) => degree - k).flatMap((first) =>
        exponents(features - 1, degree - first).map((others) => [first, ...others]),
      )

/** Products of powers of features, as many degrees of them as there are rows for. */
const products = (bench: Workbench, features: ReadonlyArray<number>): ReadonlyArray<number> => {
  const { space } = bench
  const room = Math.min(most.products, space.rows / most.each - 1)
  if (features.length > room) return []
  const top = degrees[Math.min(features.length, degrees.length) - 1]!
  const made: Array<number> = []
  for (let degree = 1; degree <= top; degree++) {
    const own = exponents(features.length, degree)
    if (made.length + own.length > room) break
    made.push(
      ...own.flatMap((powers) => PowerProduct.of(bench, features, Float64Array.from(powers))?.over ?? []),
    )
  }
  return made
}

/** Powers of one feature of both signs, its root and its logarithm: heat capacities and vapour pressures are such sums. */
const powers = (bench: Workbench, feature: number): ReadonlyArray<number> => [
  ...[-2, -1, 0.5, 1, 2, 3].map((power) => {
    const product = PowerProduct.of(bench, [feature], Float64Array.of(power))
    return product === undefined ? -1 : PowerProduct.node(bench, product)
  }),
  bench.apply("log", feature),
]

/** Whether a response is y itself, or among those that lead. */
const leads = ({ frontiers, itself }: Workbench, own: Frontier): boolean =>
  own.response === itself || frontiers.filter((other) => height(other) > height(own)).length < leading

/** The columns that sums are chosen from. */
const families = (bench: Workbench, frontier: Frontier): ReadonlyArray<ReadonlyArray<number>> => {
  const features = varying(bench.space)
  const [first, ...others] = features
  if (first === undefined) return []
  return [
    products(bench, features),
    ...(others.length === 0 && leads(bench, frontier) ? [powers(bench, first)] : []),
  ]
}

/** A sum as trees: groups with one coefficient, the last of them with numbers inside where there are more groups than trees. */
const treesOf = (
  bench: Workbench,
  nodes: ReadonlyArray<number>,
  groups: ReadonlyArray<Polynomials.Group>,
): ReadonlyArray<number> | undefined => {
  const { sum, times } = PolynomialTrees.make(bench)
  const sides = (of: Polynomials.Group, isNegative: boolean): ReadonlyArray<number> =>
    of.terms.filter((term) => term.isNegative === isNegative).map(({ column }) => nodes[column]!)
  const whole = (of: Polynomials.Group): number => sum(sides(of, false), sides(of, true))
  const alone = groups.length <= bench.most ? groups.length : bench.most - 1
  const [first, ...others] = groups.slice(alone)
  if (others.length > inner) return undefined
  const together =
    first === undefined
      ? []
      : [sum([whole(first), ...others.map((one) => times(one.coefficient / first.coefficient, whole(one)))])]
  const trees = [...groups.slice(0, alone).map(whole), ...together]
  return trees.includes(-1) ? undefined : trees
}

/** The best sums under a response, as ensembles of nodes. */
const look = function* (
  bench: Workbench,
  frontier: Frontier,
): Generator<void, ReadonlyArray<ReadonlyArray<number>>> {
  const { space } = bench
  const { id, weight } = space.responses[frontier.response]!
  const thin = thinned(space.rows, most.rows)
  const some = (node: number): Float64Array => thin(space.kernel.column(node))
  const found: Array<ReadonlyArray<number>> = []
  for (const family of families(bench, frontier)) {
    const nodes = [...bench.possible(family)]
    if (nodes.length > space.rows / most.each - 1) continue
    const columns = nodes.map(some)
    for (const one of yield* Polynomials.of(columns, some(id), some(weight)))
      for (const count of errors) {
        const trees = treesOf(bench, nodes, Polynomials.grouped(one, count))
        if (trees !== undefined && !found.some((other) => other.join() === trees.join())) found.push(trees)
      }
  }
  return found
}

/**
 * Polynomials of many terms are found by backward elimination, once in a restart: their terms explain little by themselves, and are more than a
 * search of subsets has time for.
 *
 * *When to use*: for sums of four products of powers and more, under any link: x^6 + x^5 + x^4 + x^3 + x^2 + x, or 10 / (5 + (a - 3)^2 + (b - 3)^2).
 */
export const polynomials = proposing("polynomials", function* (bench, step) {
  const frontier = bench.frontiers[step - begins]
  if (frontier === undefined || !PolynomialTrees.make(bench).areMade) return []
  const { response } = frontier
  return (yield* look(bench, frontier)).map((trees) => ({ response, trees }))
})
