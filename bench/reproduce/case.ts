/**
 * Cases of experiments, as plain data: a case is one line of a file of results and can be posted to another process. Settings
 * that are left out are those that the paper publishes.
 */
import type { Settings } from "../library/settings.ts"
import type { Features } from "../problems.ts"

/** The data set of a case. */
export interface DataOf {
  readonly problem: string
  readonly features: Features
  /** standard deviation of the noise, in units of y */
  readonly noise: number
  /** of the data and of the fit */
  readonly seed: number
  /** 90 % to fit, 10 % to test; 2,000 if left out */
  readonly rows?: number
  /** in place of the problem's */
  readonly operators?: ReadonlyArray<string>
  /** in place of the problem's: of every variable */
  readonly range?: readonly [low: number, high: number]
}

/** A fit of VaSST, by what is different from the published settings. */
export interface FitCase extends DataOf {
  readonly kind: "fit"
  readonly settings: Partial<Settings>
  /** how many models of the ranking are kept; 1 if left out */
  readonly top?: number
}

/** A fit on the reduced features, which is what the paper's tables are of. */
export const fitOf = (data: Omit<DataOf, "features">, settings: Partial<Settings> = {}): FitCase => ({
  kind: "fit",
  features: "reduced",
  ...data,
  settings,
})

/** Gradient variance and the time of a pass, before and after training, at one depth. */
export interface GradientCase extends DataOf {
  readonly kind: "gradient"
  readonly depth: number
}

/** A fit of another system, in a process of its own. */
export interface PeerCase extends DataOf {
  readonly kind: "peer"
  readonly peer: string
}

export type Case = FitCase | GradientCase | PeerCase

/** A model as a result has it. */
export interface Found {
  /** solved for y, over the features; constants to ten digits */
  readonly expression: string
  readonly found: boolean
  readonly alone: boolean
  /** null where none of the drawn ensembles is a model, and the mean of y stands for one */
  readonly lmpse: number | null
  readonly complexity: number
  readonly rmseTrain: number
  readonly rmseTest: number
}

/** What a fit of VaSST gave. */
export interface FitResult {
  readonly best: Found
  /** the first of the same draws by the hyper-g/n evidence in place of the paper's; only where there are draws */
  readonly other?: Found
  /** whether any of the ensembles that were ranked holds the law */
  readonly within: boolean
  /** distinct ensembles that were ranked */
  readonly distinct: number
  /** the first of the ranking, where more than one was asked for */
  readonly top?: ReadonlyArray<Found>
  /** the largest change of a logit; only where there was training */
  readonly moved?: number
  /** means of the ELBO over the first and the last 50 steps; of the first restart */
  readonly elbo?: readonly [number, number]
  /** CPU seconds of fit and ranking, start of the process excluded */
  readonly cpu: number
}

/** Variance of the gradient at one temperature and number of samples (Eq. var-summary). */
export interface Variance {
  readonly trained: boolean
  readonly temperature: number
  readonly samples: number
  readonly coordinate: number
  readonly total: number
}

export interface GradientResult {
  readonly parameters: number
  readonly variances: ReadonlyArray<Variance>
  /** milliseconds of CPU time of a forward-backward pass with S = 8, the median of many */
  readonly pass: { readonly before: number; readonly after: number }
}

/** What another system gave. */
export interface PeerResult {
  /** as SymPy reads it */
  readonly expression: string
  readonly rmseTrain: number | null
  readonly rmseTest: number | null
  /** as the system counts */
  readonly complexity: number | null
  readonly cpu: number
  /** whether it was stopped before its configuration was through */
  readonly capped: boolean
  readonly note: string
  /** what it is and which version */
  readonly version: string
}

/** One line of a file of results. */
export interface Line<C extends Case = Case, R = unknown> {
  readonly case: C
  /** what the case was run with */
  readonly by: string
  readonly result?: R
  /** why there is no result */
  readonly error?: string
}

/** Cases are equal when their keys are: neither the order of properties matters nor the number of models kept. */
export const keyOf = (one: Case): string =>
  JSON.stringify({ ...one, top: undefined }, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
