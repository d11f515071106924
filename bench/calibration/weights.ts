import { features, seen, type weights as Weights } from "../../src/rank/Unseen.ts"
import type * as Calibration from "../../src/testing/calibration.ts"
import type { Simulated } from "../../src/testing/simulation.ts"
import { lines } from "../harness/lines.ts"

/** The name of a sign. */
export type Name = keyof typeof Weights

/** The signs of a fit, the share of its first answer among the models, and whether that is right. */
export interface Case {
  readonly of: ReturnType<typeof features>
  readonly share: number
  readonly right: boolean
}

/** The simulations of a file. */
export const casesOf = (file: string): ReadonlyArray<Case> =>
  lines<Simulated>(file).map(({ signs, answers }) => ({
    of: features(signs),
    share: answers[0]!.share,
    right: answers[0]!.right,
  }))

const zero: typeof Weights = {
  always: 0,
  nothing: 0,
  misfit: 0,
  beyond: 0,
  lead: 0,
}
/** All signs. `zero` has their names, and no others. */
export const names = Object.keys(zero) as Array<Name>
const variance = 4
/** Signs whose direction is known: a weight against it is noise of the simulations, and counts as 0. */
const directions: Partial<Record<Name, 1 | -1>> = {
  misfit: -1,
  beyond: -1,
  lead: 1,
}

/** The solution of a linear system with a positive definite matrix, by elimination. */
const solve = (
  matrix: ReadonlyArray<ReadonlyArray<number>>,
  right: ReadonlyArray<number>,
): ReadonlyArray<number> => {
  const rows = matrix.map((row, i) => [...row, right[i]!])
  for (const [i, pivot] of rows.entries())
    for (const [k, row] of rows.entries()) {
      if (k === i) continue
      const factor = row[i]! / pivot[i]!
      for (let j = i; j < row.length; j++) row[j]! -= factor * pivot[j]!
    }
  return rows.map((row, i) => row.at(-1)! / row[i]!)
}

/** Weights with their standard errors; none of those that are 0 for their direction. */
export interface Fitted {
  readonly weights: typeof Weights
  readonly errors: ReadonlyMap<Name, number>
}

/**
 * The weights of highest likelihood on simulations, with a normal prior of standard deviation 2 and the known directions, by Fisher scoring. The
 * first answer of a fit is right with its share among the models times the probability that the law was seen.
 *
 * @param used the signs that have a weight. Those that go against their direction are left out, the worst first
 */
export const fit = (some: ReadonlyArray<Case>, used: ReadonlyArray<Name> = names): Fitted => {
  const weights = { ...zero }
  let information: Array<Array<number>> = []
  for (let step = 0; step < 100; step++) {
    const gradient = used.map((name) => -weights[name] / variance)
    information = used.map((_, k) => used.map((_other, l) => (k === l ? 1 / variance : 0)))
    for (const { of, share, right } of some) {
      const s = seen(of, weights)
      const p = Math.min(share * s, 1 - 1e-9)
      // d log P / d log odds, and its expected square.
      const slope = right ? 1 - s : (-p * (1 - s)) / (1 - p)
      const expected = (p * (1 - s) ** 2) / (1 - p)
      used.forEach((name, k) => {
        gradient[k]! += slope * of[name]
        used.forEach((other, l) => (information[k]![l]! += expected * of[name] * of[other]))
      })
    }
    const moves = solve(information, gradient)
    used.forEach((name, k) => (weights[name] += 0.7 * Math.max(-1, Math.min(1, moves[k]!))))
    if (Math.max(...moves.map(Math.abs)) < 1e-6) break
  }
  const against = (name: Name): number => weights[name] * (directions[name] ?? Math.sign(weights[name]))
  const worst = used.reduce((a, b) => (against(b) < against(a) ? b : a))
  if (against(worst) < 0)
    return fit(
      some,
      used.filter((name) => name !== worst),
    )
  const errorOf = (k: number): number =>
    Math.sqrt(
      solve(
        information,
        used.map((_, l) => Number(l === k)),
      )[k]!,
    )
  return { weights, errors: new Map(used.map((name, k) => [name, errorOf(k)])) }
}

const parts = 10

/** The first answers of simulations with their probabilities, each tenth by the weights of the others. */
export const crossed = (
  cases: ReadonlyArray<Case>,
  used?: ReadonlyArray<Name>,
): ReadonlyArray<Calibration.Statement> =>
  Array.from({ length: parts }, (_, part) => {
    const { weights } = fit(
      cases.filter((_case, i) => i % parts !== part),
      used,
    )
    return cases
      .filter((_case, i) => i % parts === part)
      .map(({ of, share, right }) => ({ probability: share * seen(of, weights), right }))
  }).flat()
