/**
 * The share of small data sets of named laws (sets.ts) for which the law is the first answer, or among the first ten:
 *
 *     node bench/priors/small.ts [--time 3] [--half even|odd|all] [--plain]
 *
 * An answer is the law if it has the law's form (`Term.family`). `--plain` leaves out laws with
 * fitted numbers inside of terms.
 */
import * as Effect from "effect/Effect"
import { infix } from "../../src/expr/text/infix.ts"
import * as Term from "../../src/expr/Term.ts"
import * as Fit from "../../src/infer/Fit.ts"
import * as Law from "../../src/models/law.ts"
import { options } from "../harness/options.ts"
import { formOf } from "./corpus.ts"
import { lawOf, sample, sets } from "./sets.ts"

const { values } = options(import.meta.url, {
  options: {
    time: { type: "string", default: "3" },
    half: { type: "string", default: "even" },
    plain: { type: "boolean", default: false },
  },
})

const tally = { sets: 0, first: 0, ten: 0 }
for (const [place, set] of sets.entries()) {
  if (values.half !== "all" && (place % 2 === 0) !== (values.half === "even")) continue
  if (values.plain && set.inner) continue
  const truth = formOf(lawOf(set)).key
  const { X, y } = sample(set, place)
  const rows = y.map((_, i) => Object.values(X).map((column) => column[i]!))
  const fit = await Effect.runPromise(
    Law.fit({ X: rows, y, features: Object.keys(X) }, { time: Number(values.time), testFraction: 0 }).pipe(
      Effect.provide(Fit.seed(1)),
    ),
  )
  const at = fit.models.slice(0, 10).findIndex(({ expression }) => Term.family(expression).key === truth)
  tally.sets += 1
  tally.first += Number(at === 0)
  tally.ten += Number(at >= 0)
  const best = fit.best
  console.log(
    `${at < 0 ? "-" : at + 1}\t${set.rows}\t${best.posterior.toFixed(2)}\t${lawOf(set).formula}\t${infix(best.expression)}`,
  )
}
console.log(`${tally.first} first, ${tally.ten} of the first ten, of ${tally.sets}`)
