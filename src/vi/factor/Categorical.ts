import type { Algebra } from "../../numeric/Algebra.ts"
import * as Weights from "../../prob/dist/Categorical.ts"
import type { Factor, FactorSite, Moments } from "../../prob/Factor.ts"
import * as Rng from "../../random/Rng.ts"
import { clamp, clamped, type LogitSettings } from "./Bernoulli.ts"
import { product } from "../../numeric/Nd.ts"
import * as Real from "../../numeric/Real.ts"
import { isSym } from "../../prob/Sym.ts"
import { type Constant, divergence, drawOf, knownPriors, logPrior } from "./divergence.ts"
import { fill, scattered } from "./Initial.ts"

/**
 * q(o) = Cat(softmax(a)) with m logits a for each element (Eq. mean-field-variational-family). Starts near the uniform
 * distribution.
 */
export const categorical =
  (settings: LogitSettings) =>
  (site: FactorSite<"categorical">): Factor<"categorical"> => {
    const shape = [...site.shape, site.size]
    const elements = product(site.shape)
    const logits = <T>(A: Algebra<T>, parameter: T): T => clamp(A, parameter, settings.logitsClip)
    return {
      name: "Categorical(logits)",
      support: "categorical",
      parameters: [
        { name: "logits", shape, initialise: scattered([0], elements * site.size, settings.initialScale) },
      ],
      noise: [{ kind: "gumbel", shape }],
      draw: (A, [a], [noise], relaxation, temperature) =>
        relaxation.categorical(A, logits(A, a!), noise!, temperature),
      moments: (A, [a]) => ({ mean: A.softmaxLast(logits(A, a!)) }),
      divergence: (A, constant, [a], parent, draws) => {
        const q = logits(A, a!)
        const log = priorLogWeights(site, A, constant) ?? expectedLogWeights(site, parent)
        if (log !== undefined) return A.sumAll(Weights.klLogits(A)(q, log))
        return divergence(
          site,
          { A, constant, parent, draws },
          { moments: { mean: A.softmaxLast(q) }, entropy: Weights.entropyLogits(A)(q) },
        )
      },
      drawnDivergence: (A, constant, [a], _, parent, draws) => {
        const o = drawOf(site, draws)
        const own = A.logSoftmaxLast(logits(A, a!))
        const log = priorLogWeights(site, A, constant) ?? expectedLogWeights(site, parent)
        if (log !== undefined) return A.sumLast(A.binary.mul(o, A.binary.sub(own, log)))
        const setting = { A, constant, parent, draws }
        return A.binary.sub(A.sumLast(A.binary.mul(o, own)), logPrior(site, setting, o))
      },
      sample: (key, [a], count) => draw(key, a!, elements, site.size, settings.logitsClip, count),
      logDensity: ([a], values) => {
        const logs = logProbabilities(a!, site.size, settings.logitsClip)
        return fill(values.length / elements, (index) => {
          let log = 0
          for (let i = 0; i < elements; i++) {
            const value = values[index * elements + i]!
            if (!Number.isNaN(value)) log += logs[i * site.size + value]!
          }
          return log
        })
      },
      score: ([a], values, weights) => {
        const logs = logProbabilities(a!, site.size, settings.logitsClip)
        const sums = new Float64Array(logs.length)
        for (let draw = 0; draw < weights.length; draw++)
          for (let i = 0; i < elements; i++) {
            const value = values[draw * elements + i]!
            if (Number.isNaN(value)) continue
            for (let k = 0; k < site.size; k++) {
              const at = i * site.size + k
              sums[at]! += weights[draw]! * (Number(k === value) - Real.exp(logs[at]!))
            }
          }
        // Clamped logits have the slope 0.
        return [sums.map((sum, at) => (Math.abs(a![at]!) > settings.logitsClip ? 0 : sum))]
      },
      project: ([a], { values, weights }, rate) => {
        const mass = logProbabilities(a!, site.size, settings.logitsClip).map(
          (log) => (1 - rate) * Real.exp(log),
        )
        for (let index = 0; index < weights.length; index++)
          for (let i = 0; i < elements; i++) {
            const value = values[index * elements + i]!
            if (!Number.isNaN(value)) mass[i * site.size + value]! += rate * weights[index]!
          }
        return [logitsOf(mass, a!, site.size, settings.logitsClip)]
      },
    }
  }

/** log softmax of clamped logits, row by row of `categories`. */
export const logProbabilities = (
  logits: ArrayLike<number>,
  categories: number,
  clip: number,
): Float64Array => {
  const out = new Float64Array(logits.length)
  for (let base = 0; base < out.length; base += categories) {
    let total = 0
    for (let k = 0; k < categories; k++) {
      out[base + k] = clamped(logits[base + k]!, clip)
      total += Real.exp(out[base + k]!)
    }
    for (let k = 0; k < categories; k++) out[base + k]! -= Real.log(total)
  }
  return out
}

/**
 * The logits in [-clip, clip] that come closest to masses, row by row of `categories`: the probabilities of one row are
 * exact where none is exp(2 clip) times another. Rows without mass do not change.
 */
export const logitsOf = (
  mass: ArrayLike<number>,
  before: ArrayLike<number>,
  categories: number,
  clip: number,
): Float64Array => {
  const out = new Float64Array(mass.length)
  for (let base = 0; base < out.length; base += categories) {
    let high = -Infinity
    let low = Infinity
    for (let k = 0; k < categories; k++) {
      const log = Real.log(mass[base + k]!)
      high = Math.max(high, log)
      low = Math.min(low, log)
    }
    const middle = high - low <= 2 * clip ? (high + low) / 2 : high - clip
    for (let k = 0; k < categories; k++)
      out[base + k] =
        high === -Infinity ? before[base + k]! : clamped(Real.log(mass[base + k]!) - middle, clip)
  }
  return out
}

/** log w of the prior's weights; undefined where these are another site's value. */
export const priorLogWeights = <T>(
  site: FactorSite<"categorical">,
  A: Algebra<T>,
  constant: Constant<T>,
): T | undefined => {
  const priors = knownPriors(site)
  if (priors.length === 0) return undefined
  // The mean of any categorical distribution is its weights. An impossible category costs 85 nats (see
  // `Categorical.logWeights`): q gives weight to all categories, and the divergence must stay finite.
  const weights = priors.flatMap((one) => one.mean())
  return Weights.logWeights(A)(
    constant(weights, [...(site.prior._tag === "Each" ? [priors.length] : []), site.size]),
  )
}

/** E[log w] of a categorical prior whose weights are another site's value, where that site's factor gives it. */
export const expectedLogWeights = <T>(
  { prior }: FactorSite<"categorical">,
  parent: (name: string) => Moments<T>,
): T | undefined => {
  if (prior._tag === "Each") return undefined
  const weights = Weights.of.declaredOf(prior.dist)?.weights
  return isSym(weights) ? parent(weights.site).log : undefined
}

/** Exact draws by inversion of each element's cumulative probabilities. */
const draw = (
  key: Rng.Key,
  logits: ArrayLike<number>,
  elements: number,
  categories: number,
  clip: number,
  count: number,
): Float64Array => {
  const cumulative = new Float64Array(elements * categories)
  for (let element = 0; element < elements; element++) {
    let total = 0
    for (let k = 0; k < categories; k++) {
      total += Real.exp(Math.max(-clip, Math.min(clip, logits[element * categories + k]!)))
      cumulative[element * categories + k] = total
    }
    for (let k = 0; k < categories; k++) cumulative[element * categories + k]! /= total
  }
  const generator = Rng.generator(key)
  const out = new Float64Array(count * elements)
  for (let i = 0; i < out.length; i++) {
    const base = (i % elements) * categories
    const u = generator.next()
    let k = 0
    while (k < categories - 1 && u >= cumulative[base + k]!) k++
    out[i] = k
  }
  return out
}
