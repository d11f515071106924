import { inTurn, script } from "../contender.ts"
import { blocks, number, table } from "../../harness/markdown.ts"
import { median, pool, type Quantiles } from "../../harness/statistics.ts"
import type { Section } from "./section.ts"

interface Size {
  readonly D: number
  readonly K: number
  readonly S: number
  readonly rows: number
}

interface Growth extends Quantiles {
  readonly wasm: number
  readonly process: number
}

const base: Size = { D: 3, K: 3, S: 8, rows: 1800 }

const axes: ReadonlyArray<{ readonly [A in keyof Size]?: ReadonlyArray<number> }> = [
  { D: [2, 3, 4, 5] },
  { K: [2, 3, 4, 5] },
  { S: [1, 2, 4, 8, 16, 32, 64] },
  { rows: [1e3, 1e4, 1e5, 1e6] },
]

const nodeRows = ({ S, K, D, rows }: Size): number => S * K * (2 ** (D + 1) - 1) * rows

const label = (axis: string, value: number): string =>
  `${axis === "rows" ? "n" : axis} = ${value.toLocaleString("en-US")}`

const points = [
  { name: "base", size: base },
  ...axes.flatMap((axis) =>
    Object.entries(axis).flatMap(([key, values]) =>
      values
        .filter((value) => ({ ...base })[key as keyof Size] !== value)
        .map((value) => ({ name: label(key, value), size: { ...base, [key]: value } })),
    ),
  ),
]

const mebibytes = (bytes: number): string => number(bytes / 2 ** 20)

export const section: Section = {
  name: "growth",
  write: (rounds) => {
    const outcomes = inTurn<Growth>(
      points.map(({ name, size }) =>
        script(name, "growth.ts", ...Object.entries(size).flatMap(([axis, value]) => [`--${axis}`, value])),
      ),
      rounds,
      ({ value }) => `${number(value.median)} ms`,
    )
    const measured = outcomes.flatMap(({ name, runs }, index) => {
      if (runs.length === 0) return []
      const values = runs.map(({ value }) => value)
      const { median: step, low } = pool(values)
      return [
        {
          name,
          step,
          low,
          cost: (1e6 * low) / nodeRows(points[index]!.size),
          wasm: median(values.map(({ wasm }) => wasm)),
          process: median(values.map(({ process }) => process)),
        },
      ]
    })
    const reference = measured[0]
    if (reference === undefined)
      return blocks("## Growth", "Not measured: this machine has no WebAssembly SIMD.")
    return blocks(
      "## Growth",
      `One training step on the simd backend as one size changes at a time around the base point S = ${base.S}, K = ${base.K}, D = ${base.D},
n = ${base.rows.toLocaleString("en-US")}. A step evaluates S K (2^(D + 1) - 1) n nodes, forward and backward: if the cost of a node and row is constant,
the ratio is 1. The columns: the median of ${rounds} rounds; the 10 % quantile of all steps, from which the cost of a node and its ratio are computed,
since sizes are measured one after the other on a machine whose speed changes; the memory of the kernel, data included, and
the growth of the whole process over a fit.`,
      table(
        ["size", "step, ms", "quickest tenth", "ns a node and row", "ratio", "kernel, MiB", "process, MiB"],
        measured.map(({ name, step, low, cost, wasm, process }) => [
          name,
          number(step),
          number(low),
          number(cost),
          number(cost / reference.cost),
          mebibytes(wasm),
          mebibytes(process),
        ]),
      ),
    )
  },
}
