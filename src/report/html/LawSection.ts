import * as Table from "../Table.ts"
import { odds } from "../FormulaText.ts"
import * as KnownText from "../KnownText.ts"
import * as NoiseText from "../NoiseText.ts"
import type { Document, Model } from "../DocumentSchema.ts"
import { type Html, html, name, shortened } from "./Html.ts"
import { bars, type Run, type Section } from "./Section.ts"
import * as Typeset from "./Typeset.ts"

/** The laws that are shown by themselves. */
const shown = 8
/** Between these probabilities the data have not decided whether a part is in the law. */
const [little, nearly] = [0.05, 0.95]

/** The probability that a model is the law, or its share among the models. */
export const probabilityOf = ({ probability, posterior }: Model): number => probability ?? posterior

/** A formula of a list, with few digits. */
export const short = (model: Model, operators: Run["operators"]): Html =>
  Typeset.mathematics(
    Typeset.formula(model.expression, model.numbers, {
      latex: model.latex,
      least: 4,
      operators,
      varying: model.groups?.numbers.map((one) => one.name) ?? [],
    }),
    model.expression,
  )

/** The best law, large. */
export const hero = ({ document, operators }: Run): Html => {
  const { best, target } = document
  const text = `${shortened(target)} = ${shortened(best.expression, 500)}`
  const latex = Typeset.formula(best.expression, best.numbers, {
    latex: best.latex,
    operators,
    varying: best.groups?.numbers.map((one) => one.name) ?? [],
  })
  return html`<div class="law" tabindex="0" role="group" aria-label="the law">
      ${Typeset.mathematics(`${Typeset.symbolOf(target)} = ${latex}`, text)}
    </div>
    ${(best.parts?.holes ?? []).map((hole) => holeOf(hole, best.numbers, operators))}`
}

/** The function in a hole of a template, with the verdicts on its shapes. */
const holeOf = (
  { name: own, arguments: args, expression, latex, shapes }: NonNullable<Model["parts"]>["holes"][number],
  numbers: Model["numbers"],
  operators: Run["operators"],
): Html => {
  const left = `${own}(${args.join(", ")})`
  const symbols = `${Typeset.symbolOf(own)}(${args.map(Typeset.symbolOf).join(", ")})`
  const words = shapes.map(({ shape, verdict }) => `; ${shape}: ${verdict}`).join("")
  return html`<p>
    ${Typeset.mathematics(
      `${symbols} = ${Typeset.formula(expression, numbers, { latex, operators })}`,
      `${shortened(left)} = ${shortened(expression, 500)}`,
    )}${words}
  </p>`
}

/** The named laws that have the form of the best law, in a sentence; none where it has a form of its own. */
export const known = ({ best }: Document): ReadonlyArray<string> => KnownText.lines(best.known)

/** A probability as people say it, on one line. */
export const percent = (probability: number): string => {
  if (probability > 0.999) return "more than 99.9\u00a0%"
  if (probability < 0.001) return "less than 0.1\u00a0%"
  return `${Table.significant(100 * probability, probability > 0.99 ? 3 : 2)}\u00a0%`
}

/** The noise of the best law in a sentence or some. */
export const noise = ({ best, target }: Document): ReadonlyArray<string> =>
  best.noise === null
    ? []
    : NoiseText.lines(
        {
          kind: best.noise.kind,
          sigma: best.noise.sigma ?? Number.NaN,
          wrongRows: [],
        },
        shortened(target),
      )

export const capital = (line: string): string => line.slice(0, 1).toUpperCase() + line.slice(1)

const undecided = ({ inclusion, best, unseen }: Document): ReadonlyArray<Html> => {
  // Of the laws that were seen: the others may have any part.
  const seen = Math.max(1e-9, 1 - (unseen?.probability ?? 0))
  const open = <A extends { readonly probability: number }>(list: ReadonlyArray<A>): ReadonlyArray<A> =>
    list.flatMap((one) => {
      const probability = one.probability / seen
      return probability > little && probability < nearly ? [{ ...one, probability }] : []
    })
  const [columns, operations] = [open(inclusion.columns), open(inclusion.operations)]
  const said = (list: typeof columns): Html =>
    html`${list
      .slice(0, 6)
      .map((one, k) => html`${k === 0 ? "" : ", "}${name(one.name)} (${percent(one.probability)})`)}`
  const unknown = best.numbers.filter(({ error }) => error === null).length
  return [
    ...(columns.length === 0
      ? []
      : [html`<li>whether the law has the column${columns.length === 1 ? "" : "s"} ${said(columns)}</li>`]),
    ...(operations.length === 0
      ? []
      : [
          html`<li>
            whether it has the operation${operations.length === 1 ? "" : "s"} ${said(operations)}
          </li>`,
        ]),
    ...(unknown === 0
      ? []
      : [
          html`<li>the value of ${unknown === 1 ? "one number" : `${unknown} numbers`} of the law above</li>`,
        ]),
  ]
}

const alikeText = {
  "normal form": "the same by normal form",
  form: "the same form with numbers a little apart",
  rows: "the same values on the rows",
} as const

/** What the data leave open: the posterior over forms, and laws that no search has seen. */
export const decide = ({ document, operators }: Run): Section => {
  const { best, models, unseen } = document
  const [, second] = models
  const own = probabilityOf(best)
  const rest = models.slice(shown)
  const others = rest.reduce((sum, one) => sum + probabilityOf(one), 0)
  const open = undecided(document)
  // To four digits some are one text, and some the law above.
  const alike = [
    ...new Map(
      best.alike.map((one) => [Typeset.formula(one.expression, [], { least: 4, operators }), one] as const),
    ),
  ].filter(([latex]) => latex !== Typeset.formula(best.expression, [], { least: 4, operators }))
  return {
    id: "undecided",
    title: "What the data cannot decide",
    body: html`
      <p class="lead">
        ${
          unseen === null
            ? html`Of the models that were drawn, the law above has ${percent(own)} of the posterior
              probability. That is a share among them: the mass of laws that were not drawn is not known.`
            : html`The law above has the probability ${percent(own)}. With ${percent(unseen.probability)} the
              law is
              ${models.length === 1 ? "another, which was not seen" : `none of the ${models.length} that were ranked`}.`
        }
        ${
          second === undefined
            ? ""
            : html`The odds against the second law are ${odds(best.lmpse - second.lmpse)}.`
        }
      </p>
      ${
        open.length === 0
          ? ""
          : html`<p>Of the laws that were ranked, the data do not decide</p>
              <ul>
                ${open}
              </ul>`
      }
      ${bars(
        [
          ...models
            .slice(0, shown)
            .map((one) => ({ what: short(one, operators), probability: probabilityOf(one) })),
          ...(rest.length === 0
            ? []
            : [
                {
                  what: `${rest.length} more law${rest.length === 1 ? "" : "s"} that ${rest.length === 1 ? "was" : "were"} ranked`,
                  probability: others,
                  kind: "rest" as const,
                },
              ]),
          ...(unseen === null
            ? []
            : [
                {
                  what: "laws that were not seen",
                  probability: unseen.probability,
                  kind: "unseen" as const,
                },
              ]),
        ],
        Table.probability,
      )}
      ${unseen === null ? "" : unseen.text.map((line) => html`<p class="note">${capital(line)}.</p>`)}
      ${
        alike.length === 0
          ? ""
          : html`<p>The search has met the same law in other words:</p>
              <ul>
                ${alike.map(
                  ([latex, { expression, equal }]) =>
                    html`<li>
                      ${Typeset.mathematics(latex, expression)}
                      <span class="note">(${alikeText[equal]})</span>
                    </li>`,
                )}
              </ul>`
      }
    `,
  }
}
