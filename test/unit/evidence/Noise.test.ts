import { describe, expect, it } from "vitest"
import * as Noise from "../../../src/evidence/Noise.ts"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import * as Term from "../../../src/expr/Term.ts"

const plain = { error: undefined }
const known = { error: "dy" }

const root = Noise.make("counting", { deviation: (mu) => Term.sqrt(Term.abs(mu)) })
const kinds: ReadonlyArray<readonly [Noise.Kind, number]> = [
  [Noise.additive, 1],
  [Noise.proportional, 0],
  [Noise.logarithmic, 0],
  [Noise.heavy, 1],
  [root, 1 / 2],
  [Noise.make("cubes", { deviation: (mu) => Term.abs(Term.mul(mu, Term.square(mu))) }), -2],
  [Noise.make("twice", { deviation: (mu) => Term.mul(2, Term.max(Term.abs(mu), 0)) }), 0],
  [Noise.make("power", { deviation: (mu) => Term.pow(Term.abs(mu), 0.25), degrees: 5 }), 3 / 4],
  [Noise.make("squares", { deviation: Term.square }), -1],
]

describe("the unit of the scale of noise", () => {
  it.each(kinds)("follows from the deviation: $name", (kind, expected) => {
    expect(Noise.sigmaPower(kind, plain)).toBeCloseTo(expected, 12)
    expect(Noise.sigmaPower(kind, known)).toBeCloseTo(expected - 1, 12)
    // s(c mu) = c^d s(mu), with the degree that the power is made of.
    const deviation = scalarFunction(kind.deviation, ["mu"])
    const degree = (kind.residual === "difference" ? 1 : 0) - expected
    for (const mu of [-7, 0.3, 12])
      expect(deviation([1e6 * mu]) / (1e6 ** degree * deviation([mu]))).toBeCloseTo(1, 9)
  })

  it.each([
    Noise.make("a floor", { deviation: (mu) => Term.add(1, Term.abs(mu)) }),
    Noise.make("waves", { deviation: (mu) => Term.exp(mu) }),
  ])("is none where another unit of y makes it another kind: $name", (kind) => {
    expect(Noise.sigmaPower(kind, plain)).toBeUndefined()
  })
})

it("says of kinds whether errors are of one size, and whether they are normal", () => {
  const own = Noise.make("my heavy tails", { degrees: 6, deviation: () => Term.constant(3) })
  const all = [...Noise.shipped.map(({ kind }) => kind), Noise.knownErrors, root, own]
  expect(all.filter(Noise.isEven).map(({ name }) => name)).toEqual([
    "additive",
    "heavy",
    "known errors",
    "my heavy tails",
  ])
  expect(all.filter(Noise.isSimple).map(({ name }) => name)).toEqual(["additive", "known errors"])
})
