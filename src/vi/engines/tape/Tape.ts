import type { Algebra } from "../../../numeric/Algebra.ts"
import { product } from "../../../numeric/Nd.ts"
import * as RecordingAlgebra from "./algebra.ts"
import * as Memory from "./memory.ts"
import type { Run } from "./operation.ts"
import type { Value } from "./Value.ts"

export type { Value } from "./Value.ts"

/** An operation whose passes are functions of the caller. */
export interface External {
  readonly inputs: ReadonlyArray<Value>
  readonly shape: ReadonlyArray<number>
  /** Writes all of the output's `data` from that of the inputs. Run at every step, even if the inputs are constant. */
  readonly forward: (output: Value, inputs: ReadonlyArray<Value>) => void
  /** Adds to the `adjoint` of each input that has one, from the output's `adjoint`. Run after `forward`. */
  readonly backward: (output: Value, inputs: ReadonlyArray<Value>) => void
}

/**
 * The operations that record a tape. They throw an `Error` once the tape is made, and a `RangeError` where shapes do
 * not fit.
 */
export interface Recorder {
  /** The algebra that records: one operation for each call, the same one for the same operands. */
  readonly algebra: Algebra<Value>
  /** An input by which roots are differentiated. Its `data` are zeros until written. */
  readonly parameter: (shape: ReadonlyArray<number>) => Value
  /** An input without derivatives: noise, a temperature, a weight. */
  readonly input: (shape: ReadonlyArray<number>) => Value
  /** A constant, row-major. Operations on constants alone are computed while recording. */
  readonly array: (values: ArrayLike<number>, shape: ReadonlyArray<number>) => Value
  readonly external: (operation: External) => Value
}

/** The outputs of a tape: values, or lists of values, by name. */
export type Outputs = Readonly<Record<string, Value | ReadonlyArray<Value>>>

/**
 * A straight-line program on small dense arrays, recorded once (reverse-mode differentiation, Griewank and Walther
 * 2008). It runs forward and backward any number of times and allocates only when `backward` first meets a root.
 */
export interface Tape<O extends Outputs> {
  readonly outputs: O
  /** Computes the outputs from the parameters and inputs. */
  readonly forward: () => void
  /**
   * Sets the adjoint of every value to the derivative of `root` by it, where `root` depends on it through recorded
   * operations, and to 0 elsewhere. `forward` comes first. Slopes at kinks are those of tfjs, see `operation.ts`.
   *
   * @param root a scalar (or one element) among the outputs or the values on which they depend. Throws a `RangeError`
   *   for others.
   */
  readonly backward: (root: Value) => void
}

/** The recorder's entry of a value. */
interface Entry {
  readonly value: Value
  readonly inputs: ReadonlyArray<Entry>
  /** whether it was computed while recording, and is not computed again */
  readonly fixed: boolean
  readonly forward: Run | undefined
  readonly backward: ReadonlyArray<Run>
  /** its place in the order of recording */
  readonly id: number
}

/** The entries on which roots depend, the roots included, in the order of recording. */
const needed = (roots: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const found = new Set<Entry>()
  const visit = (entry: Entry): void => {
    if (found.has(entry)) return
    found.add(entry)
    entry.inputs.forEach(visit)
  }
  roots.forEach(visit)
  return [...found].sort((one, other) => one.id - other.id)
}

const runAll = (runs: ReadonlyArray<Run>): void => {
  for (let i = 0; i < runs.length; i++) runs[i]!()
}

/**
 * Records the operations of `build`. The tape runs those on which its outputs depend.
 *
 * @example
 * const tape = Tape.record(({ algebra: A, parameter }) => {
 *   const x = parameter([3])
 *   return { x, norm: A.sumAll(A.unary.square(x)) }
 * })
 * tape.outputs.x.data.set([1, 2, 3])
 * tape.forward() // tape.outputs.norm.data: [14]
 * tape.backward(tape.outputs.norm) // tape.outputs.x.adjoint: [2, 4, 6]
 */
export const record = <O extends Outputs>(build: (recorder: Recorder) => O): Tape<O> => {
  const data = Memory.make()
  const adjoints = Memory.make()
  const entries = new Map<Value, Entry>()
  /** values by operation and inputs, or by literal, so that each is recorded once */
  const known = new Map<string, Value>()
  let open = true

  const entryOf = (value: Value): Entry => {
    const entry = entries.get(value)
    if (entry === undefined) throw new RangeError("Tape: a value of another tape")
    return entry
  }
  const mustBeOpen = (): void => {
    if (!open) throw new Error("Tape: nothing can be recorded once the tape is made")
  }
  const enter = (value: Value, entry: Partial<Entry> = {}): Value => {
    mustBeOpen()
    const rest = { inputs: [], fixed: false, forward: undefined, backward: [], ...entry }
    entries.set(value, { ...rest, value, id: entries.size })
    return value
  }
  const allocate = (shape: ReadonlyArray<number>, differentiated: boolean): Value => {
    const length = product(shape)
    return {
      shape: [...shape],
      data: data.take(length),
      adjoint: differentiated ? adjoints.take(length) : undefined,
    }
  }
  const once = (key: string, make: () => Value): Value => {
    mustBeOpen()
    const value = known.get(key) ?? make()
    known.set(key, value)
    return value
  }
  const keyOf = (name: string, inputs: ReadonlyArray<Entry>): string =>
    `${name}: ${inputs.map(({ id }) => id).join(" ")}`

  const array: Recorder["array"] = (values, shape) => {
    if (values.length !== product(shape)) {
      const needs = `shape [${shape.join(", ")}] needs ${product(shape)} elements`
      throw new RangeError(`Tape: ${needs}, got ${values.length}`)
    }
    const make = (): Value => {
      const value = allocate(shape, false)
      value.data.set(values)
      return enter(value, { fixed: true })
    }
    return shape.length > 0 ? make() : once(`literal ${RecordingAlgebra.digits(values[0]!)}`, make)
  }

  const apply: RecordingAlgebra.Target["apply"] = (operation) => {
    const inputs = operation.inputs.map(entryOf)
    return once(keyOf(operation.name, inputs), () => {
      const varies = inputs.some(({ value }) => value.adjoint !== undefined)
      const value = allocate(operation.shape, operation.differentiable && varies)
      const forward = operation.forward(value)
      const fixed = inputs.every((input) => input.fixed)
      if (fixed) forward()
      const { adjoint } = value
      const backward = adjoint === undefined ? [] : operation.backward(value, adjoint)
      return enter(value, { inputs, fixed, forward, backward })
    })
  }

  const view: RecordingAlgebra.Target["view"] = (x, shape) => {
    const input = entryOf(x)
    // A view shares its adjoint: the backward pass has no work here.
    return once(keyOf(`view ${shape.join()}`, [input]), () =>
      enter({ ...x, shape }, { inputs: [input], fixed: input.fixed }),
    )
  }

  const outputs = build({
    algebra: RecordingAlgebra.make({ array, apply, view }),
    parameter: (shape) => enter(allocate(shape, true)),
    input: (shape) => enter(allocate(shape, false)),
    array,
    external: ({ inputs, shape, forward, backward }) => {
      const value = allocate(
        shape,
        inputs.some(({ adjoint }) => adjoint !== undefined),
      )
      return enter(value, {
        inputs: inputs.map(entryOf),
        forward: () => forward(value, inputs),
        backward: value.adjoint === undefined ? [] : [() => backward(value, inputs)],
      })
    },
  })
  open = false

  const live = needed(Object.values(outputs).flat().map(entryOf))
  const program = live.flatMap(({ fixed, forward }) => (fixed || forward === undefined ? [] : [forward]))
  const gradients = new Map<Value, ReadonlyArray<Run>>()
  const gradientOf = (root: Value): ReadonlyArray<Run> => {
    const entry = entryOf(root)
    if (root.data.length !== 1)
      throw new RangeError(`Tape: a root has one element, but shape [${root.shape.join(", ")}] has more`)
    if (!live.includes(entry)) throw new RangeError("Tape: the outputs do not need this root")
    return needed([entry])
      .toReversed()
      .flatMap(({ backward }) => backward)
  }
  return {
    outputs,
    forward: () => runAll(program),
    backward: (root) => {
      let gradient = gradients.get(root)
      if (gradient === undefined) {
        gradient = gradientOf(root)
        gradients.set(root, gradient)
      }
      adjoints.clear()
      if (root.adjoint !== undefined) root.adjoint[0] = 1
      runAll(gradient)
    },
  }
}
