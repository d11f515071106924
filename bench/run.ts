/**
 * The committed benchmark table: `npm run bench` writes docs/benchmarks.md. Every figure is measured in one go, the
 * contenders in turn, each in a process of its own; ratios are what counts, milliseconds depend on the machine.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"

interface Step {
  readonly backend: string
  readonly median: number
  readonly low: number
  readonly high: number
}

const contenders = [
  { backend: "tensorflow", steps: 60 },
  { backend: "wasm", steps: 40 },
  { backend: "cpu", steps: 5 },
]
const rounds = 3

const measure = (backend: string, steps: number): Step | undefined => {
  try {
    const script = new URL("step.ts", import.meta.url).pathname
    const out = execFileSync(process.execPath, [script, backend, String(steps)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    })
    return JSON.parse(out)
  } catch {
    // A backend that is not installed here has no row.
    return undefined
  }
}

const middle = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

const rows: Array<ReadonlyArray<Step>> = contenders.map(() => [])
for (let round = 0; round < rounds; round++)
  for (const [index, { backend, steps }] of contenders.entries()) {
    const step = measure(backend, steps)
    if (step !== undefined) rows[index] = [...rows[index]!, step]
    console.error(
      step === undefined
        ? `${backend}: not installed here`
        : `round ${round + 1}, ${backend}: ${step.median.toFixed(1)} ms (${step.low.toFixed(1)} to ${step.high.toFixed(1)})`,
    )
  }

const medians = rows.map((steps) =>
  steps.length === 0 ? undefined : middle(steps.map(({ median }) => median)),
)
const reference = medians.find((median) => median !== undefined)
if (reference === undefined) throw new Error("no backend could be measured")

const table = contenders.flatMap(({ backend }, index) => {
  const median = medians[index]
  if (median === undefined) return []
  const low = Math.min(...rows[index]!.map((step) => step.low))
  const high = Math.max(...rows[index]!.map((step) => step.high))
  const ratio = (median / reference).toFixed(1)
  return [`| tfjs, ${backend} | ${median.toFixed(1)} | ${low.toFixed(1)} to ${high.toFixed(1)} | ${ratio} |`]
})

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
const page = `# Benchmarks

Written by \`npm run bench\` (vasst ${version}, Node ${process.versions.node}, ${cpus().length} cores, ${cpus()[0]?.model ?? "unknown processor"}).

## One training step

S = 8 samples, K = 3 trees of depth D = 3, n = 1800 rows, operators mul, sin, cos: noise, forward, backward,
divergence, clipping and AdamW update. Contenders in turn, ${rounds} rounds, each in a process of its own; the median of the
rounds' medians, the range from the lowest 10 % to the highest 90 % point over all rounds, and the ratio to the first row.

| engine | median, ms | range, ms | ratio |
| --- | ---: | ---: | ---: |
${table.join("\n")}
`
writeFileSync(new URL("../docs/benchmarks.md", import.meta.url), page)
console.log(page)
