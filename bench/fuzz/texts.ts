/** Texts that may be formulas: words one after another, and such texts with changes. */
import type { Generator } from "../../src/random/Rng.ts"

/** Words of formulas, and words that are nearly some. */
const words: ReadonlyArray<string> = [
  ..."x y t 1 2 3 0 2.5 .5 1. 1e3 1E-2 pi e".split(" "),
  ..."+ - * / ^ ** ( ) , + - * / ^ ( ) ( )".split(" "),
  ..."sqrt abs sign exp log ln sin cos tan tanh asin arcsin acos atan guard psqrt plog pexp pinv pow min max pdiv square inv"
    .split(" ")
    .map((name) => `${name}(`),
  ..."sin( log( exp( square( inv( pow( min(".split(" "),
  ..."1e999 1e-999 1e 1e+ 0x1 1_0 NaN Infinity -0 1e-320 9007199254740993 0.1e+1".split(" "),
  ..."= == < > and or not % & | ! ~ ? : ; # @ $ \\ ' \" [ ] { } => ... // /* */ <!-- ${1} \0".split(" "),
  ..."`a b` `` `x` ` `pi` `sin` ```` __proto__ constructor toString hasOwnProperty eval( this x0 x_1 _ sin log".split(
    " ",
  ),
  " ",
  " ",
  "\n",
  "\t",
  "\u00a0",
  "\u2028",
  "\ufeff",
  "\u202e",
  "é",
  "é",
  "π",
  "θ1",
  "ｘ",
  "𝑥",
  "👩‍🔬",
  "\ud800",
  "٣",
  "²",
  "−",
  "×",
  "·",
]

/** Formulas that a search of texts begins with. */
export const seeds: ReadonlyArray<string> = [
  "-x^2+y*-3",
  "2^-x^-y",
  "x**2**3/ -t",
  "a*exp(-b*t)+c",
  "min(x, max(y, -1))-(-(x))",
  "square(inv(x))/pow(x,2)*pi",
  "`a b`*`sin`-`pi`",
  "sqrt(abs(x-1))^(1/3)",
  "- -x - -2 - - 3^2",
  "pdiv(plog(x),psqrt(y))-pinv(pexp(t))",
]

const below = (random: Generator, count: number): number => Math.floor(random.next() * count)
const any = <A>(random: Generator, from: ReadonlyArray<A>): A | undefined => from[below(random, from.length)]

/** One of the words; sometimes any characters. */
const word = (random: Generator): string => {
  if (random.next() < 0.95) return any(random, words) ?? ""
  const point = random.next() < 0.7 ? below(random, 0x250) : below(random, 0x11_0000)
  return String.fromCodePoint(point)
}

/** Words one after another. */
const sentence = (random: Generator): string =>
  Array.from({ length: 1 + below(random, 14) }, () => word(random)).join("")

/** A formula: a sum, product, power or call of smaller ones, with needless brackets, signs and blanks now and then. */
const formula = (random: Generator, size: number): string => {
  const blank = (): string => (random.next() < 0.05 ? (any(random, [" ", "\n", "\t", "\u00a0"]) ?? "") : "")
  const around = (text: string): string => {
    const form = random.next()
    return form < 0.2 ? `(${text})` : form < 0.3 ? `-${text}` : form < 0.33 ? `+${text}` : text
  }
  if (size <= 1) return around(any(random, words.slice(0, 13)) ?? "1")
  const part = 1 + below(random, size - 1)
  const [left, right] = [formula(random, part), formula(random, size - part)]
  const form = random.next()
  if (form < 0.7)
    return around(`${left}${blank()}${any(random, ["+", "-", "*", "/", "^", "**"])}${blank()}${right}`)
  if (form < 0.8) return around(`${any(random, ["pow", "min", "max", "pdiv"])}(${left},${blank()}${right})`)
  return around(
    `${any(random, ["sin", "log", "exp", "sqrt", "inv", "square", "tan", "asin", "abs", "guard"])}${blank()}(${left})`,
  )
}

/** A text with a part left out, put in, doubled, or exchanged with a part of another one. */
const changed = (random: Generator, text: string, other: string): string => {
  const [from, to] = [below(random, text.length + 1), below(random, text.length + 1)].sort((a, b) => a - b)
  const [head, middle, tail] = [text.slice(0, from), text.slice(from, to), text.slice(to)]
  const form = below(random, 6)
  if (form === 0) return head + tail
  if (form === 1) return head + word(random) + middle + tail
  if (form === 2) return head + middle + middle + tail
  if (form === 3) return head + word(random) + tail
  if (form === 4) return tail + middle + head
  const start = below(random, other.length)
  return head + other.slice(start, start + 1 + below(random, 12)) + tail
}

/**
 * The next text to try.
 *
 * @param known texts that have shown something new, which most others are changes of
 */
export const next = (random: Generator, known: ReadonlyArray<string>): string => {
  const form = random.next()
  if (form < 0.15) return sentence(random)
  if (form < 0.45) return formula(random, 2 + below(random, 14))
  let text = any(random, known) ?? ""
  for (let changes = 1 + below(random, 4); changes > 0; changes--)
    text = changed(random, text, any(random, known) ?? "")
  // Once in a while one that is long: a change many times over.
  return random.next() < 0.001 ? text.repeat(1 + below(random, 400)).slice(0, 20_000) : text.slice(0, 300)
}
