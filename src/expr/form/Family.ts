import { choices } from "../../internal/choices.ts"
import { fold, mapLayer, type Term } from "../term/TermF.ts"
import { writer } from "./FamilyText.ts"
import { normalise } from "./Normalise.ts"

const renamed = (term: Term, nameOf: (name: string) => string): Term =>
  fold<Term>((layer) =>
    layer._tag === "Variable"
      ? { ...layer, name: nameOf(layer.name) }
      : mapLayer<Term, Term>((operand) => operand)(layer),
  )(term)

/** Columns, and functions that differ in numbers alone, are tried in each order up to this number of orders of both together. */
const mostOrders = 120

/** The orders of a list of groups, members of a group in each order; one order where there are more than `most`. */
const orders = (
  groups: ReadonlyArray<ReadonlyArray<string>>,
  most = mostOrders,
): ReadonlyArray<ReadonlyArray<string>> => {
  const count = groups.reduce(
    (total, { length }) => total * Array.from({ length }, (_, k) => k + 1).reduce((a, b) => a * b, 1),
    1,
  )
  if (count > most) return [groups.flat()]
  return groups.reduce<ReadonlyArray<ReadonlyArray<string>>>(
    (all, group) =>
      all.flatMap((before) => [...choices(group, group.length)].map((own) => [...before, ...own])),
    [[]],
  )
}

/** The mark of the second of functions that differ in numbers alone; it comes after all that may stand in its place in the alphabet. */
const sign = "~"

/** The text of a formula without its numbers: the first in the alphabet of those in which functions that differ in numbers alone have other marks. */
const named = (term: Term, most = mostOrders): string => {
  const sum = normalise(term, () => true)
  const found = new Map<string, Set<string>>()
  const plain = writer((text, numbers) => {
    found.set(text, (found.get(text) ?? new Set()).add(numbers))
    return ""
  })(sum)
  const several = [...found].filter(([, { size }]) => size > 1)
  if (several.length === 0) return plain
  const place = (text: string, numbers: string): string => `${text} ${numbers}`
  const groups = several.map(([text, numbers]) => [...numbers].map((one) => place(text, one)))
  const written = orders(groups, most).map((order) =>
    writer((text, numbers) => {
      const bare = text.replaceAll(sign, "")
      if ((found.get(bare)?.size ?? 0) < 2) return ""
      const at = order.filter((one) => one.startsWith(`${bare} `)).indexOf(place(bare, numbers))
      return sign.repeat(Math.max(0, at))
    })(sum),
  )
  return written.toSorted()[0] ?? plain
}

/** The family of a formula, whatever the names of its columns. */
export interface Family {
  /** equal for formulas of one family */
  readonly key: string
  /** the columns */
  readonly columns: ReadonlyArray<string>
  /** the number of orders of the columns that leave the formula as it is: 2 for x y, 1 for x / y */
  readonly symmetries: number
}

/**
 * The family of a formula: its normal form as a quotient of sums of products, without its numbers and without the names of its columns.
 * Laws that differ in coefficients, signs, shifts, rates, fitted exponents and columns alone are one family: c0 x / (c1 + x) and
 * 1 / (2 + 3 / t). Exponents that are multiples of 1/4 are part of it. Columns count as positive.
 *
 * *When to use*: to ask whether a law has the form of a known one; `skeleton` for one law with other numbers.
 *
 * @param isColumn whether a name is a column of data; all by default. Others are read as numbers.
 */
export const family = (term: Term, isColumn: (name: string) => boolean = () => true): Family => {
  const found = new Set<string>()
  let numbers = 0
  const values = new Map<string, number>()
  // Numbers with many digits, of which no two make a third.
  const valueOf = (name: string): number => {
    const known = values.get(name) ?? Math.sqrt(2) + 1 / (Math.E + numbers++)
    values.set(name, known)
    return known
  }
  const numeric = fold<Term>((layer) => {
    if (layer._tag !== "Variable") return mapLayer<Term, Term>((operand) => operand)(layer)
    if (!isColumn(layer.name)) return { _tag: "Constant", value: valueOf(layer.name) }
    found.add(layer.name)
    return layer
  })(term)
  const columns = [...found]
  const ordered = (order: ReadonlyArray<string>, most?: number): string =>
    named(
      renamed(numeric, (name) => `v${order.indexOf(name)}`),
      most,
    )
  const written = columns.length > 1 ? ordered(columns) : ""
  // A column by its places, those of all others being alike.
  const places = new Map(
    columns.map((name, j) => [
      name,
      Array.from(written.replaceAll(/\bv(\d+)\b/g, (_, at) => (Number(at) === j ? "@" : "x")))
        .sort()
        .join(""),
    ]),
  )
  const sorted = columns.toSorted((a, b) => ((places.get(a) ?? "") < (places.get(b) ?? "") ? -1 : 1))
  const groups = [...new Set(sorted.map((name) => places.get(name)))].map((place) =>
    sorted.filter((name) => places.get(name) === place),
  )
  const all = orders(groups)
  const keys = all.map((order) => ordered(order, mostOrders / all.length))
  const [key = ""] = keys.toSorted()
  return { key, columns, symmetries: keys.filter((one) => one === key).length }
}
