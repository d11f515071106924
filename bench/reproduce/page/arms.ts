import { type Features, isReduced, problems } from "../../problems.ts"
import * as Arms from "../arms.ts"
import type { FitCase, FitResult, Found } from "../case.ts"
import { tuned } from "../experiments.ts"
import * as Store from "../store.ts"

export type FitDone = Store.Done<FitCase, FitResult>

/** The runs of an arm; of an arm that is not known yet none. */
export interface Ran {
  readonly title: string
  readonly about: string
  readonly planned: number
  readonly done: ReadonlyArray<FitDone>
  /** which of a run's models the column shows; runs without it are left out */
  readonly model: (result: FitResult) => Found | undefined
}

const best = ({ best }: FitResult): Found => best
const other = ({ other }: FitResult): Found | undefined => other

const ran = (arm: Arms.Arm): Ran => {
  const cases = Arms.casesOf(arm)
  return {
    title: arm.title,
    about: arm.about,
    planned: cases.length,
    done: Store.results<FitCase, FitResult>(arm.name, cases),
    model: best,
  }
}

const unknown: Ran = {
  title: "ELBO at its best",
  about:
    "the paper's objective, steps and draws; learning rate, temperature and restarts as found by the search, which is not over yet",
  planned: Arms.casesOf(Arms.tuned({})).length,
  done: [],
  model: best,
}

/** All arms, read once. */
export interface AllArms {
  readonly untrained: Ran
  readonly published: Ran
  readonly tuned: Ran
  readonly collapsed: Ran
  readonly law: Ran
  readonly many: Ran
}

export const load = (): AllArms => {
  const found = tuned()
  return {
    untrained: ran(Arms.untrained),
    published: ran(Arms.asPublished),
    tuned: found === undefined ? unknown : ran(found),
    collapsed: ran(Arms.collapsed),
    law: ran(Arms.law),
    many: ran(Arms.many),
  }
}

/** The same draws, the first of them by the hyper-g/n evidence. */
export const otherwise = (arm: Ran): Ran => ({
  ...arm,
  title: `${arm.title}, hyper-g/n`,
  about: `the same draws, ranked with the hyper-g/n prior of the coefficients`,
  model: other,
})

/** A row of the tables: a problem at a noise level. */
export interface Row {
  readonly problem: string
  readonly noise: number
  readonly features: Features
}

export const rowsOf = (features: Features): ReadonlyArray<Row> =>
  problems
    .filter((problem) => features === "reduced" || isReduced(problem))
    .flatMap(({ name }) => Arms.noises.map((noise) => ({ problem: name, noise, features })))

/** The runs of an arm in a row. */
export const at = (arm: Ran, { problem, noise, features }: Row): ReadonlyArray<FitDone> =>
  arm.done.filter(
    ({ case: one }) => one.problem === problem && one.noise === noise && one.features === features,
  )

/** The models that an arm's column shows. */
export const models = (arm: Ran, runs: ReadonlyArray<FitDone> = arm.done): ReadonlyArray<Found> =>
  runs.flatMap(({ result }) => arm.model(result) ?? [])
