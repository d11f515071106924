import * as Result from "effect/Result"
import { parse } from "../../src/expr/text/parse.ts"
import type * as Term from "../../src/expr/Term.ts"

/** SymPy's text of an answer as people read it: names without quotes, numbers to `digits` digits. */
export const readable = (expression: string, digits = 5): string =>
  expression
    .replaceAll(/Symbol\('([^']*)'\)/g, "$1")
    .replaceAll(/(?<![\w.])\d+\.?\d*(e[+-]?\d+)?/gi, (number) =>
      /^\d{1,5}$/.test(number) ? number : String(Number(Number(number).toPrecision(digits))),
    )

/** An answer as a term over the names of its columns; undefined where it is no formula of this library. */
export const termOf = (expression: string): Term.Term | undefined => {
  const text = expression.replaceAll(/Symbol\('([^']*)'\)/g, "$1").replaceAll(/\bAbs\(/g, "abs(")
  const parsed = parse(text)
  return Result.isSuccess(parsed) ? parsed.success : undefined
}

/** A text of at most `longest` characters. */
export const cut = (text: string, longest = 120): string =>
  text.length > longest ? `${text.slice(0, longest - 3)}...` : text

/** As code in a cell of a table or a line of a page. */
export const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``

/** A probability, never rounded to none or all. */
export const probability = (p: number): string =>
  p > 0.999 ? "above 0.999" : p < 0.001 ? "below 0.001" : p.toFixed(p > 0.99 ? 3 : 2)
