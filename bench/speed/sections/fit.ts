import { type Contender, inTurn, type Run, script, shared } from "../contender.ts"
import { withCsv } from "../data.ts"
import { blocks, interval, leftOut, number, table } from "../../harness/markdown.ts"
import { range } from "../../harness/statistics.ts"
import type { Section } from "./section.ts"

const steps = 2000

/** The trained run of each contender; the noise of the clock is small beside seconds. */
const contenders = (file: string): ReadonlyArray<Contender> => {
  const peer = [
    "--problem",
    "sim2",
    "--noise",
    "0.1",
    "--seed",
    1,
    "--steps",
    steps,
    "--H",
    2000,
    "--no-hits",
    "--json",
  ]
  return [
    script(
      "vasst fit, simd",
      "../../bin/vasst.mjs",
      "fit",
      file,
      "--target=y",
      "--objective=elbo",
      "--operators=mul,sin,cos",
      "--backend=simd",
      "--seed=1",
      `--steps=${steps}`,
      "--draws=2000",
      "--json",
    ),
    shared("PyTorch, eager", "vasst_torch.py", ...peer),
    shared("PyTorch, compiled", "vasst_torch.py", ...peer, "--compile"),
  ]
}

export const section: Section = {
  name: "fit",
  write: (rounds) =>
    withCsv("sim2", 2000, (file) => {
      const say = ({ wall, cpu }: Run<unknown>): string => `${number(wall)} s, ${number(cpu)} s of CPU`
      const outcomes = inTurn<unknown>(contenders(file), rounds, say)
      const measured = outcomes.filter(({ runs }) => runs.length > 0)
      const reference = measured[0]
      if (reference === undefined) throw new Error("no contender could be measured")
      const cpuOf = ({ runs }: typeof reference) => range(runs.map(({ cpu }) => cpu))
      const wallOf = ({ runs }: typeof reference) => range(runs.map(({ wall }) => wall))
      return blocks(
        "## A published run",
        `The paper's method from the start of the process to its end: 2,000 rows of 6 sin(x0) cos(x1) with noise 0.1, a tenth set
aside, T = ${steps} steps at S = 8, K = 3, D = 3, then H = 2,000 hard draws ranked. \`vasst fit\` reads a CSV file and prints a
JSON document; PyTorch is the same method in one script, one thread. The median of ${rounds} rounds in turn, the range, and
ratios to ${reference.name}.`,
        table(
          ["contender", "wall, s", "range, s", "ratio", "CPU, s", "range, s", "ratio"],
          measured.map((outcome) => {
            const [wall, cpu] = [wallOf(outcome), cpuOf(outcome)]
            return [
              outcome.name,
              number(wall.median),
              interval(wall),
              number(wall.median / wallOf(reference).median),
              number(cpu.median),
              interval(cpu),
              number(cpu.median / cpuOf(reference).median),
            ]
          }),
        ),
        leftOut(outcomes),
      )
    }),
}
