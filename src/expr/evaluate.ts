import type { ScalarAlgebra } from "../numeric/Algebra.ts"
import * as Term from "./Term.ts"
import { arithmetic } from "./term/Interpret.ts"

// `interpret` itself lives in declare/: expansion, constant folding and derivatives are interpretations too.
export { arithmetic, interpret } from "./term/Interpret.ts"

/** The value of one row: `row[k]` is the value of `variables[k]`. */
export type ScalarFunction = (row: ArrayLike<number>) => number

/**
 * The values of many rows: `columns[k][i]` is the value of `variables[k]` in row i, and the result goes to `out[i]`,
 * for every i below `out.length`. `out` may be one of the columns. NaN and infinities come out as IEEE 754 makes them.
 *
 * @throws RangeError when a column that the term reads is missing or shorter than `out`
 */
export type ColumnFunction = (columns: ReadonlyArray<Float64Array>, out: Float64Array) => void

const literalSource = (value: number): string => (Object.is(value, -0) ? "-0" : String(value))

const { exp, log, sin, cos, tan, tanh, asin, acos, atan } = arithmetic.unary
/** What generated source may call by name, besides what `Math` has with the same bits on every engine. */
const functions = { exp, log, sin, cos, tan, tanh, asin, acos, atan, pow: arithmetic.binary.pow }

/**
 * The primitives as straight-line JavaScript. A value is the identifier of a `const`; an operation adds a statement
 * to `statements` (expression -> identifier) unless the same expression is there, so equal sub-terms run once.
 */
const algebra = (emit: (expression: string) => string): ScalarAlgebra<string> => {
  const call = (name: keyof typeof functions) => (x: string) => emit(`${name}(${x})`)
  const exact = (name: "sqrt" | "abs" | "sign") => (x: string) => emit(`Math.${name}(${x})`)
  const extreme = (name: "min" | "max") => (x: string, y: string) => emit(`Math.${name}(${x}, ${y})`)
  const infix = (sign: string) => (x: string, y: string) => emit(`${x} ${sign} ${y}`)
  return {
    literal: (value) => emit(literalSource(value)),
    unary: {
      neg: (x) => emit(`-${x}`),
      square: (x) => emit(`${x} * ${x}`),
      sqrt: exact("sqrt"),
      abs: exact("abs"),
      sign: exact("sign"),
      exp: call("exp"),
      log: call("log"),
      sin: call("sin"),
      cos: call("cos"),
      tan: call("tan"),
      tanh: call("tanh"),
      asin: call("asin"),
      acos: call("acos"),
      atan: call("atan"),
      guard: (x) => emit(`${x} >= 0 ? Math.max(${x}, 1e-6) : Math.min(${x}, -1e-6)`),
    },
    binary: {
      add: infix("+"),
      sub: infix("-"),
      mul: infix("*"),
      div: infix("/"),
      pow: (x, y) => emit(`pow(${x}, ${y})`),
      min: extreme("min"),
      max: extreme("max"),
    },
  }
}

/** The statements that compute `term`, and the identifier that holds its value; `read` writes the k-th variable. */
const compile = (
  term: Term.Term,
  variables: ReadonlyArray<string>,
  read: (position: number) => string,
): { readonly code: string; readonly result: string; readonly used: ReadonlyArray<number> } => {
  const statements = new Map<string, string>()
  const emit = (expression: string): string => {
    const name = statements.get(expression) ?? `v${statements.size}`
    statements.set(expression, name)
    return name
  }
  const used = Term.variables(term).map((name) => position(name, variables))
  const result = Term.interpret(algebra(emit))(term)((name) => emit(read(variables.indexOf(name))))
  const code = [...statements].map(([expression, name]) => `const ${name} = ${expression}`).join("\n")
  return { code, result, used }
}

const position = (name: string, variables: ReadonlyArray<string>): number => {
  const found = variables.indexOf(name)
  if (found >= 0) return found
  throw new RangeError(`the term reads "${name}", but the variables are: ${variables.join(", ")}`)
}

/**
 * A function from generated source, or `fallback` where the host forbids code generation (a page's content security
 * policy, `node --disallow-code-generation-from-strings`), which it says by an EvalError.
 *
 * Why generate: for 9 operations on 1,800 rows it takes 15 us where one closure call per node and row takes 240 us; a
 * first run, compilation included, takes 190 us. Why it is safe: the source holds numbers, fixed words and generated
 * identifiers only. A variable enters as its index, so that no text of the user's is ever run.
 */
const generate = <F>(parameters: ReadonlyArray<string>, code: string, fallback: () => F): F => {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval
    const make = new Function(
      ...Object.keys(functions),
      `"use strict"\nreturn (${parameters.join(", ")}) => {\n${code}\n}`,
    )
    // The Function constructor is untyped; the parameters beside each call are those of F.
    return make(...Object.values(functions)) as F
  } catch (error) {
    if (error instanceof EvalError) return fallback()
    throw error
  }
}

/**
 * Compiles a term to a function of one row.
 *
 * @param variables the names of the entries of a row; there may be more names than the term reads
 * @throws RangeError when the term reads a variable that is not listed
 *
 * @example
 * scalarFunction(Term.mul(Term.variable("m"), Term.variable("a")), ["m", "a"])([2, 9.81]) // 19.62
 */
export const scalarFunction = (term: Term.Term, variables: ReadonlyArray<string>): ScalarFunction => {
  const { code, result } = compile(term, variables, (k) => `row[${k}]`)
  return generate<ScalarFunction>(["row"], `${code}\nreturn ${result}`, () => {
    const run = Term.interpret(Term.arithmetic)(term)
    return (row) => run((name) => row[variables.indexOf(name)] ?? NaN)
  })
}

/**
 * Compiles a term to a function of whole columns, one pass over the rows without any allocation.
 *
 * @param variables the names of the columns; there may be more names than the term reads
 * @throws RangeError when the term reads a variable that is not listed
 */
export const compileColumn = (term: Term.Term, variables: ReadonlyArray<string>): ColumnFunction => {
  const { code, result, used } = compile(term, variables, (k) => `c${k}[i]`)
  const source = `${used.map((k) => `const c${k} = columns[${k}]`).join("\n")}
for (let i = 0; i < out.length; i++) {
${code}
out[i] = ${result}
}`
  const run = generate<ColumnFunction>(["columns", "out"], source, () => {
    const evaluate = Term.interpret(Term.arithmetic)(term)
    return (columns, out) => {
      for (let i = 0; i < out.length; i++) {
        out[i] = evaluate((name) => columns[variables.indexOf(name)]?.[i] ?? NaN)
      }
    }
  })
  return (columns, out) => {
    for (const k of used) {
      const length = columns[k]?.length ?? 0
      if (length < out.length) {
        throw new RangeError(`column "${variables[k]}" has ${length} values for ${out.length} rows`)
      }
    }
    run(columns, out)
  }
}
