import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Checkpoint from "../../../src/infer/Checkpoint.ts"
import { runs } from "../../support/property.ts"

const numbers = fc.array(fc.double(), { maxLength: 20 })
const leaf: fc.Arbitrary<unknown> = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(undefined, null, -0, Infinity, -Infinity, Number.NaN, 2 ** 53, "", "__proto__"),
  numbers,
  numbers.map((values) => Float64Array.from(values)),
  numbers.map((values) => Float32Array.from(values)),
  fc.array(fc.integer(), { maxLength: 20 }).map((values) => Int32Array.from(values)),
  fc.array(fc.nat(255), { maxLength: 20 }).map((values) => Uint8Array.from(values)),
)
const state: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  state: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("state"), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie("state"), { maxKeys: 4 }).map((record) => ({ ...record })),
    fc.array(leaf, { maxLength: 4 }).map((values) => new Set(values)),
    fc.array(fc.tuple(fc.string(), tie("state")), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
})).state

describe("a state as bytes", () => {
  it("is the same state when it is read, and equal states have equal bytes", () => {
    fc.assert(
      fc.property(state, (value) => {
        const bytes = Checkpoint.write(value)
        const again = Checkpoint.read(bytes)
        expect(again).toStrictEqual(value)
        expect(Checkpoint.write(again)).toEqual(bytes)
      }),
      runs(300),
    )
  })

  it("keeps every bit of numbers, and what is one object", () => {
    const shared = [1, 2]
    const read = Checkpoint.copy({ a: shared, b: shared, tiny: 5e-324, minus: -0 })
    expect(read.a).toBe(read.b)
    expect(read.a).not.toBe(shared)
    expect(read.tiny).toBe(5e-324)
    expect(Object.is(read.minus, -0)).toBe(true)
  })

  it("takes a part of a larger buffer as the part", () => {
    const part = new Float64Array([1, 2, 3, 4]).subarray(1, 3)
    const read = Checkpoint.copy(part)
    expect([...read]).toEqual([2, 3])
    expect(read.buffer.byteLength).toBe(16)
  })

  it("does not let a key of a record become its prototype", () => {
    const value: unknown = JSON.parse('{"__proto__": {"polluted": 1}}')
    const read = Checkpoint.copy(value)
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
    expect(Object.keys(read as object)).toEqual(["__proto__"])
  })
})

describe("what is no checkpoint", () => {
  class Thing {
    readonly size = 1
  }
  it.each([
    [{ a: [1, () => 2] }, "the state has a function at the state.a[1]; a state is plain data"],
    [{ at: new Date(0) }, "the state has an instance of Date at the state.at"],
    [[new Thing()], "the state has an instance of Thing at the state[0]"],
    [new Map([["a", Symbol("x")]]), "the state has a symbol at the state{0}"],
  ])("is refused with its place: %s", (value, message) => {
    expect(() => Checkpoint.write(value)).toThrow(Checkpoint.CheckpointError)
    expect(() => Checkpoint.write(value)).toThrow(message)
  })

  const whole = Checkpoint.write({ values: Float64Array.of(1, 2, 3), text: "abc", list: [0.5, new Set([1])] })

  it("is refused: other bytes, and bytes that are cut off anywhere", () => {
    expect(() => Checkpoint.read(new Uint8Array(0))).toThrow("they are too few")
    expect(() => Checkpoint.read(new TextEncoder().encode("not a checkpoint"))).toThrow(
      'they do not begin with "vsc1"',
    )
    for (let length = 8; length < whole.length; length++)
      expect(() => Checkpoint.read(whole.subarray(0, length))).toThrow(Checkpoint.CheckpointError)
  })

  it("is never read without an error of its own kind when a byte of its text was changed", () => {
    const length = new DataView(whole.buffer).getUint32(4, true)
    for (let i = 8; i < 8 + length; i++)
      for (const bit of [0, 3, 6]) {
        const changed = whole.slice()
        changed[i]! ^= 1 << bit
        try {
          Checkpoint.read(changed)
        } catch (error) {
          expect(error).toBeInstanceOf(Checkpoint.CheckpointError)
        }
      }
  })
})
