/** Tables that are hard, each with the answer that is documented for it. */
import { plain, type Table } from "./tables.ts"

export interface Hard extends Table {
  /** what the table is, as the page says it */
  readonly title: string
  /** the documented answer */
  readonly answer: string
  /** arguments of `vasst fit` beside the usual ones */
  readonly args?: ReadonlyArray<string> | undefined
  readonly effort: number
}

/** y = 3 x0 x1 / x2 with noise of a standard deviation of 0.02. */
const law = (x: ReadonlyArray<number>): number => (3 * x[0]! * x[1]!) / x[2]!

export const collinear: Hard = {
  name: "collinear",
  title: "500 rows with a constant column, a duplicate and a sum",
  answer:
    "a column in the span of others earns nothing and costs its nodes: the law has the simplest columns; of two that are equal either may stand in it",
  rows: 500,
  features: 6,
  effort: 100_000,
  row: ({ feature, normal }) => {
    const x = [feature(), feature(), feature()]
    return { x: [...x, 7, x[0]!, x[0]! + x[1]!], y: law(x) + 0.02 * normal() }
  },
}

export const few: Hard = {
  name: "few",
  title: "6 rows, 2 columns, no noise",
  answer: "the simplest law; the mass of laws that were not seen says how little six rows tell",
  rows: 6,
  features: 2,
  effort: 100_000,
  row: ({ feature }) => {
    const x = [feature(), feature()]
    return { x, y: 2.5 * x[0]! * x[1]! }
  },
}

export const wide: Hard = {
  ...plain(200, 1000),
  name: "wide",
  title: "200 rows, 1,000 columns, `--effort 200000`",
  answer:
    "the law, once the search is long enough for the sizes of terms that it has; before, a search that is cut off says so",
  effort: 200_000,
}

export const outliers: Hard = {
  name: "outliers",
  title: "500 rows, each 25th with an error of up to 200",
  answer: "such rows are wrong rows: they are listed, and have no say in the law",
  rows: 500,
  features: 3,
  effort: 100_000,
  row: ({ feature, normal, uniform }, row) => {
    const x = [feature(), feature(), feature()]
    return { x, y: law(x) + 0.02 * normal() + (row % 25 === 24 ? 200 * uniform() : 0) }
  },
}

export const noise: Hard = {
  name: "noise",
  title: "500 rows of pure noise, 5 columns",
  answer: "the mean: nothing explains y",
  rows: 500,
  features: 5,
  effort: 100_000,
  row: ({ feature, normal }) => ({ x: Array.from({ length: 5 }, feature), y: normal() }),
}

export const zeros: Hard = {
  name: "zeros",
  title: "1,000 rows, of which 99 % have the target 0",
  answer:
    "the law 0 with heavy-tailed noise: most rows are on it, and the few that are not are far out. Fit the rows that are not 0: `--where 'y != 0'`",
  rows: 1000,
  features: 3,
  effort: 100_000,
  row: ({ feature }, row) => {
    const x = [feature(), feature(), feature()]
    return { x, y: row % 100 === 0 ? law(x) : 0 }
  },
}

export const binary: Hard = {
  name: "binary",
  title: "500 rows with a target of 0 and 1",
  answer:
    "no law of the values explains them, and the table says so: unseen more than 98 %, and a misfit. For probabilities use a likelihood: `Likelihood.bernoulli` ([how](how-to/likelihood.md))",
  rows: 500,
  features: 3,
  effort: 100_000,
  row: ({ feature, uniform }) => {
    const x = [feature(), feature(), feature()]
    return { x, y: uniform() < 1 / (1 + Math.exp(3 - 2 * x[0]! + x[1]!)) ? 1 : 0 }
  },
}

export const many: Hard = {
  ...plain(1_000_000, 20),
  name: "many",
  title: "10^6 rows, 20 columns, `--effort 50000`",
  answer: "the law, in parts or not; a search that is cut off says so",
  effort: 50_000,
  args: ["--stream", "never"],
}

export const parts: Hard = {
  ...many,
  name: "parts",
  title: "the same, `--stream always`",
  args: ["--stream", "always"],
}

export const all = [collinear, few, wide, outliers, noise, zeros, binary, many, parts] as const
