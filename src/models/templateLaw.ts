import * as Effect from "effect/Effect"
import * as Data from "../data/Data.ts"
import type { Dataset } from "../data/Dataset.ts"
import { type CompileError, type DataError, FitError } from "../errors/Errors.ts"
import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import * as Noise from "../evidence/Noise.ts"
import * as Output from "../evidence/Output.ts"
import * as Shape from "../expr/Shape.ts"
import * as Term from "../expr/Term.ts"
import { columnOf } from "../expr/columnOf.ts"
import type { Info } from "../infer/Algorithm.ts"
import * as Fit from "../infer/Fit.ts"
import * as Keeper from "../infer/Keeper.ts"
import { normalised } from "../numeric/logSum.ts"
import * as Link from "../prob/Link.ts"
import * as Plan from "../prob/Plan.ts"
import type * as Template from "../prob/Template.ts"
import * as Rng from "../random/Rng.ts"
import * as TemplateSigns from "../rank/TemplateSigns.ts"
import * as Unseen from "../rank/Unseen.ts"
import * as HoleLibrary from "../search/HoleLibrary.ts"
import * as TemplateForm from "../search/TemplateForm.ts"
import * as TemplateScore from "../search/TemplateScore.ts"
import * as TemplateSearch from "../search/TemplateSearch.ts"
import * as Declared from "./Declared.ts"
import * as Fits from "./Fitted.ts"
import * as Law from "./law.ts"
import * as LawGrammar from "./LawGrammar.ts"
import * as Limits from "./Limits.ts"
import * as Subject from "./Subject.ts"
import * as TemplateData from "./TemplateData.ts"
import * as TemplateModel from "./TemplateModel.ts"

export type { Model, OutputModel } from "./TemplateModel.ts"
export type { Responses, Source } from "./TemplateData.ts"

/** Options of a fit. Fields that are left out have default values. */
export interface Options<N extends string = string, O extends string = string>
  extends Limits.Limits, LawGrammar.Settings {
  /** the most terms of a hole; 2 if left out */
  readonly trees?: number | undefined
  /** maximum depth of a hole's trees; 3 if left out */
  readonly depth?: number | undefined
  /**
   * Properties of holes, on the box of the values that their arguments have in the data: a law with a hole that is refuted has the prior
   * 0. What is open stays, and is said (`Model.shapes`).
   */
  readonly shapes?: { readonly [H in N]?: ReadonlyArray<Shape.Shape> } | undefined
  /** the column with the standard error of each row, above 0, in units of the output: of all outputs, or of each by its name */
  readonly error?: string | { readonly [K in O]?: string } | undefined
  /** the column with the weight of each row, at least 0, in the same way: the variance of its noise is in inverse proportion to it */
  readonly weights?: string | { readonly [K in O]?: string } | undefined
}

/** A finished fit. */
export interface Fitted<N extends string = string, O extends string = string> {
  readonly best: TemplateModel.Model<N, O>
  /** best first */
  readonly models: ReadonlyArray<TemplateModel.Model<N, O>>
  /** the mass of laws that are none of `models`, and what it follows from */
  readonly unseen: Unseen.Unseen
  readonly posterior: Fit.Summary
  /** seconds of the whole call */
  readonly seconds: number
  /** predictions of each output on rows of the template's columns, in their order (`template.columns`) */
  readonly predict: { readonly [K in O]: Fits.Predict }
}

/** A step of a fit: its report, and the best law so far. Call `best` before the next step. */
export type Step<N extends string = string, O extends string = string> = Fit.Step<Info> & {
  readonly best: () => TemplateModel.Model<N, O> | undefined
}

export const defaults = { trees: 2, depth: 3, time: 60 } as const

/** The column of an output, where one is given for all or by names. */
const columnFor = (given: string | Readonly<Record<string, string | undefined>> | undefined, name: string) =>
  typeof given === "string" ? given : given?.[name]

/**
 * Fits a template: the functions in its holes, and all numbers together. Each hole has the prior of laws over its arguments. Outputs have additive
 * noise, each of one unknown scale; the evidence of a law with p fitted numbers, which its outputs share, is that of a linear model with p coefficients
 * (`Output.logEvidence`), as for numbers inside of terms (`Constant.scaleFree`). Of more than 4,000 rows the search looks at 2,000 by chance; the laws
 * that it keeps are fitted and ranked on all.
 *
 * *When to use*: where the form of a law is known but for some functions.
 *
 * Fails as `Law.fit`, with a `FitError` when no law is finite on all rows.
 *
 * @param onStep called after every step
 *
 * @example
 * const template = Template.make({ f: ["t"], g: ["x"] }, ({ f, g }, { t, x }) => Term.mul(f({ t }), Term.exp(Term.neg(g({ x })))))
 * const { best } = yield* TemplateLaw.fit(template, { X, y, features: ["t", "x"] })
 * infix(best.holes.f)
 * // two outputs that share a hole
 * const fall = Template.make({ f: ["t"] }, ({ f }, { t }, D) => ({ height: f({ t }), speed: D("f", "t")({ t }) }))
 * const { predict } = yield* TemplateLaw.fit(fall, { X, y: { height, speed }, features: ["t"] })
 * predict.speed([[2.5]], { bands: [0.9] })
 */
export const fit = <C extends string, N extends string, O extends string>(
  template: Template.Template<C, N, O>,
  source: TemplateData.Source<O>,
  options: Options<N, O> = {},
  onStep: (step: Step<N, O>) => void = () => undefined,
): Effect.Effect<Fitted<N, O>, DataError | CompileError | FitError> =>
  Effect.gen(function* () {
    const clock = Limits.start(options, defaults.time)
    const seed = yield* Fit.Seed
    const data = yield* TemplateData.datasets(template, source)
    const { trees = defaults.trees, depth = defaults.depth } = options
    const outputsOf = (tables: ReadonlyArray<Dataset>) =>
      Effect.forEach(template.outputs, ({ name }, k) =>
        Output.make(tables[k]!, {
          error: columnFor(options.error, name),
          weights: columnFor(options.weights, name),
        }),
      )
    const outputs = yield* outputsOf(data)
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
    // The search looks at some rows of many; the laws that it keeps are ranked on all.
    const some = sample(data[0]!.rows, Rng.fold(Rng.key(seed), "template"))
    const looked = some === undefined ? outputs : yield* outputsOf(data.map((one) => Data.rowsOf(one, some)))
    const libraries = yield* Effect.forEach(names, (name, h) =>
      HoleLibrary.make(template, name, plans[h]!, looked[0]!.data),
    )
    const boxes = names.map((name) => boxOf(template, name, data[0]!))
    const shapesOf = (name: N): ReadonlyArray<Shape.Shape> => options.shapes?.[name] ?? []
    const verdicts = (h: number, term: Term.Term): ReadonlyArray<Shape.Verdict> =>
      shapesOf(names[h]!).map((shape) => Shape.test(term, shape, boxes[h]!))
    const exact = new Set(libraries.flatMap(({ grammar }) => [...FittedLaw.exactNumbers(grammar)]))
    const modelOf = (
      { forms, values, logEvidence, logPrior, score }: TemplateSearch.Entry,
      share: number,
    ): TemplateModel.Model<N, O> => {
      const terms = TemplateForm.holes(libraries, forms, values).map((term) => Term.arrange(term))
      const laws = TemplateModel.outputsOf(template, outputs, TemplateForm.byName(template, terms), exact)
      return {
        holes: byName(names, (h) => terms[h]!),
        outputs: byName(
          template.outputs.map(({ name }) => name),
          (k) => laws[k]!,
        ),
        lmpse: score,
        logEvidence,
        logPrior,
        posterior: share,
        probability: share,
        complexity: TemplateForm.complexity(libraries, forms),
        shapes: byName(names, (h) => verdicts(h, terms[h]!)),
      }
    }
    const allows = (h: number, term: Term.Term): boolean => !verdicts(h, term).includes("refuted")
    const algorithm = TemplateSearch.make(template, looked, libraries, { trees, allows })
    const score = TemplateScore.make(template, outputs, libraries, { allows })
    const { state } = yield* Fit.last(algorithm, (info, { algorithm: { entries } }) => {
      onStep({ ...info, best: () => entries[0] && modelOf(entries[0], 1) })
    }).pipe(
      Effect.provide(clock.rules(data[0]!.rows)),
      Keeper.part("search", () => Subject.of(seed, together(data), { ...options, template })),
    )
    const { entries: kept, scored, constant, reach, ...posterior } = Fit.summarise(algorithm, state, seed)
    const isInTime = clock.work()
    const entries =
      some === undefined
        ? kept
        : kept
            .flatMap((entry, place) => {
              // The first is ranked however late it is.
              const again =
                place > 0 && !isInTime(1) ? undefined : score({ ...entry, start: [...entry.values] })
              return again === undefined ? [] : [{ ...again, found: entry.found }]
            })
            .toSorted((a, b) => b.score - a.score)
    const [first] = entries
    if (first === undefined)
      return yield* new FitError({
        message: "no law of the template is finite on all rows, or its shapes exclude all",
      })
    const shares = normalised(entries.map(({ score }) => score))
    const found = entries.map((entry, i) => modelOf(entry, shares[i]!))
    const unseen = Unseen.of(
      TemplateSigns.of(found, {
        data: data.map((one) => withColumns(one, template.columns)),
        residuals: template.outputs.map(({ name }) => found[0]!.outputs[name].residuals()),
        terms: TemplateForm.terms(first.forms),
        found: first.found,
        scored,
        constant: some === undefined ? constant : undefined,
        reach,
      }),
    )
    const models = found.map((model) => ({
      ...model,
      probability: model.posterior * (1 - unseen.probability),
    }))
    const predict = byName(
      template.outputs.map(({ name }) => name),
      (_, name) =>
        Fits.predictor(
          { features: template.columns },
          models[0]!.outputs[name].expression,
          models.map(({ outputs: laws, posterior: share }) => ({ law: laws[name].law, posterior: share })),
        ),
    )
    return { best: models[0]!, models, unseen, posterior, seconds: clock.seconds(), predict }
  }).pipe(Declared.orFail)

/** The rows that a search looks at. */
const most = 2000

/** Some rows of many by chance, in their order; undefined where all are few enough. */
const sample = (rows: number, key: Rng.Key): Int32Array | undefined =>
  rows <= 2 * most ? undefined : Int32Array.from(Rng.generator(key).permutation(rows).slice(0, most)).sort()

/** A record from the places of its names. */
const byName = <N extends string, A>(
  names: ReadonlyArray<N>,
  of: (place: number, name: N) => A,
): Readonly<Record<N, A>> =>
  // The keys are the names.
  Object.fromEntries(names.map((name, place) => [name, of(place, name)])) as Readonly<Record<N, A>>

/** Data with some of their columns as features. */
const withColumns = (data: Dataset, names: ReadonlyArray<string>): Dataset => ({
  ...data,
  features: names,
  columns: names.map((name) => data.columns[data.features.indexOf(name)]!),
})

/** Data sets of the same rows as one, whose features are their columns and the other outputs. */
const together = ([first, ...others]: ReadonlyArray<Dataset>): Dataset => ({
  ...first!,
  features: [...first!.features, ...others.map(({ target }) => target)],
  columns: [...first!.columns, ...others.map(({ y }) => y)],
})

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
