import { compileColumn, type ColumnFunction } from "./evaluate.ts"
import * as Term from "./Term.ts"
import { binaryOperations, eachOperation, unaryOperations } from "./term/operations.ts"

/** The values of a term on all rows, for values of its numbers. The next call overwrites them. */
export type NumbersFunction = (numbers: ArrayLike<number>) => Float64Array

/** Columns by name. */
export interface Table {
  readonly features: ReadonlyArray<string>
  readonly columns: ReadonlyArray<Float64Array>
  readonly rows: number
}

const [x, y] = [Term.variable("x"), Term.variable("y")]

/** Passes over columns, each compiled when it is first asked for. */
const passes = <O extends string>(
  make: (operation: O) => ColumnFunction,
): ((operation: O) => ColumnFunction) => {
  const made = new Map<O, ColumnFunction>()
  return (operation) => {
    const pass = made.get(operation) ?? make(operation)
    made.set(operation, pass)
    return pass
  }
}

const ofOne = passes((operation: Term.UnaryOperation) => compileColumn(Term.unary(operation, x), ["x"]))
const ofTwo = passes((operation: Term.BinaryOperation) =>
  compileColumn(Term.binary(operation, x, y), ["x", "y"]),
)

/** The values of a part of a term, and how they are made. */
interface Node {
  readonly id: number
  readonly values: Float64Array
  /** the places of the numbers that it reads, directly or below */
  readonly reads: ReadonlySet<number>
}

/** One operation. */
interface Step {
  readonly run: () => void
  /** whether a number that it reads has changed since it ran */
  stale: boolean
}

/**
 * A term on fixed columns as a function of its numbers. Each operation is a pass over the rows of its own, and runs again only where a number
 * below it has changed (incremental evaluation); equal parts run once. Values equal those of `compileColumn` bit for bit.
 *
 * *When to use*: for hundreds of values of the numbers on some hundred rows, as a fit of one of many formulas asks for, where to compile a term
 * takes longer than to run it. `compileColumn` is one pass for the whole term, needs no memory for its parts, and is better for more rows.
 *
 * @param names the numbers among the term's variables
 * @throws RangeError when the term reads a variable that is neither a column nor a number
 */
export const incremental = (
  term: Term.Term,
  { features, columns, rows }: Table,
  names: ReadonlyArray<string>,
): NumbersFunction => {
  const steps: Array<Step> = []
  const nodes = new Map<string, Node>()
  /** the steps that read each number */
  const readers = names.map((): Array<Step> => [])
  const once = (key: string, make: () => Node): Node => {
    const node = nodes.get(key) ?? make()
    nodes.set(key, node)
    return node
  }
  const leaf = (key: string, values: () => Float64Array, ...reads: ReadonlyArray<number>): Node =>
    once(key, () => ({ id: nodes.size, values: values(), reads: new Set(reads) }))
  const operation = (key: string, pass: ColumnFunction, operands: ReadonlyArray<Node>): Node =>
    once(`${key} ${operands.map(({ id }) => id).join(" ")}`, () => {
      const values = new Float64Array(rows)
      const inputs = operands.map((operand) => operand.values)
      const step: Step = { run: () => pass(inputs, values), stale: true }
      const reads = new Set(operands.flatMap((operand) => [...operand.reads]))
      steps.push(step)
      for (const j of reads) readers[j]!.push(step)
      return { id: nodes.size, values, reads }
    })
  const numbers = names.map((_, j) => leaf(`number ${j}`, () => new Float64Array(rows).fill(Number.NaN), j))
  const variable = (name: string): Node => {
    const column = columns[features.indexOf(name)]
    if (column !== undefined) return leaf(`column ${name}`, () => column)
    const number = numbers[names.indexOf(name)]
    if (number !== undefined) return number
    const variables = [...features, ...names].join(", ")
    throw new RangeError(`the term reads "${name}", but the variables are: ${variables}`)
  }
  const root = Term.interpretWith<Node>({
    literal: (value) =>
      leaf(`literal ${Object.is(value, -0) ? "-0" : value}`, () => new Float64Array(rows).fill(value)),
    unary: eachOperation(unaryOperations, (one) => (argument) => operation(one, ofOne(one), [argument])),
    binary: eachOperation(
      binaryOperations,
      (one) => (left, right) => operation(one, ofTwo(one), [left, right]),
    ),
  })(term)(variable)
  const last = new Float64Array(names.length).fill(Number.NaN)
  return (values) => {
    for (let j = 0; j < last.length; j++) {
      const value = values[j]!
      if (Object.is(value, last[j])) continue
      last[j] = value
      numbers[j]!.values.fill(value)
      for (const step of readers[j]!) step.stale = true
    }
    for (const step of steps) {
      if (!step.stale) continue
      step.run()
      step.stale = false
    }
    return root.values
  }
}
