// Names that do harm where they are taken for markup, for LaTeX, for a key of an object, or for a part of a line.
import type { Dataset } from "../../src/data/Data.ts"
import * as Term from "../../src/expr/Term.ts"

/** Column names; each script of them would call `alert`. */
export const names: ReadonlyArray<string> = [
  "<script>alert(1)</script>",
  `"><img src=x onerror=alert(2)>`,
  String.raw`\href{javascript:alert(3)}{x}`,
  "__proto__",
  "constructor",
  "\u202eمرحبا שלום",
  `long ${"y".repeat(10_000)}`,
  String.raw`a$b%c_d^e{f}g\end{document}`,
  "</svg><svg onload=alert(4)>",
  "--><script>alert(5)</script>",
  "{{constructor.constructor('alert(6)')()}}",
  "`${alert(7)}`",
  "datum.x && alert(8)",
  "\u0001\u001b[31m\n<b>",
  "url(javascript:alert(9))",
]

/** A name of a response of the same kind. */
export const target = "</title></style><script>alert(10)</script>"

/** Rows whose response is the sum of all columns, nearly. */
export const data = (rows = 12): Dataset => {
  const columns = names.map((_, j) =>
    Float64Array.from({ length: rows }, (_, i) => Math.cos(i * (j + 1)) + 2),
  )
  const y = Float64Array.from({ length: rows }, (_, i) =>
    columns.reduce((sum, column) => sum + column[i]!, 0.01 * (-1) ** i),
  )
  return { features: names, columns, target, y, rows }
}

/** The law of these rows. */
export const law: Term.Term = names
  .map<Term.Term>((name) => Term.variable(name))
  .reduce((sum, one) => Term.add(sum, one))

/** The table as CSV. */
export const csv = ({ features, columns, y }: Dataset): string => {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const lines = Array.from(y, (value, i) => [...columns.map((column) => column[i]!), value].join(","))
  return [[...features, target].map(quoted).join(","), ...lines, ""].join("\n")
}
