import { type Case, type FitCase, fitOf, type GradientCase } from "./case.ts"
import { type Command, node } from "../harness/process.ts"
import * as Arms from "./arms.ts"
import * as Choices from "./choices.ts"
import * as Search from "./search.ts"

/** The process that runs the cases of experiments. */
export const own: Command = node(new URL("worker.ts", import.meta.url).pathname)

/** Cases that belong together and the file of their results. */
export interface Experiment {
  readonly name: string
  readonly about: string
  /** the cases to run, as far as the results so far say */
  readonly cases: () => ReadonlyArray<Case>
  /** seconds after which a case is given up */
  readonly limit: number
}

const ablated: ReadonlyArray<{ readonly problem: string; readonly operators: ReadonlyArray<string> }> = [
  { problem: "CPE", operators: ["add", "mul", "div"] },
  { problem: "FTC", operators: ["mul", "sub", "div"] },
]
export const sizes = [2, 3, 4, 5] as const

/** The ablation over K and D (Tables ablation-I_13_12 and ablation-II_2_42), and the same without training. */
export const ablation = (trained: boolean): ReadonlyArray<FitCase> =>
  ablated.flatMap(({ problem, operators }) =>
    sizes.flatMap((trees) =>
      sizes.flatMap((depth) =>
        [1, 2, 3].map((seed) =>
          fitOf({ problem, noise: 0.1, seed, operators }, { trees, depth, ...(trained ? {} : { steps: 0 }) }),
        ),
      ),
    ),
  )

/** The diagnostics of the appendix on gradients, at every depth, five times. */
export const gradients = (): ReadonlyArray<GradientCase> =>
  sizes.flatMap((depth) =>
    [1, 2, 3, 4, 5].map((seed): GradientCase => ({
      kind: "gradient",
      problem: "CPE",
      features: "reduced",
      noise: 0.2,
      seed,
      operators: ["add", "mul", "div"],
      depth,
    })),
  )

export const rows = [2000, 3000, 4000, 5000] as const

/** Run time against the number of rows (Figure runtime_boxplot). */
export const scaling = (): ReadonlyArray<FitCase> =>
  rows.flatMap((n) => Arms.seeds.map((seed) => fitOf({ problem: "sim1", noise: 0, seed, rows: n })))

/** The arm of the relaxed ELBO at its best; undefined before the search is over. */
export const tuned = (): Arms.Arm | undefined => {
  const found = Search.winner()
  return found === undefined ? undefined : Arms.tuned(found)
}

const arm = (one: Arms.Arm): Experiment => ({
  name: one.name,
  about: one.about,
  cases: () => Arms.casesOf(one),
  limit: 120,
})

/** In the order in which they are run: what others wait for, or compare with, first. */
export const experiments: ReadonlyArray<Experiment> = [
  arm(Arms.untrained),
  arm(Arms.asPublished),
  {
    name: "search",
    about: "the search for the best ELBO, first round",
    cases: Search.firstCases,
    limit: 120,
  },
  { name: "search", about: "the search for the best ELBO, finalists", cases: Search.finalCases, limit: 120 },
  {
    name: "tuned",
    about: "the relaxed ELBO at its best",
    limit: 120,
    cases: () => {
      const found = tuned()
      return found === undefined ? [] : Arms.casesOf(found)
    },
  },
  arm(Arms.collapsed),
  arm(Arms.law),
  arm(Arms.many),
  {
    name: "ablation",
    about: "number of trees and depth",
    cases: () => [...ablation(true), ...ablation(false)],
    limit: 300,
  },
  { name: "gradients", about: "gradient variance and time of a pass", cases: gradients, limit: 300 },
  { name: "scaling", about: "run time against rows", cases: scaling, limit: 120 },
  {
    name: "choices",
    about: "choices that the paper leaves open",
    cases: () => Choices.choices.flatMap(Choices.casesOf),
    limit: 120,
  },
]
