import { existsSync, readFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { blocks, table } from "../harness/markdown.ts"
import { benchmarks } from "./equations.ts"
import type { grammar } from "./grammar.ts"

/** What forms.py writes: of every equation and link, [terms, depth] of the forms that it found. */
interface Forms {
  readonly grammar: unknown
  readonly forms: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<readonly [number, number]>>>>>
}

const file = new URL("forms.json", import.meta.url).pathname

/** A paragraph and a table of the Feynman equations for which forms.py found no form within the grammar's size. */
export const inexpressible = (given: typeof grammar): string => {
  const { trees, depth } = given
  const remedy =
    "`node bench/feynman/table.ts --grammar | python bench/feynman/forms.py > bench/feynman/forms.json`"
  if (!existsSync(file)) return `Not computed: ${remedy}.`
  const { grammar: computed, forms }: Forms = JSON.parse(readFileSync(file, "utf8"))
  // Trees and depth are compared here; the rest decides which forms there are.
  const same = (one: object): unknown => ({ ...one, trees: 0, depth: 0 })
  if (typeof computed !== "object" || computed === null || !isDeepStrictEqual(same(computed), same(given)))
    return `Computed for another grammar; again: ${remedy}.`
  const rows = benchmarks.feynman.equations.flatMap(({ name, formula }) => {
    const found = Object.entries(forms[name] ?? {})
    if (found.some(([, list]) => list.some(([terms, deep]) => terms <= trees && deep <= depth))) return []
    const closest = found.flatMap(([link, list]) =>
      list.map(([terms, deep]) => `${terms} of depth ${deep}${link === "identity" ? "" : ` (${link})`}`),
    )
    return [[name, `\`${formula}\``, closest.join(", ") || "none"]]
  })
  const all = benchmarks.feynman.equations.length
  const can = `With at most ${trees} terms of depth ${depth} the grammar has a form of ${all - rows.length} of the ${all} equations (computed by
bench/feynman/forms.py).`
  return rows.length === 0
    ? can
    : blocks(
        `${can} No form was found of these; they count as failures, too.`,
        table(["equation", "truth", "forms beyond the limits"], rows),
      )
}
