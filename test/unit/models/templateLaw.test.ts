// Laws of a template: functions of holes, found with all numbers. Seeds are fixed.
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Shape from "../../../src/expr/Shape.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as TemplateLaw from "../../../src/models/templateLaw.ts"
import * as Template from "../../../src/prob/Template.ts"
import * as Rng from "../../../src/random/Rng.ts"

const at = (term: Term.Term, point: Readonly<Record<string, number>>): number =>
  Term.interpret(Term.arithmetic)(term)((name) => point[name] ?? Number.NaN)

describe("TemplateLaw.fit", () => {
  it("finds y = (a + b t^2) exp(-c x), and says what is known of its holes", async () => {
    const random = Rng.generator(Rng.key(4))
    const X = Array.from({ length: 200 }, () => [3 * random.next(), 2 * random.next()] as const)
    const y = X.map(([t, x]) => (1.3 + 0.7 * t * t) * Math.exp(-0.8 * x) + 0.03 * random.normal())
    const template = Template.make({ f: ["t"], g: ["x"] }, ({ f, g }, { t, x }) =>
      Term.mul(f({ t }), Term.exp(Term.neg(g({ x })))),
    )
    const { best, models } = await Effect.runPromise(
      TemplateLaw.fit(
        template,
        { X, y, features: ["t", "x"] },
        {
          operators: ["mul", "div", "square", "exp"],
          effort: 30_000,
          shapes: { f: [Shape.positive], g: [Shape.increasing("x")] },
        },
      ),
    )
    for (const t of [0, 1, 2.5]) expect(at(best.holes.f, { t }) / (1.3 + 0.7 * t * t)).toBeCloseTo(1, 1)
    for (const x of [0.5, 1.9]) expect(at(best.holes.g, { x }) / (0.8 * x)).toBeCloseTo(1, 1)
    expect(Term.size(best.holes.g)).toBe(3)
    expect(best.rmse).toBeCloseTo(0.03, 2)
    expect(best.shapes).toEqual({ f: ["proved"], g: ["proved"] })
    for (const { shapes } of models) expect(Object.values(shapes).flat()).not.toContain("refuted")
  })

  it("finds one function that is used twice, and once as its derivative", async () => {
    const random = Rng.generator(Rng.key(5))
    const X = Array.from({ length: 150 }, () => [3 * random.next(), 3 * random.next()] as const)
    const y = X.map(([a, b]) => 0.5 * a * a - 0.5 * b * b + a + 0.02 * random.normal())
    // f(r) = r^2 / 2: y = f(a) - f(b) + f'(a).
    const template = Template.make({ f: { r: ["a", "b"] } }, ({ f }, { a, b }, D) =>
      Term.add(Term.sub(f({ r: a }), f({ r: b })), D("f", "r")({ r: a })),
    )
    const { best } = await Effect.runPromise(
      TemplateLaw.fit(
        template,
        { X, y, features: ["a", "b"] },
        { operators: ["mul", "square", "sin"], effort: 30_000 },
      ),
    )
    const f = (r: number): number => at(best.holes.f, { r })
    for (const r of [1, 2, 3]) expect((f(r) - f(0)) / (0.5 * r * r)).toBeCloseTo(1, 1)
  })
})
