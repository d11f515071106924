/**
 * Fits of data whose law is drawn from the prior of the default model, and whether the laws stated are right, as lines of JSON.
 * The efforts are taken in turn:
 *
 *     node bench/calibration/simulate.ts --from 0 --count 100 --effort 150000,300000,600000,1600000 --out FILE
 */
import { appendFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { infix } from "../../src/expr/text/infix.ts"
import * as Simulation from "../../src/testing/simulation.ts"
import { options } from "../harness/options.ts"

const { values } = options(import.meta.url, {
  options: {
    from: { type: "string", default: "0" },
    count: { type: "string", default: "100" },
    effort: { type: "string", default: "150000,300000,600000,1600000" },
    out: { type: "string", default: "/dev/stdout" },
  },
})

const efforts = values.effort.split(",").map(Number)
for (let seed = Number(values.from); seed < Number(values.from) + Number(values.count); seed++) {
  const found = await Effect.runPromise(
    Simulation.simulate({ seed, effort: efforts[seed % efforts.length]! }),
  )
  const { best, ...rest } = found
  appendFileSync(
    values.out,
    `${JSON.stringify({ ...rest, law: infix(best.expression, { precision: 4 }) })}\n`,
  )
}
