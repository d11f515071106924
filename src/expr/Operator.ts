import { SettingError } from "../errors/Setting.ts"
import { functions } from "./text/functions.ts"
import * as Term from "./Term.ts"

/** The argument names of an operator's term: `x` alone, or `x` and `y`. */
export type Argument = "x" | "y"

/**
 * An operator of a grammar: a literal name and **one** scalar term over its arguments. The tensor graph, the scalar
 * evaluator, the derivative, the text in every notation, the complexity and the domain all follow from the term.
 */
export interface Operator<N extends string = string, A extends 1 | 2 = 1 | 2> {
  readonly name: N
  readonly arity: A
  readonly term: Term.Term<Argument>
  /** f(x, y) = f(y, x): the two orders are one expression when models are counted and ranked. */
  readonly commutative: boolean
  /** The complexity that one use adds to an expression; the number of operations in the term by default. */
  readonly complexity: number
  /** The argument in which a law has a number, as the exponent of a power; undefined where each may be any expression. */
  readonly number?: "y" | undefined
}

/** Settings of an operator beside its term. */
export interface Traits {
  readonly complexity?: number
}

/** The same for an operator of two arguments, the second of which may be a number in each law. */
export interface BinaryTraits extends Traits {
  readonly number?: "y"
}

/**
 * An operator of one argument.
 *
 * @example
 * const gauss = Operator.unary("gauss", (x) => Term.exp(Term.neg(Term.square(x))))
 */
export const unary = <const N extends string>(
  name: N,
  define: (x: Term.Term<"x">) => Term.Term<"x">,
  traits: Traits = {},
): Operator<N, 1> => {
  const term = Term.meaning(define(Term.variable("x")))
  return { name, arity: 1, term, commutative: false, complexity: traits.complexity ?? operations(term) }
}

/**
 * An operator of two arguments. That it commutes is read off its term.
 *
 * @example
 * const hypotenuse = Operator.binary("hypotenuse", (x, y) => Term.sqrt(Term.add(Term.square(x), Term.square(y))))
 */
export const binary = <const N extends string>(
  name: N,
  define: (x: Term.Term<"x">, y: Term.Term<"y">) => Term.Term<Argument>,
  traits: BinaryTraits = {},
): Operator<N, 2> => {
  const term = Term.meaning(define(Term.variable("x"), Term.variable("y")))
  return {
    name,
    arity: 2,
    term,
    commutative: symmetric(term),
    complexity: traits.complexity ?? operations(term),
    ...(traits.number && { number: traits.number }),
  }
}

/** The operator applied to terms: its term with the arguments substituted. */
export const apply = (operator: Operator, operands: ReadonlyArray<Term.Term>): Term.Term => {
  const [x, y = x] = operands
  if (x === undefined || operands.length !== operator.arity)
    throw new Error(`the operator ${operator.name} takes ${operator.arity} operands, not ${operands.length}`)
  return Term.substitute(operator.term, { x, y: y ?? x })
}

/**
 * The operator applied to terms, by its name where it has no notation of its own: `softplus(x)`, but `x*y` for `mul`. Operators
 * that ship, and others by the name of a function of the text notation, are written by their terms.
 */
export const applyByName = (operator: Operator, operands: ReadonlyArray<Term.Term>): Term.Term =>
  isShipped(operator.name) || functions.has(operator.name) || operands.length !== operator.arity
    ? apply(operator, operands)
    : Term.application(operator.name, operator.term, operands)

/** A condition of an operator's domain: `argument` has to satisfy `relation`. */
export interface Requirement {
  readonly argument: Term.Term
  readonly relation: "nonzero" | "positive" | "nonnegative" | "within [-1, 1]"
}

/**
 * The domain of an operator, read off its term: denominators differ from zero, logarithms take positive and roots
 * non-negative arguments, inverse sines and cosines take [-1, 1]. A law that leaves the domain of one of its operators
 * on any row of the training data is no model.
 */
export const domain = (operator: Operator): ReadonlyArray<Requirement> => {
  const found: Array<Requirement> = []
  const visit = (term: Term.Term): void => {
    if (term._tag === "Unary") {
      if (term.operation === "log") found.push({ argument: term.argument, relation: "positive" })
      if (term.operation === "sqrt") found.push({ argument: term.argument, relation: "nonnegative" })
      if (term.operation === "asin" || term.operation === "acos")
        found.push({ argument: term.argument, relation: "within [-1, 1]" })
      visit(term.argument)
    } else if (term._tag === "Binary") {
      if (term.operation === "div") found.push({ argument: term.right, relation: "nonzero" })
      visit(term.left)
      visit(term.right)
    }
  }
  visit(operator.term)
  return found
}

const operations = (term: Term.Term): number => {
  if (term._tag === "Unary") return 1 + operations(term.argument)
  if (term._tag === "Binary") return 1 + operations(term.left) + operations(term.right)
  return 0
}

/** The operations whose operands may change places. */
export const commutes: ReadonlySet<string> = new Set(["add", "mul", "min", "max"])

/** A term with the operands of commutative operations in one order, so that symmetry is plain equality. */
const sorted = (term: Term.Term): Term.Term => {
  if (term._tag === "Unary") return { ...term, argument: sorted(term.argument) }
  if (term._tag === "Binary") {
    const left = sorted(term.left)
    const right = sorted(term.right)
    const swap = commutes.has(term.operation) && Term.Ord.compare(left, right) > 0
    return swap ? { ...term, left: right, right: left } : { ...term, left, right }
  }
  return term
}

const symmetric = (term: Term.Term<Argument>): boolean =>
  Term.Eq.equals(
    sorted(term),
    sorted(Term.substitute(term, { x: Term.variable("y"), y: Term.variable("x") })),
  )

/** Whether operators are the same function, up to the order of commuting operands, whatever their names. */
export const same = (a: Operator, b: Operator): boolean => Term.equals(sorted(a.term), sorted(b.term))

export const add = binary("add", (x, y) => Term.add(x, y))
export const sub = binary("sub", (x, y) => Term.sub(x, y))
export const mul = binary("mul", (x, y) => Term.mul(x, y))
/** Division, x / y, for y != 0. */
export const div = binary("div", (x, y) => Term.div(x, y))
/** The power x^c of a positive x, c being a number: exp(c log(x)). A search fits c. */
export const pow = binary("pow", (x, y) => Term.exp(Term.mul(y, Term.log(x))), { complexity: 1, number: "y" })
export const min = binary("min", (x, y) => Term.min(x, y))
/** The larger of two. */
export const max = binary("max", (x, y) => Term.max(x, y))
export const neg = unary("neg", (x) => Term.neg(x))
export const square = unary("square", (x) => Term.square(x))
export const cube = unary("cube", (x) => Term.mul(Term.square(x), x))
/** The square root, for x >= 0. */
export const sqrt = unary("sqrt", (x) => Term.sqrt(x))
/** The reciprocal, 1 / x, for x != 0. */
export const inv = unary("inv", (x) => Term.inv(x))
export const abs = unary("abs", (x) => Term.abs(x))
export const sin = unary("sin", (x) => Term.sin(x))
export const cos = unary("cos", (x) => Term.cos(x))
export const tan = unary("tan", (x) => Term.tan(x))
export const tanh = unary("tanh", (x) => Term.tanh(x))
export const atan = unary("atan", (x) => Term.atan(x))
export const exp = unary("exp", (x) => Term.exp(x))
/** The natural logarithm, for x > 0. */
export const log = unary("log", (x) => Term.log(x))

/** The operators that ship, by name: `vasst operators` lists them, and `--operators` accepts them. */
export const shipped = {
  add,
  sub,
  mul,
  div,
  pow,
  min,
  max,
  neg,
  square,
  cube,
  sqrt,
  inv,
  abs,
  sin,
  cos,
  tan,
  tanh,
  atan,
  exp,
  log,
} as const

/** The literal names of the operators that ship. */
export type ShippedName = keyof typeof shipped

const isShipped = (name: string): name is ShippedName => Object.hasOwn(shipped, name)

/** The literal names in a list of operators, each by its name or by itself. */
export type NameIn<L extends ReadonlyArray<ShippedName | Operator>> = L[number] extends infer One
  ? One extends Operator<infer O>
    ? O
    : One & string
  : never

/**
 * Operators of one's own, and those that ship by their names.
 *
 * @throws SettingError for a name that none has
 */
export const named = (list: ReadonlyArray<ShippedName | Operator>): ReadonlyArray<Operator> =>
  list.map((one) => {
    if (typeof one !== "string") return one
    if (isShipped(one)) return shipped[one]
    throw new SettingError({
      message: `there is no operator ${JSON.stringify(one)}; the operators are: ${Object.keys(shipped).join(", ")}`,
    })
  })
