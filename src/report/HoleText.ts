import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { FittedLaw } from "../evidence/fitted/FittedLaw.ts"
import type { Operator } from "../expr/Operator.ts"
import type { Shape, Verdict } from "../expr/Shape.ts"
import type { Term } from "../expr/Term.ts"
import { parse, type TermParseError } from "../expr/text/parse.ts"
import * as ShapeText from "../expr/text/shape.ts"
import type { FittedNumber } from "../rank/FittedNumbers.ts"
import * as LawDocument from "./LawDocument.ts"
import * as Notations from "./Notations.ts"
import * as Table from "./Table.ts"

/** The parts of a law of a template, as a report needs them. */
export interface Parts {
  readonly holes: ReadonlyArray<{
    readonly name: string
    readonly arguments: ReadonlyArray<string>
    /** over the arguments */
    readonly term: Term
    readonly shapes: ReadonlyArray<{ readonly shape: Shape; readonly verdict: Verdict }>
  }>
  /** in the order of the template; the first is the target of the document */
  readonly outputs: ReadonlyArray<{
    readonly target: string
    readonly expression: Term
    readonly numbers: ReadonlyArray<FittedNumber>
    readonly law: () => FittedLaw
    readonly rmse: number
    readonly rmseLoo: number
  }>
}

const number = Schema.Struct({ value: Schema.Finite, error: Schema.NullOr(Schema.Finite) })

/** The same in a document. */
export const Schemas = Schema.Struct({
  holes: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      arguments: Schema.Array(Schema.String),
      ...Notations.fields,
      /** `expr/text/shape` reads each */
      shapes: Schema.Array(
        Schema.Struct({ shape: Schema.String, verdict: Schema.Literals(["proved", "refuted", "open"]) }),
      ),
    }),
  ),
  outputs: Schema.Array(
    Schema.Struct({
      target: Schema.String,
      ...Notations.fields,
      /** the fitted numbers of the expression, with the errors that all outputs together give them */
      numbers: Schema.Array(number),
      /** null for models that are not among the most probable */
      law: Schema.NullOr(LawDocument.Law),
      rmseTrain: Schema.NullOr(Schema.Finite),
      rmseLoo: Schema.NullOr(Schema.Finite),
    }),
  ),
})

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/**
 * The parts for a document.
 *
 * @param leads whether its laws are in it
 */
export const parts = (
  { holes, outputs }: Parts,
  write: Notations.Writers,
  leads: boolean,
): typeof Schemas.Type => ({
  holes: holes.map(({ name, arguments: args, term, shapes }) => ({
    name,
    arguments: [...args],
    ...Notations.of(write, term),
    shapes: shapes.map(({ shape, verdict }) => ({ shape: ShapeText.write(shape), verdict })),
  })),
  outputs: outputs.map(({ target, expression, numbers, law, rmse, rmseLoo }) => ({
    target,
    ...Notations.of(write, expression),
    numbers: numbers.map(({ value, error }) => ({ value, error: finite(error) })),
    law: LawDocument.of(leads ? law() : undefined),
    rmseTrain: finite(rmse),
    rmseLoo: finite(rmseLoo),
  })),
})

interface Signed {
  readonly name: string
  readonly arguments: ReadonlyArray<string>
}

const signed = ({ name, arguments: args }: Signed): string => `${name}(${args.join(", ")})`

/** The function in each hole on one line: `f(t) = 2*t; g(x) = x^2`. */
export const line = ({ holes }: Pick<Parts, "holes">, short: (term: Term) => string): string =>
  holes.map((hole) => `${signed(hole)} = ${short(hole.term)}`).join("; ")

/** The functions in holes with the verdicts on their shapes, and of several outputs the law of each with its errors: a line each. */
export const lines = (
  {
    holes,
    outputs,
  }: {
    readonly outputs: ReadonlyArray<
      Pick<Parts["outputs"][number], "target" | "expression" | "rmse" | "rmseLoo">
    >
  } & Pick<Parts, "holes">,
  short: (term: Term) => string,
): ReadonlyArray<string> => [
  ...(outputs.length === 1
    ? []
    : outputs.map(
        ({ target, expression, rmse, rmseLoo }) =>
          `${target} = ${short(expression)}, RMSE ${Table.significant(rmse, 4)}, leave-one-out ${Table.significant(rmseLoo, 4)}`,
      )),
  ...holes.map(
    (hole) =>
      `${signed(hole)} = ${short(hole.term)}${hole.shapes.map(({ shape, verdict }) => `; ${ShapeText.write(shape)}: ${verdict}`).join("")}`,
  ),
]

/**
 * The parts of a document's law, for its words.
 *
 * Fails for a formula with operators that are not known here.
 */
export const read = (
  { holes, outputs }: typeof Schemas.Type,
  operators: ReadonlyArray<Operator>,
): Result.Result<Parameters<typeof lines>[0], TermParseError> => {
  const term = (text: string): Result.Result<Term, TermParseError> => parse(text, { operators })
  const [terms, laws] = [holes, outputs].map((list) =>
    Result.all(list.map(({ expression }) => term(expression))),
  )
  return Result.map(Result.all([terms!, laws!]), ([ofHoles, ofOutputs]) => ({
    holes: holes.map((hole, h) => ({
      ...hole,
      term: ofHoles[h]!,
      shapes: hole.shapes.flatMap(({ shape, verdict }) =>
        Result.match(ShapeText.parse(shape, hole.arguments), {
          onFailure: () => [],
          onSuccess: (read) => [{ shape: read, verdict }],
        }),
      ),
    })),
    outputs: outputs.map(({ target, rmseTrain, rmseLoo }, k) => ({
      target,
      expression: ofOutputs[k]!,
      rmse: rmseTrain ?? Number.NaN,
      rmseLoo: rmseLoo ?? Number.NaN,
    })),
  }))
}
