import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import { type CompileError, type DataError, FitError } from "../errors/Errors.ts"
import * as Shape from "../expr/Shape.ts"
import * as Term from "../expr/Term.ts"
import { columnOf } from "../expr/evaluate.ts"
import * as Likelihood from "../evidence/Likelihood.ts"
import * as Noise from "../evidence/Noise.ts"
import * as Fit from "../infer/Fit.ts"
import * as Keeper from "../infer/Keeper.ts"
import { normalised } from "../numeric/logSum.ts"
import * as Link from "../prob/Link.ts"
import * as Plan from "../prob/Plan.ts"
import * as Template from "../prob/Template.ts"
import * as Rng from "../random/Rng.ts"
import * as HoleLibrary from "../search/HoleLibrary.ts"
import * as TemplateForm from "../search/TemplateForm.ts"
import * as TemplateSearch from "../search/TemplateSearch.ts"
import * as Declared from "./Declared.ts"
import * as Law from "./law.ts"
import * as LawGrammar from "./LawGrammar.ts"
import * as Limits from "./Limits.ts"
import * as Source from "./Source.ts"
import * as Subject from "./Subject.ts"

/** Options of a fit. Fields that are left out have default values. */
export interface Options<N extends string = string> extends Limits.Limits, LawGrammar.Settings {
  /** the most terms of a hole; 2 if left out */
  readonly trees?: number | undefined
  /** maximum depth of a hole's trees; 3 if left out */
  readonly depth?: number | undefined
  /**
   * Properties of holes, on the box of the values that their arguments have in the data: a law with a hole that is refuted has the prior
   * 0. What is open stays, and is said (`Model.shapes`).
   */
  readonly shapes?: { readonly [H in N]?: ReadonlyArray<Shape.Shape> } | undefined
}

export interface Model<N extends string = string> {
  /** the function in each hole, over its arguments */
  readonly holes: Readonly<Record<N, Term.Term>>
  /** the law over the columns */
  readonly expression: Term.Term
  /** log evidence plus log prior, in nats, up to a constant that all laws of the template share */
  readonly score: number
  /** its share among the laws that were kept */
  readonly posterior: number
  /** the root mean square error on the rows, in units of y */
  readonly rmse: number
  /** the verdicts on the shapes of each hole, in the order in which they were given */
  readonly shapes: Readonly<Record<N, ReadonlyArray<Shape.Verdict>>>
}

export interface Fitted<N extends string = string> {
  readonly best: Model<N>
  /** best first */
  readonly models: ReadonlyArray<Model<N>>
  readonly posterior: Fit.Summary
}

const defaults = { trees: 2, depth: 3, time: 60 } as const
/** The share of the variance of y below which fits score equally. */
const resolution = 1e-7

/**
 * Fits a template: the functions in its holes, and all numbers together. Each hole has the prior of laws over its arguments; the evidence of a
 * law with p fitted numbers is that of a linear model with p coefficients, as for numbers inside of terms (`Constant.scaleFree`).
 *
 * *When to use*: where the form of a law is known but for some functions.
 *
 * Fails as `Law.fit`, with a `FitError` when no law is finite on all rows.
 *
 * @example
 * const template = Template.make({ f: ["t"], g: ["x"] }, ({ f, g }, { t, x }) => Term.mul(f({ t }), Term.exp(Term.neg(g({ x })))))
 * const { best } = yield* TemplateLaw.fit(template, { X, y, features: ["t", "x"] })
 * infix(best.holes.f)
 */
export const fit = <C extends string, N extends string>(
  template: Template.Template<C, N>,
  source: Source.Source,
  options: Options<N> = {},
): Effect.Effect<Fitted<N>, DataError | CompileError | FitError> =>
  Effect.gen(function* () {
    const seed = yield* Fit.Seed
    const { train: data } = yield* Source.split(source, 0, Rng.fold(Rng.key(seed), "template"))
    const { trees = defaults.trees, depth = defaults.depth } = options
    // The keys are the names of the holes.
    const names = Object.keys(template.holes) as unknown as ReadonlyArray<N>
    const plans = yield* Effect.forEach(names, (name) =>
      Plan.declared(
        Law.model(LawGrammar.make(template.holes[name], options), {
          trees,
          depth,
          links: [Link.identity],
          noise: Noise.named("additive"),
        }),
      ),
    )
    const libraries = yield* Effect.forEach(names, (name, h) =>
      HoleLibrary.make(template, name, plans[h]!, data),
    )
    const likelihood = yield* Likelihood.of(plans[0]!.likelihood)
    const evidence = yield* likelihood.approximate(data, resolution)
    const boxes = names.map((name) => boxOf(template, name, data))
    const shapesOf = (name: N): ReadonlyArray<Shape.Shape> => options.shapes?.[name] ?? []
    const verdicts = (h: number, term: Term.Term): ReadonlyArray<Shape.Verdict> =>
      shapesOf(names[h]!).map((shape) => Shape.test(term, shape, boxes[h]!))
    const algorithm = TemplateSearch.make(template, data, libraries, {
      trees,
      evidence,
      allows: (h, term) => !verdicts(h, term).includes("refuted"),
    })
    const { entries, ...posterior } = yield* Fit.fit(algorithm).pipe(
      Effect.provide(Limits.layer(options, defaults.time)),
      Keeper.part("search", () => Subject.of(seed, data, { ...options, template })),
    )
    const shares = normalised(entries.map(({ score }) => score))
    const models = entries.map(({ forms, values, rss, score }, i): Model<N> => {
      const terms = TemplateForm.holes(libraries, forms, values).map((term) => Term.simplify(term))
      return {
        holes: byName(names, (h) => terms[h]!),
        expression: Term.simplify(Template.law(template, TemplateForm.byName(template, terms))),
        score,
        posterior: shares[i]!,
        rmse: Math.sqrt(rss / data.rows),
        shapes: byName(names, (h) => verdicts(h, terms[h]!)),
      }
    })
    const [best] = models
    if (best === undefined)
      return yield* new FitError({
        message: "no law of the template is finite on all rows, or its shapes exclude all",
      })
    return { best, models, posterior: { ...posterior, seed } }
  }).pipe(Declared.orFail)

/** A record of holes from their places. */
const byName = <N extends string, A>(names: ReadonlyArray<N>, of: (h: number) => A): Readonly<Record<N, A>> =>
  // The keys are the names.
  Object.fromEntries(names.map((name, h) => [name, of(h)])) as Readonly<Record<N, A>>

/** The values that the arguments of a hole have in the data, at all of its uses. */
const boxOf = (template: Template.Template, name: string, data: Dataset): Shape.Box =>
  Object.fromEntries(
    (template.holes[name] ?? []).map((argument) => {
      let [low, high] = [Infinity, -Infinity]
      for (const { hole, of } of template.uses) {
        if (hole !== name) continue
        const term = of[argument] ?? Term.variable(argument)
        for (const value of columnOf(term, data.features, data.columns, data.rows))
          [low, high] = [Math.min(low, value), Math.max(high, value)]
      }
      return [argument, { low, high }]
    }),
  )
