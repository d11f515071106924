import * as Dag from "./kernel/Dag.ts"
import type { Workbench } from "./Workbench.ts"

/** A product of powers as nodes: its numerator and its denominator, -1 for 1. */
export interface PowerProduct {
  readonly over: number
  readonly under: number
}

/** The smallest step between powers. */
const step = 0.5

/** The nearest power: a multiple of 1/2. */
export const nearest = (power: number): number => step * Math.round(power / step)

/** A node to a power above 0, a multiple of 1/2; -1 where the grammar has none. */
export const raised = (bench: Workbench, id: number, power: number): number => {
  const { apply } = bench
  if (power === 1) return id
  if (power === step) return apply("sqrt", id)
  if (power % 1 !== 0) return apply("mul", raised(bench, id, Math.floor(power)), apply("sqrt", id))
  if (power % 2 !== 0) return apply("mul", raised(bench, id, power - 1), id)
  const root = raised(bench, id, power / 2)
  const squared = apply("square", root)
  return squared < 0 ? apply("mul", root, root) : squared
}

/** The product of nodes, of least depth. */
const product = ({ apply }: Workbench, nodes: ReadonlyArray<number>): number => {
  const multiply = (some: ReadonlyArray<number>): number => {
    if (some.length < 2) return some[0] ?? -1
    const middle = some.length >> 1
    return apply("mul", multiply(some.slice(0, middle)), multiply(some.slice(middle)))
  }
  return multiply(nodes)
}

/**
 * The product of bases to powers; undefined where a power is no multiple of 1/2, or the grammar has no such product.
 *
 * @param bases nodes
 * @param powers one for each base, 0 for those that are no factors
 */
export const of = (
  bench: Workbench,
  bases: ReadonlyArray<number>,
  powers: Float64Array,
): PowerProduct | undefined => {
  if (powers.some((power) => nearest(power) !== power)) return undefined
  const part = (sign: number): number | undefined => {
    const factors = bases.flatMap((id, j) =>
      sign * powers[j]! > 0 ? [raised(bench, id, sign * powers[j]!)] : [],
    )
    if (factors.length === 0) return undefined
    return product(bench, factors)
  }
  const [over, under] = [part(1), part(-1)]
  return over === -1 || under === -1 ? undefined : { over: over ?? -1, under: under ?? -1 }
}

/** The constant 1 of a grammar; -1 where it has none. */
export const one = ({ constants, space }: Pick<Workbench, "constants" | "space">): number =>
  constants.find((id) => space.kernel.column(id)[0] === 1) ?? -1

/** A product of powers as one node; -1 for 1, and where the grammar has no 1 to divide. */
export const node = (bench: Workbench, { over, under }: PowerProduct): number =>
  under < 0 ? over : bench.apply("div", over < 0 ? one(bench) : over, under)

/** What a node divides 1 by; -1 of others. */
const reciprocal = (bench: Workbench, id: number): number => {
  const { dag } = bench.space
  const node = Dag.application(dag, id)
  const isQuotient = node !== undefined && dag.grammar.operators[node.operator]!.name === "div"
  return isQuotient && node.left === one(bench) ? node.right : -1
}

/** A product of powers times a node: times 1 / f it is one quotient, which has a level less. */
export const times = (bench: Workbench, { over, under }: PowerProduct, id: number): number => {
  const { apply } = bench
  const below = reciprocal(bench, id)
  if (over >= 0 && below >= 0) return apply("div", over, under < 0 ? below : apply("mul", under, below))
  if (over < 0) return under < 0 ? id : apply("div", id, under)
  return apply("mul", under < 0 ? over : apply("div", over, under), id)
}
