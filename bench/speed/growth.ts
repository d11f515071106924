/**
 * The cost of one training step on the simd backend at any size, and the memory that it takes.
 *
 *     node bench/speed/growth.ts --S 8 --K 3 --D 3 --rows 1800
 *
 * Prints the step's {"median", "low", "high"} in milliseconds, the kernel's memory `wasm`, and by how much the
 * process is larger than before the fit, `process`, both in bytes.
 */
import * as Effect from "effect/Effect"
import { options } from "../harness/options.ts"
import * as SoftForest from "../../src/vi/engines/simd/SoftForest.ts"
import * as Target from "../../src/wasm/Target.ts"
import * as Terminals from "../../src/prob/Terminals.ts"
import * as Grammar from "../../src/prob/Grammar.ts"
import * as Operator from "../../src/expr/Operator.ts"
import { paper } from "../../src/models/vasst.ts"
import { trainFor } from "../library/training.ts"
import { make, problems } from "../problems.ts"
import { spread } from "../harness/statistics.ts"

const target = Target.detect()
if (target === undefined) {
  console.log(JSON.stringify({ absent: "this machine has no WebAssembly SIMD" }))
  process.exit()
}
const { values } = options(import.meta.url, {
  options: {
    S: { type: "string", default: "8" },
    K: { type: "string", default: "3" },
    D: { type: "string", default: "3" },
    rows: { type: "string", default: "1800" },
    seconds: { type: "string", default: "3" },
  },
})
const [samples, trees, depth, rows] = [values.S, values.K, values.D, values.rows].map(Number)
const sizes = { samples: samples!, trees: trees!, depth: depth!, rows: rows! }

const sim2 = problems.find(({ name }) => name === "sim2")!
const { data } = make(sim2, 0.1, 1, sizes.rows)
const grammar = Grammar.make({
  features: sim2.features,
  operators: [Operator.mul, Operator.sin, Operator.cos],
})
const marks: Array<number> = []
const before = process.memoryUsage().rss
// Until both the steps and the seconds are over; the first steps are left out.
const { likelihood } = await trainFor(
  grammar,
  data,
  sizes,
  { steps: 8, seconds: Number(values.seconds) },
  () => marks.push(performance.now()),
)
const grown = process.memoryUsage().rss - before
const skipped = Math.max(2, Math.round(marks.length / 5))
const times = marks.slice(skipped).map((mark, i) => mark - marks[skipped + i - 1]!)

// The same kernel once more, for its size alone.
const columns = await Effect.runPromise(Terminals.columns(grammar, data))
const forest = SoftForest.make(likelihood.forest, columns, data.y, sizes.samples, {
  target,
  valueClip: paper.valueClip,
})
console.log(JSON.stringify({ ...spread(times), steps: times.length, wasm: forest.bytes(), process: grown }))
