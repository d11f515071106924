import * as fc from "fast-check"
import * as operations from "../expr/term/operations.ts"
import * as Term from "../expr/Term.ts"

type Operation = Term.UnaryOperation | Term.BinaryOperation

/** All unary operations, protected ones included. */
export const unaryOperations: ReadonlyArray<Term.UnaryOperation> = operations.unaryOperations

/** All binary operations, protected ones included. */
export const binaryOperations: ReadonlyArray<Term.BinaryOperation> = operations.binaryOperations

/**
 * Small integers, decimals of moderate size, and sometimes any finite float64. The latter two shrink to a small integer
 * or not at all: shrinking a failure with two nearly equal constants would otherwise take steps of single ulps.
 */
export const arbitraryConstant: fc.Arbitrary<number> = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 3, arbitrary: fc.noShrink(fc.double({ min: -10, max: 10, noNaN: true })) },
  { weight: 1, arbitrary: fc.noShrink(fc.double({ noNaN: true, noDefaultInfinity: true })) },
)

/** Names as in data: identifiers, Greek words, function names, column titles, any text. */
export const arbitraryName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "x",
    "y",
    "x0",
    "theta",
    "v_max",
    "E",
    "pi",
    "lambda",
    "sin",
    "pow",
    "`",
    "",
    "mass (kg)",
    "2x",
  ),
  fc.string({ unit: "binary", maxLength: 6 }),
)

/** Options of `arbitraryTerm`. */
export interface TermOptions<V extends string> {
  readonly variables: readonly [V, ...ReadonlyArray<V>] | fc.Arbitrary<V>
  /** The operations to use; all by default. */
  readonly operations?: ReadonlyArray<Operation>
  readonly constants?: fc.Arbitrary<number>
  /** The greatest depth, 5 by default. */
  readonly depth?: number
}

/**
 * Random terms, which shrink towards their sub-terms and leaves. One binary node in five has equal operands, so that
 * rules such as that of `x - x` apply.
 *
 * @example
 * fc.assert(fc.property(arbitraryTerm({ variables: ["x", "y"] }), (term) => Term.size(term) >= 1))
 */
export const arbitraryTerm = <const V extends string>(
  options: TermOptions<V>,
): fc.Arbitrary<Term.Term<V>> => {
  const { variables, constants = arbitraryConstant, depth = 5, operations } = options
  const allowed = (operation: Operation): boolean =>
    operations === undefined || operations.includes(operation)
  const unary = unaryOperations.filter(allowed)
  const binary = binaryOperations.filter(allowed)
  const names = "generate" in variables ? variables : fc.constantFrom(...variables)
  const leaf: fc.Arbitrary<Term.Term<V>> = fc.oneof(names.map(Term.variable<V>), constants.map(Term.constant))
  const { term } = fc.letrec<{ term: Term.Term<V> }>((tie) => ({
    term: fc.oneof(
      { maxDepth: depth, withCrossShrink: true },
      leaf,
      ...(unary.length === 0
        ? []
        : [
            {
              weight: 2,
              arbitrary: fc.tuple(fc.constantFrom(...unary), tie("term")).map(([o, a]) => Term.unary(o, a)),
            },
          ]),
      ...(binary.length === 0
        ? []
        : [
            {
              weight: 4,
              arbitrary: fc
                .tuple(fc.constantFrom(...binary), tie("term"), tie("term"))
                .map(([o, a, b]) => Term.binary(o, a, b)),
            },
            {
              weight: 1,
              arbitrary: fc
                .tuple(fc.constantFrom(...binary), tie("term"))
                .map(([o, a]) => Term.binary(o, a, a)),
            },
          ]),
    ),
  }))
  return term
}
