import * as Term from "../../expr/Term.ts"

/** A term as constant + sum_j coefficient_j core_j, each core once. The split is syntactic: no identities are searched for. */
export interface Affine {
  readonly constant: number
  readonly addends: ReadonlyArray<Addend>
}

/** One summand of an affine form. */
export interface Addend {
  readonly coefficient: number
  readonly core: Term.Term
}

const pure = (constant: number): Affine => ({ constant, addends: [] })
const single = (core: Term.Term, coefficient = 1): Affine => ({
  constant: 0,
  addends: [{ coefficient, core }],
})

const scale = ({ constant, addends }: Affine, by: number): Affine =>
  by === 0
    ? pure(0)
    : {
        constant: constant * by,
        addends: addends.map(({ coefficient, core }) => ({ coefficient: coefficient * by, core })),
      }

/** A sum of two coefficients below this fraction of them is rounding error, and counts as 0. */
const cancelled = 1e-14

const plus = (a: Affine, b: Affine): Affine => {
  const sums = new Map<string, Addend>()
  for (const { coefficient, core } of [...a.addends, ...b.addends]) {
    const key = Term.key(core)
    const before = sums.get(key)?.coefficient ?? 0
    const sum = before + coefficient
    const gone = Math.abs(sum) <= cancelled * Math.abs(coefficient)
    sums.set(key, { core, coefficient: gone ? 0 : sum })
  }
  return {
    constant: a.constant + b.constant,
    addends: [...sums.values()].filter(({ coefficient }) => coefficient !== 0),
  }
}

/** The affine form as a simplified term. */
export const toTerm = ({ constant, addends }: Affine): Term.Term =>
  Term.simplify(
    Term.add(
      addends.reduce<Term.Term>(
        (sum, { coefficient, core }) => Term.add(sum, Term.mul(coefficient, core)),
        Term.constant(0),
      ),
      constant,
    ),
  )

/**
 * A common factor and the quotient: 2 and x - y + 1 for 2 x - 2 y + 2. The factor is 1 unless all coefficients have one
 * magnitude.
 */
const content = (a: Affine): readonly [number, Term.Term] => {
  const [first, ...rest] = a.addends
  if (first === undefined) return [1, Term.constant(a.constant)]
  if (rest.length === 0 && a.constant === 0) return [first.coefficient, first.core]
  const size = Math.abs(first.coefficient)
  const same = [
    ...rest.map(({ coefficient }) => coefficient),
    ...(a.constant === 0 ? [] : [a.constant]),
  ].every((value) => Math.abs(value) === size)
  return same ? [size, toTerm(scale(a, 1 / size))] : [1, toTerm(a)]
}

const product = (a: Affine, b: Affine): Affine => {
  if (a.addends.length === 0) return scale(b, a.constant)
  if (b.addends.length === 0) return scale(a, b.constant)
  const [p, x] = content(a)
  const [q, y] = content(b)
  return single(Term.simplify(Term.mul(x, y)), p * q)
}

const quotient = (a: Affine, b: Affine): Affine | undefined => {
  if (b.addends.length === 0) return b.constant === 0 ? undefined : scale(a, 1 / b.constant)
  const [q, y] = content(b)
  // (x + y) / x is 1 + y / x: the 1 belongs to the intercept.
  const key = Term.key(y)
  const same = a.addends.find(({ core }) => Term.key(core) === key)
  const rest = { ...a, addends: a.addends.filter((one) => one !== same) }
  const whole = pure((same?.coefficient ?? 0) / q)
  if (rest.addends.length === 0 && rest.constant === 0) return whole
  const [p, x] = rest.addends.length === 0 ? ([rest.constant, Term.constant(1)] as const) : content(rest)
  return plus(whole, single(Term.simplify(Term.div(x, y)), p / q))
}

const finite = ({ constant, addends }: Affine): boolean =>
  Number.isFinite(constant) &&
  addends.every(({ coefficient }) => Number.isFinite(coefficient) && coefficient !== 0)

/**
 * Takes constant terms and constant factors out of a term, through sums, products, quotients, squares, roots and absolute
 * values: 2 (x + 3) becomes 6 + 2 x, and sqrt(4 x y) becomes 2 sqrt(x y). Values agree up to rounding wherever the term is
 * finite. A product without its constant factors is one core, and so is a function of a sum.
 */
export const affine = (term: Term.Term): Affine => {
  const found = split(term)
  return found !== undefined && finite(found) ? found : single(term)
}

const split = (term: Term.Term): Affine | undefined => {
  switch (term._tag) {
    case "Constant":
      return pure(term.value)
    case "Variable":
      return single(term)
    case "Unary": {
      const inside = affine(term.argument)
      if (term.operation === "neg") return scale(inside, -1)
      if (inside.addends.length === 0) {
        const folded = Term.simplify(Term.unary(term.operation, Term.constant(inside.constant)))
        return folded._tag === "Constant" ? pure(folded.value) : undefined
      }
      const [factor, core] = content(inside)
      switch (term.operation) {
        case "square":
          return single(Term.simplify(Term.square(core)), factor ** 2)
        case "abs":
          return single(Term.simplify(Term.abs(core)), Math.abs(factor))
        case "sqrt":
          return single(
            Term.simplify(Term.sqrt(factor < 0 ? Term.neg(core) : core)),
            Math.sqrt(Math.abs(factor)),
          )
        default:
          return single(Term.simplify(Term.unary(term.operation, toTerm(inside))))
      }
    }
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
