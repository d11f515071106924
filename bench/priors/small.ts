/**
 * The share of small data sets of named laws (sets.ts) for which the law is the first answer, or among the first ten:
 *
 *     node bench/priors/small.ts [--time 3] [--half even|odd|all] [--plain]
 *
 * An answer is the law if it has the law's form: equal up to constants (skeleton.ts). `--plain` leaves out laws with
 * fitted numbers inside of terms.
 */
import * as Effect from "effect/Effect"
import { infix } from "../../src/expr/text/infix.ts"
import type * as Term from "../../src/expr/Term.ts"
import * as Fit from "../../src/infer/Fit.ts"
import * as Law from "../../src/models/law.ts"
import { options } from "../harness/options.ts"
import { lawOf, sample, sets } from "./sets.ts"
import * as Skeleton from "./skeleton.ts"

const { values } = options(import.meta.url, {
  options: {
    time: { type: "string", default: "3" },
    half: { type: "string", default: "even" },
    plain: { type: "boolean", default: false },
  },
})

/** Names in the order of the law, so that no name has to be permuted. */
const isLaw = (truth: Skeleton.Skeleton, expression: Term.Term): boolean => {
  try {
    return Skeleton.same(truth, expression)
  } catch {
    // min and max have no normal form, and are in no law of the sets.
    return false
  }
}

const tally = { sets: 0, first: 0, ten: 0 }
for (const [place, set] of sets.entries()) {
  if (values.half !== "all" && (place % 2 === 0) !== (values.half === "even")) continue
  if (values.plain && set.inner) continue
  const truth = Skeleton.of(lawOf(set).formula)
  const { X, y } = sample(set, place)
  const rows = y.map((_, i) => Object.values(X).map((column) => column[i]!))
  const fit = await Effect.runPromise(
    Law.fit({ X: rows, y, features: Object.keys(X) }, { time: Number(values.time), testFraction: 0 }).pipe(
      Effect.provide(Fit.seed(1)),
    ),
  )
  const at = fit.models.slice(0, 10).findIndex(({ expression }) => isLaw(truth, expression))
  tally.sets += 1
  tally.first += Number(at === 0)
  tally.ten += Number(at >= 0)
  const best = fit.best
  console.log(
    `${at < 0 ? "-" : at + 1}\t${set.rows}\t${best.posterior.toFixed(2)}\t${lawOf(set).formula}\t${infix(best.expression)}`,
  )
}
console.log(`${tally.first} first, ${tally.ten} of the first ten, of ${tally.sets}`)
