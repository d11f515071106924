import * as Schema from "effect/Schema"
import * as Term from "../expr/Term.ts"

/**
 * An invertible function g of the response (a link of a generalised linear model, Nelder and Wedderburn 1972). The
 * linear model is of g(y), and the law is solved for y:
 *
 *     g(y) = b_0 + sum_k b_k f_k(x),   y = h(b_0 + sum_k b_k f_k(x))
 *
 * Roots of sums, quotients and exponentials of sums are then short ensembles. Derivatives, Jacobians, texts and the
 * domain of g on a data set follow from its terms.
 */
export interface Link<N extends string = string> {
  readonly name: N
  /** g, a term over y */
  readonly forward: Term.Term<"y">
  /** g', a term over y */
  readonly derivative: Term.Term<"y">
  /**
   * The branches of the inverse, terms over z: several where g is only piecewise invertible, as y^2 is on either side
   * of 0. All rows of a data set must be on one branch. Values of z for which the inverse is not finite, such as negative
   * ones below a root, have no y: a law with such a value on some row is not possible.
   */
  readonly inverse: ReadonlyArray<Term.Term<"z">>
  /** The link's complexity, a part of a model's: the number of operations of its inverse by default. */
  readonly complexity: number
}

/** An invalid link: its inverse does not undo it. Thrown while the model is declared. */
export class LinkError extends Schema.TaggedError<LinkError>()("LinkError", { message: Schema.String }) {}

type Inverse = (z: Term.Term<"z">) => Term.Term<"z">

/**
 * Points at which an inverse must undo its link where both are defined; irrational, so that no two functions agree by
 * chance.
 */
const probes = [0.1, 0.6, 1.2, 2.3, 5.1].flatMap((v) => [v * Math.SQRT2, -v * Math.SQRT2])

const evaluate = <V extends string>(term: Term.Term<V>): ((value: number) => number) => {
  const run = Term.interpret(Term.arithmetic)(term)
  return (value) => run(() => value)
}

/**
 * A link from the terms of a function and of its inverse. *When to use*: for a function that none of `shipped` has.
 *
 * @param definition.inverse one function, or one for each branch
 * @throws LinkError when no branch of the inverse undoes the function at some of ten points between -8 and 8
 *
 * @example
 * const log1p = Link.make("log1p", { forward: (y) => Term.log(Term.add(y, 1)), inverse: (z) => Term.sub(Term.exp(z), 1) })
 */
export const make = <const N extends string>(
  name: N,
  definition: {
    readonly forward: (y: Term.Term<"y">) => Term.Term<"y">
    readonly inverse: Inverse | ReadonlyArray<Inverse>
    readonly complexity?: number
  },
): Link<N> => {
  const forward = definition.forward(Term.variable("y"))
  const branches = typeof definition.inverse === "function" ? [definition.inverse] : definition.inverse
  const inverse = branches.map((branch) => branch(Term.variable("z")))
  const g = evaluate(forward)
  for (const [index, h] of inverse.map(evaluate).entries())
    if (!probes.some((y) => Math.abs(h(g(y)) - y) <= 1e-9 * Math.abs(y)))
      throw new LinkError({
        message:
          branches.length === 1
            ? `the inverse of the link "${name}" does not undo it`
            : `branch ${index + 1} of the inverse of the link "${name}" undoes it nowhere`,
      })
  return {
    name,
    forward,
    derivative: Term.derivative(forward, "y"),
    inverse,
    complexity: definition.complexity ?? Math.min(...inverse.map(operations)),
  }
}

/** Whether y is the exponential of z, by a branch of the inverse of a link. */
export const isExponential = (inverse: Term.Term<"z">): boolean =>
  inverse._tag === "Unary" && inverse.operation === "exp" && inverse.argument._tag === "Variable"

const operations = Term.fold<number>((layer) =>
  Term.children(layer).reduce(
    (sum, child) => sum + child,
    layer._tag === "Unary" || layer._tag === "Binary" ? 1 : 0,
  ),
)

/** The identity: a model of y. *When to use*: always; the links below are tried beside it. */
export const identity = make("identity", { forward: (y) => y, inverse: (z) => z })
/** y^2, y of one sign. *When to use*: for roots of sums, as a distance. */
export const square = make("square", {
  forward: Term.square,
  inverse: [Term.sqrt, (z) => Term.neg(Term.sqrt(z))],
})
/** sqrt y, y > 0. *When to use*: for squares of sums, as an intensity of waves. */
export const sqrt = make("sqrt", { forward: Term.sqrt, inverse: Term.square })
/** 1 / y. *When to use*: for quotients with a sum below, as resistors in parallel. */
export const inverse = make("inverse", { forward: Term.inv, inverse: Term.inv })
/** 1 / y^2, y of one sign. *When to use*: for one over roots of sums, as the Lorentz factor. */
export const inverseSquare = make("inverseSquare", {
  forward: (y) => Term.inv(Term.square(y)),
  inverse: [(z) => Term.inv(Term.sqrt(z)), (z) => Term.neg(Term.inv(Term.sqrt(z)))],
})
/** log y, y > 0. *When to use*: for products of powers and exponentials, as Arrhenius' law. */
export const log = make("log", { forward: Term.log, inverse: Term.exp })
/** exp y. *When to use*: for logarithms of sums, as a level in decibels of several sources. */
export const exp = make("exp", { forward: Term.exp, inverse: Term.log })
/** sin y, |y| < pi / 2. *When to use*: for angles in radians, as in the law of refraction. */
export const sin = make("sin", { forward: Term.sin, inverse: Term.asin })
/** cos y, 0 < y < pi. *When to use*: for angles in radians between 0 and pi, as one between two vectors. */
export const cos = make("cos", { forward: Term.cos, inverse: Term.acos })
/**
 * arcsin y, |y| < 1. (arccos y = pi / 2 - arcsin y would be the same model.) *When to use*: for a sine of a sum, as a wave of amplitude 1.
 */
export const arcsin = make("arcsin", {
  forward: Term.asin,
  inverse: Term.sin,
})

/**
 * The links that ship. Links that the data rule out, such as log y for y < 0, are dropped when a model meets its data.
 */
export const shipped: ReadonlyArray<Link> = [
  identity,
  square,
  sqrt,
  inverse,
  inverseSquare,
  log,
  exp,
  sin,
  cos,
  arcsin,
]
