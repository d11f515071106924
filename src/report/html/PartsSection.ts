import * as Result from "effect/Result"
import * as Student from "../../numeric/Student.ts"
import * as Real from "../../numeric/Real.ts"
import * as LawDocument from "../LawDocument.ts"
import * as Table from "../Table.ts"
import * as Axis from "./Axis.ts"
import * as Charts from "./Charts.ts"
import * as GroupNumbers from "./GroupNumbers.ts"
import { details, type Html, html, name, shortened, table } from "./Html.ts"
import { probabilityOf, short } from "./LawSection.ts"
import { bars, figure, type Run, type Section } from "./Section.ts"
import * as TreeDrawing from "./TreeDrawing.ts"
import * as Typeset from "./Typeset.ts"

/** Parts of each kind that are shown, and the least probability of one. */
const [shown, least] = [12, 0.01]
/** The level of intervals of numbers. */
const level = 0.95

/** The fitted numbers of the best law with intervals. */
export const numbers = async (run: Run): Promise<Section> => {
  const { best, target } = run.document
  const law = best.law === null ? undefined : Result.getOrUndefined(LawDocument.read(best.law, run.operators))
  const written = best.law
  const rows =
    law === undefined || written === null
      ? best.numbers.map(({ value, error }, k) => [
          `number ${k + 1}`,
          Table.significant(value, 6),
          error === null ? "not determined" : Table.significant(error, 2),
          error === null
            ? "-"
            : `${Table.significant(value - 1.96 * error, 5)} to ${Table.significant(value + 1.96 * error, 5)}`,
        ])
      : written.numbers.map(({ name: own, value, error }) => {
          const t = Student.quantile((1 + level) / 2, law.freedom)
          const digits = Math.min(12, Math.max(3, 2 + Math.ceil(Real.log10(Math.abs(value) / error)))) || 6
          return [
            Typeset.variable(own),
            Table.significant(value, digits),
            Table.significant(error, 2),
            `${Table.significant(value - t * error, digits)} to ${Table.significant(value + t * error, digits)}`,
          ]
        })
  const named =
    written === null || written.numbers.length === 0
      ? ""
      : html`<p>
          ${Typeset.mathematics(
            `${Typeset.symbolOf(target)} = ${Typeset.formula(written.formula, [], { operators: run.operators })}`,
            `${shortened(target)} = ${shortened(written.formula, 500)}`,
          )}
        </p>`
  return {
    id: "numbers",
    title: "Fitted numbers",
    body: html`
      ${named}
      ${
        rows.length === 0
          ? html`<p>The law has no fitted number: all of its numbers are exact.</p>`
          : table(
              best.groups === undefined
                ? "fitted numbers with standard errors and 95 % intervals"
                : "fitted numbers with standard errors and 95 % intervals, in a group that was not there",
              ["number", "value", "standard error", "95 % interval"],
              rows,
            )
      }
      ${best.groups === undefined ? "" : await GroupNumbers.of(run, best.groups)}
    `,
  }
}

/** Probabilities that columns, operations and parts are in the law. */
export const inclusion = ({ document, operators }: Run): Section => {
  const { columns, operations, subterms } = document.inclusion
  const of = <A extends { readonly probability: number }>(
    list: ReadonlyArray<A>,
  ): { readonly kept: ReadonlyArray<A>; readonly left: number } => {
    const probable = list.filter(({ probability }) => probability >= least)
    return { kept: probable.slice(0, shown), left: list.length - Math.min(shown, probable.length) }
  }
  const block = (title: string, kept: Html, left: number): Html =>
    html`<div>
      <h3>${title}</h3>
      ${kept}${
        left === 0 ? "" : html`<p class="note">${left} more ${left === 1 ? "is" : "are"} less probable.</p>`
      }
    </div>`
  const [c, o, s] = [of(columns), of(operations), of(subterms)]
  const none = html`<p>None: no law with a probability has one.</p>`
  const named = (list: typeof c.kept): Html =>
    list.length === 0
      ? none
      : bars(
          list.map((one) => ({ what: name(one.name), probability: one.probability })),
          Table.probability,
        )
  return {
    id: "parts",
    title: "Which parts are in the law",
    body: html`
      <p>
        Sums of the probabilities of all leading laws that have the part, the best law and its rivals.
        ${document.unseen === null ? "" : "The rest to 1 has laws that were not seen."}
      </p>
      <div class="columns">
        ${block("Columns", named(c.kept), c.left)} ${block("Operations", named(o.kept), o.left)}
        ${block(
          "Parts of formulas",
          s.kept.length === 0
            ? none
            : bars(
                s.kept.map((one) => ({
                  what: Typeset.mathematics(
                    Typeset.formula(one.expression, [], { least: 4, operators }),
                    one.expression,
                  ),
                  probability: one.probability,
                })),
                Table.probability,
              ),
          s.left,
        )}
      </div>
    `,
  }
}

/** Evidence against complexity. */
export const front = async (run: Run): Promise<Section> => {
  const { models, front: places } = run.document
  const point = ({ complexity, logEvidence }: (typeof models)[number]) => ({
    x: complexity,
    y: Axis.rounded(logEvidence),
  })
  const laws = places.map((at) => models[at]!)
  // Laws that explain nothing would leave the others no room.
  const lowest = Math.min(...laws.map(({ logEvidence }) => logEvidence))
  const others = models.filter(({ logEvidence }) => logEvidence >= lowest).slice(0, 300)
  return {
    id: "front",
    title: "Evidence against complexity",
    body: html`
      <p>
        No law as simple as one on the line has more evidence. Each step up is what the data pay for the added
        complexity, in units of the logarithm: 2.3 are odds of 10.
      </p>
      <div class="pair">
        ${await figure(
          run,
          Charts.front(
            "front",
            "Log evidence over complexity of all laws, with the line of those that no law as simple beats.",
            others.map(point),
            laws.map(point),
          ),
          "Every law that was ranked, and the line of the best.",
          table(
            "laws that no law as simple beats",
            ["complexity", "log evidence"],
            laws.map(({ complexity, logEvidence }) => [complexity, logEvidence.toFixed(2)]),
          ),
        )}
        ${table(
          "laws that no law as simple beats",
          ["law", "complexity", "log evidence", "probability"],
          laws
            .slice(-shown)
            .map((one) => [
              short(one, run.operators),
              one.complexity,
              one.logEvidence.toFixed(2),
              Table.probability(probabilityOf(one)),
            ]),
        )}
      </div>
    `,
  }
}

/** The law as a tree, and its text in other notations. */
export const tree = ({ document, operators }: Run): Section => {
  const { best, target } = document
  const drawing = TreeDrawing.draw(
    best.expression,
    `The tree of ${shortened(best.expression, 300)}`,
    operators,
  )
  const notations = [
    ["infix", best.expression],
    ["LaTeX", best.latex],
    ["SymPy", best.sympy],
    ["NumPy", best.numpy],
    ["JavaScript", best.javascript],
  ] as const
  return {
    id: "tree",
    title: "The law as a tree",
    body: html`
      ${
        drawing === undefined
          ? html`<p>The law has operators that are not known here, and no drawing.</p>`
          : html`<div class="scroll" tabindex="0" role="group" aria-label="the tree of the law">
              ${drawing}
            </div>`
      }
      ${details(
        html`${name(target)} in other notations`,
        notations.map(
          ([notation, text]) =>
            html`<h3>${notation}</h3>
              <pre dir="ltr">${shortened(text, 5000)}</pre>`,
        ),
      )}
    `,
  }
}
