// Laws of templates drawn from the prior, fitted, and judged: what a probability that is stated is worth.
import * as Effect from "effect/Effect"
import * as Data from "../../src/data/Data.ts"
import * as Output from "../../src/evidence/Output.ts"
import * as SharedFit from "../../src/evidence/fitted/sharedFit.ts"
import * as Noise from "../../src/evidence/Noise.ts"
import * as Term from "../../src/expr/Term.ts"
import * as Fit from "../../src/infer/Fit.ts"
import * as Law from "../../src/models/law.ts"
import * as LawGrammar from "../../src/models/LawGrammar.ts"
import * as TemplateLaw from "../../src/models/templateLaw.ts"
import * as Link from "../../src/prob/Link.ts"
import * as Plan from "../../src/prob/Plan.ts"
import * as Template from "../../src/prob/Template.ts"
import * as Rng from "../../src/random/Rng.ts"
import * as PriorData from "../../src/testing/priorData.ts"

type Columns = Readonly<Record<string, Float64Array>>

/** Templates, and their outputs by the values of their holes. */
const templates: ReadonlyArray<{
  readonly template: Template.Template
  readonly values: (holes: Columns, columns: Columns) => Columns
}> = [
  {
    template: Template.make({ f: ["t"], g: ["x"] }, ({ f, g }, { t, x }) => Term.mul(f({ t }), g({ x }))),
    values: ({ f, g }) => ({ y: f!.map((value, i) => value * g![i]!) }),
  },
  {
    template: Template.make({ f: ["t"] }, ({ f }, { t }) => ({ u: f({ t }), v: Term.mul(t, f({ t })) })),
    values: ({ f }, { t }) => ({ u: f!, v: f!.map((value, i) => value * t![i]!) }),
  },
  {
    template: Template.make({ f: ["t"], g: ["x"] }, ({ f, g }, { t, x }) => ({
      u: Term.add(f({ t }), g({ x })),
      v: Term.mul(x, f({ t })),
    })),
    values: ({ f, g }, { x }) => ({
      u: f!.map((value, i) => value + g![i]!),
      v: f!.map((value, i) => value * x![i]!),
    }),
  },
]

const operators = ["add", "mul", "div", "square", "sqrt", "sin", "exp", "log"] as const

const scaleOf = (values: Float64Array): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}

/** A function for each hole, drawn from its prior, by its values; and the number of their numbers. */
const draw = (template: Template.Template, columns: Columns, rows: number, key: Rng.Key) =>
  Effect.gen(function* () {
    const holes: Record<string, Float64Array> = {}
    let numbers = 0
    for (const [name, args] of Object.entries(template.holes)) {
      const plan = yield* Plan.declared(
        Law.model(LawGrammar.make(args, { operators }), {
          trees: 2,
          depth: 3,
          links: [Link.identity],
          noise: Noise.named("additive"),
        }),
      )
      const drawn = yield* PriorData.draw(
        plan,
        {
          features: args,
          columns: args.map((one) => columns[one]!),
          target: "y",
          y: new Float64Array(rows),
          rows,
        },
        Rng.fold(key, name),
      )
      holes[name] = drawn.mean
      numbers += drawn.numbers + 1
    }
    return { holes, numbers }
  })

export interface Judged {
  /** the probability of the first law, and its share among the laws that were kept */
  readonly stated: number
  readonly share: number
  /** whether its form can be fitted to the values without noise, with no more numbers than the law has */
  readonly right: boolean
  /** the restarts that end at the best law */
  readonly agreeing: number
  readonly noise: number
}

/**
 * Draws a function for each hole of a template from its prior, and rows of its outputs with noise of 0.1 % to 30 % of their standard deviation; fits
 * them, and judges the first law.
 */
export const simulate = (seed: number, effort: number): Promise<Judged> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const key = Rng.fold(Rng.key(seed), "template simulation")
      const random = Rng.generator(key)
      const { template, values } = templates[seed % templates.length]!
      const rows = Math.round(30 * Math.exp(Math.log(6) * random.next()))
      const columns = Object.fromEntries(
        template.columns.map((name) => [
          name,
          Float64Array.from({ length: rows }, () => 0.3 + 3 * random.next()),
        ]),
      )
      let drawn = yield* draw(template, columns, rows, Rng.fold(key, 0))
      // A law whose outputs are numbers has nothing to explain.
      for (let attempt = 1; attempt < 100; attempt++) {
        if (Object.values(values(drawn.holes, columns)).every((mean) => !Data.isConstant(mean))) break
        drawn = yield* draw(template, columns, rows, Rng.fold(key, attempt))
      }
      const { numbers } = drawn
      const truth = values(drawn.holes, columns)
      const noise = Math.exp(Math.log(1e-3) + random.next() * Math.log(300))
      const y = Object.fromEntries(
        Object.entries(truth).map(([name, mean]) => {
          const scale = scaleOf(mean)
          return [name, mean.map((value) => value + noise * scale * random.normal())]
        }),
      )
      const X = Array.from({ length: rows }, (_, i) => template.columns.map((name) => columns[name]![i]!))
      const { best, unseen } = yield* TemplateLaw.fit(
        template,
        { X, y, features: template.columns },
        { effort, operators },
      ).pipe(Effect.provide(Fit.seed(seed)))
      const names = template.outputs.map(({ name }) => name)
      const outputs = yield* Effect.forEach(names, (name) =>
        Output.make(
          {
            features: template.columns,
            columns: template.columns.map((one) => columns[one]!),
            target: name,
            y: truth[name]!,
            rows,
          },
          { error: undefined, weights: undefined },
        ),
      )
      const laws = names.map((name) => best.outputs[name]!.law())
      const fitted = SharedFit.fit(
        outputs,
        laws.map(({ formula }) => formula),
        laws[0]!.names,
        laws[0]!.values,
      )
      const contained = outputs.every(
        ({ target }, k) =>
          Math.sqrt((fitted?.rss[k] ?? Infinity) / rows) <= 1e-5 * Math.sqrt(target.tss / rows),
      )
      return {
        stated: best.probability,
        share: best.posterior,
        right: contained && laws[0]!.names.length <= numbers,
        agreeing: unseen.signs.agreeing,
        noise,
      }
    }),
  )
