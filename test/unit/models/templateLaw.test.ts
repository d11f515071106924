// Laws of a template: functions of holes, found with all numbers. Seeds are fixed.
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Data from "../../../src/data/Data.ts"
import * as Shape from "../../../src/expr/Shape.ts"
import * as Term from "../../../src/expr/Term.ts"
import { infix } from "../../../src/expr/text/infix.ts"
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
    expect(best.outputs.y.rmse).toBeCloseTo(0.03, 2)
    expect(best.shapes).toEqual({ f: ["proved"], g: ["proved"] })
    for (const { shapes } of models) expect(Object.values(shapes).flat()).not.toContain("refuted")
  })

  it("finds the function that two outputs share, from both", async () => {
    const random = Rng.generator(Rng.key(6))
    const X = Array.from({ length: 120 }, () => [4 * random.next()] as const)
    // f(t) = 2 t - t^2 / 2: the height has much noise, and the speed little.
    const height = X.map(([t]) => 2 * t - 0.5 * t * t + 0.5 * random.normal())
    const speed = X.map(([t]) => 2 - t + 0.02 * random.normal())
    const template = Template.make({ f: ["t"] }, ({ f }, { t }, D) => ({
      height: f({ t }),
      speed: D("f", "t")({ t }),
    }))
    const { best, models, unseen, predict } = await Effect.runPromise(
      TemplateLaw.fit(
        template,
        { X, y: { height, speed }, features: ["t"] },
        { operators: ["mul", "square"], effort: 100_000 },
      ),
    )
    expect(infix(best.holes.f, { precision: 2 })).toMatch(/^2\*t - 0.5\*t\^2|^-0.5\*t\^2 \+ 2\*t/)
    expect(best.outputs.height.rmse).toBeCloseTo(0.5, 0)
    expect(best.outputs.speed.rmse).toBeCloseTo(0.02, 2)
    expect(best.outputs.speed.rmseLoo).toBeGreaterThan(best.outputs.speed.rmse)
    // The speed says what the height alone could not.
    for (const { error } of best.outputs.height.numbers) expect(error).toBeLessThan(0.01)
    expect(best.outputs.height.law().names).toEqual(best.outputs.speed.law().names)
    const [band] = predict.height([[2]], { bands: [0.9] }).bands
    expect(band!.predictive.high[0]! - band!.predictive.low[0]!).toBeCloseTo(2 * 1.645 * 0.5, 0)
    expect(band!.credible.high[0]! - band!.credible.low[0]!).toBeLessThan(0.05)
    expect(predict.speed([[2]])[0]).toBeCloseTo(0, 1)
    // The unseen has mass, and all probabilities sum to 1.
    const sum = models.reduce((mass, one) => mass + one.probability, unseen.probability)
    expect(sum).toBeCloseTo(1, 10)
    expect(unseen.signs).toMatchObject({ agreeing: 2, columns: 1, rows: 120, complexity: 3 })
    expect(unseen.probability).toBeLessThan(0.3)
  })

  it("weighs rows by the column of their errors", async () => {
    const random = Rng.generator(Rng.key(8))
    const X = Array.from({ length: 80 }, (_, i) => [3 * random.next(), i % 2 === 0 ? 0.02 : 2] as const)
    const y = X.map(([t, e]) => 1 + 3 * t * t + e * random.normal())
    const fitted = (error: string | undefined) =>
      Effect.runPromise(
        TemplateLaw.fit(
          Template.make({ f: ["t"] }, ({ f }, { t }) => f({ t })),
          { X, y, features: ["t", "dy"] },
          { operators: ["mul", "square"], effort: 5000, error },
        ),
      )
    const [known, alike] = [await fitted("dy"), await fitted(undefined)]
    // The factor of the known errors is the noise scale.
    expect(known.best.outputs.y.law().sigma).toBeCloseTo(1, 0)
    const errorOf = ({ best }: typeof known): number => best.outputs.y.numbers[0]!.error
    expect(errorOf(known)).toBeLessThan(errorOf(alike) / 10)
    await expect(fitted("dz")).rejects.toThrow('there is no column "dz" with standard errors')
  })

  it("is the same for one output, by its name or without", async () => {
    const random = Rng.generator(Rng.key(9))
    const X = Array.from({ length: 40 }, () => [3 * random.next()] as const)
    const y = X.map(([t]) => 1 + 2 * t * t + 0.1 * random.normal())
    const options = { operators: ["mul", "square"], effort: 2000 } as const
    const one = await Effect.runPromise(
      TemplateLaw.fit(
        Template.make({ f: ["t"] }, ({ f }, { t }) => f({ t })),
        { X, y, features: ["t"] },
        options,
      ),
    )
    const named = await Effect.runPromise(
      TemplateLaw.fit(
        Template.make({ f: ["t"] }, ({ f }, { t }) => ({ width: f({ t }) })),
        { X, y: { width: y }, features: ["t"] },
        options,
      ),
    )
    expect(named.models.map(({ lmpse }) => lmpse)).toEqual(one.models.map(({ lmpse }) => lmpse))
    expect(named.best.outputs.width.expression).toEqual(one.best.outputs.y.expression)
  })

  it("says which output has no column", async () => {
    const template = Template.make({ f: ["t"] }, ({ f }, { t }, D) => ({
      height: f({ t }),
      speed: D("f", "t")({ t }),
    }))
    const data = {
      features: ["t", "sped"],
      columns: [
        [1, 2, 3, 4],
        [1, 2, 3, 5],
      ],
      target: "height",
      y: [1, 4, 9, 16],
    }
    await expect(
      Effect.runPromise(Effect.flatMap(Data.fromColumns(data), (table) => TemplateLaw.fit(template, table))),
    ).rejects.toThrow('there is no column "speed" for the output of this name; did you mean "sped"?')
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
