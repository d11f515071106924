import type { Outcome } from "../speed/contender.ts"
import type { Quantiles } from "./statistics.ts"

/** Three significant digits, thousands apart. */
export const number = (x: number): string => {
  const digits = x === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(x))))
  return Number(x.toPrecision(3)).toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

export const interval = ({ low, high }: Pick<Quantiles, "low" | "high">): string =>
  `${number(low)} to ${number(high)}`

/** A table; all columns but the first hold numbers. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map((_, column) => (column === 0 ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

/** A sentence about the contenders that did not run; empty if all did. */
export const leftOut = (outcomes: ReadonlyArray<Outcome<unknown>>): string => {
  const absent = outcomes.filter((outcome) => outcome.absent !== undefined)
  return absent.length === 0
    ? ""
    : `Left out: ${absent.map(({ name, absent: why }) => `${name} (${why})`).join("; ")}.`
}

/** Blocks of a page, those that are empty left out. */
export const blocks = (...parts: ReadonlyArray<string>): string =>
  parts.filter((part) => part !== "").join("\n\n")
