import * as Fingerprint from "./Fingerprint.ts"
import type { Space } from "./Space.ts"

/** The constants of a grammar, as nodes. */
export const constantsOf = ({ terminals, attributes }: Space): ReadonlyArray<number> =>
  Array.from({ length: terminals }, (_, id) => id).filter((id) => !attributes.varies(id))

/**
 * The numbers that the likeliest operators make of a grammar's constants, as nodes: 3 = 1 + 2, 1 / 2, pi / 2 of 1, 2 and
 * pi. Each value comes once, but for zero and the constants themselves. A law has such numbers inside of its terms, where
 * no coefficient reaches them.
 */
export const of = (space: Space): ReadonlyArray<number> => {
  const { dag, attributes, operators, arity, commutative, costs, terminals } = space
  const constants = constantsOf(space)
  const made = new Set<number>()
  for (let operator = 0; operator < operators; operator++) {
    if (costs[operator]! > 1) continue
    for (const a of constants) {
      if (arity[operator] === 1) {
        if (attributes.may(operator, a)) made.add(dag.apply(operator, a, -1))
        continue
      }
      for (const b of constants) {
        if (commutative[operator] === 1 && b > a) continue
        if (attributes.may(operator, a) && attributes.may(operator, b)) made.add(dag.apply(operator, a, b))
      }
    }
  }
  const found: Array<number> = []
  const { fresh } = Fingerprint.make(space)
  const list = Int32Array.from([...constants, ...made])
  for (let from = 0; from < list.length; from += Fingerprint.batch)
    fresh(list.subarray(from, from + Fingerprint.batch), (id) => {
      if (id >= terminals) found.push(id)
      return true
    })
  return found
}
