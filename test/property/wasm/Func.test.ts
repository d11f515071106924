import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as X from "../../../src/wasm/Expr.ts"
import * as F from "../../../src/wasm/Func.ts"
import { runs } from "../../support/property.ts"
import { start } from "../../support/wasm.ts"
import { invoke, operations } from "../../support/wasmInterpreter.ts"

// Random programs of nested loops, conditions and switches, emitted with all sharing and hoisting, against an interpreter
// that does neither. Programs read one region of memory, which only calls change, and write another, as the builder asks.

type Int = X.Expr<"i32">

/** Words that are read, from byte 0; words that are written, from byte `written`. */
const words = 16
const written = 4 * words

const variables = Array.from({ length: 4 }, (_, i) => X.local("i32", `v${i}`))
const counters = Array.from({ length: 3 }, (_, i) => X.local("i32", `counter${i}`))
const names = Object.keys(operations) as ReadonlyArray<keyof typeof operations>

const twice = (() => {
  const x = X.local("i32", "x")
  return F.pure("square and one", [x], X.op("i32.add", X.op("i32.mul", X.get(x), X.get(x)), X.i32(1)))
})()
const host = F.host("triple", [X.local("i32", "x")], "i32")
/** Changes the region that programs read: adds to one of its words. */
const disturb = (() => {
  const [at, by] = [X.local("i32", "at"), X.local("i32", "by")]
  const address = X.op("i32.shl", X.op("i32.and", X.get(at), X.i32(words - 1)), X.i32(2))
  const sum = X.op("i32.add", X.load("i32.load", address), X.get(by))
  return F.procedure("disturb", [at, by], [F.store("i32.store", address, sum)])
})()

const wordOf = (x: Int): Int => X.op("i32.shl", X.op("i32.and", x, X.i32(words - 1)), X.i32(2))

/** Expressions; parts are drawn from a few, so that equal ones are common. */
const expression: fc.Arbitrary<Int> = fc.letrec<{ readonly tree: Int }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...[...variables, ...counters].map((variable) => X.get(variable))),
    fc.constantFrom(0, 1, -1, 5, 64, -65, 2 ** 31 - 1).map(X.i32),
    fc
      .tuple(fc.constantFrom(...names), tie("tree"), tie("tree"))
      .map(([operation, a, b]) => X.op(operation, a, b)),
    tie("tree").map((x) => X.op("i32.mul", x, x)),
    tie("tree").map((x) => X.load("i32.load", wordOf(x))),
    tie("tree").map((x) => X.result(twice, x)),
    tie("tree").map((x) => X.result(host, x)),
    fc
      .tuple(tie("tree"), tie("tree"), tie("tree"))
      .map(([value, condition, instead]) => X.unless(value, condition, instead)),
  ),
})).tree

type Block = ReadonlyArray<F.Statement>

/** Statements that may nest `depth` times; the innermost loops use the last counters. */
const block = (depth: number): fc.Arbitrary<Block> => {
  const simple = fc.oneof(
    fc.tuple(fc.constantFrom(...variables), expression).map(([variable, x]): Block => [F.set(variable, x)]),
    fc.tuple(expression, expression).map(([at, x]): Block => [F.store("i32.store", wordOf(at), x, written)]),
    fc.tuple(expression, expression).map(([at, by]): Block => [F.call(disturb, at, by)]),
  )
  const statement =
    depth === 0
      ? simple
      : fc.oneof(
          { weight: 4, arbitrary: simple },
          {
            weight: 2,
            arbitrary: fc
              .tuple(fc.integer({ min: 1, max: 3 }), block(depth - 1))
              .map(([times, body]): Block => {
                const counter = counters[depth - 1]!
                const less = F.set(counter, X.op("i32.sub", X.get(counter), X.i32(1)))
                return [F.set(counter, X.i32(times)), F.repeat([...body, less], X.get(counter))]
              }),
          },
          {
            weight: 1,
            arbitrary: fc
              .tuple(expression, block(depth - 1), block(depth - 1))
              .map(([condition, body, otherwise]): Block => [F.when(condition, body, otherwise)]),
          },
          {
            weight: 1,
            arbitrary: fc
              .tuple(expression, fc.array(block(depth - 1), { minLength: 1, maxLength: 3 }))
              .map(([x, cases]): Block => [F.choose(X.op("i32.and", x, X.i32(3)), cases)]),
          },
        )
  return fc.array(statement, { maxLength: 5 }).map((parts) => parts.flat())
}

const triple = { triple: (x: number) => Math.imul(3, x) }

describe("programs", () => {
  it("do the same shared and hoisted as they are written", () => {
    fc.assert(
      fc.property(block(3), expression, fc.tuple(fc.integer(), fc.integer()), (body, value, args) => {
        const func: F.Defined<"i32"> = {
          ...F.pure("program", variables.slice(0, 2), value),
          body,
        }
        const { memory, run } = start(func, triple)
        const ours = new Int32Array(memory, 0, 2 * words)
        ours.forEach((_, i) => (ours[i] = Math.imul(i + 1, 0x9e3779b1)))
        const theirs = ours.slice()
        const expected = invoke({ memory: theirs, host: triple }, func, args)
        expect(run(...args)).toBe(expected)
        expect(ours).toEqual(theirs)
      }),
      runs(1500),
    )
  })
})
