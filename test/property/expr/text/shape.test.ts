import * as Result from "effect/Result"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import * as Shape from "../../../../src/expr/Shape.ts"
import * as ShapeText from "../../../../src/expr/text/shape.ts"

const args = ["t", "x 1"] as const
const argument = fc.constantFrom(...args)
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const shape: fc.Arbitrary<Shape.Shape> = fc.oneof(
  fc.constant(Shape.positive),
  argument.map(Shape.increasing),
  argument.map(Shape.decreasing),
  argument.map(Shape.monotone),
  argument.map(Shape.even),
  argument.map(Shape.odd),
  fc.tuple(argument, number).map(([of, period]) => Shape.periodic(of, Math.abs(period) + 1e-3)),
  fc
    .tuple(argument, fc.constantFrom<0 | typeof Infinity>(0, Infinity), number)
    .map(([of, at, value]) => Shape.limit(of, at, value)),
)

it("a shape is read from its text", () => {
  fc.assert(
    fc.property(shape, (one) => {
      expect(Result.getOrThrow(ShapeText.parse(ShapeText.write(one), args))).toEqual(one)
    }),
  )
})
