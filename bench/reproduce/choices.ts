/** What the paper leaves open, or fixes without saying why: one change at a time to the published settings. */
import { problems } from "../problems.ts"
import { type DataOf, type FitCase, fitOf } from "./case.ts"
import { type Settings } from "../library/settings.ts"

export interface Choice {
  readonly question: string
  readonly ours: string
  readonly instead: string
  readonly settings: Partial<Settings>
  readonly data?: Pick<DataOf, "rows" | "range">
}

export const choices: ReadonlyArray<Choice> = [
  {
    question: "initial logits of the splits",
    ours: "the prior's probabilities",
    instead: "all at 1/2",
    settings: { splits: "half" },
  },
  {
    question: "scatter of the initial logits",
    ours: "N(0, 0.01^2)",
    instead: "N(0, 0.1^2)",
    settings: { scatter: 0.1 },
  },
  {
    question: "scatter of the initial logits",
    ours: "N(0, 0.01^2)",
    instead: "N(0, 1)",
    settings: { scatter: 1 },
  },
  {
    question: "where values are clipped at 200",
    ours: "on all inner nodes, c tanh(v / c)",
    instead: "nowhere",
    settings: { valueClip: null },
  },
  {
    question: "clip of logits at 10",
    ours: "in the forward pass",
    instead: "none",
    settings: { logitsClip: null },
  },
  {
    question: "warm-up of the divergence",
    ours: "none",
    instead: "over the first 300 steps",
    settings: { warmUp: 300 },
  },
  { question: "samples of a step", ours: "8, as published", instead: "1", settings: { samples: 1 } },
  { question: "AdamW's weight decay", ours: "0, as published", instead: "0.01", settings: { decay: 0.01 } },
  {
    question: "prior variance of the coefficients",
    ours: "10 sigma^2, as published",
    instead: "1,000 sigma^2",
    settings: { sigma0: 1000 },
  },
  {
    question: "rows to fit (the paper's LMPSE says 2,000, its text 1,800)",
    ours: "1,800 of 2,000",
    instead: "2,000 of 2,222",
    settings: {},
    data: { rows: 2222 },
  },
  {
    question: "range of every variable of the five Feynman problems",
    ours: "Unif(1, 5), the database's",
    instead: "Unif(1, 2)",
    settings: {},
    data: { range: [1, 2] },
  },
]

const noise = 0.1
const seeds = [1, 2, 3]

/** The runs of a choice; of none, those of the published settings that they are compared with. */
export const casesOf = (choice?: Choice): ReadonlyArray<FitCase> =>
  problems
    .filter(({ name }) => choice?.data?.range === undefined || !name.startsWith("sim"))
    .flatMap(({ name }) =>
      seeds.map((seed) => fitOf({ problem: name, noise, seed, ...choice?.data }, choice?.settings)),
    )
