import { inTurn, peer, script } from "../contender.ts"
import { blocks, interval, leftOut, number, table } from "../../harness/markdown.ts"
import { pool, range, type Quantiles } from "../../harness/statistics.ts"
import type { Section } from "./section.ts"

/** Milliseconds; `cpu` is the mean. */
interface Step extends Quantiles {
  readonly cpu: number
}

const ratio = (one: Step, other: Step | undefined): ReadonlyArray<number> =>
  other === undefined ? [] : [one.median / other.median]

const contenders = [
  script("vasst, simd", "step.ts", "simd", 2000),
  peer("PyTorch, eager", "torch_step.py", "--steps", 300),
  peer("PyTorch, compiled", "torch_step.py", "--steps", 300, "--compile"),
  script("bare kernel, relaxed SIMD", "bare/step.ts", "--relaxed"),
  script("bare kernel", "bare/step.ts"),
  script("bare kernel without clip, relaxed SIMD", "bare/step.ts", "--unclipped", "--relaxed"),
  script("bare kernel without clip", "bare/step.ts", "--unclipped"),
  script("vasst, tfjs on tensorflow", "step.ts", "tensorflow", 60),
  script("vasst, tfjs on wasm", "step.ts", "wasm", 40),
  script("vasst, tfjs on cpu", "step.ts", "cpu", 5),
]

export const section: Section = {
  name: "step",
  write: (rounds) => {
    const outcomes = inTurn<Step>(
      contenders,
      rounds,
      ({ value }) => `${number(value.median)} ms (${interval(value)})`,
    )
    const rows = outcomes.flatMap(({ name, runs }) =>
      runs.length === 0
        ? []
        : [
            {
              name,
              ...pool(runs.map(({ value }) => value)),
              cpu: pool(runs.map(({ value }) => ({ ...value, median: value.cpu }))).median,
              ratio: range(runs.flatMap(({ value }, round) => ratio(value, outcomes[0]?.runs[round]?.value))),
            },
          ],
    )
    const reference = rows[0]
    if (reference === undefined) throw new Error("no contender could be measured")
    return blocks(
      "## One training step",
      `S = 8 samples, K = 3 trees of depth D = 3, n = 1800 rows, operators mul, sin, cos, one thread: noise, forward,
backward, divergence, clipping of the gradient and AdamW update; warm-up and compilation in the first steps are
left out. Contenders in turn, ${rounds} rounds, each in a process of its own. The columns: the median of the rounds' medians; the range
from the lowest 10 % point to the highest 90 % point over all rounds; CPU time; the ratio to the median of
${reference.name} in the same round, since a machine's speed changes from round to round: its median and its range.`,
      `The bare kernel computes the evidence and its gradient for this one grammar only, written by hand in C
([\`bench/speed/bare/kernel.c\`](../bench/speed/bare/kernel.c)): no noise, no relaxation, no divergence, no update. With relaxed SIMD a product and a sum are
one instruction, which the simd backend uses, too, if the machine has it. Without the clip of inner values to
200 tanh(v / 200) the kernel computes less than all other contenders.`,
      table(
        ["contender", "median, ms", "range, ms", "CPU, ms", "ratio", "range of ratios"],
        rows.map((row) => [
          row.name,
          number(row.median),
          interval(row),
          number(row.cpu),
          number(row.ratio.median),
          interval(row.ratio),
        ]),
      ),
      leftOut(outcomes),
    )
  },
}
