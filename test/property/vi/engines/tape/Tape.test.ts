import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Tape from "../../../../../src/vi/engines/tape/Tape.ts"
import type { Algebra, BinaryPrimitive, UnaryPrimitive } from "../../../../../src/numeric/Algebra.ts"
import * as Nd from "../../../../../src/numeric/Nd.ts"
import { runs } from "../../../../support/property.ts"

// Random programs of small arrays, recorded, against the same programs over `numeric/Nd`: values bit for bit, gradients
// by central differences.

const names = <K extends string>(record: Readonly<Record<K, unknown>>): ReadonlyArray<K> =>
  // `Object.keys` forgets the literal names.
  Object.keys(record) as ReadonlyArray<string> as ReadonlyArray<K>
const unary: ReadonlyArray<UnaryPrimitive> = names(Nd.algebra.unary)
const binary: ReadonlyArray<BinaryPrimitive> = names(Nd.algebra.binary)
const special = ["softplus", "sigmoid", "lgamma", "digamma", "sumAll", "expandLast"] as const
const rowwise = ["sumLast", "softmaxLast", "logSoftmaxLast"] as const
type Special = (typeof special)[number] | (typeof rowwise)[number]

/** One operation; operands are chosen among all earlier values, modulo their number. */
type Instruction = { readonly left: number; readonly right: number } & (
  | { readonly kind: "unary"; readonly name: UnaryPrimitive }
  | { readonly kind: "binary"; readonly name: BinaryPrimitive }
  | { readonly kind: "special"; readonly name: Special }
  | { readonly kind: "clamp"; readonly name: "clamp" }
  | { readonly kind: "literal"; readonly name: "literal" }
)

const instruction: fc.Arbitrary<Instruction> = fc
  .record({ left: fc.nat({ max: 999 }), right: fc.nat({ max: 999 }) })
  .chain((operands) =>
    fc.oneof(
      fc.constantFrom(...unary).map((name) => ({ ...operands, kind: "unary" as const, name })),
      fc.constantFrom(...binary).map((name) => ({ ...operands, kind: "binary" as const, name })),
      fc
        .constantFrom(...special, ...rowwise)
        .map((name) => ({ ...operands, kind: "special" as const, name })),
      fc.constantFrom("clamp" as const).map((name) => ({ ...operands, kind: "clamp" as const, name })),
      fc.constantFrom("literal" as const).map((name) => ({ ...operands, kind: "literal" as const, name })),
    ),
  )

interface Leaf {
  readonly kind: "parameter" | "input" | "constant"
  readonly shape: ReadonlyArray<number>
  readonly values: ReadonlyArray<number>
}

/** Leaves whose shapes broadcast: the last axes of one shape, any of them shortened to 1. */
const leaves = (number: fc.Arbitrary<number>): fc.Arbitrary<ReadonlyArray<Leaf>> =>
  fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 }), fc.integer({ min: 1, max: 4 })).chain((full) => {
    const shape = fc
      .tuple(fc.nat({ max: 3 }), fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }))
      .map(([drop, short]) => full.map((n, axis) => (short[axis] ? 1 : Math.max(n, 1))).slice(drop))
    const leaf = (kind: Leaf["kind"]): fc.Arbitrary<Leaf> =>
      shape.chain((own) =>
        fc
          .array(number, { minLength: Nd.product(own), maxLength: Nd.product(own) })
          .map((values) => ({ kind, shape: own, values })),
      )
    return fc.tuple(leaf("parameter"), leaf("parameter"), leaf("input"), leaf("constant"))
  })

/** The leaves with all numbers different and none 0, shrunk or not: ties that cancel have slopes of their own. */
const apart = (start: ReadonlyArray<Leaf>): ReadonlyArray<Leaf> =>
  start.map((leaf, index) => ({
    ...leaf,
    values: leaf.values.map((x, i) => x + 0.4 * Math.sin(100 * index + i + 1)),
  }))

/** How a program stays inside of its operations' domains, where gradients are compared. */
type Tame = <T>(A: Algebra<T>, name: string, x: T) => T
const wild: Tame = (_A, _name, x) => x
const tame: Tame = (A, name, x) => {
  const { exp, tanh } = A.unary
  // Slightly more than 1, because tanh is: a slope of asin at 1 has no limit.
  if (["asin", "acos"].includes(name)) return A.binary.div(tanh(x), A.literal(1.25))
  // Differences step over the flat piece of guard.
  if (["log", "sqrt", "lgamma", "digamma", "pow base", "divisor", "guard"].includes(name)) return exp(tanh(x))
  return ["exp", "tan", "pow exponent", "square", "mul"].includes(name) ? tanh(x) : x
}

interface Shaped {
  readonly shape: ReadonlyArray<number>
}

/** All values of a program, leaves first. An operation whose shapes do not fit leaves nothing. */
const values = <T extends Shaped>(
  A: Algebra<T>,
  program: ReadonlyArray<Instruction>,
  start: ReadonlyArray<T>,
  inside: Tame,
): ReadonlyArray<T> => {
  const pool = [...start]
  for (const each of program) {
    const x = pool[each.left % pool.length]!
    const y = pool[each.right % pool.length]!
    try {
      pool.push(apply(A, each, x, y, inside))
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
  return pool
}

const apply = <T>(A: Algebra<T>, { kind, name, left }: Instruction, x: T, y: T, inside: Tame): T => {
  switch (kind) {
    case "unary":
      return A.unary[name](inside(A, name, x))
    case "binary":
      if (name === "pow") return A.binary.pow(inside(A, "pow base", x), inside(A, "pow exponent", y))
      return A.binary[name](inside(A, name, x), inside(A, name === "div" ? "divisor" : name, y))
    case "special":
      return A[name](inside(A, name, x))
    case "clamp":
      return A.clamp(x, -0.5, 1.5)
    case "literal":
      return A.literal((left % 9) - 4)
  }
}

const record = (start: ReadonlyArray<Leaf>, program: ReadonlyArray<Instruction>, inside: Tame) =>
  Tape.record(({ algebra, parameter, input, array }) => {
    const first = start.map(({ kind, shape, values: numbers }) =>
      kind === "constant" ? array(numbers, shape) : kind === "input" ? input(shape) : parameter(shape),
    )
    const pool = values(algebra, program, first, inside)
    return { leaves: first, pool, root: algebra.sumAll(pool.at(-1)!) }
  })

const anyNumber = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: -4, max: 4, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, 1, -1, 1e-7, 1e300, Infinity, -Infinity, Number.NaN) },
)

const tie: ReadonlyArray<Leaf> = (["parameter", "parameter", "input", "constant"] as const).map((kind) => ({
  kind,
  shape: [1, 1, 4],
  values: [0, 0, 0, 0],
}))

describe("a recorded program", () => {
  it("has the values of the same program over Nd, bit for bit, at every run", () => {
    const used = new Set<string>()
    fc.assert(
      fc.property(
        leaves(anyNumber),
        fc.array(instruction, { maxLength: 14 }),
        fc.array(anyNumber, { minLength: 1, maxLength: 12 }),
        (start, program, other) => {
          program.forEach(({ name }) => used.add(name))
          const tape = record(start, program, wild)
          const { pool } = tape.outputs
          const places = pool.map(({ data }) => data)
          const [one, two] = [
            start,
            start.map((leaf) => ({
              ...leaf,
              values:
                leaf.kind === "constant" ? leaf.values : leaf.values.map((_, i) => other[i % other.length]!),
            })),
          ]
          for (const at of [one, two, one]) {
            at.forEach(({ kind, values: numbers }, i) => {
              if (kind !== "constant") tape.outputs.leaves[i]!.data.set(numbers)
            })
            tape.forward()
            const expected = values(
              Nd.algebra,
              program,
              at.map((leaf) => Nd.of(leaf.shape, leaf.values)),
              wild,
            )
            expect(pool.map(({ shape, data }) => ({ shape, data }))).toEqual(
              expected.map(({ shape, data }) => ({ shape, data })),
            )
          }
          expect(pool.every(({ data }, i) => data === places[i])).toBe(true)
        },
      ),
      {
        ...runs(400),
        // Where Math.exp and Elementary.exp round differently.
        examples: [
          [tie, [{ left: 0, right: 0, kind: "special", name: "softmaxLast" }], [4.996003610813205e-16, 0]],
        ],
      },
    )
    expect([...used].toSorted()).toEqual(
      [...unary, ...binary, ...special, ...rowwise, "clamp", "literal"].toSorted(),
    )
  })

  it("has the gradient that central differences over Nd have", () => {
    let total = 0
    let compared = 0
    const used = new Set<string>()
    fc.assert(
      fc.property(
        leaves(fc.double({ min: -1.5, max: 1.5, noNaN: true })).map(apart),
        fc.array(instruction, { minLength: 1, maxLength: 10 }),
        (start, program) => {
          const tape = record(start, program, tame)
          tape.outputs.leaves.forEach((leaf, i) => leaf.data.set(start[i]!.values))
          tape.forward()
          tape.backward(tape.outputs.root)
          const numbers = start.map((leaf) => Nd.of(leaf.shape, leaf.values))
          const run = () => values(Nd.algebra, program, numbers, tame)
          const root = () => Nd.toNumber(Nd.algebra.sumAll(run().at(-1)!))
          const here = root()
          const largest = run().reduce(
            (most, { data }) => data.reduce((a, b) => Math.max(a, Math.abs(b)), most),
            1,
          )
          const differences = (data: Float64Array, i: number, h: number): readonly [number, number] => {
            const x = data[i]!
            data[i] = x + h
            const above = root()
            data[i] = x - h
            const below = root()
            data[i] = x
            return [(above - here) / h, (here - below) / h]
          }
          start.forEach(({ kind }, leaf) => {
            const { adjoint } = tape.outputs.leaves[leaf]!
            expect(adjoint === undefined).toBe(kind !== "parameter")
            adjoint?.forEach((slope, i) => {
              total += 1
              const { data } = numbers[leaf]!
              const [right, left] = differences(data, i, 1e-4)
              const [nearRight, nearLeft] = differences(data, i, 5e-5)
              const [coarse, fine] = [(right + left) / 2, (nearRight + nearLeft) / 2]
              // A kink, a jump, or a curvature that differences cannot follow.
              if (!(Math.abs(right - left) <= 1e-2 * (1 + Math.abs(fine)))) return
              // Rounding of the largest value on the way, twice divided by the step.
              const tolerance = 1e-10 * largest + 1e-7 * Math.abs(fine) + 4 * Math.abs(fine - coarse)
              if (!(tolerance < 1e-3 * (1 + Math.abs(fine)))) return
              compared += 1
              program.forEach(({ name }) => used.add(name))
              expect(Math.abs(slope - (4 * fine - coarse) / 3)).toBeLessThanOrEqual(tolerance)
            })
          })
        },
      ),
      runs(150),
    )
    expect(compared / total).toBeGreaterThan(0.8)
    expect(used.size).toBe(unary.length + binary.length + special.length + rowwise.length + 2)
  })
})

describe("broadcasting", () => {
  /** z = f(x, y) with its slopes by both operands, in numbers. */
  const slopes: {
    readonly [P in BinaryPrimitive]: (x: number, y: number) => readonly [number, number]
  } = {
    add: () => [1, 1],
    sub: () => [1, -1],
    mul: (x, y) => [y, x],
    div: (x, y) => [1 / y, -x / (y * y)],
    pow: (x, y) => [y * x ** (y - 1), x ** y * Math.log(x)],
    min: (x, y) => (x <= y ? [1, 0] : [0, 1]),
    max: (x, y) => (x >= y ? [1, 0] : [0, 1]),
  }
  const positive = fc.double({ min: 0.25, max: 4, noNaN: true })
  /** Two shapes that broadcast, and shapes of length 0 among them. */
  const shapes = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom("both", "left", "right")), {
      maxLength: 4,
    })
    .chain((axes) =>
      fc.record({
        left: fc.constant(axes.map(([n, who]) => (who === "right" ? 1 : n))),
        right: fc.constant(axes.map(([n, who]) => (who === "left" ? 1 : n))),
        dropLeft: fc.nat({ max: axes.length }),
        dropRight: fc.nat({ max: axes.length }),
      }),
    )
    .map(({ left, right, dropLeft, dropRight }) =>
      dropLeft < dropRight ? [left, right.slice(dropRight)] : [left.slice(dropLeft), right],
    )

  it.each(binary)("%s sums its adjoints over the repeated axes", (name) =>
    fc.assert(
      fc.property(
        shapes,
        fc.array(positive, { minLength: 5, maxLength: 9 }),
        fc.tuple(fc.boolean(), fc.boolean()),
        ([left = [], right = []], numbers, [leftVaries, rightVaries]) => {
          const fill = (shape: ReadonlyArray<number>, shift: number) =>
            Nd.of(
              shape,
              Array.from({ length: Nd.product(shape) }, (_, i) => numbers[(i + shift) % numbers.length]!),
            )
          const [x, y] = [fill(left, 0), fill(right, 2)]
          const z = Nd.algebra.binary[name](x, y)
          const weights = fill(z.shape, 1)
          const tape = Tape.record(({ algebra: A, parameter, input, array }) => {
            const [a, b] = [
              leftVaries ? parameter(left) : input(left),
              rightVaries ? parameter(right) : input(right),
            ]
            const c = A.binary[name](a, b)
            return { a, b, c, root: A.sumAll(A.binary.mul(c, array(weights.data, z.shape))) }
          })
          const { a, b, c, root } = tape.outputs
          a.data.set(x.data)
          b.data.set(y.data)
          tape.forward()
          tape.backward(root)
          expect(c.shape).toEqual(z.shape)
          expect(c.data).toEqual(z.data)
          expect([a.adjoint === undefined, b.adjoint === undefined]).toEqual([!leftVaries, !rightVaries])
          const [dx, dy] = [new Float64Array(x.data.length), new Float64Array(y.data.length)]
          const from = (own: Nd.Nd) => Nd.broadcastTo(Nd.of(own.shape, [...own.data.keys()]), z.shape).data
          const [i, j] = [from(x), from(y)]
          weights.data.forEach((weight, k) => {
            const [byLeft, byRight] = slopes[name](x.data[i[k]!]!, y.data[j[k]!]!)
            dx[i[k]!]! += weight * byLeft
            dy[j[k]!]! += weight * byRight
          })
          const near = (found: Float64Array | undefined, expected: Float64Array): void =>
            found?.forEach((slope, k) => expect(Math.abs(slope - expected[k]!)).toBeLessThanOrEqual(1e-10))
          near(a.adjoint, dx)
          near(b.adjoint, dy)
        },
      ),
      runs(150),
    ),
  )
})
