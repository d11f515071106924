import { describe, expect, it } from "vitest"
import * as Splitting from "../../../src/search/Splitting.ts"
import * as Spaces from "../../support/spaces.ts"

describe("trees whose sums are split", () => {
  const spaces = Spaces.make(([a, b]) => a! * b!, { depth: 7 })
  const [a, b, one] = [0, 1, 2]
  const apply = (name: string, left: number, right?: number): number =>
    Spaces.apply(spaces, name, left, right)
  const split = (id: number): ReadonlyArray<number> => {
    const { space, grammar } = spaces
    const made = Splitting.of(
      {
        space,
        apply: (name, ...operands) =>
          space.apply(
            grammar.operators.findIndex((one) => one.name === name),
            ...operands,
          ),
      },
      id,
    )
    spaces.space.attributes.update()
    return made
  }

  it("are the sum and the difference of a function of the halves", () => {
    expect(new Set(split(apply("square", apply("sub", a, b))))).toEqual(
      new Set(["add", "sub"].map((name) => apply(name, apply("square", a), apply("square", b)))),
    )
  })

  it("are split below a quotient, with the numerator over both halves", () => {
    expect(split(apply("div", a, apply("add", one, b)))).toContain(
      apply("add", apply("div", a, one), apply("div", a, b)),
    )
  })

  it("have each half of three summands, with signs of their own", () => {
    const values = (id: number): ReadonlyArray<number> => [...Spaces.column(spaces, id)]
    const found = split(apply("square", apply("add", apply("sub", a, b), one))).map((id) =>
      values(id).map(Math.abs),
    )
    const rows = [a, b].map(values)
    // (a - b + 1)^2: a^2 and (b - 1)^2, (a - b)^2 and 1, (a + 1)^2 and b^2
    const expected = rows[0]!.map((x, i) => {
      const y = rows[1]![i]!
      return [
        [x ** 2, (y - 1) ** 2],
        [(x - y) ** 2, 1],
        [(x + 1) ** 2, y ** 2],
      ].flatMap(([p, q]) => [p! + q!, Math.abs(p! - q!)])
    })
    expect(found).toHaveLength(6)
    for (const [k, _] of expected[0]!.entries())
      expect(found.filter((own) => own.every((v, i) => Math.abs(v - expected[i]![k]!) < 1e-9))).toHaveLength(
        1,
      )
  })

  it("have what is around them as it was", () => {
    const id = apply("mul", b, apply("sin", apply("square", apply("add", a, one))))
    const wanted = apply("mul", b, apply("sin", apply("add", apply("square", a), apply("square", one))))
    expect(split(id)).toContain(wanted)
  })

  it("are none of a tree without sums, and none that the grammar forbids", () => {
    expect(split(apply("square", apply("mul", a, b)))).toEqual([])
    // The square of more than six summands has too many halves.
    const long = [b, a, b, one, b, one].reduce((sum, id) => apply("add", sum, id), a)
    expect(split(apply("square", long))).toEqual([])
  })
})
