import * as Constants from "../evidence/exact/Constants.ts"
import * as Fingerprint from "./Fingerprint.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/** Constants that numbers are made of, and numbers that are made: changes of trees multiply with them. */
const most = { constants: 8, expressions: 32 }

/** Numbers that differ by a smaller share are the same but for rounding. */
const rounding = 1e-13

/** The first constants of a grammar, eight at most, as nodes. */
export const constantsOf = ({ terminals, attributes }: SearchSpace): ReadonlyArray<number> =>
  Array.from({ length: terminals }, (_, id) => id)
    .filter((id) => !attributes.varies(id))
    .slice(0, most.constants)

/**
 * The numbers that the likeliest operators make of a grammar's constants, as nodes: 3 = 1 + 2, 1 / 2, pi / 2 of 1, 2 and
 * pi. Each value comes once, 32 at most, but for zero and the constants themselves. A law has such numbers inside of its terms, where
 * no coefficient reaches them. They are exact numbers, or those times a constant of the grammar: exp(2) and pi + 4 are no numbers of laws, and near any
 * exponent that is fitted there is such a one.
 */
export const of = (space: SearchSpace): ReadonlyArray<number> => {
  const { dag, attributes, operators, arity, commutative, numeric, costs, terminals } = space
  const constants = constantsOf(space)
  const table = Constants.tableOf(Constants.defaults)
  const valueOf = (id: number): number => space.kernel.column(id)[0]!
  const units = [1, ...constants.map(valueOf)].filter((value) => value !== 0)
  const isExact = (value: number): boolean =>
    units.some((unit) => table.near(value / unit, rounding * Math.abs(value / unit), 1).length > 0)
  const made = new Set<number>()
  for (let operator = 0; operator < operators; operator++) {
    if (costs[operator]! > 1 || numeric[operator] === 1) continue
    for (const a of constants) {
      if (arity[operator] === 1) {
        if (attributes.may(operator, a)) made.add(dag.apply(operator, a, -1))
        continue
      }
      for (const b of constants) {
        if (commutative[operator] === 1 && b > a) continue
        if (attributes.may(operator, a, b)) made.add(dag.apply(operator, a, b))
      }
    }
  }
  const found: Array<number> = []
  const { fresh } = Fingerprint.make(space)
  const list = Int32Array.from([...constants, ...made])
  for (let from = 0; from < list.length && found.length < most.expressions; from += Fingerprint.batch)
    fresh(list.subarray(from, from + Fingerprint.batch), (id) => {
      if (id >= terminals && isExact(valueOf(id))) found.push(id)
      return found.length < most.expressions
    })
  return found
}
