/** A value that Python writes: lists and tuples are lists, dictionaries are maps. */
export type Value = string | number | boolean | null | ReadonlyArray<Value> | ReadonlyMap<string, Value>

const words: ReadonlyMap<string, boolean | null> = new Map([
  ["True", true],
  ["False", false],
  ["None", null],
])

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
])

const token = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+)L?|(True|False|None)|([[\](){},:]))/y

/** How deep literals may nest. */
const deepest = 20

const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:x([\da-f]{2})|u([\da-f]{4})|(.))/gi, (all, x?: string, u?: string, one?: string) =>
    one === undefined ? String.fromCharCode(parseInt(x ?? u ?? "", 16)) : (escapes.get(one) ?? all),
  )

/** The value of a literal of Python, as `repr` writes it; undefined for any other text. */
export const parse = (text: string): Value | undefined => {
  let at = 0
  const next = (): RegExpExecArray | undefined => {
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) return undefined
    at = token.lastIndex
    return found
  }
  const sees = (sign: string): boolean => {
    const before = at
    if (next()?.[5] === sign) return true
    at = before
    return false
  }
  const items = (close: string, depth: number): Array<Value> | undefined => {
    const found: Array<Value> = []
    while (!sees(close)) {
      const one = value(depth + 1)
      if (one === undefined) return undefined
      found.push(one)
      if (!sees(",") && !text.slice(at).trimStart().startsWith(close)) return undefined
    }
    return found
  }
  const entries = (depth: number): Map<string, Value> | undefined => {
    const found = new Map<string, Value>()
    while (!sees("}")) {
      const key = value(depth + 1)
      if (typeof key !== "string" || !sees(":")) return undefined
      const one = value(depth + 1)
      if (one === undefined) return undefined
      found.set(key, one)
      if (!sees(",") && !text.slice(at).trimStart().startsWith("}")) return undefined
    }
    return found
  }
  const value = (depth: number): Value | undefined => {
    const found = depth > deepest ? undefined : next()
    if (found === undefined) return undefined
    const [, single, double, digits, word, sign] = found
    const quoted = single ?? double
    if (quoted !== undefined) return unescaped(quoted)
    if (digits !== undefined) return Number(digits)
    if (word !== undefined) return words.get(word)
    return sign === "{"
      ? entries(depth)
      : sign === "["
        ? items("]", depth)
        : sign === "("
          ? items(")", depth)
          : undefined
  }
  const found = value(0)
  return text.slice(at).trim() === "" ? found : undefined
}
