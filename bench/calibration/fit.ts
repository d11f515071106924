/**
 * The weights of `rank/Unseen` from simulations (simulate.ts):
 *
 *     node bench/calibration/fit.ts FILE.jsonl ...
 *
 * Prints the weights with their standard errors, the calibration of each tenth of the simulations by the weights of the others, and how much
 * less likely the simulations are without a sign, each tenth by the weights of the others: a sign that makes them likelier has to go.
 */
import * as Calibration from "../../src/testing/calibration.ts"
import { options } from "../harness/options.ts"
import { casesOf, crossed, fit, names } from "./weights.ts"

const { positionals } = options(import.meta.url, { allowPositionals: true })

const cases = positionals.flatMap(casesOf)

const logLikelihood = (statements: ReadonlyArray<Calibration.Statement>): number =>
  statements.reduce(
    (sum, { probability, right }) => sum + Math.log(Math.max(1e-9, right ? probability : 1 - probability)),
    0,
  )

const show = (name: string, statements: ReadonlyArray<Calibration.Statement>): void => {
  const { error, chance, brier, sure, sureWrong, bins } = Calibration.diagram(statements)
  console.log(
    `${name}: log likelihood ${logLikelihood(statements).toFixed(1)}, ECE ${error.toFixed(3)} (chance ${chance.toFixed(3)}), Brier ${brier.toFixed(3)}, above 0.99: ${sure}, wrong ${sureWrong}`,
  )
  for (const { low, count, stated: mean, right } of bins)
    if (count > 0) console.log(`  ${low.toFixed(1)}  ${count}  ${mean.toFixed(2)}  ${right.toFixed(2)}`)
}

console.log(`${cases.length} simulations, ${cases.filter(({ right }) => right).length} right`)
show(
  "shares",
  cases.map(({ share, right }) => ({ probability: share, right })),
)
const all = crossed(cases)
show("by the others' weights", all)
for (const name of names)
  console.log(
    `without ${name}: ${(
      logLikelihood(
        crossed(
          cases,
          names.filter((one) => one !== name),
        ),
      ) - logLikelihood(all)
    ).toFixed(1)}`,
  )
const { weights, errors } = fit(cases)
for (const name of names)
  console.log(
    `  ${name}: ${weights[name].toFixed(2)},${errors.has(name) ? ` +- ${errors.get(name)!.toFixed(2)}` : ""}`,
  )
