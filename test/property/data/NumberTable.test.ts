import * as fc from "fast-check"
import { expect, it } from "vitest"
import * as NumberTable from "../../../src/data/NumberTable.ts"

const digits = (least: number, most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most }).map((list) => list.join(""))

/** Decimal numbers of few digits and many, near powers of two and ten, in every notation. */
const decimals = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("", "-", "+"),
      digits(1, 20),
      fc.constantFrom("", ".", ".0", ".25", ".123456789012345678"),
      fc.oneof(
        fc.constant(""),
        fc
          .tuple(fc.constantFrom("e", "E"), fc.integer({ min: -330, max: 280 }))
          .map(([e, by]) => `${e}${by}`),
      ),
    )
    .map((parts) => parts.join("")),
  digits(1, 18).map((list) => `.${list}`),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
)

const isRounded = (text: string): boolean => {
  const digits = text.replace("+", "")
  const value = Number(digits)
  return /^-?\d+$/.test(digits) && BigInt(value) !== BigInt(digits) && value.toString() !== digits
}

it("numbers are those of `Number`, bit by bit", () =>
  fc.assert(
    fc.property(fc.array(decimals, { minLength: 1, maxLength: 30 }), (texts) => {
      const read = NumberTable.read(`x\n${texts.join("\n")}\n`, ",", (names) => names)
      const expected = texts.map(Number)
      // The general parser names numbers that overflow, those that underflow (1e-400 is not 0), and whole numbers that are rounded.
      const isBeyond = (value: number, i: number): boolean =>
        !Number.isFinite(value) ||
        isRounded(texts[i]!) ||
        (value === 0 && /[1-9]/.test(texts[i]!.split(/e/i)[0]!))
      if (expected.some(isBeyond)) {
        expect(read).toBeUndefined()
        return
      }
      expect(read?.rows).toBe(texts.length)
      expected.forEach((value, i) => expect(Object.is(read!.columns[0]![i], value)).toBe(true))
    }),
    { numRuns: 500 },
  ))
