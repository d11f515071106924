import { isReduced, problems } from "../problems.ts"
import type { DataOf, FitCase } from "./case.ts"
import type { Settings } from "../library/settings.ts"

export const noises: ReadonlyArray<number> = [0, 0.1, 0.2]
export const seeds: ReadonlyArray<number> = Array.from({ length: 10 }, (_, i) => i + 1)

/** A way to fit, run on every problem, noise level and seed. */
export interface Arm {
  /** of the experiment and its file */
  readonly name: string
  readonly title: string
  /** what it is, in a sentence */
  readonly about: string
  readonly settings: Partial<Settings>
  /** whether it is run on the raw variables as well */
  readonly raw: boolean
  /** models kept of the first seed's ranking */
  readonly top: number
}

/** Steps of the searches over hard trees: together they take about the time of the published training. */
export const pieces = { collapsed: 300, law: 150 } as const

export const untrained: Arm = {
  name: "null",
  title: "untrained",
  about: "no training step: 2,000 draws from the initial family, with the seeds of the published runs",
  settings: { steps: 0 },
  raw: true,
  top: 1,
}

export const many: Arm = {
  name: "draws",
  title: "untrained, 20,000 draws",
  about: "no training step, and ten times the draws: about the time of the published run",
  settings: { steps: 0, draws: 20_000 },
  raw: false,
  top: 1,
}

export const asPublished: Arm = {
  name: "published",
  title: "published",
  about: "the paper's settings",
  settings: {},
  raw: true,
  top: 10,
}

/** The relaxed ELBO with the best settings of the search. */
export const tuned = (settings: Partial<Settings>): Arm => ({
  name: "tuned",
  title: "ELBO at its best",
  about:
    "the paper's objective, steps and draws; learning rate, temperature and restarts are the best of the search below",
  settings,
  raw: true,
  top: 1,
})

export const collapsed: Arm = {
  name: "collapsed",
  title: "collapsed VI",
  about: "the paper's model, prior and evidence; a search over hard trees (`Search.fit`) without relaxation",
  settings: { method: "collapsed", steps: pieces.collapsed },
  raw: true,
  top: 10,
}

export const law: Arm = {
  name: "law",
  title: "models/law",
  about:
    "collapsed VI on the model that ships: terms may be left out, hyper-g/n prior, links of the response, the constants 1, 2 and pi; K = D = 3 and the paper's operators",
  settings: { method: "law", steps: pieces.law },
  raw: true,
  top: 1,
}

const dataOf = (arm: Arm): ReadonlyArray<DataOf> =>
  [
    ...problems.map((problem) => ({ problem, features: "reduced" as const })),
    ...(arm.raw ? rawOnes : []),
  ].flatMap(({ problem, features }) =>
    noises.flatMap((noise) => seeds.map((seed) => ({ problem: problem.name, features, noise, seed }))),
  )

const rawOnes = problems.filter(isReduced).map((problem) => ({ problem, features: "raw" as const }))

/** All fits of an arm. */
export const casesOf = (arm: Arm): ReadonlyArray<FitCase> =>
  dataOf(arm).map((data) => ({
    kind: "fit",
    ...data,
    settings: arm.settings,
    ...(arm.top > 1 && data.seed === seeds[0] && data.features === "reduced" ? { top: arm.top } : {}),
  }))
