import * as tf from "@tensorflow/tfjs-core"
import { beforeAll, describe, expect, it } from "vitest"
import * as Tape from "../../../../../src/vi/engines/tape/Tape.ts"
import { algebra as tensors } from "../../../../../src/vi/engines/tfjs/algebra.ts"
import { registerGradients } from "../../../../../src/vi/engines/tfjs/gradients.ts"
import type { Algebra, BinaryPrimitive, UnaryPrimitive } from "../../../../../src/numeric/Algebra.ts"
import { activate } from "../../../../support/ensembles.ts"

// The slopes of the tape where a derivative does not exist, at poles, and at NaN: those of tfjs's cpu backend.

// As the engine does: the Node build of tfjs-core has no gradients.
registerGradients()

beforeAll(() => activate("cpu"))

const names = <K extends string>(record: Readonly<Record<K, unknown>>): ReadonlyArray<K> =>
  // `Object.keys` forgets the literal names.
  Object.keys(record) as ReadonlyArray<string> as ReadonlyArray<K>
const unary: ReadonlyArray<UnaryPrimitive> = names(tensors.unary)
const binary: ReadonlyArray<BinaryPrimitive> = names(tensors.binary)

type Arrays = ReadonlyArray<ReadonlyArray<number>>
type Function = <T>(A: Algebra<T>, operands: ReadonlyArray<T>) => T

const ours = (f: Function, operands: Arrays, weights: ReadonlyArray<number>): Arrays => {
  const tape = Tape.record(({ algebra: A, parameter, array }) => {
    const parameters = operands.map(({ length }) => parameter([length]))
    return { parameters, root: A.sumAll(A.binary.mul(f(A, parameters), array(weights, [weights.length]))) }
  })
  const { parameters, root } = tape.outputs
  operands.forEach((values, i) => parameters[i]!.data.set(values))
  tape.forward()
  tape.backward(root)
  return parameters.map(({ adjoint }) => Array.from(adjoint!))
}

const theirs = (f: Function, operands: Arrays, weights: ReadonlyArray<number>): Arrays =>
  tf
    .grads((...parameters: Array<tf.Tensor>) => tf.mul(f(tensors, parameters), tf.tensor1d([...weights])))(
      operands.map((values) => tf.tensor1d([...values])),
    )
    .map((slopes) => Array.from(slopes.dataSync()))

const expectAlike = (found: Arrays, expected: Arrays, operands: Arrays): void =>
  expected.forEach((slopes, operand) =>
    slopes.forEach((slope, i) => {
      const at = JSON.stringify(operands.map((values) => String(values[i])))
      const own = found[operand]![i]!
      if (!Number.isFinite(slope)) expect({ at, operand, slope: own }).toEqual({ at, operand, slope })
      else {
        const error = Math.abs(own - slope)
        expect({ at, operand, own, slope, close: error <= 4e-6 * (1 + Math.abs(slope)) }).toMatchObject({
          close: true,
        })
      }
    }),
  )

const compare = (f: Function, operands: Arrays, weights: ReadonlyArray<number>): void =>
  expectAlike(ours(f, operands, weights), theirs(f, operands, weights), operands)

const points = [0, -0, 1, -1, 0.5, -0.5, 1.5, -1.5, 3, -3, 1e-6, -1e-6, 1e-5, -1e-5, 5e-7, -5e-7, Number.NaN]
/** Slopes times 1, 0 and NaN: zeros do not hide poles, and NaN passes where it passes in tfjs. */
const each = [2, 0, Number.NaN]

describe("slopes at kinks, poles and NaN are those of tfjs", () => {
  it.each(unary)("%s", (name) => {
    for (const weight of each)
      compare(
        (A, [x]) => A.unary[name](x!),
        [points],
        points.map(() => weight),
      )
  })

  it.each(binary)("%s", (name) => {
    const pairs = points.flatMap((x) => points.map((y) => [x, y] as const))
    // Beyond float32 the two differ by right.
    const small = pairs.filter(([x, y]) => !["pow", "div"].includes(name) || (!tiny(x) && !tiny(y)))
    for (const weight of each)
      compare(
        (A, [x, y]) => A.binary[name](x!, y!),
        [small.map(([x]) => x), small.map(([, y]) => y)],
        small.map(() => weight),
      )
  })

  it.each(["softplus", "sigmoid", "lgamma", "digamma"] as const)("%s", (name) => {
    const inside = points.filter((x) => !tiny(x))
    for (const weight of each)
      compare(
        (A, [x]) => A[name](x!),
        [inside],
        inside.map(() => weight),
      )
  })

  it("clamp", () => {
    for (const weight of each)
      compare(
        (A, [x]) => A.clamp(x!, -1.5, 0.5),
        [points],
        points.map(() => weight),
      )
  })

  it.each(["softmaxLast", "logSoftmaxLast"] as const)("%s", (name) => {
    for (const row of [
      [0, 0, 0],
      [3, 3, -1],
      [50, -50, 0],
      [1, Number.NaN, 2],
      [2, 2],
      [3, -1],
      [-1, 3],
      [Number.NaN, 3],
      [1],
      [1, 2, 2, -4, 0],
    ])
      compare((A, [x]) => A[name](x!), [row], [1, 2, -3, 0.5, 4].slice(0, row.length))
  })

  it("a value that is used twice collects both slopes", () => {
    for (const x of [-1, 0, 2, Number.NaN]) {
      compare((A, [a]) => A.binary.max(a!, a!), [[x]], [1])
      compare((A, [a]) => A.binary.mul(A.unary.abs(a!), A.unary.sign(a!)), [[x]], [1])
      compare((A, [a]) => A.binary.sub(A.binary.min(a!, A.literal(0)), A.unary.guard(a!)), [[x]], [1])
    }
  })
})

const tiny = (x: number): boolean => x !== 0 && Math.abs(x) < 1e-4
