import * as Result from "effect/Result"
import type { SettingError } from "../errors/Setting.ts"
import type { Operator } from "../expr/Operator.ts"
import { definitions } from "../expr/text/definition.ts"
import type { Term } from "../expr/Term.ts"
import { infix } from "../expr/text/infix.ts"
import { parse, type TermParseError } from "../expr/text/parse.ts"
import type { Document } from "./Document.ts"
import * as FormulaText from "./FormulaText.ts"
import * as GroupText from "./GroupText.ts"
import * as HoleText from "./HoleText.ts"
import * as KnownText from "./KnownText.ts"
import * as LawDocument from "./LawDocument.ts"
import * as Table from "./Table.ts"

/** The number of laws that are shown, and the number of operations and of parts of formulas. */
const [usual, parts] = [10, 8]
/** The least probability of a part that is shown. */
const least = 0.01

/** How laws of one class are equal, in words. */
const equal = {
  "normal form": "the same by normal form",
  form: "the same form with numbers a little apart",
  rows: "the same values on the rows",
} as const

/** A formula with numbers of four digits. */
const shortWith =
  (operators: ReadonlyArray<Operator>) =>
  (text: string): Result.Result<string, TermParseError> =>
    Result.map(parse(text, { operators }), (term) => infix(term, { precision: 4 }))

/**
 * The posterior of a run for people, a line each: the laws with their probabilities, the numbers of the best, the inclusion
 * probabilities of columns, operations and parts, the laws that no simpler law beats in evidence, and those that the best stands for.
 *
 * Fails for a law with operators that neither ship nor are defined in the document.
 */
export const lines = (
  { target, models, best, inclusion, front, unseen, operators: own = [] }: Document,
  { all, width }: { readonly all: boolean; readonly width: number | undefined },
): Result.Result<ReadonlyArray<string>, TermParseError | SettingError> =>
  Result.gen(function* () {
    const operators = yield* definitions(own)
    const short = shortWith(operators)
    const texts = yield* Result.all(models.map(({ expression }) => short(expression)))
    const laws = yield* Result.all(
      (best.parts?.outputs ?? [{ target, law: best.law }]).flatMap(({ target: own, law }) =>
        law === null
          ? []
          : [Result.map(LawDocument.read(law, operators), (found) => ({ target: own, law: found }))],
      ),
    )
    // Outputs share their numbers.
    const numbers = laws[0]?.law
    const several = (best.parts?.outputs.length ?? 1) > 1
    const told = yield* Result.all(
      models.map(({ parts: own }) =>
        own === undefined ? Result.succeed(undefined) : HoleText.read(own, operators),
      ),
    )
    const write = (term: Term): string => infix(term, { precision: 4 })
    /** The law of a place in a table. */
    const textOf = (place: number): string => {
      const own = several ? told[place] : undefined
      return own === undefined ? texts[place]! : HoleText.line(own, write)
    }
    const found = inclusion.subterms.filter((one) => one.probability >= least).slice(0, parts)
    const subterms = yield* Result.all(found.map(({ expression }) => short(expression)))
    const alike = yield* Result.all(best.alike.map(({ expression }) => short(expression)))
    const named = (kind: string, list: typeof inclusion.columns) =>
      list
        .filter((one) => one.probability >= least)
        .slice(0, parts)
        .map((one) => [`${kind} ${one.name}`, Table.probability(one.probability)])
    return [
      ...Table.render(
        [
          { title: "rank", align: "right" },
          { title: "log posterior", align: "right" },
          { title: "probability", align: "right" },
          { title: "complexity", align: "right" },
          { title: several ? "holes" : target, align: "left", cut: true },
        ],
        models
          .slice(0, all ? undefined : usual)
          .map(({ lmpse, posterior, probability: own, complexity }, index) => [
            String(index + 1),
            lmpse.toFixed(2),
            Table.probability(own ?? posterior),
            String(complexity),
            textOf(index),
          ]),
        width,
      ),
      ...(unseen === null ? [] : ["", ...unseen.text]),
      ...(numbers === undefined || numbers.names.length === 0
        ? []
        : [
            "",
            ...laws.map((one) => `${one.target} = ${infix(one.law.formula)}`),
            ...FormulaText.numbers(numbers),
          ]),
      ...(told[0] === undefined ? [] : ["", ...HoleText.lines(told[0], write)]),
      ...(best.groups === undefined ? [] : GroupText.lines(best.groups)),
      ...KnownText.lines(best.known),
      ...alike.map((text, k) => `also found as ${text} (${equal[best.alike[k]!.equal]})`),
      ...(inclusion.columns.length === 0
        ? []
        : [
            "",
            ...Table.render(
              [
                { title: "part of the law", align: "left", cut: true },
                { title: "probability", align: "right" },
              ],
              [
                ...named("column", inclusion.columns),
                ...named("operation", inclusion.operations),
                ...found.map((one, k) => [subterms[k]!, Table.probability(one.probability)]),
              ],
              width,
            ),
          ]),
      "",
      ...Table.render(
        [
          { title: "complexity", align: "right" },
          { title: "log evidence", align: "right" },
          { title: "no law as simple has more evidence", align: "left", cut: true },
        ],
        front.map((place) => [
          String(models[place]!.complexity),
          models[place]!.logEvidence.toFixed(2),
          textOf(place),
        ]),
        width,
      ),
    ]
  })
