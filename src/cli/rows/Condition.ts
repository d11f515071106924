import * as Effect from "effect/Effect"
import * as Csv from "../../data/Csv.ts"
import type { Operator } from "../../expr/Operator.ts"
import type * as Term from "../../expr/Term.ts"
import { Complaint } from "../Complaint.ts"
import * as Expression from "./Expression.ts"

/** How two values are compared. */
export type Relation = "==" | "!=" | "<" | "<=" | ">" | ">="

export type Operand =
  { readonly _tag: "Text"; readonly text: string } | { readonly _tag: "Number"; readonly term: Term.Term }

/** A condition on a row, as data. */
export type Condition =
  | { readonly _tag: "And" | "Or"; readonly parts: ReadonlyArray<Condition> }
  | { readonly _tag: "Not"; readonly part: Condition }
  | {
      readonly _tag: "Compare"
      readonly relation: Relation
      readonly left: Operand
      readonly right: Operand
    }

interface Word {
  readonly kind: "text" | "relation" | "and" | "or" | "not" | "(" | ")" | "other"
  readonly text: string
  readonly from: number
  readonly to: number
}

const relations: { readonly [sign: string]: Relation } = {
  "=": "==",
  "==": "==",
  "!=": "!=",
  "<>": "!=",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
}

const word =
  /\s*(?:('(?:[^']|'')*'|"(?:[^"]|"")*")|(==|!=|<>|<=|>=|[<>=])|(&&|\|\|)|([\p{L}_][\p{L}\p{M}\p{N}_]*)|([()])|(`(?:[^`]|``)*`|\S))/uy

const kinds: { readonly [text: string]: Word["kind"] } = {
  and: "and",
  or: "or",
  not: "not",
  "&&": "and",
  "||": "or",
  "(": "(",
  ")": ")",
}

const wordsOf = (text: string): ReadonlyArray<Word> => {
  const found: Array<Word> = []
  word.lastIndex = 0
  while (word.lastIndex < text.length) {
    const match = word.exec(text)
    if (match === null) break
    const [all, quoted, relation, sign, name, bracket] = match
    const own = all.trimStart()
    const to = match.index + all.length
    const kind: Word["kind"] =
      quoted !== undefined
        ? "text"
        : relation !== undefined
          ? "relation"
          : (kinds[(sign ?? name ?? bracket ?? "").toLowerCase()] ?? "other")
    found.push({ kind, text: own, from: to - own.length, to })
  }
  return found
}

/** How deep conditions may nest. */
const deepest = 100

/** The flag with its value, as messages show it. */
export const shown = (text: string): string => `--where ${Csv.quote(text)}`

/**
 * Reads a condition: formulas over columns and texts in quotation marks, compared by `== != < <= > >=`, joined by `and`, `or`, `not`
 * and brackets.
 *
 * @errors Complaint that names the place
 */
export const parse = (
  text: string,
  operators: ReadonlyArray<Operator>,
): Effect.Effect<Condition, Complaint> => {
  const words = wordsOf(text)
  const flag = shown(text)
  let at = 0
  const fail = (expected: string): Effect.Effect<never, Complaint> =>
    Effect.fail(
      new Complaint({
        message: `${flag}: expected ${expected} at column ${(words[at]?.from ?? text.length) + 1}`,
      }),
    )
  const sees = (kind: Word["kind"]): boolean => words[at]?.kind === kind
  /** The place of the bracket that closes the one at a place; undefined where there is none. */
  const closing = (open: number): number | undefined => {
    let depth = 0
    for (let k = open; k < words.length; k++) {
      if (words[k]!.kind === "(") depth++
      if (words[k]!.kind === ")" && --depth === 0) return k
    }
    return undefined
  }
  const joined = (
    kind: "and" | "or",
    part: (depth: number) => Effect.Effect<Condition, Complaint>,
    depth: number,
  ): Effect.Effect<Condition, Complaint> =>
    Effect.gen(function* () {
      const parts = [yield* part(depth)]
      while (sees(kind)) {
        at++
        parts.push(yield* part(depth))
      }
      return parts.length === 1 ? parts[0]! : { _tag: kind === "and" ? "And" : "Or", parts }
    })
  const or = (depth: number): Effect.Effect<Condition, Complaint> => joined("or", and, depth)
  const and = (depth: number): Effect.Effect<Condition, Complaint> => joined("and", not, depth)
  const not = (depth: number): Effect.Effect<Condition, Complaint> =>
    Effect.gen(function* () {
      if (depth > deepest) return yield* fail(`a condition of at most ${deepest} brackets`)
      if (sees("not")) {
        at++
        return { _tag: "Not", part: yield* not(depth + 1) }
      }
      const close = sees("(") ? closing(at) : undefined
      // Brackets around a condition have a comparison in them; others belong to a formula.
      const inside =
        close !== undefined &&
        words.slice(at, close).some(({ kind }) => kind === "relation") &&
        [undefined, "and", "or", ")"].includes(words[close + 1]?.kind)
      if (!inside) return yield* comparison
      at++
      const found = yield* or(depth + 1)
      if (!sees(")")) return yield* fail('")"')
      at++
      return found
    })
  const operand = Effect.gen(function* () {
    const first = at
    let depth = 0
    for (; at < words.length; at++) {
      const { kind } = words[at]!
      if (kind === "(") depth++
      if (kind === ")" && --depth < 0) break
      if (depth <= 0 && (kind === "relation" || kind === "and" || kind === "or" || kind === "not")) break
    }
    const [begin, end] = [words[first], words[at - 1]]
    if (begin === undefined || end === undefined || at === first)
      return yield* fail("a formula or a text in quotation marks")
    if (at === first + 1 && begin.kind === "text") {
      const mark = begin.text[0]!
      return { _tag: "Text", text: begin.text.slice(1, -1).replaceAll(mark + mark, mark) } satisfies Operand
    }
    const term = yield* Expression.read({
      flag,
      text: text.slice(begin.from, end.to),
      offset: begin.from,
      operators,
    })
    return { _tag: "Number", term } satisfies Operand
  })
  const comparison: Effect.Effect<Condition, Complaint> = Effect.gen(function* () {
    let left: Operand = yield* operand
    const parts: Array<Condition> = []
    while (sees("relation")) {
      const relation = relations[words[at]!.text]!
      at++
      const right: Operand = yield* operand
      parts.push({ _tag: "Compare", relation, left, right })
      left = right
    }
    if (parts.length === 0) return yield* fail("a comparison, such as x > 2")
    return parts.length === 1 ? parts[0]! : { _tag: "And", parts }
  })
  return Effect.gen(function* () {
    const found = yield* or(0)
    return at < words.length ? yield* fail("and, or, or the end") : found
  })
}
