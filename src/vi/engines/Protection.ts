import * as Term from "../../expr/Term.ts"
import * as Real from "../../numeric/Real.ts"

/** The paper's constants: the least denominator, the number added below a root, and the largest exponent. */
const [leastDenominator, belowRoot, largestExponent] = [1e-6, 1e-12, 20] as const

/** Columns of at least this root mean square have the paper's constants. */
const ordinary = 2 ** -10

/** The least unit, so that one over it is finite. */
const smallest = 2 ** -1000

/**
 * The unit of the protections over some columns: 1, or less where the smallest column is small, in proportion. A power of
 * two, so that the unit costs no digits. A column of zeros has no size.
 */
export const unitOf = (columns: ReadonlyArray<Float64Array>): number => {
  const sizes = columns.map(rootMeanSquare).filter((size) => size > 0)
  return Math.min(1, Math.max(smallest, 2 ** Math.floor(Real.log2(Math.min(...sizes, ordinary) / ordinary))))
}

/** Squares are of values in units of the largest, so that none overflows. */
const rootMeanSquare = (column: Float64Array): number => {
  const largest = column.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (!(largest > 0)) return 0
  const squares = column.reduce((sum, value) => sum + (value / largest) ** 2, 0)
  return largest * Math.sqrt(squares / column.length)
}

/**
 * The term of an operator as a relaxed tree computes it: finite for any operands, because mixtures of features and
 * subtrees leave the domains of operations. Denominators keep `1e-6 unit` away from 0, logarithms and powers take
 * magnitudes of at least that, roots are of |x| + 1e-12 unit, exponents are cut to [-20, 20], and arguments of inverse sines and
 * cosines to [-1, 1]. The constants are those of the paper, times a unit of the columns ({@link unitOf}); exponents
 * and sines have no unit.
 *
 * Hard trees are never computed so: their operations are the true ones.
 */
export const protect = (term: Term.Term, unit: number): Term.Term => {
  const least = leastDenominator * unit
  const guard = (x: Term.Term): Term.Term =>
    unit === 1 ? Term.guard(x) : Term.mul(unit, Term.guard(Term.mul(1 / unit, x)))
  return Term.fold<Term.Term>((layer) => {
    if (layer._tag === "Unary") {
      const { argument } = layer
      switch (layer.operation) {
        case "sqrt":
          return Term.sqrt(Term.add(Term.abs(argument), belowRoot * unit))
        case "log":
          return Term.log(Term.max(Term.abs(argument), least))
        case "exp":
          return Term.exp(Term.min(Term.max(argument, -largestExponent), largestExponent))
        case "asin":
        case "acos":
          return Term.unary(layer.operation, Term.min(Term.max(argument, -1), 1))
        default:
          return layer
      }
    }
    if (layer._tag !== "Binary") return layer
    const { left, right } = layer
    if (layer.operation === "div") return Term.div(left, guard(right))
    if (layer.operation === "pow" && !isWhole(right)) return Term.pow(Term.max(Term.abs(left), least), right)
    return layer
  })(term)
}

/** Powers with such an exponent are defined everywhere. */
const isWhole = (exponent: Term.Term): boolean =>
  exponent._tag === "Constant" && Number.isInteger(exponent.value) && exponent.value >= 0
