import { describe, expect, it } from "vitest"
import * as Tape from "../../../../../src/vi/engines/tape/Tape.ts"
import * as Nd from "../../../../../src/numeric/Nd.ts"

const values = (x: Tape.Value): ReadonlyArray<number> => Array.from(x.data)
const adjoints = (x: Tape.Value): ReadonlyArray<number> => Array.from(x.adjoint!)

describe("a tape", () => {
  it("runs forward and backward as often as its inputs change", () => {
    const tape = Tape.record(({ algebra: A, parameter, input, array }) => {
      const x = parameter([3])
      const scale = input([])
      const weighed = A.binary.mul(A.binary.mul(A.unary.square(x), scale), array([1, 10, 100], [3]))
      return { x, scale, root: A.sumAll(weighed) }
    })
    const { x, scale, root } = tape.outputs
    for (const [at, factor] of [
      [[1, 2, 3], 1],
      [[-1, 0, 0.5], 2],
    ] as const) {
      x.data.set(at)
      scale.data[0] = factor
      tape.forward()
      tape.backward(root)
      const [a, b, c] = at
      expect(values(root)).toEqual([factor * (a * a + 10 * b * b + 100 * c * c)])
      expect(adjoints(x)).toEqual([2 * factor * a, 20 * factor * b, 200 * factor * c])
    }
    expect(scale.adjoint).toBeUndefined()
  })

  it("differentiates by each of several roots, and by none that the root does not depend on", () => {
    const tape = Tape.record(({ algebra: A, parameter }) => {
      const [x, y] = [parameter([2]), parameter([])]
      return { x, y, sum: A.sumAll(x), both: A.binary.mul(A.sumAll(A.unary.exp(x)), y) }
    })
    const { x, y, sum, both } = tape.outputs
    x.data.set([0, Math.LN2])
    y.data.set([5])
    tape.forward()
    for (let repetition = 0; repetition < 2; repetition++) {
      tape.backward(both)
      expect([adjoints(x), adjoints(y)]).toEqual([[5, 10], [3]])
      tape.backward(sum)
      expect([adjoints(x), adjoints(y), adjoints(both)]).toEqual([[1, 1], [0], [0]])
      tape.backward(y)
      expect([adjoints(x), adjoints(y)]).toEqual([[0, 0], [1]])
    }
  })

  it("zeroes the adjoints of arrays of all sizes", () => {
    const lengths = [3000, 3000, 9, 20_000, 1]
    const tape = Tape.record(({ algebra: A, parameter }) => {
      const parameters = lengths.map((length) => parameter([length]))
      return { parameters, root: parameters.map(A.sumAll).reduce(A.binary.add) }
    })
    const { parameters, root } = tape.outputs
    for (let repetition = 0; repetition < 2; repetition++) {
      tape.backward(root)
      expect(parameters.map((x) => adjoints(x).every((slope) => slope === 1))).toEqual(
        lengths.map(() => true),
      )
    }
  })

  it("differentiates nothing behind a sign", () => {
    const tape = Tape.record(({ algebra: A, parameter }) => {
      const x = parameter([2])
      const flipped = A.binary.mul(A.unary.sign(A.unary.exp(x)), x)
      return { x, exp: A.unary.exp(x), sign: A.unary.sign(A.unary.exp(x)), root: A.sumAll(flipped) }
    })
    tape.forward()
    tape.backward(tape.outputs.root)
    expect(tape.outputs.sign.adjoint).toBeUndefined()
    expect([adjoints(tape.outputs.x), adjoints(tape.outputs.exp)]).toEqual([
      [1, 1],
      [0, 0],
    ])
  })

  it("records the same operation on the same operands once", () => {
    Tape.record(({ algebra: A, parameter, array }) => {
      const x = parameter([2])
      const { add, sub } = A.binary
      expect(A.unary.exp(x)).toBe(A.unary.exp(x))
      expect(add(A.unary.exp(x), A.literal(2))).toBe(add(A.unary.exp(x), A.literal(2)))
      expect(A.expandLast(x)).toBe(A.expandLast(x))
      expect(A.clamp(x, -1, 1)).toBe(A.clamp(x, -1, 1))
      expect(A.clamp(x, -1, 1)).not.toBe(A.clamp(x, -1, 2))
      expect(A.clamp(x, 0, 1)).not.toBe(A.clamp(x, -0, 1))
      expect(A.unary.exp(x)).not.toBe(A.unary.exp(parameter([2])))
      expect(sub(x, A.literal(2))).not.toBe(sub(A.literal(2), x))
      expect(A.literal(0)).not.toBe(A.literal(-0))
      expect(array([1], [])).toBe(A.literal(1))
      return {}
    })
  })

  it("computes what depends on constants alone while it records", () => {
    const tape = Tape.record(({ algebra: A, parameter, array }) => {
      const constant = A.unary.exp(A.expandLast(A.sumLast(array([1, 2, 3, 4], [2, 2]))))
      expect(constant.shape).toEqual([2, 1])
      expect(values(constant)).toEqual([Math.exp(3), Math.exp(7)])
      expect(constant.adjoint).toBeUndefined()
      return { constant, root: A.sumAll(A.binary.mul(parameter([]), constant)) }
    })
    // What nobody computes again stays as it is.
    tape.outputs.constant.data.fill(2)
    tape.forward()
    expect(values(tape.outputs.constant)).toEqual([2, 2])
  })

  it("leaves out what its outputs do not need", () => {
    const ran: Array<string> = []
    const counted = (name: string, { external, parameter }: Tape.Recorder): Tape.Value =>
      external({
        inputs: [parameter([])],
        shape: [],
        forward: () => ran.push(`${name} forward`),
        backward: () => ran.push(`${name} backward`),
      })
    const tape = Tape.record((recorder) => {
      counted("unused", recorder)
      const A = recorder.algebra
      const [first, second] = [counted("first", recorder), counted("second", recorder)]
      return { first: A.unary.square(first), both: A.binary.add(A.unary.square(first), second) }
    })
    tape.forward()
    expect(ran).toEqual(["first forward", "second forward"])
    tape.backward(tape.outputs.first)
    expect(ran.splice(0)).toEqual(["first forward", "second forward", "first backward"])
    tape.backward(tape.outputs.both)
    expect(ran).toEqual(["second backward", "first backward"])
  })

  it("leaves operations to others, who add to the adjoints", () => {
    const tape = Tape.record(({ algebra: A, parameter, input, external }) => {
      const x = parameter([2])
      const w = input([2])
      // The inner product of 2 x and w; x is used before and after.
      const doubled = A.binary.mul(A.literal(2), x)
      const dot = external({
        inputs: [doubled, w],
        shape: [],
        forward: ({ data }, [a, b]) => {
          data[0] = a!.data[0]! * b!.data[0]! + a!.data[1]! * b!.data[1]!
        },
        backward: ({ adjoint }, [a, b]) => {
          expect(b!.adjoint).toBeUndefined()
          a!.adjoint!.forEach((_, i) => (a!.adjoint![i]! += adjoint![0]! * b!.data[i]!))
        },
      })
      const alone = external({
        inputs: [w],
        shape: [],
        forward: ({ data }) => data.fill(1),
        backward: () => {},
      })
      const root = A.binary.add(A.binary.mul(A.literal(10), dot), A.sumAll(doubled))
      return { x, w, dot, alone, root }
    })
    const { x, w, dot, alone, root } = tape.outputs
    x.data.set([1, 2])
    w.data.set([3, 4])
    tape.forward()
    tape.backward(root)
    expect([values(dot), values(root)]).toEqual([[22], [226]])
    expect(adjoints(x)).toEqual([2 * (10 * 3 + 1), 2 * (10 * 4 + 1)])
    expect(alone.adjoint).toBeUndefined()
  })

  it("sums empty axes to 0, and takes roots of any shape with one element", () => {
    const tape = Tape.record(({ algebra: A, parameter }) => {
      const [empty, one] = [parameter([2, 0]), parameter([1, 1])]
      const sums = A.sumLast(A.softmaxLast(empty))
      return { empty, one, sums, root: A.expandLast(A.binary.add(A.sumAll(sums), A.unary.exp(one))) }
    })
    tape.forward()
    tape.backward(tape.outputs.root)
    expect(values(tape.outputs.sums)).toEqual([0, 0])
    expect([tape.outputs.root.shape, values(tape.outputs.root)]).toEqual([[1, 1, 1], [1]])
    expect([adjoints(tape.outputs.empty), adjoints(tape.outputs.one)]).toEqual([[], [1]])
  })

  it("says what is wrong", () => {
    const other = Tape.record(({ parameter }) => ({ x: parameter([2]) }))
    const kept: Array<Tape.Recorder> = []
    const tape = Tape.record((recorder) => {
      kept.push(recorder)
      const { algebra: A, parameter, array } = recorder
      const x = parameter([2])
      expect(() => array([1, 2, 3], [2])).toThrow(RangeError)
      expect(() => A.binary.add(x, array([1, 2, 3], [3]))).toThrow(RangeError)
      for (const name of ["sumLast", "softmaxLast", "logSoftmaxLast"] as const)
        expect(() => A[name](A.literal(1))).toThrow(RangeError)
      expect(() => A.unary.exp(other.outputs.x)).toThrow("another tape")
      return { x, unused: A.sumAll(x) }
    })
    const { algebra: A, parameter, array } = kept[0]!
    const { x, unused } = tape.outputs
    for (const late of [() => A.unary.exp(x), () => A.sumAll(x), () => parameter([]), () => array([1], [1])])
      expect(late).toThrow("once the tape is made")
    expect(() => tape.backward(x)).toThrow("one element")
    expect(() => tape.backward(other.outputs.x)).toThrow("another tape")
    expect(() => tape.backward(unused)).not.toThrow()
  })

  it("refuses a root that its outputs do not need", () => {
    const roots: Array<Tape.Value> = []
    const tape = Tape.record(({ algebra: A, parameter }) => {
      const x = parameter([2])
      roots.push(A.sumAll(x))
      return { x }
    })
    expect(() => tape.backward(roots[0]!)).toThrow("do not need")
  })

  it("keeps its arrays, and grows by nothing", () => {
    const tape = Tape.record(({ algebra: A, parameter, input }) => {
      const [x, y] = [parameter([3, 4]), input([2, 3, 4])]
      const { add, sub, mul, div, pow, min, max } = A.binary
      const positive = A.unary.exp(x)
      const parts = [
        ...Object.values(A.unary).map((f) => f(mul(A.sigmoid(x), A.literal(0.5)))),
        ...[add, sub, mul, div, pow, min, max].flatMap((f) => [f(positive, y), f(y, positive)]),
        ...[A.softplus, A.softmaxLast, A.logSoftmaxLast, A.lgamma, A.digamma].map((f) => f(positive)),
        A.clamp(x, -1, 1),
        sub(x, A.expandLast(A.sumLast(x))),
      ]
      return { x, y, parts, root: parts.map(A.sumAll).reduce(add) }
    })
    const { x, y, parts, root } = tape.outputs
    x.data.forEach((_, i) => (x.data[i] = Math.sin(i)))
    y.data.fill(1.5)
    const places = [x, y, root, ...parts].flatMap(({ data, adjoint }) => [data, adjoint])
    const runs = (count: number): void => {
      for (let i = 0; i < count; i++) {
        tape.forward()
        tape.backward(root)
      }
    }
    // Compiles the loops, which takes room once.
    runs(4000)
    // A number boxed in each run is in every batch. Compilation and the rest of the process come in bursts: the least of
    // twenty batches has none of them.
    const changes = Array.from({ length: 20 }, () => {
      const before = process.memoryUsage().heapUsed
      runs(2000)
      return Math.abs(process.memoryUsage().heapUsed - before)
    })
    // One boxed number a run would be 32 kB.
    expect(Math.min(...changes)).toBeLessThan(32_000)
    places.forEach((place, i) =>
      expect([x, y, root, ...parts].flatMap(({ data, adjoint }) => [data, adjoint])[i]).toBe(place),
    )
  })
})

describe("the recording algebra", () => {
  it.each([1, 2, 3, 4])("normalises rows of %i as Nd does, infinite and undefined elements included", (n) => {
    const numbers = [-Infinity, -1e308, 0, 1.5, 1.5 + 2 ** -52, Infinity, Number.NaN]
    const rows = numbers.length ** n
    const x = Nd.of(
      [rows, n],
      Array.from({ length: rows * n }, (_, i) => {
        const digit = Math.floor(Math.floor(i / n) / numbers.length ** (i % n)) % numbers.length
        return numbers[digit]!
      }),
    )
    const tape = Tape.record(({ algebra: A, parameter }) => {
      const all = parameter([rows, n])
      return { all, soft: A.softmaxLast(all), log: A.logSoftmaxLast(all), sum: A.sumLast(all) }
    })
    tape.outputs.all.data.set(x.data)
    tape.forward()
    expect(tape.outputs.soft.data).toEqual(Nd.algebra.softmaxLast(x).data)
    expect(tape.outputs.log.data).toEqual(Nd.algebra.logSoftmaxLast(x).data)
    expect(tape.outputs.sum.data).toEqual(Nd.algebra.sumLast(x).data)
  })

  it("has every operation of the contract", () => {
    Tape.record(({ algebra: A }) => {
      expect(Object.keys(A)).toEqual(Object.keys(Nd.algebra))
      expect(Object.keys(A.unary)).toEqual(Object.keys(Nd.algebra.unary))
      expect(Object.keys(A.binary)).toEqual(Object.keys(Nd.algebra.binary))
      return {}
    })
  })
})
