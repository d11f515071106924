/**
 * The weights of `rank/Unseen`: of highest likelihood on simulations (simulate.ts), with a normal prior of standard deviation 2
 * and the known directions.
 * The first answer of a fit is right with its share among the models times the probability that the law was seen.
 *
 *     node bench/calibration/fit.ts FILE.jsonl ...
 *
 * Prints the weights, and the calibration of each fifth of the simulations by the weights of the others.
 */
import { features, seen, type weights as Weights } from "../../src/rank/Unseen.ts"
import * as Calibration from "../../src/testing/calibration.ts"
import type { Simulated } from "../../src/testing/simulation.ts"
import { lines } from "../harness/lines.ts"
import { options } from "../harness/options.ts"

const { positionals } = options(import.meta.url, { allowPositionals: true })

interface Case {
  readonly of: ReturnType<typeof features>
  readonly share: number
  readonly right: boolean
}

const cases = positionals.flatMap((file) =>
  lines<Simulated>(file).map(({ signs, answers }): Case => ({
    of: features(signs),
    share: answers[0]!.share,
    right: answers[0]!.right,
  })),
)

const zero: typeof Weights = {
  always: 0,
  unbegun: 0,
  nothing: 0,
  exact: 0,
  agreeing: 0,
  misfit: 0,
  beyond: 0,
  cost: 0,
  gain: 0,
}
const names = Object.keys(zero) as Array<keyof typeof Weights>
const variance = 4
/** Signs whose direction is known: a weight against it is noise of the simulations, and counts as 0. */
const directions: Partial<Record<keyof typeof Weights, 1 | -1>> = {
  exact: 1,
  agreeing: 1,
  misfit: -1,
  beyond: -1,
  cost: -1,
  gain: 1,
}

/** Gradient ascent with the diagonal of the information as its scale. */
const fit = (some: ReadonlyArray<Case>): typeof Weights => {
  const weights = { ...zero }
  for (let step = 0; step < 20_000; step++) {
    const gradient = new Float64Array(names.length)
    const curvature = new Float64Array(names.length).fill(1 / variance)
    for (const { of, share, right } of some) {
      const s = seen(of, weights)
      const p = share * s
      // d log P / d log odds, and its expected information.
      const slope = right ? 1 - s : (-p * (1 - s)) / Math.max(1e-12, 1 - p)
      const information = (p * (1 - s) ** 2) / Math.max(1e-12, 1 - p)
      names.forEach((name, k) => {
        gradient[k]! += slope * of[name]
        curvature[k]! += information * of[name] ** 2
      })
    }
    names.forEach((name, k) => {
      const moved = weights[name] + (0.2 * (gradient[k]! - weights[name] / variance)) / curvature[k]!
      const direction = directions[name]
      weights[name] = direction === undefined ? moved : direction * Math.max(0, direction * moved)
    })
  }
  return weights
}

const rounded = (weights: typeof Weights) =>
  Object.fromEntries(Object.entries(weights).map(([name, value]) => [name, Number(value.toFixed(2))]))

const stated = (some: ReadonlyArray<Case>, weights: typeof Weights): ReadonlyArray<Calibration.Statement> =>
  some.map(({ of, share, right }) => ({ probability: share * seen(of, weights), right }))

const show = (name: string, statements: ReadonlyArray<Calibration.Statement>): void => {
  const { error, brier, sure, sureWrong, bins } = Calibration.diagram(statements)
  console.log(
    `${name}: ECE ${error.toFixed(3)}, Brier ${brier.toFixed(3)}, above 0.99: ${sure}, wrong ${sureWrong}`,
  )
  for (const { low, count, stated: mean, right } of bins)
    if (count > 0) console.log(`  ${low.toFixed(1)}  ${count}  ${mean.toFixed(2)}  ${right.toFixed(2)}`)
}

const parts = 5
const crossed = Array.from({ length: parts }, (_, part) => {
  const own = cases.filter((_case, i) => i % parts === part)
  return stated(own, fit(cases.filter((_case, i) => i % parts !== part)))
}).flat()

console.log(`${cases.length} simulations, ${cases.filter(({ right }) => right).length} right`)
show(
  "shares",
  cases.map(({ share, right }) => ({ probability: share, right })),
)
show("by the others' weights", crossed)
console.log(JSON.stringify(rounded(fit(cases)), undefined, 2))
