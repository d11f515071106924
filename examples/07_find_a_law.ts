/**
 * 07. The law behind a table, of which nothing is known: no operators are named, no number of terms, no unit.
 *
 * `examples/data/boyle.csv` is what Robert Boyle measured in 1662. Ten general operators, a few constants and links of the
 * response are searched for the most probable laws; the search ends by itself.
 *
 *     npm run ts -- examples/07_find_a_law.ts
 */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { infix } from "vasst/expr/text/infix"
import * as Link from "vasst/prob/Link"
import * as Family from "vasst/vi/Family"
import * as Inclusive from "vasst/inclusive/Inclusive"
import * as Law from "vasst/models/law"
import * as Rank from "vasst/rank/Rank"
import * as Data from "vasst/data/Data"

const program = Effect.gen(function* () {
  const csv = readFileSync(new URL("data/boyle.csv", import.meta.url), "utf8")
  const boyle = yield* Data.fromCsv(csv, { target: "pressure" })

  // A callback sees every step; the best law so far is worked out when it is asked for.
  let shown = ""
  const fit = yield* Law.fit(boyle, { time: 30 }, ({ seconds, best }) => {
    const law = best()
    const text = law === undefined ? shown : infix(law.expression, { precision: 4 })
    if (text !== shown) console.log(`after ${seconds.toFixed(1)} s  pressure = ${(shown = text)}`)
  })

  const { posterior, seconds, ranking, best } = fit
  console.log(
    `\n${posterior.archive.scored} laws scored in ${seconds.toFixed(1)} s (${posterior.stopReason})`,
  )
  console.log("probability  RMSE left out  law")
  for (const { posterior, rmseLoo, expression } of ranking.pipe(Rank.occamWindow(100)).models) {
    const [share, error] = [posterior.toFixed(3).padStart(11), rmseLoo.toPrecision(3)]
    console.log(`${share}  ${error.padStart(13)}  pressure = ${infix(expression, { precision: 4 })}`)
  }
  console.log(`\npressure at 20 spaces: ${fit.predict({ volume: [20] })[0]!.toFixed(1)} inches of mercury`)
  console.log(`what is said of its constants: ${best.constants?.join(", ")}`)

  // Whatever is known narrows the search: operators, terms, links. The search has settings of its own.
  const known = { operators: ["add", "mul", "div"], trees: 1, links: [Link.identity], time: 5 } as const
  const narrow = yield* Law.fit(boyle, { ...known, search: { library: 500, patience: 50 } })
  console.log(`\nwith less to choose from: pressure = ${infix(narrow.best.expression, { precision: 4 })}`)

  // And the search is one inference among others: any algorithm that knows an archive of ensembles will do.
  const guided = yield* Law.fitBy(
    (law, data) =>
      Inclusive.algorithm(law, data, { library: 500, patience: 50 }).pipe(
        Effect.provide(Family.treeConditional(law)),
      ),
    boyle,
    known,
  )
  console.log(
    `with trees drawn from a family:  pressure = ${infix(guided.best.expression, { precision: 4 })}`,
  )
})

await Effect.runPromise(program)
