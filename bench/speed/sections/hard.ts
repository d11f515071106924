import { inTurn, peer, script } from "../contender.ts"
import { withCsv } from "../data.ts"
import { blocks, interval, leftOut, number, table } from "../../harness/markdown.ts"
import { median, range } from "../../harness/statistics.ts"
import type { Section } from "./section.ts"

interface Rate {
  readonly perSecond: number
  readonly perCpuSecond: number
  /** mean number of nodes */
  readonly nodes: number
}

const rows = 1800

export const section: Section = {
  name: "hard",
  write: (rounds) =>
    withCsv("FTC", rows, (file) => {
      const outcomes = inTurn<Rate>(
        [
          script("vasst, trees of the prior", "hard.ts", 100_000, 2),
          script("vasst, large trees", "hard.ts", 100_000, 0.2),
          peer("Operon", "pyoperon_rate.py", file),
          peer("gplearn", "gplearn_rate.py", file),
        ],
        rounds,
        ({ value }) => `${number(value.perSecond)} a second (${number(value.perCpuSecond)} a CPU second)`,
      )
      const measured = outcomes.flatMap(({ name, runs }) => {
        if (runs.length === 0) return []
        const values = runs.map(({ value }) => value)
        return [
          {
            name,
            wall: range(values.map(({ perSecond }) => perSecond)),
            cpu: range(values.map(({ perCpuSecond }) => perCpuSecond)),
            nodes: median(values.map(({ nodes }) => nodes)),
          },
        ]
      })
      const reference = measured[0]
      if (reference === undefined) throw new Error("no contender could be measured")
      return blocks(
        "## Hard expressions",
        `n = ${rows.toLocaleString("en-US")} rows of three features, operators add, sub, mul, div, square, sqrt, sin, cos, exp, log, one thread. The counts:`,
        `- vasst: distinct trees of depth at most 4, each given the residual sum of squares of y on it beside one other tree,
  as in a search; columns in float32, sums in float64. The clock covers the path from the tree as data to the sum of squares. The trees were drawn before: from the
  paper's prior, and from a prior that decays slowly, for larger trees. Common subtrees of different trees are computed once.
- Operon: individuals evaluated in a whole fit with the package's defaults, 1,000 individuals and 200 generations, no
  local search; its selection and variation are inside the clock. In float32.
- gplearn: individuals evaluated in a whole fit with the package's defaults, 2,000 individuals and 10 generations, copies
  of parents included; its selection and variation are inside the clock. In float64.`,
        `Medians of ${rounds} rounds in turn, the range, and the ratio of rates for a second of CPU to ${reference.name}; the mean
number of nodes of the evaluated expressions (of Operon: in the last generation); the peers' individuals are larger.`,
        table(
          ["contender", "a second", "range", "a CPU second", "ratio", "nodes"],
          measured.map(({ name, wall, cpu, nodes }) => [
            name,
            number(wall.median),
            interval(wall),
            number(cpu.median),
            number(cpu.median / reference.cpu.median),
            number(nodes),
          ]),
        ),
        leftOut(outcomes),
      )
    }),
}
