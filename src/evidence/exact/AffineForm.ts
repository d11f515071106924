import * as Term from "../../expr/Term.ts"

/**
 * A term as constant + sum_j coefficient_j h_j, each basis function h_j once. The split is syntactic: no identities are
 * searched for.
 */
export interface AffineForm {
  readonly constant: number
  readonly summands: ReadonlyArray<Summand>
}

export interface Summand {
  readonly coefficient: number
  /** the summand without its constant factors */
  readonly basis: Term.Term
}

const pure = (constant: number): AffineForm => ({ constant, summands: [] })
const single = (basis: Term.Term, coefficient = 1): AffineForm => ({
  constant: 0,
  summands: [{ coefficient, basis }],
})

const scale = ({ constant, summands }: AffineForm, by: number): AffineForm =>
  by === 0
    ? pure(0)
    : {
        constant: constant * by,
        summands: summands.map(({ coefficient, basis }) => ({ coefficient: coefficient * by, basis })),
      }

/** A sum of two coefficients below this fraction of them is rounding error, and counts as 0. */
const cancelled = 1e-14

const plus = (a: AffineForm, b: AffineForm): AffineForm => {
  const sums = new Map<string, Summand>()
  for (const { coefficient, basis } of [...a.summands, ...b.summands]) {
    const key = Term.key(basis)
    const before = sums.get(key)?.coefficient ?? 0
    const sum = before + coefficient
    const gone = Math.abs(sum) <= cancelled * Math.abs(coefficient)
    sums.set(key, { basis, coefficient: gone ? 0 : sum })
  }
  return {
    constant: a.constant + b.constant,
    summands: [...sums.values()].filter(({ coefficient }) => coefficient !== 0),
  }
}

/** The affine form as a simplified term. */
export const toTerm = ({ constant, summands }: AffineForm): Term.Term =>
  Term.simplify(
    Term.add(
      summands.reduce<Term.Term>(
        (sum, { coefficient, basis }) => Term.add(sum, Term.mul(coefficient, basis)),
        Term.constant(0),
      ),
      constant,
    ),
  )

/**
 * A common factor and the quotient: 2 and x - y + 1 for 2 x - 2 y + 2. The factor is 1 unless all coefficients have one
 * magnitude.
 */
const content = (a: AffineForm): readonly [number, Term.Term] => {
  const [first, ...rest] = a.summands
  if (first === undefined) return [1, Term.constant(a.constant)]
  if (rest.length === 0 && a.constant === 0) return [first.coefficient, first.basis]
  const size = Math.abs(first.coefficient)
  const same = [
    ...rest.map(({ coefficient }) => coefficient),
    ...(a.constant === 0 ? [] : [a.constant]),
  ].every((value) => Math.abs(value) === size)
  return same ? [size, toTerm(scale(a, 1 / size))] : [1, toTerm(a)]
}

const product = (a: AffineForm, b: AffineForm): AffineForm => {
  if (a.summands.length === 0) return scale(b, a.constant)
  if (b.summands.length === 0) return scale(a, b.constant)
  const [p, x] = content(a)
  const [q, y] = content(b)
  return single(Term.simplify(Term.mul(x, y)), p * q)
}

const quotient = (a: AffineForm, b: AffineForm): AffineForm | undefined => {
  if (b.summands.length === 0) return b.constant === 0 ? undefined : scale(a, 1 / b.constant)
  const [q, y] = content(b)
  // (x + y) / x is 1 + y / x: the 1 belongs to the intercept.
  const key = Term.key(y)
  const same = a.summands.find(({ basis }) => Term.key(basis) === key)
  const rest = { ...a, summands: a.summands.filter((one) => one !== same) }
  const whole = pure((same?.coefficient ?? 0) / q)
  if (rest.summands.length === 0 && rest.constant === 0) return whole
  const [p, x] = rest.summands.length === 0 ? ([rest.constant, Term.constant(1)] as const) : content(rest)
  return plus(whole, single(Term.simplify(Term.div(x, y)), p / q))
}

const finite = ({ constant, summands }: AffineForm): boolean =>
  Number.isFinite(constant) &&
  summands.every(({ coefficient }) => Number.isFinite(coefficient) && coefficient !== 0)

/**
 * Takes constant terms and constant factors out of a term, through sums, products, quotients, squares, roots and absolute
 * values: 2 (x + 3) becomes 6 + 2 x, and sqrt(4 x y) becomes 2 sqrt(x y). Values agree up to rounding wherever the term is
 * finite. A product without its constant factors is one basis function, and so is a function of a sum.
 */
export const affine = (term: Term.Term): AffineForm => {
  const found = split(term)
  return found !== undefined && finite(found) ? found : single(term)
}

const split = (term: Term.Term): AffineForm | undefined => {
  switch (term._tag) {
    case "Constant":
      return pure(term.value)
    case "Variable":
      return single(term)
    case "Unary": {
      const inside = affine(term.argument)
      if (term.operation === "neg") return scale(inside, -1)
      if (inside.summands.length === 0) {
        const folded = Term.simplify(Term.unary(term.operation, Term.constant(inside.constant)))
        return folded._tag === "Constant" ? pure(folded.value) : undefined
      }
      const [factor, basis] = content(inside)
      switch (term.operation) {
        case "square":
          return single(Term.simplify(Term.square(basis)), factor ** 2)
        case "abs":
          return single(Term.simplify(Term.abs(basis)), Math.abs(factor))
        case "sqrt":
          return single(
            Term.simplify(Term.sqrt(factor < 0 ? Term.neg(basis) : basis)),
            Math.sqrt(Math.abs(factor)),
          )
        default:
          return single(Term.simplify(Term.unary(term.operation, toTerm(inside))))
      }
    }
    case "Application":
      // An operator with a name is one basis function, whatever its meaning.
      return single({ ...term, operands: term.operands.map((operand) => toTerm(affine(operand))) })
    case "Binary": {
      const [left, right] = [affine(term.left), affine(term.right)]
      switch (term.operation) {
        case "add":
          return plus(left, right)
        case "sub":
          return plus(left, scale(right, -1))
        case "mul":
          return product(left, right)
        case "div":
          return quotient(left, right)
        default:
          return single(Term.simplify(term))
      }
    }
  }
}
