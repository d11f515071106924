import * as Schema from "effect/Schema"
import * as GroupText from "./GroupText.ts"
import * as HoleText from "./HoleText.ts"
import * as LawDocument from "./LawDocument.ts"
import * as Notations from "./Notations.ts"

/** A ranked model in a document. */
export const Model = Schema.Struct({
  ...Notations.fields,
  /** the function of the response that is linear in the terms, by name; "identity" without one */
  link: Schema.String,
  /** the terms of the coefficients after the first, in infix */
  terms: Schema.Array(Schema.String),
  /** posterior means, intercept first, on the scale of the link */
  coefficients: Schema.Array(Schema.Finite),
  /** the unit of each coefficient in base units, null where it may have any; absent where columns have no units */
  coefficientUnits: Schema.optionalKey(Schema.Array(Schema.NullOr(Schema.String))),
  /** the fitted numbers of the expression and their standard errors, in its order; null for a number that the data do not determine */
  numbers: Schema.Array(Schema.Struct({ value: Schema.Finite, error: Schema.NullOr(Schema.Finite) })),
  lmpse: Schema.Finite,
  logEvidence: Schema.Finite,
  logPrior: Schema.Finite,
  /** the share among the models ranked */
  posterior: Schema.Finite,
  /** the probability that this is the law: with `unseen` these sum to 1; null where the unseen is not known */
  probability: Schema.NullOr(Schema.Finite),
  complexity: Schema.Finite,
  /** the kind of noise that explains the rows best, and rows that are wrong; null where the model has one kind */
  noise: Schema.NullOr(
    Schema.Struct({
      kind: Schema.String,
      probability: Schema.Finite,
      sigma: Schema.NullOr(Schema.Finite),
      /** row: its number in the table, from 1, without the header */
      wrongRows: Schema.Array(
        Schema.Struct({
          row: Schema.Finite,
          value: Schema.Finite,
          law: Schema.NullOr(Schema.Finite),
          sigmas: Schema.NullOr(Schema.Finite),
          probability: Schema.Finite,
        }),
      ),
    }),
  ),
  /** the numbers of a law over groups that vary between groups; absent of other laws */
  groups: Schema.optionalKey(GroupText.Groups),
  /** the functions in the holes of a template, and the law of each of its outputs; absent of other laws */
  parts: Schema.optionalKey(HoleText.Schemas),
  /** the law with its numbers' covariance and its noise, of the most probable models; null for others, and without a noise scale */
  law: Schema.NullOr(LawDocument.Law),
  /** the laws that this one stands for: equal by normal form, of one form with numbers a little apart, or equal on the rows (`rank/equality`) */
  alike: Schema.Array(
    Schema.Struct({ expression: Schema.String, equal: Schema.Literals(["normal form", "form", "rows"]) }),
  ),
  /** the names of laws that have its form; absent where none have it, and in older runs */
  known: Schema.optionalKey(Schema.Array(Schema.String)),
  rmseTrain: Schema.NullOr(Schema.Finite),
  rmseTest: Schema.NullOr(Schema.Finite),
  /** the leave-one-out error on the training data */
  rmseLoo: Schema.NullOr(Schema.Finite),
})

/** The origin of a run: its data by fingerprints, columns made of others, and operators of the user's own. */
const origin = {
  /** the columns that were read, the target last; equal columns have equal fingerprints. Absent in older runs */
  data: Schema.optionalKey(
    Schema.Struct({
      rows: Schema.Finite,
      /** the number of rows that were set aside to test the laws */
      tested: Schema.Finite,
      columns: Schema.Array(Schema.Struct({ name: Schema.String, fingerprint: Schema.String })),
    }),
  ),
  /** the number of the bootstrap replica of the table that was fitted, from 1; absent of the table itself */
  replica: Schema.optionalKey(Schema.Finite),
  /** columns that are formulas over others, as `name=formula` */
  derived: Schema.optionalKey(Schema.Array(Schema.String)),
  /** operators of the user's own, as `gauss(x) = exp(-x^2)` */
  operators: Schema.optionalKey(Schema.Array(Schema.String)),
}
const Origin = Schema.Struct(origin)
export type Origin = typeof Origin.Type

/** The schema of the output of `vasst fit --json`: JSON without NaN; an error that is not finite is null. */
export const Document = Schema.Struct({
  ...origin,
  /** the template that the laws are of, a text for each output, the target first; absent of laws of unknown form */
  template: Schema.optionalKey(Schema.Array(Schema.String)),
  target: Schema.String,
  objective: Schema.String,
  backend: Schema.String,
  seed: Schema.Finite,
  stopReason: Schema.String,
  /** null for a fit with a limit of effort, whose document is the same on every machine */
  seconds: Schema.NullOr(Schema.Finite),
  steps: Schema.Finite,
  best: Model,
  /** the probability that the law is none of the models, and what it follows from; null where it is not known */
  unseen: Schema.NullOr(
    Schema.Struct({
      probability: Schema.Finite,
      restarts: Schema.Finite,
      /** restarts that ended at the best score */
      agreeing: Schema.Finite,
      /** every term of at most this number of nodes was scored; rare operators count more */
      exhausted: Schema.Finite,
      scored: Schema.Finite,
      /** the strongest sign that residuals are not noise; null where they cannot be tested */
      misfit: Schema.NullOr(
        Schema.Struct({ test: Schema.String, along: Schema.String, pValue: Schema.Finite }),
      ),
      /** the same in words */
      text: Schema.Array(Schema.String),
    }),
  ),
  /** posterior probabilities that the law has a column, an operation, or a part whatever its numbers are; largest first */
  inclusion: Schema.Struct({
    columns: Schema.Array(Schema.Struct({ name: Schema.String, probability: Schema.Finite })),
    operations: Schema.Array(Schema.Struct({ name: Schema.String, probability: Schema.Finite })),
    subterms: Schema.Array(Schema.Struct({ expression: Schema.String, probability: Schema.Finite })),
  }),
  /** places in `models`, from 0, of the laws that no law as simple beats in log evidence, the simplest first */
  front: Schema.Array(Schema.Finite),
  /** all models ranked, best first */
  models: Schema.Array(Model),
})

export type Document = typeof Document.Type
export type Model = typeof Model.Type
