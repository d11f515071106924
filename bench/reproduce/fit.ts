import { infix } from "../../src/expr/text/infix.ts"
import type { Posterior } from "../../src/infer/Posterior.ts"
import { rmse } from "../../src/evidence/Law.ts"
import type { Model } from "../../src/rank/Model.ts"
import { searchSteps } from "../library/law.ts"
import { grammarOf, initialParameters, train } from "../library/paper.ts"
import { published, type Settings } from "../library/settings.ts"
import { type Judge, judge } from "../recovery.ts"
import type { FitCase, FitResult, Found } from "./case.ts"
import { keysOf, type Sample, sampleOf } from "./data.ts"

/** CPU seconds of this process since some time. */
export const cpuSeconds = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1e6
}

const describe = (model: Model, by: Judge): Found => ({
  expression: infix(model.expression, { precision: 10 }),
  ...by.recovery(model.terms, model.link.forward),
  lmpse: model.lmpse,
  complexity: model.complexity,
  rmseTrain: model.rmseTrain,
  rmseTest: model.rmseTest ?? Number.NaN,
})

/** What a ranking says, best first; it looks for the law among all that was ranked. */
const report = (
  models: ReadonlyArray<Model>,
  by: Judge,
  top: number,
): Pick<FitResult, "best" | "within" | "top"> => ({
  best: describe(models[0]!, by),
  within: models.some(({ terms, link }) => by.recovery(terms, link.forward).found),
  ...(top > 1 ? { top: models.slice(0, top).map((model) => describe(model, by)) } : {}),
})

/** The law where none of the drawn ensembles is a model: the mean of y. */
const nothing = ({ train, test }: Sample): Found => {
  const mean = meanOf([...train.y])
  const rmseOf = (y: Float64Array): number => rmse(y, new Float64Array(y.length).fill(mean))
  return {
    expression: mean.toPrecision(10),
    found: false,
    alone: false,
    lmpse: null,
    complexity: 0,
    rmseTrain: rmseOf(train.y),
    rmseTest: rmseOf(test.y),
  }
}

const meanOf = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The largest change of a logit of the trees. */
const moved = ({ plan, parameters }: Posterior, seed: number): number => {
  const before = initialParameters(plan, seed)
  return plan.parameters
    .filter(({ site }) => site.startsWith("trees."))
    .flatMap(({ offset, length }) =>
      Array.from({ length }, (_, i) => Math.abs(parameters[offset + i]! - before[offset + i]!)),
    )
    .reduce((largest, change) => Math.max(largest, change), 0)
}

/** A fit of the paper's model, relaxed or searched. */
const ensemble = async (
  { seed, features, top = 1 }: FitCase,
  settings: Settings,
  sample: Sample,
): Promise<FitResult> => {
  const grammar = grammarOf(sample.train.features, sample.operators)
  const [, key] = keysOf(seed)
  const started = process.cpuUsage()
  const { posterior, ranking, otherwise } = await train(grammar, settings, sample, seed, key)
  const cpu = cpuSeconds(started)
  const by = judge(sample.problem, features)
  const result =
    ranking === undefined
      ? { best: nothing(sample), within: false, distinct: 0, cpu }
      : { ...report(ranking.models, by, top), distinct: ranking.distinct, cpu }
  if (otherwise === undefined) return result
  // The same draws with another prior of the coefficients; not part of the method, so that its time does not count.
  const other = await otherwise()
  return {
    ...result,
    other: other === undefined ? nothing(sample) : describe(other.models[0]!, by),
    ...(posterior.trace.length > 0
      ? {
          moved: moved(posterior, seed),
          elbo: [meanOf(posterior.trace.slice(0, 50)), meanOf(posterior.trace.slice(-50))] as const,
        }
      : {}),
  }
}

/** A fit of `models/law` with the operators of the problem. */
const law = async (
  { seed, features, top = 1 }: FitCase,
  settings: Settings,
  sample: Sample,
): Promise<FitResult> => {
  const { train, test, problem } = sample
  const { operators } = grammarOf(train.features, sample.operators)
  const { trees, depth, steps } = settings
  const started = process.cpuUsage()
  const fitted = await searchSteps(train, steps, { operators, trees, depth, seed })
  const cpu = cpuSeconds(started)
  const rows = Array.from({ length: test.rows }, (_, i) => test.columns.map((column) => column[i]!))
  const rmseTest = rmse(test.y, fitted.predict(rows))
  const by = judge(problem, features)
  const said = report(fitted.models, by, top)
  return { ...said, best: { ...said.best, rmseTest }, distinct: fitted.ranking.distinct, cpu }
}

/** Runs a fit of VaSST. */
export const runFit = (one: FitCase): Promise<FitResult> => {
  const settings = { ...published, ...one.settings }
  return (settings.method === "law" ? law : ensemble)(one, settings, sampleOf(one))
}
