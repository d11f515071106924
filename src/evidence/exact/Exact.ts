import { infix } from "../../expr/text/infix.ts"
import * as Term from "../../expr/Term.ts"
import { pow } from "../../numeric/Power.ts"

const pi = Term.constant(Math.PI)

/** a^n, n a whole number from 1 on */
const power = (a: Term.Term, n: number): Term.Term =>
  n === 1 ? a : n === 2 ? Term.square(a) : Term.pow(a, Term.constant(n))

/**
 * A number with an exact name, sign p/q sqrt(root) pi^(halfPi / 2) with p and q coprime and root without square factors:
 * 0, -3/2, 1/sqrt(2 pi), 4 pi.
 */
export interface Exact {
  readonly sign: -1 | 0 | 1
  /** > 0; 1 for zero */
  readonly p: number
  /** > 0 */
  readonly q: number
  /** 1, 2, 3, 6, ... */
  readonly root: number
  readonly halfPi: number
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** p/q times an irrational unit, brought into lowest terms. p and q are integers, q > 0. */
export const make = (p: number, q = 1, root = 1, halfPi = 0): Exact => {
  if (p === 0) return { sign: 0, p: 1, q: 1, root: 1, halfPi: 0 }
  const common = gcd(Math.abs(p), q)
  return { sign: p < 0 ? -1 : 1, p: Math.abs(p) / common, q: q / common, root, halfPi }
}

export const zero = make(0)
export const one = make(1)

export const negate = (a: Exact): Exact => (a.sign === 0 ? a : { ...a, sign: a.sign === 1 ? -1 : 1 })

export const multiply = (a: Exact, b: Exact): Exact => {
  // sqrt(a) sqrt(b) = common sqrt(a b / common^2), and a b / common^2 has no square factor.
  const common = gcd(a.root, b.root)
  return make(
    a.sign * b.sign * a.p * b.p * common,
    a.q * b.q,
    (a.root * b.root) / common ** 2,
    a.halfPi + b.halfPi,
  )
}

/** 1 / a, a not zero. */
export const invert = (a: Exact): Exact => make(a.sign * a.q, a.p * a.root, a.root, -a.halfPi)

export const value = ({ sign, p, q, root, halfPi }: Exact): number => {
  const irrational = Math.sqrt(root) * pow(Math.PI, Math.trunc(halfPi / 2))
  return (sign * p * irrational * (halfPi % 2 === 0 ? 1 : pow(Math.PI, (halfPi % 2) / 2))) / q
}

/** A string that is equal for equal numbers, and different for different numbers. */
export const key = ({ sign, p, q, root, halfPi }: Exact): string =>
  sign === 0 ? "0" : `${sign * p}/${q}r${root}p${halfPi}`

/** The number as a term in conventional notation, with pi as a constant: -3/2, sqrt(2)*pi/4, 1/sqrt(2*pi). */
export const term = ({ sign, p, q, root, halfPi }: Exact): Term.Term => {
  if (sign === 0) return Term.constant(0)
  // sqrt(2)/2 is written 1/sqrt(2).
  const below = root > 1 && q % root === 0
  const product = (factors: ReadonlyArray<Term.Term>): Term.Term => factors.reduce((a, b) => Term.mul(a, b))
  const radical = (on: boolean, halves: number): ReadonlyArray<Term.Term> => {
    const inside = [...(on && root > 1 ? [Term.constant(root)] : []), ...(halves % 2 === 1 ? [pi] : [])]
    const whole = Math.floor(halves / 2)
    return [
      ...(whole > 0 ? [power(pi, whole)] : []),
      ...(inside.length > 0 ? [Term.sqrt(product(inside))] : []),
    ]
  }
  const rest = below ? q / root : q
  const over = radical(!below, Math.max(0, halfPi))
  const under = [...(rest === 1 ? [] : [Term.constant(rest)]), ...radical(below, Math.max(0, -halfPi))]
  // The sign belongs to the leading number if there is one, otherwise to the whole product.
  const leads = p !== 1 || over.length === 0
  const numerator = product([...(leads ? [Term.constant(sign * p)] : []), ...over])
  const fraction = under.length === 0 ? numerator : Term.div(numerator, product(under))
  return sign < 0 && !leads ? Term.neg(fraction) : fraction
}

/** The number in conventional notation: `-3/2`, `sqrt(2)*pi/4`, `1/sqrt(2*pi)`. */
export const text = (a: Exact): string => infix(term(a))

/** a times a term, fractions in conventional notation: x/2, 3*x/4, x/12.56... for 1/(4 pi); not simplified. */
export const times = (a: Exact, term: Term.Term): Term.Term => {
  if (a.sign === 0) return Term.constant(0)
  if (a.root !== 1) return Term.mul(value(a), term)
  const over = value({ ...a, q: 1, halfPi: Math.max(0, a.halfPi) })
  const under = value({ ...a, sign: 1, p: 1, q: 1, halfPi: Math.max(0, -a.halfPi) }) * a.q
  return Term.div(Term.mul(over, term), under)
}
