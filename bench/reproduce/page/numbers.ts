import { mean, sd } from "../../harness/statistics.ts"

/** How numbers are summarised and shown on the page of the reproduction. */

/** Four decimals, or an exponent for what they would not show. */
export const decimal = (x: number): string => {
  if (!Number.isFinite(x)) return "-"
  if (x === 0) return "0"
  const size = Math.abs(x)
  return size < 1e-4 || size >= 1e5 ? x.toExponential(1) : x.toFixed(size < 10 ? 4 : 2)
}

/** Mean and standard deviation; the one where there is one value, "" where there is none. */
export const meanSd = (values: ReadonlyArray<number>): string => {
  if (values.length === 0) return ""
  return values.length === 1 ? decimal(values[0]!) : `${decimal(mean(values))} ± ${decimal(sd(values))}`
}

export const share = (part: number, whole: number): string => (whole === 0 ? "" : `${part}/${whole}`)

export const seconds = (values: ReadonlyArray<number>): string => {
  if (values.length === 0) return ""
  const centre = mean(values)
  return centre < 10 ? centre.toFixed(1) : centre.toFixed(0)
}

/** A formula with constants to four significant digits, as code. */
export const code = (expression: string): string =>
  `\`${expression
    .replaceAll("|", "\\|")
    .replaceAll(/\d+\.\d+(e[+-]?\d+)?|\d+e[+-]?\d+/g, (digits) =>
      String(Number(Number(digits).toPrecision(4))),
    )}\``

/** A formula of the paper. A bracket that opens after one that closes would be a link to Markdown. */
export const math = (latex: string): string => `$${latex.replaceAll("](", "] (")}$`
