import { paper } from "../../src/models/vasst.ts"

/** How a model is fitted and its draws are ranked; of the paper unless said otherwise. */
export interface Settings {
  /** the paper's ELBO over relaxed trees; the search over hard trees on the paper's model, or on `models/law` */
  readonly method: "elbo" | "collapsed" | "law"
  readonly trees: number
  readonly depth: number
  readonly rate: number
  /** steps of the optimiser over all restarts, or steps of the search */
  readonly steps: number
  /** fits that share steps and draws */
  readonly restarts: number
  readonly start: number
  readonly end: number
  /** the share of the steps over which the temperature falls */
  readonly annealing: number
  /** S */
  readonly samples: number
  /** H */
  readonly draws: number
  /** where the logits of splits start: at the prior's, or at a half */
  readonly splits: "prior" | "half"
  /** standard deviation of the initial logits about that */
  readonly scatter: number
  readonly valueClip: number | null
  readonly logitsClip: number | null
  /** steps over which the divergence comes in */
  readonly warmUp: number
  readonly decay: number
  /** prior variance of the coefficients, in units of sigma^2 */
  readonly sigma0: number
}

export const published: Settings = {
  method: "elbo",
  trees: paper.trees,
  depth: paper.depth,
  rate: paper.learningRate,
  steps: paper.steps,
  restarts: 1,
  start: paper.temperature.start,
  end: paper.temperature.end,
  annealing: paper.temperature.steps / paper.steps,
  samples: paper.samples,
  draws: paper.draws,
  splits: "prior",
  scatter: 0.01,
  valueClip: paper.valueClip,
  logitsClip: paper.logitsClip,
  warmUp: 0,
  decay: 0,
  sigma0: paper.coefficients.sigma0,
}
