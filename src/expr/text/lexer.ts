/** A word of a formula, with the offset at which it begins. */
export interface Token {
  readonly kind: "number" | "name" | "quoted" | "sign" | "unknown" | "end"
  /** The sign itself, the digits, or the name without its backticks. */
  readonly text: string
  readonly position: number
}

const space = /\s*/y
const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const name = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy
const quoted = /`((?:[^`]|``)*)`/y
const sign = /\*\*|[-+*/^(),]/y

const match = (pattern: RegExp, text: string, position: number): RegExpExecArray | null => {
  pattern.lastIndex = position
  return pattern.exec(text)
}

const tokenAt = (text: string, position: number): { readonly token: Token; readonly next: number } => {
  const found = (kind: Token["kind"], matched: RegExpExecArray, content = matched[0]) => ({
    token: { kind, text: content, position },
    next: position + matched[0].length,
  })
  const digits = match(number, text, position)
  if (digits) return found("number", digits)
  const word = match(name, text, position)
  if (word) return found("name", word)
  const quote = match(quoted, text, position)
  if (quote) return found("quoted", quote, (quote[1] ?? "").replaceAll("``", "`"))
  const mark = match(sign, text, position)
  if (mark) return found("sign", mark, mark[0] === "**" ? "^" : mark[0])
  return { token: { kind: "unknown", text: text.slice(position), position }, next: text.length }
}

/** Splits a formula into words, the last of which is `end`. Characters that no rule reads become one `unknown` word. */
export const tokens = (text: string): ReadonlyArray<Token> => {
  const found: Array<Token> = []
  let position = 0
  while (true) {
    position += match(space, text, position)?.[0].length ?? 0
    if (position >= text.length) return [...found, { kind: "end", text: "", position: text.length }]
    const { token, next } = tokenAt(text, position)
    found.push(token)
    position = next
  }
}
