import type { Operator } from "../../expr/Operator.ts"
import { ParseError, renderToString } from "katex"
import * as Result from "effect/Result"
import * as FittedLaw from "../../evidence/fitted/FittedLaw.ts"
import { latexWriter } from "../../expr/text/latex.ts"
import { latexName } from "../../expr/text/latexName.ts"
import { parse } from "../../expr/text/parse.ts"
import * as Term from "../../expr/Term.ts"
import type { Model } from "../DocumentSchema.ts"
import { type Html, html, markup, shortened } from "./Html.ts"
import { fonts, style } from "./katexAssets.ts"
import * as Real from "../../numeric/Real.ts"

/** The most characters of LaTeX that are typeset; a longer formula is shown as text. */
const longest = 20_000

/** A formula as it is written in a program. */
const code = (text: string): Html => html`<code dir="ltr">${shortened(text, 2000)}</code>`

/** A formula in LaTeX as markup with MathML beside it; the text itself where it cannot be set. */
export const mathematics = (latex: string, fallback: string): Html => {
  if (latex.length > longest) return code(fallback)
  try {
    return markup(
      // Fractions as large as other formulas: those within lines are too small to read.
      renderToString(`\\displaystyle ${latex}`, {
        output: "htmlAndMathml",
        // No link, no picture, no file, no style of the formula's own.
        trust: false,
        maxExpand: 100,
        maxSize: 10,
        strict: "ignore",
        throwOnError: true,
      }),
    )
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return code(fallback)
  }
}

/** A name of a column as a symbol in LaTeX: a long one is shortened. */
export const symbolOf = (text: string): string => latexName(shortened(text, 28))

/** A name as a formula of its own. */
export const variable = (text: string): Html => mathematics(symbolOf(text), text)

/** The symbol of a number that each group has for itself: k_{1} as k_{1,group}. */
const ofGroup = (latex: string): string => {
  const [, letter, index] = /^(\w+)_\{(\w+)\}$/.exec(latex) ?? []
  return letter === undefined ? `{${latex}}_{\\text{group}}` : `${letter}_{${index},\\text{group}}`
}

/** Significant digits of a number by its standard error. */
const digits = (value: number, error: number | null): number => {
  const known = Math.ceil(Real.log10(Math.abs(value) / (error ?? Number.NaN))) + 1
  return Number.isFinite(known) ? Math.min(10, Math.max(3, known)) : 4
}

/** Numbers that are not fitted are written in full, or to this number of digits where that is shorter. */
const most = 6

/**
 * A formula with fitted numbers to the digits that their errors leave.
 *
 * @param expression in infix, exact
 * @param numbers those that are fitted
 * @param varying names of numbers that are each group's own
 * @param least fewer digits, for a list of formulas
 */
export const formula = (
  expression: string,
  numbers: Model["numbers"],
  { latex, varying = [], least, operators }: Options = {},
): string => {
  const write = latexWriter({
    variable: (text) => (varying.includes(text) ? ofGroup(latexName(text)) : symbolOf(text)),
  })
  const rounded = (value: number): number => {
    const own = numbers.find((one) => FittedLaw.isSame(one.value, value))
    if (value === Math.PI || (Number.isInteger(value) && Math.abs(value) < 1000)) return value
    return Number(value.toPrecision(least ?? (own === undefined ? most : digits(own.value, own.error))))
  }
  return Result.match(parse(expression, operators && { operators }), {
    onFailure: () => latex ?? symbolOf(expression),
    onSuccess: (term) =>
      write(
        Term.fold<Term.Term>((layer) =>
          layer._tag === "Constant" ? Term.constant(rounded(layer.value)) : layer,
        )(term),
      ),
  })
}

/** How a formula is written. */
export interface Options {
  /** its LaTeX, where its text has operators that are not known here */
  readonly latex?: string
  readonly varying?: ReadonlyArray<string>
  /** operators of the user's own that it may have */
  readonly operators?: ReadonlyArray<Operator>
  readonly least?: number
}

/** The fonts by the classes and the family that ask for them. */
const uses: ReadonlyArray<readonly [font: keyof typeof fonts, family: string, style: string, when: RegExp]> =
  [
    ["Main-Regular", "KaTeX_Main", "normal", /class="katex"/],
    ["Math-Italic", "KaTeX_Math", "italic", /mathnormal/],
    ["Size1-Regular", "KaTeX_Size1", "normal", /size1|large-op|small-op/],
    ["Size2-Regular", "KaTeX_Size2", "normal", /size2|large-op/],
    ["Size3-Regular", "KaTeX_Size3", "normal", /size3/],
    ["Size4-Regular", "KaTeX_Size4", "normal", /size4/],
  ]

/** The style sheet of the formulas of a page, with those fonts inside that they use. */
export const styleOf = (page: string): string =>
  uses
    .filter(([, , , when]) => when.test(page))
    .map(
      ([font, family, slant]) =>
        `@font-face{font-family:${family};font-style:${slant};font-weight:400;src:url(data:font/woff2;base64,${fonts[font]}) format("woff2")}`,
    )
    .join("") + style
