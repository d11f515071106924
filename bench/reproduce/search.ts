/**
 * The search for the relaxed ELBO at its best. Every candidate has the paper's budget: 2,000 steps with 8 samples and 2,000
 * draws, over all restarts. On data of its own: noise 0.1, other seeds than the comparison's.
 */
import { problems } from "../problems.ts"
import { type FitCase, fitOf, type FitResult } from "./case.ts"
import { type Settings } from "../library/settings.ts"
import { results } from "./store.ts"

export type Candidate = Pick<Settings, "rate" | "start" | "end" | "annealing" | "restarts">

export const rates: ReadonlyArray<number> = [1e-3, 1e-2, 5e-2, 2e-1]
/** from, to, over which share of the steps */
const temperatures = [
  { start: 1, end: 0.5, annealing: 0.75 },
  { start: 1, end: 0.1, annealing: 1 },
  { start: 0.3, end: 0.3, annealing: 1 },
]
const restarts = [1, 4, 16]

const candidates: ReadonlyArray<Candidate> = rates.flatMap((rate) =>
  temperatures.flatMap((temperature) => restarts.map((count) => ({ rate, ...temperature, restarts: count }))),
)

const noise = 0.1
/** All candidates on the first seed, then the best few on the others. */
export const seeds = { first: [101], final: [102, 103] } as const
export const few = 6

const casesOf = (list: ReadonlyArray<Candidate>, on: ReadonlyArray<number>): ReadonlyArray<FitCase> =>
  list.flatMap((settings) =>
    on.flatMap((seed) => problems.map(({ name }) => fitOf({ problem: name, noise, seed }, settings))),
  )

/** A candidate with its results. */
export interface Score {
  readonly candidate: Candidate
  readonly runs: number
  readonly found: number
  /** geometric mean of the out-of-sample RMSE */
  readonly rmse: number
}

const scoreOf = (candidate: Candidate, on: ReadonlyArray<number>): Score => {
  const done = results<FitCase, FitResult>("search", casesOf([candidate], on))
  const logs = done.map(({ result }) => Math.log(result.best.rmseTest))
  return {
    candidate,
    runs: done.length,
    found: done.filter(({ result }) => result.best.found).length,
    rmse: Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length),
  }
}

/** Most laws found, then the smaller error. */
const byMerit = (a: Score, b: Score): number => b.found - a.found || a.rmse - b.rmse

/** The candidates after the first round, best first. */
export const firstRound = (): ReadonlyArray<Score> =>
  candidates.map((candidate) => scoreOf(candidate, seeds.first)).toSorted(byMerit)

const finalists = (): ReadonlyArray<Candidate> =>
  firstRound()
    .slice(0, few)
    .map(({ candidate }) => candidate)

/** The finalists over all seeds, best first. */
export const finalRound = (): ReadonlyArray<Score> =>
  finalists()
    .map((candidate) => scoreOf(candidate, [...seeds.first, ...seeds.final]))
    .toSorted(byMerit)

export const firstCases = (): ReadonlyArray<FitCase> => casesOf(candidates, seeds.first)

const complete = (cases: ReadonlyArray<FitCase>): boolean =>
  results<FitCase, FitResult>("search", cases).length === cases.length

/** The finalists' further cases; none before the first round is over. */
export const finalCases = (): ReadonlyArray<FitCase> =>
  complete(firstCases()) ? casesOf(finalists(), seeds.final) : []

/** The settings that the search has found; undefined before it is over. */
export const winner = (): Candidate | undefined =>
  complete(firstCases()) && complete(finalCases()) ? finalRound()[0]?.candidate : undefined
