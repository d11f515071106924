import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Algebra } from "../numeric/Algebra.ts"
import type { SoftTrees } from "./engines/Engine.ts"
import type { Schedule } from "./Schedule.ts"

/** The relaxation of discrete draws, and its temperature at each step. */
export class Relaxation extends Context.Service<
  Relaxation,
  { readonly soft: SoftTrees; readonly temperature: Schedule }
>()("vasst/vi/Relaxation") {}

/** Settings of `concrete` and `straightThrough`. */
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
        return through(A, above(A, z), A.sigmoid(A.binary.div(z, temperature)))
      },
      categorical: (A, logits, gumbel, temperature) => {
        const z = A.binary.add(logits, gumbel)
        const sharp = A.softmaxLast(A.binary.mul(z, A.literal(sharpness)))
        const largest = above(A, A.binary.sub(sharp, A.literal(0.5)))
        return through(A, largest, A.softmaxLast(A.binary.div(z, temperature)))
      },
    },
  })
