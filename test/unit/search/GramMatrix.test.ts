import { describe, expect, it } from "vitest"
import { FAULTS, FIRST, SQUARE } from "../../../src/search/kernel/Kernel.ts"
import * as GramMatrix from "../../../src/search/GramMatrix.ts"
import * as BorderedRegression from "../../../src/search/BorderedRegression.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Spaces from "../../support/spaces.ts"

describe("inner products of columns that are kept", () => {
  const spaces = Spaces.make(([a, b]) => 3 * Math.sin(a!) + a! * b! ** 2)
  const { space, data } = spaces
  const product = Spaces.apply(spaces, "mul", 0, 1)
  const wave = Spaces.apply(spaces, "sin", 0)
  const ratio = Spaces.apply(spaces, "div", 0, 1)
  const sum = Spaces.apply(spaces, "add", product, wave)
  const generator = Rng.generator(Rng.key(6))
  const regression = BorderedRegression.make(space, 4)

  /** What regressions ask of a row of moments, from one pass over the data each. */
  const check = (gram: GramMatrix.GramMatrix, base: ReadonlyArray<number>): void => {
    const found = gram.moments(base).slice()
    const members = gram.members().slice()
    regression.hold(base, 0)
    const width = regression.width()
    expect(width).toBe(FIRST + base.length + 3)
    const rows = regression.moments(members, members.length)
    const apart = Array.from(members, (_, i) => {
      const at = i * width
      const columns = [FAULTS, SQUARE, ...Array.from({ length: base.length + 3 }, (__, j) => FIRST + j)]
      return [
        ...columns.map((k) => (found[at + k]! - rows[at + k]!) / (1 + Math.abs(rows[at + k]!))),
        // Columns that are constant, or in the span of the others, have no residuals of their own.
        regression.rss(found, at) >= 0 || regression.rss(rows, at) >= 0
          ? regression.rss(found, at) - regression.rss(rows, at)
          : 0,
      ]
    })
    const signatures = Array.from(members, (_, i) => {
      if (!(regression.rss(rows, i * width) >= 0)) return []
      return [regression.signature(found, i * width), regression.signature(rows, i * width)]
    })
    expect(signatures.filter(([ours, theirs]) => ours !== theirs)).toEqual([])
    expect(Math.max(...apart.flat().map(Math.abs))).toBeLessThan(1e-9)
  }

  it("are those of passes over the data, whenever a member or a base came", () => {
    const gram = GramMatrix.make(space, 0)
    gram.add([0, 1, product])
    check(gram, [])
    check(gram, [wave])
    gram.add([product, ratio, wave, ratio])
    expect([...gram.members()]).toEqual([0, 1, product, ratio, wave])
    check(gram, [wave])
    check(gram, [ratio, wave])
    check(gram, [sum, wave, 1])
  })

  it("are by the weights of the response, of which they are to forget the old ones", () => {
    const gram = GramMatrix.make(space, 0)
    gram.add([0, product, wave])
    check(gram, [ratio])
    space.respond(
      0,
      data.y.map((value) => 5 + value),
      data.y.map(() => 0.1 + 3 * generator.next()),
    )
    gram.clear()
    expect(gram.members()).toHaveLength(0)
    gram.add([product, wave])
    check(gram, [ratio])
  })

  it("leave out what is not admissible, and stay within bounds", () => {
    const gram = GramMatrix.make(space, 0)
    // A difference of equals below a fraction: no number.
    const nothing = Spaces.apply(spaces, "sub", 0, 0)
    const pole = Spaces.apply(spaces, "div", 0, nothing)
    gram.add([0, pole, 1])
    const kept = [...gram.members()]
    regression.hold([], 0)
    const rows = regression.moments(Int32Array.of(0, pole, 1), 3)
    expect(kept).toEqual([0, pole, 1].filter((_, i) => rows[i * regression.width() + FAULTS] === 0))
    const some = [0, 1, product, wave, ratio, sum]
    const pairs = some.flatMap((a) => some.map((b) => Spaces.apply(spaces, "mul", a, b)))
    const many = pairs.flatMap((a) =>
      [...some, ...pairs].flatMap((b) =>
        ["add", "mul", "sub", "div"].map((name) => Spaces.apply(spaces, name, a, b)),
      ),
    )
    expect(many.length).toBeGreaterThan(5000)
    gram.add(many.slice(0, 4000))
    gram.add(many.slice(3990))
    expect(gram.members().length).toBeLessThanOrEqual(4096)
    expect([...gram.members()]).toContain(many[4500])
    check(gram, [wave])
  })
})
