// Finds the law of a table: how the period of a pendulum depends on its length, and on a mass that does not matter.
import { fit } from "vasst/promise"

// Your data go here, one array for each column; typed arrays will do. Times were taken with a stopwatch.
const length = [0.2, 0.4, 0.5, 0.7, 0.9, 1.1, 1.4, 1.6, 1.9, 2.3]
const mass = [0.1, 0.5, 0.2, 0.5, 0.1, 0.2, 0.5, 0.1, 0.2, 0.1]
const period = [0.894, 1.272, 1.415, 1.681, 1.9, 2.108, 2.37, 2.541, 2.762, 3.045]

const running = fit({ length, mass, period }, { target: "period", time: 20 })

// What was found so far, while the search goes on.
let before
for await (const { seconds, law } of running) {
  if (law !== before) console.log(`${seconds.toFixed(1)} s  ${law}`)
  before = law
}

const found = await running
const probability = found.best.probability ?? found.best.posterior
console.log(`\n${found}, with probability ${probability.toFixed(2)}`)

// Other names than those of the columns do not compile in TypeScript.
const { mean, bands } = found.predict({ length: [1, 3], mass: [0.3, 0.3] }, { bands: [0.9] })
for (const [i, value] of mean.entries()) {
  const { low, high } = bands[0].predictive
  console.log(
    `period at ${[1, 3][i]} m: ${value.toFixed(3)} s (${low[i].toFixed(3)} to ${high[i].toFixed(3)})`,
  )
}
