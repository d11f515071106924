/**
 * The cost of one call of the bare kernel: S = 8, K = 3, D = 3, n = 1800, forward and backward, no noise, no update.
 *
 *     node bench/speed/bare/step.ts [--relaxed] [--unclipped]      prints {"median", "low", "high", "cpu"} in milliseconds
 */
import { options } from "../../harness/options.ts"
import { make, problems } from "../../problems.ts"
import { spread } from "../../harness/statistics.ts"
import { draws, weigh } from "./draws.ts"
import { load, runs } from "./kernel.ts"

const { values } = options(import.meta.url, {
  options: {
    relaxed: { type: "boolean", default: false },
    unclipped: { type: "boolean", default: false },
    steps: { type: "string", default: "1000" },
  },
})
const samples = 8
const steps = Number(values.steps)
const sim2 = problems.find(({ name }) => name === "sim2")!
const { data } = make(sim2, 0.1, 1, 1800)
const hyper = { mu0: [0, 0, 0, 0], sigma0: [10, 10, 10, 10], a0: 2, b0: 2 }
const variant = { clip: !values.unclipped, relaxed: values.relaxed }
if (!runs(variant)) {
  console.log(JSON.stringify({ absent: "this machine has not the instructions" }))
  process.exit()
}
const kernel = load(variant, data, samples, hyper)
// As in a fit, the weights are others at every step.
const weights = Array.from({ length: 16 }, (_, seed) => {
  weigh(draws(samples, seed + 1), kernel.weights)
  return kernel.weights.slice()
})
const warmUp = Math.round(steps / 5)
let used = process.cpuUsage()
const times = Array.from({ length: warmUp + steps }, (_, i) => {
  if (i === warmUp) used = process.cpuUsage()
  kernel.weights.set(weights[i % weights.length]!)
  const start = performance.now()
  kernel.step()
  return performance.now() - start
})
const { user, system } = process.cpuUsage(used)
console.log(JSON.stringify({ ...spread(times.slice(warmUp)), cpu: (user + system) / 1000 / steps }))
