import type { Algebra } from "../../numeric/Algebra.ts"
import * as Coin from "../../prob/dist/Bernoulli.ts"
import type { Factor, FactorSite } from "../../prob/Factor.ts"
import * as Rng from "../../random/Rng.ts"
import { product } from "../../numeric/Nd.ts"
import * as Real from "../../numeric/Real.ts"
import { divergence, drawOf, knownPriors, logPrior } from "./divergence.ts"
import { fill, scattered } from "./Initial.ts"

/** Settings of the factors of discrete sites. */
export interface LogitSettings {
  /** logits are clamped to [-c, c] wherever they are used (the paper has c = 10) */
  readonly logitsClip: number
  /** standard deviation of the noise that is added to the initial logits, to break their symmetry */
  readonly initialScale: number
}

/** Clamps logits; the gradient is 0 outside. */
export const clamp = <T>(A: Algebra<T>, logits: T, limit: number): T => A.clamp(logits, -limit, limit)

export const clamped = (logit: number, limit: number): number => Math.max(-limit, Math.min(limit, logit))

const logit = (p: number): number => Real.log(p) - Real.log1p(-p)

/** The prior's probabilities, one for the site or one for each element of its innermost axis; undefined if latent. */
const priorProbabilities = (site: FactorSite<"binary">): ReadonlyArray<number> | undefined => {
  const priors = knownPriors(site)
  // The mean of any distribution on {0, 1} is its probability.
  return priors.length === 0 ? undefined : priors.map((one) => one.mean()[0] ?? Number.NaN)
}

/**
 * q(e) = Ber(sigmoid(l)) with one logit l for each element (Eq. mean-field-variational-family). Starts at the
 * prior's probabilities.
 */
export const bernoulli =
  (settings: LogitSettings) =>
  (site: FactorSite<"binary">): Factor<"binary"> => {
    const known = priorProbabilities(site)
    const length = product(site.shape)
    const logits = <T>(A: Algebra<T>, parameter: T): T => clamp(A, parameter, settings.logitsClip)
    return {
      name: "Bernoulli(logit)",
      support: "binary",
      parameters: [
        {
          name: "logit",
          shape: site.shape,
          initialise: scattered((known ?? [0.5]).map(logit), length, settings.initialScale),
        },
      ],
      noise: [{ kind: "logistic", shape: site.shape }],
      draw: (A, [l], [noise], relaxation, temperature) =>
        relaxation.binary(A, logits(A, l!), noise!, temperature),
      moments: (A, [l]) => ({ mean: A.sigmoid(logits(A, l!)) }),
      divergence: (A, constant, [l], parent, draws) => {
        const q = logits(A, l!)
        if (known !== undefined)
          return A.sumAll(Coin.klLogits(A)(q, constant(known.map(logit), [known.length])))
        return divergence(
          site,
          { A, constant, parent, draws },
          { moments: { mean: A.sigmoid(q) }, entropy: Coin.entropyLogits(A)(q) },
        )
      },
      drawnDivergence: (A, constant, [l], _, parent, draws) => {
        const q = logits(A, l!)
        const e = drawOf(site, draws)
        const log = A.binary.sub(A.binary.mul(e, q), A.softplus(q))
        return A.binary.sub(log, logPrior(site, { A, constant, parent, draws }, e))
      },
      sample: (key, [l], count) => {
        const generator = Rng.generator(key)
        return fill(count * length, (i) => {
          const value = clamped(l![i % length]!, settings.logitsClip)
          return generator.next() < 1 / (1 + Real.exp(-value)) ? 1 : 0
        })
      },
      logDensity: ([l], values) =>
        fill(values.length / length, (draw) => {
          let log = 0
          for (let i = 0; i < length; i++) {
            const value = values[draw * length + i]!
            if (Number.isNaN(value)) continue
            const own = clamped(l![i]!, settings.logitsClip)
            log -= Real.log1p(Real.exp(value === 1 ? -own : own))
          }
          return log
        }),
      score: ([l], values, weights) => [
        fill(length, (i) => {
          const own = l![i]!
          // Clamped logits have the slope 0.
          if (Math.abs(own) > settings.logitsClip) return 0
          const p = 1 / (1 + Real.exp(-own))
          let sum = 0
          for (let draw = 0; draw < weights.length; draw++) {
            const value = values[draw * length + i]!
            if (!Number.isNaN(value)) sum += weights[draw]! * (value - p)
          }
          return sum
        }),
      ],
      project: ([l], { values, weights }, rate) => [
        fill(length, (i) => {
          const before = clamped(l![i]!, settings.logitsClip)
          let ones = (1 - rate) / (1 + Real.exp(-before))
          let zeros = (1 - rate) / (1 + Real.exp(before))
          for (let draw = 0; draw < weights.length; draw++) {
            const value = values[draw * length + i]
            if (value === 1) ones += rate * weights[draw]!
            else if (value === 0) zeros += rate * weights[draw]!
          }
          return ones + zeros === 0 ? before : clamped(Real.log(ones / zeros), settings.logitsClip)
        }),
      ],
    }
  }
