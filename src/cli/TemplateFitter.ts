import * as Effect from "effect/Effect"
import * as Link from "../prob/Link.ts"
import type { Model } from "../models/TemplateModel.ts"
import type { Ranked } from "../report/Document.ts"
import * as Outcome from "../report/Outcome.ts"
import * as Looks from "../infer/Looks.ts"
import * as Progress from "../report/Progress.ts"
import type { Fit, Templated } from "./Fitter.ts"
import * as BestLaw from "./BestLaw.ts"
import * as LawOptions from "./LawOptions.ts"
import * as Recorder from "./Recorder.ts"
import * as Requests from "./Requests.ts"
import * as OwnOperators from "./rows/OwnOperators.ts"

/** A law of a template as a report needs it: that of its first output, with all parts. */
const ranked = (model: Model, { template, shapes }: Templated["form"]): Ranked => {
  const { lmpse, logEvidence, logPrior, posterior, probability, complexity } = model
  const outputs = template.outputs.map(({ name }) => {
    const one = model.outputs[name]!
    return {
      target: name,
      expression: one.expression,
      numbers: one.numbers,
      law: one.law,
      rmse: one.rmse,
      rmseLoo: one.rmseLoo,
    }
  })
  const [first] = outputs
  return {
    link: Link.identity,
    expression: first!.expression,
    // The terms and coefficients of a sum; a template is none.
    terms: [],
    coefficients: new Float64Array(0),
    numbers: first!.numbers,
    lmpse,
    logEvidence,
    logPrior,
    posterior,
    probability,
    complexity,
    rmseTrain: first!.rmse,
    rmseTest: undefined,
    rmseLoo: first!.rmseLoo,
    law: first!.law,
    parts: {
      outputs,
      holes: Object.entries(template.holes).map(([name, args]) => ({
        name,
        arguments: args,
        term: model.holes[name]!,
        shapes: (shapes[name] ?? []).map((shape, k) => ({ shape, verdict: model.shapes[name]![k]! })),
      })),
    },
  }
}

/** The fit of a template. The library is loaded when it starts, so that everything else answers at once. */
export const fit: Fit<Templated> = (data, settings, { onBackend, onProgress, spent, stop }) =>
  Effect.gen(function* () {
    const { form, seed, objective, fitted: size, operators, own, time, effort, ...others } = settings
    const [TemplateLaw, Infer, LawGrammar] = yield* Effect.promise(() =>
      Promise.all([
        import("../models/templateLaw.ts"),
        import("../infer/Fit.ts"),
        import("../models/LawGrammar.ts"),
      ]),
    )
    onBackend("simd", undefined)
    const { trees, depth, constants } = others
    const limit = time ?? (effort === undefined ? TemplateLaw.defaults.time : undefined)
    const { template, shapes, error, weights } = form
    const looks = Looks.make<Progress.Best | undefined>()
    const found = yield* TemplateLaw.fit(
      template,
      data,
      {
        trees,
        depth,
        constants,
        operators: OwnOperators.withDefaults({ operators, own }, LawGrammar.operators),
        fitted: yield* LawOptions.numbers(size),
        time,
        spent,
        effort,
        shapes,
        error,
        weights,
      },
      ({ seconds, scored = 0, best }) =>
        onProgress?.(
          Progress.ofSearch({
            seconds,
            scored,
            limit,
            best: () =>
              looks.at(seconds, () => {
                const model = best()
                const [first] = template.outputs
                return BestLaw.of(
                  data.target,
                  model && { ...model.outputs[first!.name]!, lmpse: model.lmpse },
                )
              }),
          }),
        ),
    ).pipe(
      seed === undefined ? (effect) => effect : Effect.provideService(Infer.Seed, seed),
      Effect.provideService(Infer.Interrupt, Requests.of(stop)),
    )
    const { models, unseen, posterior, seconds } = found
    return {
      ...Outcome.of(objective, "simd", {
        models: models.map((model) => ranked(model, form)),
        unseen,
        posterior,
        // A clock is not the same on every machine.
        seconds,
      }),
      ...(effort !== undefined && { seconds: undefined }),
      template: form.texts,
      trace: Recorder.ofSearch(posterior.course),
    }
  })
