import { leastSquares } from "../../numeric/leastSquares.ts"
import * as Term from "../../expr/Term.ts"
import { affine, type AffineForm, toTerm } from "./AffineForm.ts"

/**
 * The terms of a model as affine combinations of basis functions, which have no constant terms or factors:
 * f_k = constant_k + sum_j matrix_kj h_j. Hypotheses about exact constants concern the coefficients of the basis
 * functions, so that the coefficients of 2 x + 3 and of x / 5 are both those of x.
 */
export interface BasisFunctions {
  readonly functions: ReadonlyArray<Term.Term>
  /** constants of the terms, length K */
  readonly constants: ReadonlyArray<number>
  /** coefficients of the basis functions, K rows, one column for each basis function */
  readonly matrix: ReadonlyArray<Float64Array>
}

/** The connected components of the terms, where two terms are connected if they share a basis function. */
const groups = (terms: ReadonlyArray<AffineForm>): ReadonlyArray<ReadonlyArray<number>> => {
  const group = terms.map((_, k) => k)
  const owner = new Map<string, number>()
  terms.forEach(({ summands }, k) => {
    for (const { basis } of summands) {
      const key = Term.key(basis)
      const other = owner.get(key)
      if (other === undefined) owner.set(key, k)
      else {
        const [from, to] = [group[k]!, group[other]!]
        group.forEach((value, index) => {
          if (value === from) group[index] = to
        })
      }
    }
  })
  return [...new Set(group)].map((one) => terms.map((_, k) => k).filter((k) => group[k] === one))
}

/** A term as a multiple of one basis function, the sum of all its summands. */
const whole = ({ summands }: AffineForm): AffineForm => {
  const size = Math.abs(summands[0]!.coefficient)
  const basis = toTerm({
    constant: 0,
    summands: summands.map(({ coefficient, basis }) => ({ coefficient: coefficient / size, basis })),
  })
  return { constant: 0, summands: [{ coefficient: size, basis }] }
}

/**
 * The basis of terms. Terms that share basis functions are split into these if there are no more of them than terms:
 * x + y and x are split into x and y. Otherwise each term is one basis function: x - y alone is not split.
 */
export const of = (terms: ReadonlyArray<Term.Term>): BasisFunctions => {
  const affines = terms.map(affine)
  const used = affines.slice()
  for (const members of groups(affines)) {
    const functions = new Set(
      members.flatMap((k) => affines[k]!.summands.map(({ basis }) => Term.key(basis))),
    )
    if (functions.size > members.length)
      for (const k of members) used[k] = { ...whole(affines[k]!), constant: affines[k]!.constant }
  }
  const functions = new Map<string, Term.Term>()
  for (const { summands } of used) for (const { basis } of summands) functions.set(Term.key(basis), basis)
  const order = new Map([...functions.keys()].map((key, j) => [key, j]))
  return {
    functions: [...functions.values()],
    constants: used.map(({ constant }) => constant),
    matrix: used.map(({ summands }) => {
      const row = new Float64Array(order.size)
      for (const { basis, coefficient } of summands) row[order.get(Term.key(basis))!]! += coefficient
      return row
    }),
  }
}

/** The basis in which every term is its own basis function. */
export const trivial = (terms: ReadonlyArray<Term.Term>): BasisFunctions => ({
  functions: terms,
  constants: terms.map(() => 0),
  matrix: terms.map((_, k) => Float64Array.from(terms, (__, j) => (j === k ? 1 : 0))),
})

/** Coefficients of the basis functions, intercept first, from those of the terms. */
export const toBasis = (
  { functions, constants, matrix }: BasisFunctions,
  b: ArrayLike<number>,
): Float64Array => {
  const out = new Float64Array(functions.length + 1)
  out[0] = constants.reduce((sum, value, k) => sum + value * b[k + 1]!, b[0]!)
  matrix.forEach((row, k) => {
    row.forEach((value, j) => {
      out[j + 1]! += value * b[k + 1]!
    })
  })
  return out
}

/**
 * Coefficients of the terms, intercept first, from those of the basis functions, by least squares: the inverse of
 * `toBasis` where it has one.
 */
export const toTerms = ({ constants, matrix }: BasisFunctions, c: Float64Array): Float64Array => {
  const slopes = matrix.length === 0 ? new Float64Array(0) : leastSquares(matrix, c.subarray(1)).coefficients
  const intercept = slopes.reduce((sum, value, k) => sum - value * constants[k]!, c[0]!)
  return Float64Array.of(intercept, ...slopes)
}
