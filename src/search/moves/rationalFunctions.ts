import { largestFinite } from "../../numeric/finite.ts"
import { type Frontier, height } from "../Frontier.ts"
import * as PolynomialTrees from "../PolynomialTrees.ts"
import { proposing } from "../Proposing.ts"
import * as RationalFunctions from "../RationalFunctions.ts"
import * as RationalTrees from "../RationalTrees.ts"
import { uncentred, varying } from "../SearchSpace.ts"
import type { Workbench } from "../Workbench.ts"

/** The step of a restart at which rational functions are looked for: other moves find laws of one term before. */
const begins = 10
/** The number of responses that they are looked for under: y itself, and the one that leads. */
const responses = 2
/** Tables of more columns are left alone: their laws are seldom functions of one. */
const columns = 2

/** The best rational functions of each feature under a response, as ensembles of nodes. */
const look = function* (
  bench: Workbench,
  { response }: Frontier,
): Generator<void, ReadonlyArray<ReadonlyArray<number>>> {
  const { space } = bench
  const { weight } = space.responses[response]!
  const features = varying(space)
  if (features.length > columns) return []
  // Not centred: N / D less a constant has all powers of D in its numerator.
  const z = uncentred(space, response)
  const found: Array<ReadonlyArray<number>> = []
  for (const u of features) {
    const column = space.kernel.column(u).slice()
    const reach = largestFinite(column)
    const functions = yield* RationalFunctions.of(column, z, space.kernel.column(weight).slice())
    const trees = RationalTrees.make(bench, u, reach)
    found.push(
      ...functions
        .flatMap((one) => [[trees.quotient(one)], trees.divided(one) ?? []])
        .filter((own) => own.length > 0 && own.length <= bench.most && !own.includes(-1)),
    )
  }
  return found
}

/**
 * Rational functions of one column are fitted by linear problems, once in a restart: no term of them is good by itself, and no rough value of their numbers.
 *
 * *When to use*: for measured curves, such as thermal expansion or the response of a device, and quotients of polynomials.
 */
export const rationalFunctions = proposing("rationalFunctions", function* (bench, step) {
  const rank = step - begins
  if (rank < 0 || rank >= responses || !PolynomialTrees.make(bench).areMade) return []
  const place = (one: Frontier): number => (one.response === bench.itself ? Infinity : height(one))
  const frontier = bench.frontiers.toSorted((a, b) => place(b) - place(a))[rank]
  if (frontier === undefined) return []
  const { response } = frontier
  return (yield* look(bench, frontier)).map((trees) => ({ response, trees }))
})
