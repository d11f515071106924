import type * as Likelihood from "../evidence/Likelihood.ts"
import * as GPrior from "../evidence/gPrior.ts"
import * as Unevenness from "../evidence/noise/Unevenness.ts"
import type { Tree } from "../prob/Tree.ts"
import * as HardTree from "../prob/tree/HardTree.ts"
import type * as HallOfFame from "./HallOfFame.ts"
import { rankCorrelation } from "../numeric/meanRanks.ts"
import { dot } from "../numeric/orthogonal.ts"
import * as Real from "../numeric/Real.ts"

/**
 * The choice of the noise that a search regresses under. A search has one kind of noise and one set of wrong rows at a time: they are
 * weights of the rows. The best ensembles are assessed under all kinds that the likelihood allows, and the weights of the most
 * probable explanation are taken. Rows are judged with laws, and again whenever there are better ones.
 */
export interface NoiseChoice {
  /**
   * The weights under which the best of some ensembles is most probable; undefined where none has a probability.
   *
   * @param kept ensembles, best first
   */
  readonly best: (kept: ReadonlyArray<Candidate>) => Chosen | undefined
}

/** An ensemble that the choice looks at. */
export type Candidate = Pick<HallOfFame.Entry, "response" | "trees" | "size" | "score" | "logEvidence">

/** The evidence of trees under all kinds of noise, and the weights of rows under the best: of `Likelihood.Assessor`. */
export type Assess = (
  link: number,
  trees: ReadonlyArray<Tree>,
) =>
  | (Pick<Likelihood.Assessment, "logEvidence"> & {
      readonly noise: Pick<Likelihood.FoundNoise, "weights"> | undefined
    })
  | undefined

/** Weights of rows, and the log posterior of the best ensemble under them. */
export interface Chosen {
  /** undefined where they are equal */
  readonly weights: Likelihood.RowWeights | undefined
  /** in nats, up to a constant of the search */
  readonly height: number
}

/** The number of ensembles that are assessed: the best of all, and the best of each of the smallest sizes. */
const assessed = { best: 3, sizes: 8 }

/**
 * @param assess on the rows of the search
 * @param links the index of each response's link
 * @param treeOf the tree of a node
 */
export const make = (
  assess: Assess,
  links: ReadonlyArray<number>,
  treeOf: (id: number) => Tree,
): NoiseChoice => {
  /** The assessments of the latest choice: of the best ensembles most are those of the choice before. */
  let latest: ReadonlyMap<string, ReturnType<Assess>> = new Map()
  return {
    best: (kept) => {
      const sizes = new Set<number>()
      const first = kept
        .filter(({ size }) => !sizes.has(size) && sizes.add(size))
        .sort((a, b) => a.size - b.size)
        .slice(0, assessed.sizes)
      const own = new Map<string, ReturnType<Assess>>()
      let leading = -Infinity
      let chosen: ReturnType<Assess>
      for (const entry of new Set([...kept.slice(0, assessed.best), ...first])) {
        const trees = entry.trees.map(treeOf)
        const key = [entry.response, ...trees.map(HardTree.key)].join(";")
        const found = latest.has(key) ? latest.get(key) : assess(links[entry.response]!, trees)
        own.set(key, found)
        if (found === undefined) continue
        const total = found.logEvidence + entry.score - entry.logEvidence
        if (!(total > leading)) continue
        leading = total
        chosen = found
      }
      latest = own
      return chosen && { weights: chosen.noise?.weights(), height: leading }
    },
  }
}

/** Nats of unevenness from which on relative errors are worth a look before there is a law. */
const uneven = 1

/** How many times the distance between the quantiles of 5 and 95 % a value lies outside of these to be looked at. */
const far = 5

/**
 * Whether additive noise would let few rows speak: values span orders of magnitude, or some are far outside of the others. Then the
 * noise is chosen before the first ensembles are improved; the evidence decides.
 */
export const isUneven = (y: Float64Array): boolean => {
  const sorted = y.toSorted()
  const at = (share: number): number => sorted[Math.floor(share * (y.length - 1))]!
  const [low, high] = [at(0.05), at(0.95)]
  const reach = far * (high - low)
  if (reach > 0 && (sorted[0]! < low - reach || sorted.at(-1)! > high + reach)) return true
  return Unevenness.of(y) > uneven
}

/** The share of y on a row that a law without noise leaves at most. */
const exactly = 1e-6

/** Whether a mean leaves nothing of any row, however small its y is beside that of others: then there is no noise to be chosen. */
export const isExact = (y: Float64Array, mean: Float64Array | undefined): boolean =>
  mean?.every((value, i) => Math.abs(value - y[i]!) <= exactly * Math.abs(y[i]!)) === true

/** The share of the sum of squares that a law leaves at most whose residuals say something of the noise, and the standard deviations of their dependence. */
const told = { left: 0.05, deviations: 3 } as const

/** Whether a law explains most of y, and misses small values by as much as large ones: then no row is unheard under equal weights. */
export const isEven = (y: Float64Array, mean: Float64Array | undefined): boolean => {
  if (mean === undefined) return false
  const missed = y.map((value, i) => Math.abs(value - mean[i]!))
  return (
    dot(missed, missed) < told.left * GPrior.tssOf(y) &&
    Math.abs(rankCorrelation(missed, mean.map(Math.abs))) < told.deviations
  )
}

/** The weights of relative errors, without a law: one over the magnitude of y, 0 for rows of 0. */
export const relative = (y: Float64Array): Likelihood.RowWeights => {
  const by = y.map((value) => (value === 0 ? 0 : 1 / Math.abs(value)))
  const counted = by.filter((weight) => weight > 0)
  const logDensity = counted.reduce((sum, weight) => sum + Real.log(weight), 0)
  return { by, count: counted.length, logDensity, logarithms: true }
}

/** The weighted sum of squares of y around its mean, scaled up for the rows of weight 0. */
export const total = (y: Float64Array, weights: Likelihood.RowWeights | undefined): number => {
  if (weights === undefined) return GPrior.tssOf(y)
  const { by } = weights
  let [mass, sum, rows] = [0, 0, 0]
  for (let i = 0; i < y.length; i++) {
    if (!(by[i]! > 0)) continue
    rows++
    mass += by[i]! ** 2
    sum += by[i]! ** 2 * y[i]!
  }
  const mean = sum / mass
  let squares = 0
  for (let i = 0; i < y.length; i++) squares += (by[i]! * (y[i]! - mean)) ** 2
  return (squares * y.length) / rows
}
