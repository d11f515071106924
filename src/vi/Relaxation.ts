import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Algebra } from "../numeric/Algebra.ts"
import * as Setting from "../errors/Setting.ts"
import * as ConditionalNoise from "./ConditionalNoise.ts"
import type { SoftTrees } from "./engines/Engine.ts"
import type { Schedule } from "./Schedule.ts"

/** The relaxation of discrete draws, and its temperature at each step. */
export class Relaxation extends Context.Service<
  Relaxation,
  { readonly soft: SoftTrees; readonly temperature: Schedule }
>()("vasst/vi/Relaxation") {}

/** Settings of all relaxations below. */
export interface Settings {
  /** tau at each step */
  readonly temperature: Schedule
  /**
   * c of c tanh(v / c) on the values of inner nodes, in units of the terminals; no clip if left out (the paper has 200)
   */
  readonly valueClip?: number
}

/**
 * The relaxation of the paper (Eq. continuous-relaxation): Binary-Concrete for binary sites, Gumbel-Softmax for
 * categorical ones (Maddison, Mnih and Teh 2017; Jang, Gu and Poole 2017), with one temperature for all sites.
 *
 *     e = sigmoid((l + logistic) / tau),   o = softmax((a + gumbel) / tau)
 */
export const concrete = (settings: Settings): Layer.Layer<Relaxation> =>
  Layer.succeed(Relaxation, {
    temperature: settings.temperature,
    soft: {
      valueClip: settings.valueClip,
      binary: (A, logits, logistic, temperature) =>
        A.sigmoid(A.binary.div(A.binary.add(logits, logistic), temperature)),
      categorical: (A, logits, gumbel, temperature) =>
        A.softmaxLast(A.binary.div(A.binary.add(logits, gumbel), temperature)),
    },
  })

/** `hard` in value, `soft` in slope. */
const through = <T>(A: Algebra<T>, hard: T, soft: T): T =>
  A.binary.add(A.stopGradient(hard), A.binary.sub(soft, A.stopGradient(soft)))

/** 1 where x is above 0, 0 below. */
const above = <T>(A: Algebra<T>, x: T): T =>
  A.binary.mul(A.literal(0.5), A.binary.add(A.unary.sign(x), A.literal(1)))

/** The factor by which logits are sharpened before the largest is found: float32 keeps differences of 1e-6. */
const sharpness = 1e6

/** 1 where perturbed logits are positive. */
const sideOf = <T>(A: Algebra<T>, logits: T, logistic: T): T => above(A, A.binary.add(logits, logistic))

/** The vertex of the largest perturbed logit. */
const vertexOf = <T>(A: Algebra<T>, logits: T, gumbel: T): T => {
  const sharp = A.softmaxLast(A.binary.mul(A.binary.add(logits, gumbel), A.literal(sharpness)))
  return above(A, A.binary.sub(sharp, A.literal(0.5)))
}

/**
 * The straight-through estimator over `concrete` (Bengio, Leonard and Courville 2013; Jang, Gu and Poole 2017): trees are
 * hard draws of the family, and gradients are those of the relaxed draws with the same noise. The objective is that of hard
 * trees, without the bias of mixtures; its gradient is biased, less so at high temperatures than it varies at low ones.
 *
 * *When to use*: to compare, where the relaxed objective rewards mixtures that no hard tree attains. Where the family cannot
 * hold the posterior the biased gradient may end in one mode, further off than `concrete` (decision 54);
 * `ScoreFunction.fit` has unbiased gradients.
 */
export const straightThrough = (settings: Settings): Layer.Layer<Relaxation> =>
  Layer.succeed(Relaxation, {
    temperature: settings.temperature,
    soft: {
      valueClip: settings.valueClip,
      binary: (A, logits, logistic, temperature) => {
        const z = A.binary.add(logits, logistic)
        return through(A, sideOf(A, logits, logistic), A.sigmoid(A.binary.div(z, temperature)))
      },
      categorical: (A, logits, gumbel, temperature) => {
        const z = A.binary.add(logits, gumbel)
        return through(A, vertexOf(A, logits, gumbel), A.softmaxLast(A.binary.div(z, temperature)))
      },
    },
  })

/** The mean of values, of which there is at least one. */
const meanOf = <T>(A: Algebra<T>, values: ReadonlyArray<T>): T =>
  A.binary.div(
    values.reduce((sum, value) => A.binary.add(sum, value)),
    A.literal(values.length),
  )

/** x, a constant to gradients, with the slope of `logits`, of which `still` is the value. */
const shifted = <T>(A: Algebra<T>, logits: T, still: T, x: T): T =>
  A.binary.add(logits, A.binary.sub(x, still))

/**
 * The Gumbel-Rao estimator (Paulus, Maddison and Krause 2021): trees are those of `straightThrough`, and their gradient is
 * its mean over K draws of the noise given the hard draw. It has the expectation of the straight-through gradient, the same
 * bias, and less variance, the less the larger K; the forest is evaluated once.
 *
 * *When to use*: in place of `straightThrough`, at low temperatures above all, where the bias is small and the variance large.
 *
 * The discrete sites of the family draw by one slot of logistic or Gumbel noise, of which K further copies are drawn
 * (`Plan.widened`).
 *
 * @param settings.samples K, a whole number from 1 on
 * @throws SettingError when `samples` is not a whole number from 1 on
 */
export const gumbelRao = (settings: Settings & { readonly samples: number }): Layer.Layer<Relaxation> =>
  Layer.succeed(Relaxation, {
    temperature: settings.temperature,
    soft: {
      valueClip: settings.valueClip,
      further: Setting.whole("the number of conditional draws", settings.samples, 1),
      binary: (A, logits, logistic, temperature, further) => {
        // Nothing of the noise has a slope: stopped here, it has no backward pass.
        const still = A.stopGradient(logits)
        const hard = sideOf(A, still, logistic)
        const soft = further.map((noise) => {
          const z = shifted(A, logits, still, ConditionalNoise.binary(A, still, hard, noise))
          return A.sigmoid(A.binary.div(z, temperature))
        })
        return through(A, hard, meanOf(A, soft))
      },
      categorical: (A, logits, gumbel, temperature, further) => {
        const own = A.logSoftmaxLast(logits)
        // As above.
        const still = A.stopGradient(own)
        const hard = vertexOf(A, still, gumbel)
        const soft = further.map((noise) => {
          const x = shifted(A, own, still, ConditionalNoise.categorical(A, still, hard, noise))
          return A.softmaxLast(A.binary.div(x, temperature))
        })
        return through(A, hard, meanOf(A, soft))
      },
    },
  })
