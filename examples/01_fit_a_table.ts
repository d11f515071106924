/**
 * 01. From a table of numbers to a law, in one call.
 *
 * `examples/data/planets.csv` holds the orbits, masses and radii of nine bodies of the solar system. What is the
 * period of an orbit, given everything else?
 *
 *     npm run ts -- examples/01_fit_a_table.ts
 */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { infix } from "vasst/expr/text/infix"
import * as Vasst from "vasst/models/vasst"
import * as Backend from "vasst/vi/Backend"
import * as Data from "vasst/data/Data"

const program = Effect.gen(function* () {
  const csv = readFileSync(new URL("data/planets.csv", import.meta.url), "utf8")
  const planets = yield* Data.fromCsv(csv, { target: "period" }) // every other column is a feature

  const fit = yield* Vasst.fit(planets, { operators: ["mul", "div", "square", "sqrt"], trees: 1, steps: 200 })

  console.log("log posterior  probability  RMSE test  law")
  for (const { lmpse, posterior, rmseTest, expression } of fit.models.slice(0, 5)) {
    const [score, share] = [lmpse.toFixed(2).padStart(13), posterior.toPrecision(3).padStart(11)]
    const error = (rmseTest ?? Number.NaN).toPrecision(3).padStart(9)
    console.log(`${score}  ${share}  ${error}  period = ${infix(expression, { precision: 4 })}`)
  }

  console.log(`\nfor SymPy:  ${fit.toSymPy()}`)

  // A body that the fit has not seen: Halley's comet, whose period is 75.3 years.
  const halley = { semi_major_axis: [17.834], eccentricity: [0.967], mass: [3.7e-11], radius: [0.00086] }
  const [years] = fit.predict(halley)
  console.log(`the period of Halley's comet:  ${years!.toFixed(1)} years`)
})

await Effect.runPromise(program.pipe(Effect.provide(Backend.layer())))
