import * as Term from "../../src/expr/Term.ts"
import { termOf } from "./corpus.ts"
import * as NormalForm from "./normalForm.ts"
import type * as Sums from "./sum.ts"

/** A product of powers of atoms; exponents by the atom's text. */
type Monomial = ReadonlyMap<string, number | string>
/** A quotient of sums of monomials, without the coefficients. */
interface Rational {
  readonly over: ReadonlyArray<Monomial>
  readonly under: ReadonlyArray<Monomial>
}

const text = (monomial: Monomial): string =>
  [...monomial]
    .map(([atom, exponent]) => `${atom}^${exponent}`)
    .sort()
    .join("*")

const distinct = (monomials: ReadonlyArray<Monomial>): ReadonlyArray<Monomial> => [
  ...new Map(monomials.map((one) => [text(one), one])).values(),
]

const product = (a: Monomial, b: Monomial): Monomial => {
  const out = new Map(a)
  for (const [atom, exponent] of b) {
    const before = out.get(atom) ?? 0
    if (before === 0) {
      out.set(atom, exponent)
      continue
    }
    const sum =
      typeof before === "number" && typeof exponent === "number" ? before + exponent : `${before}+${exponent}`
    if (sum === 0) out.delete(atom)
    else out.set(atom, sum)
  }
  return out
}

const products = (a: ReadonlyArray<Monomial>, b: ReadonlyArray<Monomial>): ReadonlyArray<Monomial> =>
  distinct(a.flatMap((x) => b.map((y) => product(x, y))))

const times = (a: Rational, b: Rational): Rational => ({
  over: products(a.over, b.over),
  under: products(a.under, b.under),
})
const plus = (a: Rational, b: Rational): Rational =>
  a.under.map(text).join() === b.under.map(text).join()
    ? { over: distinct([...a.over, ...b.over]), under: a.under }
    : {
        over: distinct([...products(a.over, b.under), ...products(b.over, a.under)]),
        under: products(a.under, b.under),
      }

const one: Rational = { over: [new Map()], under: [new Map()] }
const atom = (name: string, exponent: number | string): Rational => ({
  over: [new Map([[name, exponent]])],
  under: [new Map()],
})

const ofFactor = ({ base, exponent }: Sums.Factor): Rational => {
  const power = typeof exponent === "object" ? `(${ofSum(exponent)})` : exponent === "fitted" ? "c" : exponent
  if (base._tag === "Variable") return atom(base.name, power)
  if (base._tag === "Call") return atom(`${base.name}(${ofSum(base.argument)})`, power)
  if (typeof power !== "number" || !Number.isInteger(power) || Math.abs(power) > 4)
    return atom(`[${ofSum(base.sum)}]`, power)
  const inside = rational(base.sum)
  const turned = power < 0 ? { over: inside.under, under: inside.over } : inside
  return Array.from({ length: Math.abs(power) }, () => turned).reduce(times, one)
}

const rational = ({ constant, addends }: Sums.Sum): Rational => {
  const parts = [
    ...addends.map(({ factors }) => factors.map(ofFactor).reduce(times, one)),
    ...(constant === 0 ? [] : [one]),
  ]
  return parts.length === 0 ? one : parts.reduce(plus)
}

/** Divides both sides by their common powers, so that x / (x y) is 1 / y. */
const reduced = ({ over, under }: Rational): Rational => {
  const atoms = new Set([...over, ...under].flatMap((monomial) => [...monomial.keys()]))
  let by: Monomial = new Map()
  for (const name of atoms) {
    const exponents = [...over, ...under].map((monomial) => monomial.get(name) ?? 0)
    // A fitted exponent is of no use here, whether it is named or a number.
    if (
      !exponents.every(
        (exponent): exponent is number => typeof exponent === "number" && exponent % 0.25 === 0,
      )
    )
      continue
    const least = Math.min(...exponents)
    if (least !== 0) by = product(by, new Map([[name, -least]]))
  }
  return { over: products(over, [by]), under: products(under, [by]) }
}

const ofSum = (sum: Sums.Sum): string => {
  const { over, under } = reduced(rational(sum))
  return `(${over.map(text).sort().join("+")})/(${under.map(text).sort().join("+")})`
}

/** A formula without its coefficients: a quotient of sums of products. Equal for laws that differ in constants only. */
const ofTerm = (term: Term.Term): string => ofSum(NormalForm.of(term))

const columns = (term: Term.Term): ReadonlyArray<string> =>
  Term.variables(term).filter((name) => !/^c\d+$/.test(name))

const permutations = (names: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  names.length === 0
    ? [[]]
    : names.flatMap((name, k) => permutations(names.toSpliced(k, 1)).map((rest) => [name, ...rest]))

const anonymous = (term: Term.Term): string =>
  Array.from(ofTerm(term).replaceAll(/\bv\d\b/g, "x"))
    .sort()
    .join("")

/** A formula's columns named v0, v1, ... in order of occurrence. */
const renamed = (formula: string, order?: ReadonlyArray<string>): Term.Term => {
  const term = termOf(formula)
  const names = order ?? columns(term)
  return Term.substitute(term, (name) => {
    const at = names.indexOf(name)
    return Term.variable(at < 0 ? name : `v${at}`)
  })
}

/** A formula ready to be compared with others. */
export interface Skeleton {
  readonly formula: string
  readonly names: ReadonlyArray<string>
  readonly text: string
  /** equal for formulas that differ in names only, and for few others */
  readonly hash: string
}

export const of = (formula: string): Skeleton => {
  const term = renamed(formula)
  return { formula, names: columns(termOf(formula)), text: ofTerm(term), hash: anonymous(term) }
}

/** Whether two formulas are equal up to the names of columns and the values of constants, exponents apart. */
export const equal = (a: Skeleton, b: Skeleton): boolean =>
  a.names.length === b.names.length &&
  a.hash === b.hash &&
  (a.text === b.text || permutations(b.names).some((order) => ofTerm(renamed(b.formula, order)) === a.text))

/** Whether a fitted law has the form of a formula: columns by their names, exponents to within a hundredth. */
export const same = (truth: Skeleton, expression: Term.Term): boolean =>
  loose(ofTerm(termOf(truth.formula))) === loose(ofTerm(expression))

/** A skeleton whose exponents that are no multiples of 1/4 are free. */
const loose = (text: string): string =>
  text.replaceAll(/\^(-?)(\d+\.\d+)/g, (all, _sign: string, digits: string) =>
    Number(digits) % 0.25 === 0 ? all : "^c",
  )
