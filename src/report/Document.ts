import * as Term from "../expr/Term.ts"
import type { Model as RankedModel } from "../rank/Model.ts"
import * as Inclusion from "../rank/Inclusion.ts"
import { paretoFront } from "../rank/paretoFront.ts"
import * as Prediction from "../rank/Prediction.ts"
import { equality } from "../rank/equality.ts"
import type { Document, Model, Origin } from "./DocumentSchema.ts"
import type * as CutText from "./CutText.ts"
import * as GroupText from "./GroupText.ts"
import * as HoleText from "./HoleText.ts"
import * as LawDocument from "./LawDocument.ts"
import * as Notations from "./Notations.ts"
import type { Trace } from "./Record.ts"
import type { Unseen } from "../rank/Unseen.ts"
import type { Units } from "../expr/Unit.ts"
import * as UnitsText from "./UnitsText.ts"
import * as UnseenText from "./UnseenText.ts"

export { Document } from "./DocumentSchema.ts"

/** The fields of a ranked model that a report needs. */
export type Ranked = Pick<
  RankedModel,
  | "link"
  | "expression"
  | "terms"
  | "coefficients"
  | "numbers"
  | "lmpse"
  | "logEvidence"
  | "logPrior"
  | "posterior"
  | "complexity"
  | "rmseTrain"
  | "rmseTest"
  | "rmseLoo"
> &
  Partial<Pick<RankedModel, "noise" | "probability" | "law" | "alike" | "known">> & {
    /** of a law over groups */
    readonly groups?: GroupText.Numbers | undefined
    /** of a law of a template */
    readonly parts?: HoleText.Parts | undefined
  }

/** The fields of a fit that a report needs; models come best first. */
export interface Fitted {
  readonly models: ReadonlyArray<Ranked>
  /** the mass of laws that are none of the models; undefined where probabilities are shares among draws */
  readonly unseen?: Unseen | undefined
  readonly objective: string
  readonly backend: string
  readonly seed: number
  readonly stopReason: string
  /** undefined for a fit with a limit of effort, which has the same document on every machine */
  readonly seconds: number | undefined
  /** the limit of time in seconds; undefined without one */
  readonly time?: number | undefined
  readonly steps: number
  /** the template that the laws are of, as it was written; undefined for laws of unknown form */
  readonly template?: ReadonlyArray<string> | undefined
  /** the training of a variational posterior; undefined for searches */
  readonly trained?: CutText.Trained | undefined
  /** how the search came to its best law; undefined where that was not recorded */
  readonly trace?: Trace | undefined
}

const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null

const noiseOf = (noise: Ranked["noise"]): Model["noise"] =>
  noise === undefined
    ? null
    : {
        kind: noise.kind,
        probability: noise.probability,
        sigma: finite(noise.sigma),
        wrongRows: noise.wrongRows.map((one) => ({
          ...one,
          law: finite(one.law),
          sigmas: finite(one.sigmas),
        })),
      }

/** The most laws that a law is said to stand for. */
const mostAlike = 10

const model = (
  ranked: Ranked,
  write: Notations.Writers,
  leads: boolean,
  units: ((ranked: Ranked) => ReadonlyArray<string | null>) | undefined,
): Model => ({
  ...Notations.of(write, ranked.expression),
  link: ranked.link.name,
  terms: ranked.terms.map((term) => write.infix(term)),
  coefficients: Array.from(ranked.coefficients),
  ...(units !== undefined && { coefficientUnits: units(ranked) }),
  numbers: ranked.numbers.map(({ value, error }) => ({ value, error: finite(error) })),
  lmpse: ranked.lmpse,
  logEvidence: ranked.logEvidence,
  logPrior: ranked.logPrior,
  posterior: ranked.posterior,
  probability: finite(ranked.probability),
  complexity: ranked.complexity,
  noise: noiseOf(ranked.noise),
  ...(ranked.groups !== undefined && { groups: GroupText.groups(ranked.groups, leads) }),
  ...(ranked.parts !== undefined && { parts: HoleText.parts(ranked.parts, write, leads) }),
  law: LawDocument.of(leads ? ranked.law?.() : undefined),
  alike: (leads ? (ranked.alike ?? []) : []).slice(0, mostAlike).map(({ expression }) => ({
    expression: write.infix(expression),
    equal: equality(expression, ranked.expression),
  })),
  ...(ranked.known !== undefined && { known: ranked.known }),
  rmseTrain: finite(ranked.rmseTrain),
  rmseTest: finite(ranked.rmseTest),
  rmseLoo: finite(ranked.rmseLoo),
})

/** The law of each output. */
const lawsOf = ({ expression, parts }: Pick<Ranked, "expression" | "parts">): ReadonlyArray<Term.Term> =>
  parts?.outputs.map((one) => one.expression) ?? [expression]

const unseenOf = ({ unseen, stopReason, template }: Fitted, target: string): Document["unseen"] => {
  if (unseen === undefined) return null
  const { restarts, agreeing, exhausted, scored, misfit = null } = unseen.signs
  const text = UnseenText.lines(unseen, stopReason, target, template && "of a hole")
  return { probability: unseen.probability, restarts, agreeing, exhausted, scored, misfit, text }
}

/**
 * A fit as a JSON document, or undefined when no model was ranked.
 *
 * @param units those of the columns: the coefficients of each law have theirs
 */
export const make = (
  fitted: Fitted,
  target: string,
  origin: Origin = {},
  units?: Units,
): Document | undefined => {
  const write = Notations.writers()
  const leading = new Set(
    Prediction.leading(fitted.models.map((ranked) => ({ ranked, probability: ranked.posterior }))).map(
      ({ ranked }) => ranked,
    ),
  )
  const unitsOf = units && ((ranked: Ranked) => UnitsText.texts(ranked, target, units))
  const models = fitted.models.map((ranked) => model(ranked, write, leading.has(ranked), unitsOf))
  const [best] = models
  if (best === undefined) return undefined
  const { objective, backend, seed, stopReason, seconds, steps } = fitted
  const features = [
    ...new Set(
      fitted.models.flatMap(({ groups, ...one }) =>
        lawsOf(one)
          .flatMap(Term.variables)
          .filter((one) => !groups?.varying.some(({ name }) => name === one)),
      ),
    ),
  ]
  const { columns, operations, subterms } = Inclusion.make(
    [...leading].map(({ probability, posterior, ...one }) => ({
      expressions: lawsOf(one),
      posterior: probability ?? posterior,
    })),
    features,
  )
  return {
    ...origin,
    ...(fitted.template !== undefined && { template: [...fitted.template] }),
    target,
    objective,
    backend,
    seed,
    stopReason,
    seconds: seconds ?? null,
    steps,
    best,
    unseen: unseenOf(fitted, target),
    inclusion: {
      // Names of numbers that vary between groups are no columns.
      columns: columns.flatMap(({ part, probability }) =>
        features.includes(part) ? [{ name: part, probability }] : [],
      ),
      operations: operations.map(({ part, probability }) => ({ name: part, probability })),
      subterms: subterms.map(({ part, probability }) => ({ expression: write.infix(part), probability })),
    },
    front: paretoFront(fitted.models).map((one) => fitted.models.indexOf(one)),
    models,
  }
}

const requireFinite = (numbers: ReadonlyArray<number>): void => {
  for (const value of numbers)
    if (!Number.isFinite(value)) throw new RangeError(`a document holds finite numbers only, not ${value}`)
}

/**
 * The document as JSON text. Encoding by the schema gives the same text, but takes many times as long for a thousand
 * models.
 *
 * @throws RangeError for a number that is not finite: JSON has none
 */
export const toJson = (document: Document): string => {
  const { best, models, seed, seconds, steps } = document
  requireFinite([seed, seconds ?? 0, steps])
  for (const { coefficients, lmpse, logEvidence, logPrior, posterior, complexity } of [best, ...models]) {
    requireFinite(coefficients)
    requireFinite([lmpse, logEvidence, logPrior, posterior, complexity])
  }
  return JSON.stringify(document)
}

/** The models as rows of a CSV file, a header first. */
export const modelRows = (document: Document): ReadonlyArray<ReadonlyArray<string | number>> => [
  [
    "rank",
    "lmpse",
    "log_evidence",
    "log_prior",
    "posterior",
    "probability",
    "rmse_train",
    "rmse_test",
    "rmse_loo",
    "complexity",
    "expression",
    "sympy",
  ],
  ...document.models.map((one, index) => [
    index + 1,
    one.lmpse,
    one.logEvidence,
    one.logPrior,
    one.posterior,
    one.probability ?? "",
    one.rmseTrain ?? "",
    one.rmseTest ?? "",
    one.rmseLoo ?? "",
    one.complexity,
    one.expression,
    one.sympy,
  ]),
]
