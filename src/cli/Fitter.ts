import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Name } from "../evidence/Noise.ts"
import type { Appearance } from "./AppearanceFlags.ts"
import type { Link } from "../prob/Link.ts"
import type { Operator, ShippedName } from "../expr/Operator.ts"
import type { Fitted } from "../report/Document.ts"
import type { Form } from "./TemplateFlags.ts"
import type { Units } from "../expr/Unit.ts"
import type { Dataset } from "../data/Data.ts"
import type { BackendError, CompileError, DataError, FitError } from "../errors/Errors.ts"
import type { Report } from "../report/Progress.ts"

/** The backends that can be asked for. */
export const backends = ["auto", "simd", "tensorflow", "wasm", "cpu"] as const

export const objectives = ["inclusive", "elbo"] as const

/** The settings of a fit on the command line, for any objective. An undefined setting has the library's default. */
export interface Common {
  readonly operators: ReadonlyArray<ShippedName> | undefined
  /** operators of the user's own, which come besides */
  readonly own?: ReadonlyArray<Operator> | undefined
  readonly trees: number | undefined
  readonly depth: number | undefined
  readonly testFraction: number | undefined
  /** seconds */
  readonly time: number | undefined
  readonly seed: number | undefined
  /** the database whose workers make restarts, too; undefined where none do, or, inside, where the environment names it */
  readonly cluster?: { readonly url: string | undefined } | undefined
}

/** A search over hard ensembles: `Law.fit`. */
export interface Inclusive extends Common {
  readonly objective: "inclusive"
  /** the most ensembles that are scored */
  readonly effort: number | undefined
  /** the number of threads */
  readonly workers: number | undefined
  readonly links: ReadonlyArray<Link> | undefined
  readonly constants: ReadonlyArray<number> | undefined
  /** standard deviation of the normal prior of numbers inside of terms */
  readonly fitted: number | undefined
  /** the kinds of noise that are possible; latent if undefined */
  readonly noise: ReadonlyArray<Name> | undefined
  /** the column of standard errors */
  readonly error: string | undefined
  /** the column of weights */
  readonly weights: string | undefined
  /** the column of groups; undefined for rows of one kind */
  readonly group: string | undefined
  /** a formula that the search begins with */
  readonly start: string | undefined
  /** what may appear in laws */
  readonly appearance?: Appearance | undefined
  /** the units of the columns; laws may add unlike quantities if undefined */
  readonly units?: Units | undefined
}

/** The paper's method: `Vasst.fit`. */
export interface Elbo extends Common {
  readonly objective: "elbo"
  readonly steps: number | undefined
  readonly draws: number | undefined
  readonly learningRate: number | undefined
  readonly backend: (typeof backends)[number] | undefined
}

/** The laws of a template: `TemplateLaw.fit`. */
export interface Templated extends Common {
  readonly objective: "template"
  readonly form: Form
  readonly effort: number | undefined
  readonly constants: ReadonlyArray<number> | undefined
  /** standard deviation of the normal prior of numbers inside of terms */
  readonly fitted: number | undefined
}

/** Which fit, and its settings. */
export type Settings = Inclusive | Elbo | Templated

/** How a fit talks with the terminal. */
export interface Hooks {
  /** told which backend the fit runs on before it starts, and why a faster one was passed over */
  readonly onBackend: (name: string, note: string | undefined) => void
  readonly onProgress: ((report: Report) => void) | undefined
  /** seconds of the time limit that reading took */
  readonly spent?: number | undefined
  /** aborted when the fit should stop early and rank the laws found so far */
  readonly stop: AbortSignal
}

export type Fit<S extends Settings> = (
  data: Dataset,
  settings: S,
  hooks: Hooks,
) => Effect.Effect<Fitted, DataError | CompileError | BackendError | FitError>

/** The part of the library that the command line needs; tests replace it by a fake without tensors. */
export class Fitter extends Context.Service<Fitter, { readonly fit: Fit<Settings> }>()("vasst/cli/Fitter") {}
