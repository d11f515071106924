import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { SoftTrees } from "./engines/Engine.ts"
import type { Schedule } from "./Schedule.ts"

/** The relaxation of discrete draws, and its temperature at each step. */
export class Relaxation extends Context.Service<
  Relaxation,
  { readonly soft: SoftTrees; readonly temperature: Schedule }
>()("vasst/vi/Relaxation") {}

/**
 * The relaxation of the paper (Eq. continuous-relaxation): Binary-Concrete for binary sites, Gumbel-Softmax for
 * categorical ones (Maddison, Mnih and Teh 2017; Jang, Gu and Poole 2017), with one temperature for all sites.
 *
 *     e = sigmoid((l + logistic) / tau),   o = softmax((a + gumbel) / tau)
 *
 * @param settings.temperature tau at each step
 * @param settings.valueClip c of c tanh(v / c) on the values of inner nodes, in units of the terminals; no clip if left
 *   out (the paper has 200)
 */
export const concrete = (settings: {
  readonly temperature: Schedule
  readonly valueClip?: number
}): Layer.Layer<Relaxation> =>
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
