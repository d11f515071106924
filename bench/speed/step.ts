/**
 * The cost of one training step at the paper's size on one backend, in a process of its own:
 * S = 8, K = 3, D = 3, n = 1800, operators mul, sin, cos; noise, forward, backward, divergence and update.
 *
 *     node bench/speed/step.ts simd 400      prints {"median", "low", "high", "cpu"} in milliseconds
 */
import * as Grammar from "../../src/prob/Grammar.ts"
import * as Operator from "../../src/expr/Operator.ts"
import type * as Backend from "../../src/vi/Backend.ts"
import { trainOn } from "../library/training.ts"
import { make, problems } from "../problems.ts"
import { spread } from "../harness/statistics.ts"

// Whatever is no backend is refused below, by name.
const backend = process.argv[2] as Backend.BackendName
const steps = Number(process.argv[3] ?? 40)
const warmUp = Math.max(2, Math.round(steps / 5))

const sim2 = problems.find(({ name }) => name === "sim2")!
const { data } = make(sim2, 0.1, 1, 1800)
const grammar = Grammar.make({
  features: sim2.features,
  operators: [Operator.mul, Operator.sin, Operator.cos],
})
const marks: Array<number> = []
let used = process.cpuUsage()

const absent = await trainOn(backend, grammar, data, warmUp + steps, () => {
  marks.push(performance.now())
  if (marks.length === warmUp) used = process.cpuUsage()
})
if (absent === undefined) {
  const { user, system } = process.cpuUsage(used)
  const times = marks.slice(warmUp).map((mark, i) => mark - marks[warmUp + i - 1]!)
  console.log(JSON.stringify({ ...spread(times), cpu: (user + system) / 1000 / times.length }))
} else console.log(JSON.stringify({ absent }))
